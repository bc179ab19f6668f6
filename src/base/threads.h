/* A pool of threads for loops whose iterations can run side by side.
 *
 *     ThreadPool *pool = thread_pool_open(4);
 *     thread_pool_run(pool, count, solve_line, &context);   solve_line(&context, i, thread)
 *     thread_pool_close(pool);
 *
 * The caller is one of the threads. Idle threads sleep; they do not spin. A loop never waits for a
 * thread that has not taken an iteration, so on a busy machine the caller does the work that others
 * have no time for.
 *
 * Thread safety: a pool runs one loop at a time. Only the thread that opened it may run loops and
 * close it; tasks must not use it.
 */
#ifndef MALPAN_BASE_THREADS_H
#define MALPAN_BASE_THREADS_H

#include <stddef.h>

typedef struct ThreadPool ThreadPool;

/* Does iteration `i`. `thread` is 0 for the caller, and below the number of threads: two tasks that
 * run at the same time have different ones. */
typedef void ThreadTask(void *context, size_t i, int thread);

/* A pool of `threads` threads, the caller included; fewer if the system has no more. NULL when
 * there is no memory, or when `threads` is 1: a NULL pool runs loops in the caller alone. */
ThreadPool *thread_pool_open(int threads);
void thread_pool_close(ThreadPool *pool);

/* Runs the task for every i below `count`, in any order, and returns when all are done. */
void thread_pool_run(ThreadPool *pool, size_t count, ThreadTask *task, void *context);

#endif
