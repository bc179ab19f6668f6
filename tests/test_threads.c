/* Loops on several threads: every iteration runs once, and no two at once with the same thread
 * number; the first failure is returned, and waiting takes no processor time. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/threads.h"
#include "terminal/progress_line.h"
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

static void loops_get_no_more_threads_than_they_can_use(void **state) {
    (void)state;
    assert_int_equal(threads_useful(1, 0), 1);
    assert_int_equal(threads_useful(8, 0), 1);
    assert_int_equal(threads_useful(8, 1), 1);
    assert_int_equal(threads_useful(8, 3), 3);
    assert_int_equal(threads_useful(8, 8), 8);
    assert_int_equal(threads_useful(8, SIZE_MAX), 8);
}

static void a_loop_can_have_threads_of_its_own(void **state) {
    (void)state;
    const size_t counts[] = {0, 1, 2, 7, COUNT_MAX};
    for (int threads = 1; threads <= THREADS_MAX; threads++)
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            Loop loop = {.threads = threads_useful(threads, counts[k])};
            threads_run(threads, counts[k], run_one, &loop);
            assert_int_equal(loop.wrong, 0);
            for (size_t i = 0; i < COUNT_MAX; i++)
                assert_int_equal(loop.runs[i], i < counts[k]);
        }
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

/* --- loops that can fail --- */

typedef struct Attempts {
    atomic_int runs[COUNT_MAX];
    size_t bad; /* iterations from here on fail, one in three */
    size_t stops_at;
    StopFlag stop; /* set by iteration stops_at */
} Attempts;

static Status attempt(void *context, size_t i, int thread) {
    Attempts *attempts = context;
    (void)thread;
    atomic_fetch_add(&attempts->runs[i], 1);
    if (i == attempts->stops_at)
        attempts->stop = true;
    if (i >= attempts->bad && (i - attempts->bad) % 3 == 0)
        return status_make(STATUS_TABLE, "number %zu fails", i);
    return status_ok();
}

static void check_failure(ThreadPool *pool, size_t bad) {
    Attempts attempts = {.bad = bad, .stops_at = SIZE_MAX};
    char message[40];
    snprintf(message, sizeof message, "number %zu fails", bad);
    Status status = thread_pool_try(
        pool, &(ThreadLoop){.count = COUNT_MAX, .step = attempt, .context = &attempts});
    assert_fails(status, STATUS_TABLE, message);
    for (size_t i = 0; i < COUNT_MAX; i++)
        assert_true(attempts.runs[i] == 1 || (attempts.runs[i] == 0 && i > bad));
}

static void the_first_failure_is_returned(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS_MAX; threads++) {
        ThreadPool *pool = thread_pool_open(threads);
        for (size_t bad = 0; bad < COUNT_MAX; bad += 13)
            check_failure(pool, bad);
        thread_pool_close(pool);
    }
}

/* The caller alone runs iterations in order, so it runs none after one that fails. */
static void iterations_after_a_failure_are_skipped(void **state) {
    (void)state;
    Attempts attempts = {.bad = 5, .stops_at = SIZE_MAX};
    ThreadLoop loop = {.count = COUNT_MAX, .step = attempt, .context = &attempts};
    assert_fails(threads_try(1, &loop), STATUS_TABLE, "number 5 fails");
    for (size_t i = 0; i < COUNT_MAX; i++)
        assert_int_equal(attempts.runs[i], i <= 5);
}

static void loops_without_failures_succeed(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS_MAX; threads++) {
        Attempts attempts = {.bad = SIZE_MAX, .stops_at = SIZE_MAX};
        ThreadLoop loop = {
            .count = COUNT_MAX, .step = attempt, .context = &attempts, .stop = &attempts.stop};
        assert_ok(threads_try(threads, &loop));
        for (size_t i = 0; i < COUNT_MAX; i++)
            assert_int_equal(attempts.runs[i], 1);
        loop.count = 0;
        assert_ok(threads_try(threads, &loop));
    }
}

/* When the flag is set, each of the other threads can be in an iteration, or have taken one that it
 * has not begun. */
static void loops_can_be_stopped(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS_MAX; threads++) {
        Attempts attempts = {.bad = SIZE_MAX, .stops_at = 20};
        ThreadLoop loop = {
            .count = COUNT_MAX, .step = attempt, .context = &attempts, .stop = &attempts.stop};
        assert_fails(threads_try(threads, &loop), STATUS_STOPPED, "stopped");
        int not_begun = 0;
        for (size_t i = 0; i < 20; i++) {
            assert_in_range(attempts.runs[i], 0, 1);
            not_begun += attempts.runs[i] == 0;
        }
        assert_true(not_begun < threads);
        assert_int_equal(attempts.runs[20], 1);
        assert_true(threads > 1 || attempts.runs[21] == 0);
        int first = attempts.runs[0];
        assert_fails(threads_try(threads, &loop), STATUS_STOPPED, "stopped");
        assert_int_equal(attempts.runs[0], first);
    }
}

static Status succeed(void *context, size_t i, int thread) {
    (void)context, (void)i, (void)thread;
    return status_ok();
}

/* The work pretends to have begun long ago, as quick work shows no progress. */
static void loops_report_their_progress(void **state) {
    (void)state;
    char text[200] = "";
    FILE *stream = tmpfile();
    assert_non_null(stream);
    ProgressLine line = progress_line_on(stream, true);
    progress_start(&line.base, "counting");
    line.base.started_s -= 100;
    assert_ok(threads_try(2, &(ThreadLoop){.count = 4, .step = succeed, .progress = &line.base}));
    rewind(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    assert_non_null(strstr(text, "counting  25 %  1 of 4"));
    fclose(stream);
}

/* --- waiting --- */

enum { WAIT_MS = 300 };

static void rest(void *context, size_t i, int thread) {
    (void)context, (void)thread;
    if (i == 0)
        usleep(WAIT_MS * 1000);
}

static double processor_ms(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return 1e3 * (double)used.tv_sec + 1e-6 * (double)used.tv_nsec;
}

/* One thread rests in an iteration, the others have none left. Then all are idle. */
static void waiting_takes_no_processor_time(void **state) {
    (void)state;
    ThreadPool *pool = thread_pool_open(4);
    double before = processor_ms();
    thread_pool_run(pool, 4, rest, NULL);
    usleep(WAIT_MS * 1000);
    assert_true(processor_ms() - before < WAIT_MS / 3.0);
    thread_pool_close(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_iteration_runs_once),
        cmocka_unit_test(short_loops_stay_with_the_caller),
        cmocka_unit_test(iterations_run_side_by_side),
        cmocka_unit_test(loops_get_no_more_threads_than_they_can_use),
        cmocka_unit_test(a_loop_can_have_threads_of_its_own),
        cmocka_unit_test(the_first_failure_is_returned),
        cmocka_unit_test(iterations_after_a_failure_are_skipped),
        cmocka_unit_test(loops_without_failures_succeed),
        cmocka_unit_test(loops_can_be_stopped),
        cmocka_unit_test(loops_report_their_progress),
        cmocka_unit_test(waiting_takes_no_processor_time),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
