/* The thread pool: every iteration runs once, and no two at once with the same thread number. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/threads.h"
#include "testing.h"

enum { COUNT_MAX = 300, THREADS_MAX = 8 };

typedef struct Loop {
    int threads;
    atomic_int runs[COUNT_MAX];
    atomic_int inside[THREADS_MAX];
    atomic_int wrong;
    unsigned long sums[THREADS_MAX]; /* one for each thread: a race is one for the sanitizer */
} Loop;

static void run_one(void *context, size_t i, int thread) {
    Loop *loop = context;
    if (thread < 0 || thread >= loop->threads || atomic_fetch_add(&loop->inside[thread], 1) != 0)
        atomic_fetch_add(&loop->wrong, 1);
    atomic_fetch_add(&loop->runs[i], 1);
    for (unsigned long k = 0; k < 50 * i; k++)
        loop->sums[thread] += k;
    atomic_fetch_sub(&loop->inside[thread], 1);
}

static void check_loops(int threads, int loops) {
    ThreadPool *pool = thread_pool_open(threads);
    assert_true((pool == NULL) == (threads == 1));
    for (int round = 0; round < loops; round++) {
        size_t count = (size_t)(round * 7 % COUNT_MAX);
        Loop loop = {.threads = threads};
        thread_pool_run(pool, count, run_one, &loop);
        assert_int_equal(loop.wrong, 0);
        for (size_t i = 0; i < COUNT_MAX; i++)
            assert_int_equal(loop.runs[i], i < count);
    }
    thread_pool_close(pool);
}

static void every_iteration_runs_once(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS_MAX; threads++)
        check_loops(threads, getenv("QUICK") ? 30 : 300);
}

static void note_thread(void *context, size_t i, int thread) {
    (void)i;
    atomic_fetch_or((atomic_int *)context, 1 << thread);
}

/* A pool need not run anything, and a loop of one iteration is the caller's. */
static void short_loops_stay_with_the_caller(void **state) {
    (void)state;
    ThreadPool *pool = thread_pool_open(3);
    assert_non_null(pool);
    atomic_int threads = 0;
    thread_pool_run(pool, 0, note_thread, &threads);
    assert_int_equal(threads, 0);
    thread_pool_run(pool, 1, note_thread, &threads);
    assert_int_equal(threads, 1);
    thread_pool_close(pool);
    thread_pool_close(thread_pool_open(2));
}

typedef struct Meeting {
    atomic_int arrived;
} Meeting;

static void meet(void *context, size_t i, int thread) {
    Meeting *meeting = context;
    (void)i, (void)thread;
    atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) < 2)
        ;
}

/* Two iterations that wait for each other end only if they run at the same time. */
static void iterations_run_side_by_side(void **state) {
    (void)state;
    ThreadPool *pool = thread_pool_open(2);
    Meeting meeting = {.arrived = 0};
    thread_pool_run(pool, 2, meet, &meeting);
    assert_int_equal(meeting.arrived, 2);
    thread_pool_close(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_iteration_runs_once),
        cmocka_unit_test(short_loops_stay_with_the_caller),
        cmocka_unit_test(iterations_run_side_by_side),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
