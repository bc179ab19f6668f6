/* Progress as one line of text:
 *
 *     playing  37 %  370,000 of 1,000,000  185,000/s  3 s left
 *     solving  short lists  sweep 41  70 %  change 3.1e-05  120.4 M/s  about 80 s left
 *
 * On a terminal the line is rewritten in place, at most ten times per second, and cut to the width
 * of the window, by display columns. Elsewhere a line is printed every few seconds.
 *
 * Threads: as base/progress.h.
 */
#ifndef MALPAN_TERMINAL_PROGRESS_LINE_H
#define MALPAN_TERMINAL_PROGRESS_LINE_H

#include <stdio.h>

#include "base/progress.h"

typedef struct ProgressLine {
    Progress base;
    FILE *stream;
    bool rewrite; /* a terminal: rewrite one line */
    int width;    /* columns of the line on the screen now */
} ProgressLine;

/* A progress line on `stream`, which must outlive it. Where `stream` is not a terminal, the line is
 * silent unless `asked`. */
ProgressLine progress_line_on(FILE *stream, bool asked);

#endif
