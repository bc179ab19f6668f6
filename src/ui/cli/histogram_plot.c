#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "ui/cli/histogram.h"

enum {
    WIDTH = 760,
    HEIGHT = 420,
    LEFT = 70, /* the area of the bars */
    RIGHT = 730,
    TOP = 70,
    BOTTOM = 350,
    BARS_MAX = 110,
    TICKS = 6,
    BYTES = 1 << 16
};

/* The counts, summed into bars of `step` numbers each. */
typedef struct Bars {
    size_t first, step, count;
    uint64_t sums[BARS_MAX];
    uint64_t highest;
    uint64_t left_out;
    size_t largest; /* the largest number left out */
} Bars;

static Bars gather_bars(const Histogram *histogram) {
    const uint64_t one_in = 1000;
    const uint64_t *counts = histogram->counts;
    Bars bars = {.highest = 1};
    uint64_t all = 0;
    size_t last = histogram->count - 1;
    for (size_t i = 0; i < histogram->count; i++)
        all += counts[i];
    uint64_t left_out_max = histogram->left_out ? all / one_in : 0;
    while (bars.first < last && counts[bars.first] == 0)
        bars.first++;
    while (last > bars.first && bars.left_out + counts[last] <= left_out_max) {
        if (bars.left_out == 0)
            bars.largest = last;
        bars.left_out += counts[last--];
    }
    bars.step = (last - bars.first) / BARS_MAX + 1;
    for (size_t i = bars.first; i <= last; i++) {
        size_t at = (i - bars.first) / bars.step;
        bars.sums[at] += counts[i];
        bars.count = at + 1;
        if (bars.sums[at] > bars.highest)
            bars.highest = bars.sums[at];
    }
    return bars;
}

static void add_text(Text *text, double x, double y, int size, const char *anchor,
                     const char *words) {
    text_addf(text, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\">%s</text>\n",
              x, y, size, anchor, words);
}

/* A round distance (1, 2, 5, 10, ...) that puts about TICKS ticks below `highest`. */
static uint64_t tick_step(uint64_t highest) {
    uint64_t step = 1;
    while (step * TICKS < highest) {
        if (step * 2 * TICKS >= highest)
            return step * 2;
        if (step * 5 * TICKS >= highest)
            return step * 5;
        step *= 10;
    }
    return step;
}

static void add_axes(Text *text, const Bars *bars, const char *across, double scale) {
    char words[64];
    uint64_t step = tick_step(bars->highest);
    for (uint64_t sum = 0; sum <= bars->highest; sum += step) {
        double y = BOTTOM - scale * (double)sum;
        text_addf(text, "<path d=\"M%d %.1fH%d\" stroke=\"#ccc\"/>\n", LEFT, y, RIGHT);
        snprintf(words, sizeof words, "%" PRIu64, sum);
        add_text(text, LEFT - 8, y + 5, 14, "end", words);
    }
    double width = (double)(RIGHT - LEFT) / (double)bars->count;
    step = tick_step(bars->count * bars->step);
    for (size_t i = 0; i < bars->count; i++) {
        size_t from = bars->first + i * bars->step, number = (from + step - 1) / step * step;
        if (number >= from + bars->step)
            continue;
        snprintf(words, sizeof words, "%zu", number);
        add_text(text, LEFT + ((double)i + 0.5) * width, BOTTOM + 20, 14, "middle", words);
    }
    snprintf(words, sizeof words, bars->step > 1 ? "%s, %zu to a bar" : "%s", across, bars->step);
    add_text(text, (LEFT + RIGHT) / 2.0, BOTTOM + 48, 15, "middle", words);
}

static void draw_histogram(Text *text, const Histogram *histogram) {
    Bars bars = gather_bars(histogram);
    char words[256];
    double scale = (double)(BOTTOM - TOP) / (double)bars.highest;
    double width = (double)(RIGHT - LEFT) / (double)bars.count;
    text_addf(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
              "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
              WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    add_text(text, WIDTH / 2.0, 36, 20, "middle", histogram->title);
    snprintf(words, sizeof words, "%" PRIu64 " %s, up to %zu, are left out", bars.left_out,
             histogram->left_out ? histogram->left_out : "", bars.largest);
    if (bars.left_out > 0)
        add_text(text, RIGHT, TOP + 20, 14, "end", words);
    add_axes(text, &bars, histogram->across, scale);
    text_add(text, "<g fill=\"#2a6fb0\">\n");
    for (size_t i = 0; i < bars.count; i++) {
        double height = scale * (double)bars.sums[i];
        text_addf(text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                  LEFT + (double)i * width, BOTTOM - height, width - 1, height);
    }
    text_add(text, "</g>\n</svg>\n");
}

Status histogram_plot(const Histogram *histogram, const char *path) {
    char *bytes = malloc(BYTES);
    if (!bytes)
        return status_make(STATUS_FAILED, "out of memory");
    Text text = text_over(bytes, BYTES);
    draw_histogram(&text, histogram);
    Status status = file_replace(path, bytes, text.length);
    free(bytes);
    return status;
}
