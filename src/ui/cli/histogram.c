#include "ui/cli/histogram.h"

#include <inttypes.h>
#include <stdio.h>

enum { BAR = 50, ROWS = 24 };

/* Sums the counts of the numbers from `low` to `low + step - 1`. */
static uint64_t sum_from(const Histogram *histogram, size_t low, size_t step) {
    uint64_t sum = 0;
    for (size_t i = low; i < low + step && i < histogram->count; i++)
        sum += histogram->counts[i];
    return sum;
}

void histogram_print(const Histogram *histogram) {
    size_t first = 0, last = histogram->count - 1;
    while (first < last && histogram->counts[first] == 0)
        first++;
    while (last > first && histogram->counts[last] == 0)
        last--;
    size_t step = (last - first) / ROWS + 1;
    uint64_t highest = 1;
    for (size_t low = first; low <= last; low += step)
        if (sum_from(histogram, low, step) > highest)
            highest = sum_from(histogram, low, step);
    for (size_t low = first; low <= last; low += step) {
        uint64_t sum = sum_from(histogram, low, step);
        char range[48];
        snprintf(range, sizeof range, step > 1 ? "%zu-%zu" : "%zu", low, low + step - 1);
        printf("  %9s ", range);
        for (uint64_t i = 0; i < sum * BAR / highest; i++)
            putchar('#');
        printf(" %" PRIu64 "\n", sum);
    }
}
