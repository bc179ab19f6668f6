/* A histogram, as lines of text and as a picture. */
#ifndef MALPAN_UI_CLI_HISTOGRAM_H
#define MALPAN_UI_CLI_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct Histogram {
    const char *title;
    const char *across;     /* what the numbers from left to right are: "moves in a game" */
    const uint64_t *counts; /* of 0, 1, 2, ... */
    size_t count;
    /* If not NULL, the picture leaves out the highest numbers, up to a thousandth of the whole, and
     * says so: "5 games with more moves" is a count and this text. */
    const char *left_out;
} Histogram;

/* Prints it with bars of `#`, with several numbers to a line if there are many. */
void histogram_print(const Histogram *histogram);

/* Writes it to `path` as SVG. Replaces the file atomically. */
Status histogram_plot(const Histogram *histogram, const char *path);

#endif
