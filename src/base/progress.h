/* A line that tells how far long work has come, how fast it goes and how long it will still take:
 *
 *     playing  37 %  370,000 of 1,000,000  185,000/s  3 s left
 *
 * The user interface decides where it goes and passes it down; code below only reports. A NULL
 * Progress is silent, so that callers need not check. Report from one thread.
 */
#ifndef MALPAN_BASE_PROGRESS_H
#define MALPAN_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
    FILE *stream;
    bool rewrite; /* rewrite one line (a terminal), or print a line now and then */
    const char *what;
    double started_s; /* when this piece of work began, on a clock that only goes forward */
    double shown_s;   /* when the last line was shown; 0 for not yet */
    int width;        /* columns of the line on the screen */
} Progress;

/* A progress line on `stream`: rewritten in place on a terminal; elsewhere nothing, unless `asked`,
 * which prints a line every few seconds. */
Progress progress_on(FILE *stream, bool asked);

/* Begins a piece of work; `what` is a word or two and stays the caller's. */
void progress_start(Progress *progress, const char *what);

/* `done` of `total` units are done (total 0: not known). Cheap to call often. */
void progress_report(Progress *progress, uint64_t done, uint64_t total);

/* For work that goes over the same numbers again and again until they stand still:
 *
 *     solving  short lists  sweep 41  70 %  change 3.1e-05  120.4 M/s  about 80 s left
 */
typedef struct ProgressSweep {
    const char *stage; /* a word or two */
    int number;
    double done;   /* part of this sweep, 0 to 1 */
    double change; /* the largest of the last sweep */
    double rate;   /* numbers a second */
    double seconds_left;
} ProgressSweep;

void progress_sweep(Progress *progress, const ProgressSweep *sweep);

/* Ends the work: wipes the line from a terminal. */
void progress_finish(Progress *progress);

/* Seconds on a clock that only goes forward. */
double progress_clock_s(void);

#endif
