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
    /* Not NULL: the highest numbers, one in a thousand of all, are left out, and the picture says
     * so: "5 longer games" is this with a number in front. */
    const char *left_out;
} Histogram;

/* Prints it with bars of `#`, several numbers a line where there are many. */
void histogram_print(const Histogram *histogram);

/* Writes it to `path`, as SVG. */
Status histogram_plot(const Histogram *histogram, const char *path);

#endif
