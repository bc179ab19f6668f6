/* Limits, progress and cancellation. */
#include <math.h>
#include <stdlib.h>

#include "library/library.h"

enum { THREADS_MAX = 4096 };
#define DEFAULT_MEMORY ((size_t)1 << 30)

MalpanStop *malpan_stop_open(void) {
    return calloc(1, sizeof(MalpanStop));
}

void malpan_stop_close(MalpanStop **stop) {
    if (!stop)
        return;
    free(*stop);
    *stop = NULL;
}

void malpan_stop_request(MalpanStop *stop) {
    if (stop)
        atomic_store(&stop->flag, true);
}

void malpan_stop_clear(MalpanStop *stop) {
    if (stop)
        atomic_store(&stop->flag, false);
}

int malpan_stop_requested(const MalpanStop *stop) {
    return stop && atomic_load(&stop->flag);
}

/* Passes an update on to the caller's function. */
static void show_update(Progress *base, const ProgressUpdate *update) {
    LibraryLimits *limits =
        (LibraryLimits *)(void *)((char *)base - offsetof(LibraryLimits, progress.base));
    MalpanProgress progress = {.what = update->what,
                               .elapsed_s = update->elapsed_s,
                               .fraction = -1,
                               .left_s = -1,
                               .done = update->done,
                               .total = update->total};
    if (update->sweep) {
        progress.sweep = update->sweep->number;
        progress.change = update->sweep->change;
        if (update->sweep->seconds_left > 0)
            progress.left_s = update->sweep->seconds_left;
    } else if (update->total > 0) {
        progress.fraction = (double)update->done / (double)update->total;
        if (update->done > 0)
            progress.left_s =
                update->elapsed_s * (double)(update->total - update->done) / (double)update->done;
    }
    limits->progress.function(limits->progress.context, &progress);
}

Status library_read_limits(const MalpanLimits *limits, LibraryLimits *read) {
    static const MalpanLimits defaults = {0};
    if (!limits)
        limits = &defaults;
    *read = (LibraryLimits){
        .solve = {.memory_bytes = limits->memory_bytes ? limits->memory_bytes : DEFAULT_MEMORY,
                  .threads = limits->threads ? limits->threads : 1,
                  .seconds = limits->seconds,
                  .stop = limits->stop ? &limits->stop->flag : NULL},
        .progress = {.base = {.show = show_update, .between_s = 0.1},
                     .function = limits->progress,
                     .context = limits->context}};
    if (limits->progress)
        read->solve.progress = &read->progress.base;
    if (limits->threads < 0 || limits->threads > THREADS_MAX)
        return status_make(STATUS_USAGE, "threads: expected 0 to %d, not %d", THREADS_MAX,
                           limits->threads);
    if (!(limits->seconds >= 0) || isinf(limits->seconds))
        return status_make(STATUS_USAGE, "seconds: expected 0 or more, not %g", limits->seconds);
    Text text = text_over(read->tables, sizeof read->tables);
    text_add(&text, limits->tables ? limits->tables : "");
    if (text.truncated)
        return status_make(STATUS_USAGE, "the name of the tables' folder is too long");
    if (text.length > 0)
        read->solve.tables = read->tables;
    return status_ok();
}
