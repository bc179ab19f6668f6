#include "base/threads.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Fields under `lock`, except where noted. A loop is open from the moment it is posted until the
 * caller finds no iteration left. Only then may a worker join it; so when the loop is closed and
 * `active` is 0, nobody uses task, context and count. */
struct ThreadPool {
    pthread_mutex_t lock;
    pthread_cond_t posted;   /* a loop was opened, or the pool is closing */
    pthread_cond_t finished; /* active fell to 0 */
    uint64_t number;         /* of the loop */
    bool is_open, is_closing;
    int active; /* workers in the loop */

    /* Written under the lock while no worker is active; read by workers that joined the loop. */
    ThreadTask *task;
    void *context;
    size_t count;
    atomic_size_t next; /* the next iteration that nobody has taken; without the lock */

    /* Set by thread_pool_open alone. */
    int workers;
    struct Worker {
        ThreadPool *pool;
        pthread_t thread;
        int index;
    } worker[];
};

/* Takes iterations until none is left. */
static void run_tasks(ThreadPool *pool, int thread) {
    for (size_t i; (i = atomic_fetch_add(&pool->next, 1)) < pool->count;)
        pool->task(pool->context, i, thread);
}

static void *work(void *argument) {
    const struct Worker *worker = argument;
    ThreadPool *pool = worker->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    while (!pool->is_closing) {
        if (!pool->is_open || pool->number == seen) {
            pthread_cond_wait(&pool->posted, &pool->lock);
            continue;
        }
        seen = pool->number;
        pool->active++;
        pthread_mutex_unlock(&pool->lock);
        run_tasks(pool, worker->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->active == 0)
            pthread_cond_signal(&pool->finished);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Leaves signals to the program's own threads. */
static void start_workers(ThreadPool *pool, int workers) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < workers; i++) {
        struct Worker *worker = &pool->worker[i];
        *worker = (struct Worker){.pool = pool, .index = i + 1};
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            break;
        pool->workers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

ThreadPool *thread_pool_open(int threads) {
    int workers = threads - 1;
    assert(threads >= 1);
    if (workers == 0)
        return NULL;
    ThreadPool *pool = calloc(1, sizeof *pool + (size_t)workers * sizeof(struct Worker));
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->posted, NULL);
    pthread_cond_init(&pool->finished, NULL);
    start_workers(pool, workers);
    return pool;
}

void thread_pool_close(ThreadPool *pool) {
    if (!pool)
        return;
    assert(!pool->is_open);
    pthread_mutex_lock(&pool->lock);
    pool->is_closing = true;
    pthread_cond_broadcast(&pool->posted);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->workers; i++)
        pthread_join(pool->worker[i].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->posted);
    pthread_cond_destroy(&pool->finished);
    free(pool);
}

static void open_loop(ThreadPool *pool, size_t count, ThreadTask *task, void *context) {
    pthread_mutex_lock(&pool->lock);
    assert(!pool->is_open && pool->active == 0);
    pool->task = task;
    pool->context = context;
    pool->count = count;
    atomic_store(&pool->next, 0);
    pool->number++;
    pool->is_open = true;
    pthread_cond_broadcast(&pool->posted);
    pthread_mutex_unlock(&pool->lock);
}

static void close_loop(ThreadPool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->is_open = false;
    while (pool->active > 0)
        pthread_cond_wait(&pool->finished, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void thread_pool_run(ThreadPool *pool, size_t count, ThreadTask *task, void *context) {
    if (!pool || count < 2) {
        for (size_t i = 0; i < count; i++)
            task(context, i, 0);
        return;
    }
    open_loop(pool, count, task, context);
    run_tasks(pool, 0);
    close_loop(pool);
}

int threads_useful(int threads, size_t count) {
    assert(threads >= 1);
    if (count == 0)
        return 1;
    return (size_t)threads < count ? threads : (int)count;
}

void threads_run(int threads, size_t count, ThreadTask *task, void *context) {
    ThreadPool *pool = thread_pool_open(threads_useful(threads, count));
    thread_pool_run(pool, count, task, context);
    thread_pool_close(pool);
}

/* --- loops that can fail --- */

/* Shared by the threads of a loop. */
typedef struct LoopRun {
    const ThreadLoop *loop;
    atomic_size_t failed; /* the lowest iteration that has failed; SIZE_MAX: none */
    pthread_mutex_t lock; /* for `failure`, `done`, the progress and writing `failed` */
    Status failure;
    size_t done;
} LoopRun;

static void note_end(LoopRun *run, size_t i, const Status *status) {
    pthread_mutex_lock(&run->lock);
    if (!status_is_ok(status) && i < atomic_load(&run->failed)) {
        run->failure = *status;
        atomic_store(&run->failed, i);
    }
    progress_report(run->loop->progress, ++run->done, run->loop->count);
    pthread_mutex_unlock(&run->lock);
}

/* An iteration after a failed one is skipped. One before it cannot be: it was taken earlier. */
static void run_step(void *context, size_t i, int thread) {
    LoopRun *run = context;
    const ThreadLoop *loop = run->loop;
    if (i > atomic_load(&run->failed))
        return;
    Status status = loop->stop && *loop->stop ? status_make(STATUS_STOPPED, "stopped")
                                              : loop->step(loop->context, i, thread);
    if (!status_is_ok(&status) || loop->progress)
        note_end(run, i, &status);
}

Status thread_pool_try(ThreadPool *pool, const ThreadLoop *loop) {
    LoopRun run = {.loop = loop, .failed = SIZE_MAX, .failure = status_ok()};
    pthread_mutex_init(&run.lock, NULL);
    thread_pool_run(pool, loop->count, run_step, &run);
    pthread_mutex_destroy(&run.lock);
    return run.failure;
}

Status threads_try(int threads, const ThreadLoop *loop) {
    ThreadPool *pool = thread_pool_open(threads_useful(threads, loop->count));
    Status status = thread_pool_try(pool, loop);
    thread_pool_close(pool);
    return status;
}
