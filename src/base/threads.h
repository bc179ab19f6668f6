/* Loops whose iterations can run side by side, on a pool of threads:
 *
 *     ThreadPool *pool = thread_pool_open(4);
 *     thread_pool_run(pool, count, solve_line, &context);   solve_line(&context, i, thread)
 *     thread_pool_close(pool);
 *
 * threads_run is all three, for a single loop. thread_pool_try and threads_try run iterations that
 * can fail.
 *
 * The caller is one of the threads. Idle threads sleep; they do not spin. A loop never waits for a
 * thread that has not taken an iteration, so on a busy machine the caller does the work that others
 * have no time for. Iterations are taken one at a time, in ascending order.
 *
 * Thread safety: a pool runs one loop at a time and belongs to one caller at a time; tasks must not
 * use it.
 */
#ifndef MALPAN_BASE_THREADS_H
#define MALPAN_BASE_THREADS_H

#include <stddef.h>

#include "base/progress.h"
#include "base/status.h"
#include "base/stop_flag.h"

typedef struct ThreadPool ThreadPool;

/* Does iteration `i`. `thread` is 0 for the caller, and below the number of threads: two tasks that
 * run at the same time have different ones. */
typedef void ThreadTask(void *context, size_t i, int thread);

/* A pool of `threads` threads, the caller included; fewer if the system has no more. NULL when
 * there is no memory, or when `threads` is 1: a NULL pool runs loops in the caller alone. */
ThreadPool *thread_pool_open(int threads);
void thread_pool_close(ThreadPool *pool);

/* How many of `threads` threads a loop of `count` iterations can use: at least 1. */
int threads_useful(int threads, size_t count);

/* Runs the task for every i below `count`, in any order, and returns when all are done. */
void thread_pool_run(ThreadPool *pool, size_t count, ThreadTask *task, void *context);

/* The same on up to `threads` threads that exist for this loop alone. */
void threads_run(int threads, size_t count, ThreadTask *task, void *context);

/* --- loops that can fail --- */

/* Does iteration `i` on a thread, as ThreadTask. */
typedef Status ThreadStep(void *context, size_t i, int thread);

typedef struct ThreadLoop {
    size_t count;
    ThreadStep *step;
    void *context;
    const StopFlag *stop; /* when set, iterations fail with STATUS_STOPPED; NULL: never */
    Progress *progress;   /* reports the iterations that are done; NULL: silent */
} ThreadLoop;

/* Runs all iterations, or up to the first that fails. Returns the failure of the one with the
 * lowest i, whatever the number of threads. Those before it are done; of those after it, some may
 * be. */
Status thread_pool_try(ThreadPool *pool, const ThreadLoop *loop);

/* The same on up to `threads` threads that exist for this loop alone. */
Status threads_try(int threads, const ThreadLoop *loop);

#endif
