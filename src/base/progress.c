#include "base/progress.h"

#include <time.h>

double progress_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(Progress *progress, const char *what) {
    if (!progress)
        return;
    progress->what = what;
    progress->started_s = progress_clock_s();
    progress->shown_s = 0;
}

/* Shows the update if one is due. */
static void show_when_due(Progress *progress, ProgressUpdate update) {
    if (!progress || !progress->show)
        return;
    double now = progress_clock_s();
    if (now - progress->started_s < progress->first_s ||
        (progress->shown_s > 0 && now - progress->shown_s < progress->between_s))
        return;
    progress->shown_s = now;
    update.what = progress->what;
    update.elapsed_s = now - progress->started_s;
    progress->show(progress, &update);
}

void progress_report(Progress *progress, uint64_t done, uint64_t total) {
    show_when_due(progress, (ProgressUpdate){.done = done, .total = total});
}

void progress_sweep(Progress *progress, const ProgressSweep *sweep) {
    show_when_due(progress, (ProgressUpdate){.sweep = sweep});
}

void progress_finish(Progress *progress) {
    if (progress && progress->show && progress->clear)
        progress->clear(progress);
}
