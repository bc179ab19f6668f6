/* A histogram, as lines of text and as an SVG picture. */
#ifndef MALPAN_UI_CLI_HISTOGRAM_H
#define MALPAN_UI_CLI_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct Histogram {
    const char *title;
    const char *across;     /* label of the horizontal axis: "moves in a game" */
    const uint64_t *counts; /* how often 0, 1, 2, ... occur */
    size_t count;
    /* If not NULL, the picture omits the highest numbers, up to a thousandth of the total, and says
     * so: "5 games with more moves" is a count and this text. */
    const char *left_out;
} Histogram;

/* Prints the histogram with bars of `#`, with several numbers to a line if there are many. */
void histogram_print(const Histogram *histogram);

/* Writes the histogram to `path` as SVG. Replaces the file atomically. */
Status histogram_plot(const Histogram *histogram, const char *path);

#endif
