/* Progress of long work. The caller provides a Progress, which shows updates where it likes: on a
 * line of the terminal (terminal/progress_line.h) or through a callback of the library. Code below
 * only reports. All functions accept NULL and then do nothing.
 *
 * Threads: not synchronized. Report from one thread at a time, for example under a lock.
 */
#ifndef MALPAN_BASE_PROGRESS_H
#define MALPAN_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* For iterative work that sweeps over the same values until they converge. */
typedef struct ProgressSweep {
    const char *stage; /* a word or two */
    int number;
    double done;   /* fraction of this sweep, 0 to 1 */
    double change; /* the largest change in the last sweep */
    double rate;   /* values per second */
    double seconds_left;
} ProgressSweep;

/* How far the work is. */
typedef struct ProgressUpdate {
    const char *what; /* a few words */
    double elapsed_s;
    uint64_t done, total;       /* units of work; total 0: unknown */
    const ProgressSweep *sweep; /* in place of `done` and `total`, or NULL */
} ProgressUpdate;

typedef struct Progress Progress;
struct Progress {
    /* Shows an update; NULL: silent. Called on the thread that reports. */
    void (*show)(Progress *progress, const ProgressUpdate *update);
    /* May be NULL. The work has ended. */
    void (*clear)(Progress *progress);
    double first_s;   /* work shorter than this shows nothing */
    double between_s; /* the least time between two updates */
    const char *what;
    double started_s; /* when this work began, by progress_clock_s */
    double shown_s;   /* when the last update was shown; 0: not yet */
};

/* Begins a piece of work. `what`, a few words, must stay valid until progress_finish. */
void progress_start(Progress *progress, const char *what);

/* Reports that `done` of `total` units are done (total 0: unknown). Cheap to call often: shows an
 * update only when one is due. */
void progress_report(Progress *progress, uint64_t done, uint64_t total);

/* The same for a sweep. */
void progress_sweep(Progress *progress, const ProgressSweep *sweep);

/* Ends the work. */
void progress_finish(Progress *progress);

/* Seconds on the monotonic clock. */
double progress_clock_s(void);

#endif
