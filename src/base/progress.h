/* A progress line for long work: how much is done, how fast, and how long it will take:
 *
 *     playing  37 %  370,000 of 1,000,000  185,000/s  3 s left
 *
 * The user interface creates the Progress and passes it down; code below only reports. All
 * functions accept NULL and then do nothing. On a terminal the line is rewritten in place and cut
 * to the width of the window, by display columns.
 *
 * Threads: not synchronized. Report from one thread at a time, for example within a critical
 * section.
 */
#ifndef MALPAN_BASE_PROGRESS_H
#define MALPAN_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
    FILE *stream;
    bool rewrite; /* a terminal: rewrite one line; else print a line now and then */
    const char *what;
    double started_s; /* when this work began, by progress_clock_s */
    double shown_s;   /* when the last line was shown; 0: not yet */
    int width;        /* columns of the line on the screen now */
} Progress;

/* A progress line on `stream`, which must outlive it. On a terminal it is rewritten in place;
 * elsewhere it is silent unless `asked`, which prints a line every few seconds. */
Progress progress_on(FILE *stream, bool asked);

/* Begins a piece of work. `what`, a few words, must stay valid until progress_finish. */
void progress_start(Progress *progress, const char *what);

/* Reports that `done` of `total` units are done (total 0: unknown). Cheap to call often: shows at
 * most ten lines per second. */
void progress_report(Progress *progress, uint64_t done, uint64_t total);

/* For iterative work that sweeps over the same values until they converge:
 *
 *     solving  short lists  sweep 41  70 %  change 3.1e-05  120.4 M/s  about 80 s left
 */
typedef struct ProgressSweep {
    const char *stage; /* a word or two */
    int number;
    double done;   /* fraction of this sweep, 0 to 1 */
    double change; /* the largest change in the last sweep */
    double rate;   /* values per second */
    double seconds_left;
} ProgressSweep;

void progress_sweep(Progress *progress, const ProgressSweep *sweep);

/* Ends the work and wipes the line from a terminal. */
void progress_finish(Progress *progress);

/* Seconds on the monotonic clock. */
double progress_clock_s(void);

#endif
