/* The pool of solvers: what is shared, what is waited for, and who gets how much memory. Solvers
 * are opened by a stand-in here, and the clock is set by hand. */
#include <pthread.h>
#include <string.h>

#include "testing.h"
#include "ui/web/solver_pool.h"
#include "values/policy.h"
#include "values/registry.h"

enum { SHARES = 8, IDLE_MAX = 6, ALIKE_MAX = 2 };
#define SHARE ((size_t)100)
#define BUDGET (SHARES * SHARE)

/* What the next solver is like, and what the pool has asked for. */
static struct {
    size_t needed_bytes;    /* with less memory it is refused */
    bool estimates_instead; /* or gives estimates then */
    Status missing;         /* why its values are estimates; fine: they are exact */
    Status failure;         /* of opening it */
    double now_s;
    int opened, freed;
    SolveLimits limits; /* of the last one */
} fake;

static void free_fake(Solver *solver) {
    fake.freed++;
    free(solver);
}

/* The linker's names, by its option --wrap, for what is called instead. */
Status open_fake(const Variant *variant, ValuePolicy policy, const SolveLimits *limits,
                 Solver **solver, Status *missing) __asm__("__wrap_values_open");
double read_fake_clock(void) __asm__("__wrap_progress_clock_s");

Status open_fake(const Variant *variant, ValuePolicy policy, const SolveLimits *limits,
                 Solver **solver, Status *missing) {
    (void)variant;
    assert_int_equal(policy, VALUES_ANY);
    fake.opened++;
    fake.limits = *limits;
    *missing = fake.missing;
    if (!status_is_ok(&fake.failure))
        return fake.failure;
    if (limits->memory_bytes < fake.needed_bytes) {
        *missing = status_make(STATUS_UNSUPPORTED, "too little memory");
        if (!fake.estimates_instead)
            return *missing;
    }
    *solver = calloc(1, sizeof **solver);
    assert_non_null(*solver);
    (*solver)->free = free_fake;
    return status_ok();
}

double read_fake_clock(void) {
    return fake.now_s;
}

/* A pool of BUDGET bytes; SHARE for each solver at first, ALIKE_MAX of a kind. */
static int open_pool(void **state) {
    static SolverPool pool;
    SolveLimits limits = {.memory_bytes = BUDGET, .threads = 1, .seconds = 0.5};
    memset(&fake, 0, sizeof fake);
    fake.now_s = 1000;
    solver_pool_init(&pool, &limits);
    assert_true(pool.alike_max >= 1 && pool.share_bytes <= SHARE);
    pool.alike_max = ALIKE_MAX;
    pool.share_bytes = SHARE;
    *state = &pool;
    return 0;
}

/* Every test gives back what it has acquired. */
static int free_pool(void **state) {
    SolverPool *pool = *state;
    assert_int_equal(solver_pool_counts(pool).busy, 0);
    solver_pool_free(pool);
    return 0;
}

/* A variant of its own for each number. */
static Variant variant_of(int number) {
    Variant variant = {.game = NULL};
    assert_ok(registry_find("race", &variant.game));
    memcpy(variant.rules.bytes, &number, sizeof number);
    return variant;
}

static Seat seat_of(const char *text) {
    Seat seat;
    assert_ok(seat_parse(text, &seat));
    return seat;
}

/* Acquires a solver for values without waiting. */
static Status try_acquire(SolverPool *pool, int number, PooledSolver **pooled) {
    Variant variant = variant_of(number);
    return solver_pool_acquire(pool, &variant, NULL, -1, pooled);
}

static PooledSolver *acquire(SolverPool *pool, int number) {
    PooledSolver *pooled;
    assert_ok(try_acquire(pool, number, &pooled));
    return pooled;
}

/* Acquires a solver and releases it. */
static void use(SolverPool *pool, int number) {
    solver_pool_release(pool, acquire(pool, number), false);
}

static void assert_counts(SolverPool *pool, size_t busy, size_t idle, size_t leased_bytes) {
    SolverPoolCounts counts = solver_pool_counts(pool);
    assert_int_equal(counts.busy, busy);
    assert_int_equal(counts.idle, idle);
    assert_int_equal(counts.leased_bytes, leased_bytes);
}

/* --- sharing --- */

static void an_idle_solver_is_used_again(void **state) {
    SolverPool *pool = *state;
    PooledSolver *one = acquire(pool, 1), *other = acquire(pool, 2);
    assert_ptr_not_equal(one, other);
    assert_counts(pool, 2, 0, 2 * SHARE);
    solver_pool_release(pool, one, false);
    solver_pool_release(pool, other, false);
    assert_counts(pool, 0, 2, 2 * SHARE);
    assert_ptr_equal(acquire(pool, 1), one);
    assert_ptr_equal(acquire(pool, 2), other);
    assert_int_equal(fake.opened, 2);
    assert_int_equal(fake.limits.memory_bytes, SHARE);
    assert_true(fake.limits.seconds == 0.5);
    solver_pool_release(pool, one, false);
    solver_pool_release(pool, other, true); /* dropped */
    assert_counts(pool, 0, 1, SHARE);
    assert_int_equal(fake.freed, 1);
}

static PooledSolver *acquire_player(SolverPool *pool, const char *player) {
    const Game *game = NULL;
    Variant variant;
    Seat seat = seat_of(player);
    PooledSolver *pooled;
    assert_ok(registry_find("valley", &game));
    assert_ok(variant_parse(game, "", &variant));
    assert_ok(solver_pool_acquire(pool, &variant, &seat, -1, &pooled));
    return pooled;
}

static void players_of_other_kinds_and_settings_are_others(void **state) {
    SolverPool *pool = *state;
    static const char *const players[] = {"random", "minimax:1", "minimax:2"};
    PooledSolver *first[3]; /* the first is instant, and takes no memory */
    for (size_t i = 0; i < 3; i++) {
        first[i] = acquire_player(pool, players[i]);
        assert_non_null(first[i]->player);
        solver_pool_release(pool, first[i], false);
        assert_counts(pool, 0, i + 1, i * SHARE);
    }
    for (size_t i = 0; i < 3; i++) {
        PooledSolver *again = acquire_player(pool, players[i]);
        assert_ptr_equal(again, first[i]);
        solver_pool_release(pool, again, false);
    }
}

static void a_solver_of_its_own_is_not_shared(void **state) {
    SolverPool *pool = *state;
    Variant variant = variant_of(1);
    PooledSolver *shared = acquire(pool, 1), *own;
    solver_pool_release(pool, shared, false);
    assert_ok(solver_pool_create(pool, &variant, 7, -1, &own));
    assert_ptr_not_equal(own, shared);
    assert_true(fake.limits.seconds == 7);
    solver_pool_release(pool, own, true);
}

static void the_solver_that_was_idle_longest_is_dropped(void **state) {
    SolverPool *pool = *state;
    for (int i = 0; i < IDLE_MAX; i++)
        use(pool, i);
    use(pool, 0); /* now 1 is the oldest */
    assert_int_equal(fake.freed, 0);
    use(pool, IDLE_MAX);
    assert_counts(pool, 0, IDLE_MAX, IDLE_MAX * SHARE);
    assert_int_equal(fake.freed, 1);
    int opened = fake.opened;
    use(pool, 0);
    for (int i = 2; i <= IDLE_MAX; i++)
        use(pool, i);
    assert_int_equal(fake.opened, opened);
    use(pool, 1);
    assert_int_equal(fake.opened, opened + 1);
}

static void estimates_are_replaced_after_a_time(void **state) {
    SolverPool *pool = *state;
    use(pool, 1); /* exact */
    fake.missing = status_make(STATUS_TABLE, "there is no table");
    use(pool, 2);
    fake.now_s += SOLVER_POOL_ESTIMATES_S;
    use(pool, 2);
    assert_int_equal(fake.opened, 2);
    fake.now_s += 1;
    use(pool, 2);
    assert_int_equal(fake.freed, 1);
    assert_counts(pool, 0, 1, SHARE);
    use(pool, 1);
    assert_int_equal(fake.opened, 2);
    use(pool, 2);
    assert_int_equal(fake.opened, 3);
}

static void a_solver_that_cannot_be_opened_leaves_nothing(void **state) {
    SolverPool *pool = *state;
    PooledSolver *pooled;
    fake.failure = status_make(STATUS_FAILED, "broken");
    assert_fails(try_acquire(pool, 1, &pooled), STATUS_FAILED, "broken");
    assert_null(pooled);
    assert_counts(pool, 0, 0, 0);
    assert_int_equal(fake.opened, 1); /* more memory would not help */
}

/* --- waiting --- */

static void only_so_many_of_a_kind(void **state) {
    SolverPool *pool = *state;
    PooledSolver *first = acquire(pool, 1), *second = acquire(pool, 1), *third, *other;
    assert_fails(try_acquire(pool, 1, &third), STATUS_STOPPED, "stopped");
    assert_null(third);
    other = acquire(pool, 2);
    solver_pool_release(pool, first, false);
    third = acquire(pool, 1);
    assert_ptr_equal(third, first);
    solver_pool_release(pool, second, true);
    solver_pool_release(pool, third, true);
    solver_pool_release(pool, other, true);
    assert_counts(pool, 0, 0, 0);
}

static void all_share_one_budget(void **state) {
    SolverPool *pool = *state;
    PooledSolver *all[SHARES], *one_more;
    for (int i = 0; i < SHARES; i++)
        all[i] = acquire(pool, i);
    assert_counts(pool, SHARES, 0, BUDGET);
    assert_fails(try_acquire(pool, SHARES, &one_more), STATUS_STOPPED, "stopped");
    solver_pool_release(pool, all[0], false);
    one_more = acquire(pool, SHARES); /* the idle one makes room */
    assert_counts(pool, SHARES, 0, BUDGET);
    assert_int_equal(fake.freed, 1);
    solver_pool_release(pool, one_more, false);
    for (int i = 1; i < SHARES; i++)
        solver_pool_release(pool, all[i], false);
    assert_counts(pool, 0, IDLE_MAX, IDLE_MAX * SHARE);
}

/* A thread that asks for a solver and waits for it as long as it takes. */
typedef struct Asking {
    SolverPool *pool;
    Status status;
    PooledSolver *pooled;
    pthread_t thread;
} Asking;

static void *ask(void *data) {
    Asking *asking = data;
    Variant variant = variant_of(1);
    asking->status = solver_pool_acquire(asking->pool, &variant, NULL, 1e6, &asking->pooled);
    return NULL;
}

static void start_asking(SolverPool *pool, Asking *asking) {
    *asking = (Asking){.pool = pool};
    assert_int_equal(pthread_create(&asking->thread, NULL, ask, asking), 0);
}

static void a_release_wakes_who_waits(void **state) {
    SolverPool *pool = *state;
    PooledSolver *all[ALIKE_MAX];
    Asking asking[ALIKE_MAX];
    for (int i = 0; i < ALIKE_MAX; i++)
        all[i] = acquire(pool, 1);
    for (int i = 0; i < ALIKE_MAX; i++)
        start_asking(pool, &asking[i]);
    for (int i = 0; i < ALIKE_MAX; i++)
        solver_pool_release(pool, all[i], i == 0);
    for (int i = 0; i < ALIKE_MAX; i++) {
        pthread_join(asking[i].thread, NULL);
        assert_ok(asking[i].status);
        solver_pool_release(pool, asking[i].pooled, false);
    }
}

static void closing_stops_all_and_wakes_who_waits(void **state) {
    SolverPool *pool = *state;
    PooledSolver *all[ALIKE_MAX], *none;
    Asking asking;
    for (int i = 0; i < ALIKE_MAX; i++)
        all[i] = acquire(pool, 1);
    start_asking(pool, &asking);
    solver_pool_close(pool);
    pthread_join(asking.thread, NULL);
    assert_int_equal(asking.status.code, STATUS_STOPPED);
    assert_null(asking.pooled);
    assert_fails(try_acquire(pool, 2, &none), STATUS_STOPPED, "stopped");
    for (int i = 0; i < ALIKE_MAX; i++) {
        assert_true(all[i]->stop);
        solver_pool_release(pool, all[i], false);
    }
    assert_counts(pool, 0, 0, 0);
}

static void a_solver_is_stopped_after_its_deadline(void **state) {
    SolverPool *pool = *state;
    Variant variant = variant_of(1);
    PooledSolver *late, *expired = acquire(pool, 2);
    assert_ok(solver_pool_acquire(pool, &variant, NULL, 10, &late));
    expired->deadline_s = late->deadline_s + 100;
    fake.now_s += 9;
    solver_pool_stop_expired(pool);
    assert_false(late->stop);
    fake.now_s += 2;
    solver_pool_stop_expired(pool);
    assert_true(late->stop);
    assert_false(expired->stop);
    solver_pool_expire(pool, expired);
    solver_pool_stop_expired(pool);
    assert_true(expired->stop);
    solver_pool_release(pool, late, false);
    solver_pool_release(pool, expired, false);
    assert_counts(pool, 0, 0, 0); /* their values may be wrong */
}

/* --- memory --- */

static void what_is_refused_gets_the_whole_budget(void **state) {
    SolverPool *pool = *state;
    use(pool, 2);
    fake.needed_bytes = BUDGET;
    PooledSolver *large = acquire(pool, 1);
    assert_int_equal(large->lease_bytes, BUDGET);
    assert_int_equal(fake.limits.memory_bytes, BUDGET);
    assert_counts(pool, 1, 0, BUDGET); /* the idle one made room */
    solver_pool_release(pool, large, true);
    int opened = fake.opened;
    large = acquire(pool, 1); /* at once, now that this is known */
    assert_int_equal(large->lease_bytes, BUDGET);
    assert_int_equal(fake.opened, opened + 1);
    solver_pool_release(pool, large, true);
    assert_counts(pool, 0, 0, 0);
}

static void what_needs_all_waits_for_the_others(void **state) {
    SolverPool *pool = *state;
    PooledSolver *other = acquire(pool, 2), *large;
    fake.needed_bytes = BUDGET;
    assert_fails(try_acquire(pool, 1, &large), STATUS_STOPPED, "stopped");
    Asking asking;
    start_asking(pool, &asking);
    solver_pool_release(pool, other, false);
    pthread_join(asking.thread, NULL);
    assert_ok(asking.status);
    assert_int_equal(asking.pooled->lease_bytes, BUDGET);
    solver_pool_release(pool, asking.pooled, true);
}

/* It has hardly touched memory, so it takes nothing from the budget. */
static void what_is_fast_does_not_wait_for_memory(void **state) {
    SolverPool *pool = *state;
    Variant quick = variant_of(2), other = variant_of(3);
    PooledSolver *large, *small;
    Seat random = seat_of("random");
    solver_pool_record_time(pool, &quick, NULL, 0.001);
    fake.needed_bytes = BUDGET;
    large = acquire(pool, 1);
    assert_counts(pool, 1, 0, BUDGET);
    fake.needed_bytes = 0;
    assert_ok(solver_pool_try(pool, &quick, NULL, 5, &small));
    assert_int_equal(fake.limits.memory_bytes, SHARE);
    assert_counts(pool, 2, 0, BUDGET);
    solver_pool_release(pool, small, true);
    assert_ok(solver_pool_try(pool, &other, &random, 5, &small));
    solver_pool_release(pool, small, true);
    assert_fails(solver_pool_try(pool, &other, NULL, 5, &small), STATUS_STOPPED, "stopped");
    solver_pool_record_time(pool, &quick, NULL, 1); /* not fast any more */
    assert_fails(solver_pool_try(pool, &quick, NULL, 5, &small), STATUS_STOPPED, "stopped");
    solver_pool_release(pool, large, true);
    assert_counts(pool, 0, 0, 0);
}

/* Waits until so many threads wait for a share. */
static void wait_for_waiting(SolverPool *pool, size_t count) {
    for (size_t waiting = SIZE_MAX; waiting != count;) {
        pthread_mutex_lock(&pool->lock);
        waiting = pool->waiting_for_shares;
        pthread_mutex_unlock(&pool->lock);
    }
}

/* While somebody waits for a share, whatever for, nobody gets all. */
static void a_share_comes_before_all(void **state) {
    SolverPool *pool = *state;
    PooledSolver *busy[ALIKE_MAX], *large;
    Variant quick = variant_of(1);
    solver_pool_record_time(pool, &quick, NULL, 0.001);
    for (int i = 0; i < ALIKE_MAX; i++)
        busy[i] = acquire(pool, 1);
    assert_counts(pool, ALIKE_MAX, 0, 0);
    Asking asking;
    start_asking(pool, &asking);
    wait_for_waiting(pool, 1);
    fake.needed_bytes = BUDGET;
    assert_fails(try_acquire(pool, 2, &large), STATUS_STOPPED, "stopped");
    for (int i = 0; i < ALIKE_MAX; i++)
        solver_pool_release(pool, busy[i], false);
    pthread_join(asking.thread, NULL);
    assert_ok(asking.status);
    assert_ok(try_acquire(pool, 2, &large));
    assert_int_equal(large->lease_bytes, BUDGET);
    solver_pool_release(pool, large, true);
    solver_pool_release(pool, asking.pooled, true);
}

static void more_than_the_budget_is_not_tried_again(void **state) {
    SolverPool *pool = *state;
    PooledSolver *pooled;
    fake.needed_bytes = BUDGET + 1;
    assert_fails(try_acquire(pool, 1, &pooled), STATUS_UNSUPPORTED, "too little memory");
    assert_int_equal(fake.opened, 2); /* with a share, and with all */
    assert_fails(try_acquire(pool, 1, &pooled), STATUS_UNSUPPORTED, "too little memory");
    assert_int_equal(fake.opened, 3);
    assert_int_equal(fake.limits.memory_bytes, SHARE);
    assert_counts(pool, 0, 0, 0);
}

static void estimates_in_spite_of_the_whole_budget_take_a_share(void **state) {
    SolverPool *pool = *state;
    fake.needed_bytes = BUDGET + 1;
    fake.estimates_instead = true;
    PooledSolver *pooled = acquire(pool, 1);
    assert_int_equal(fake.limits.memory_bytes, BUDGET);
    assert_int_equal(pooled->missing.code, STATUS_UNSUPPORTED);
    assert_counts(pool, 1, 0, SHARE);
    solver_pool_release(pool, pooled, false);
    assert_counts(pool, 0, 1, SHARE);
}

static void less_precise_values_are_computed_again_once(void **state) {
    SolverPool *pool = *state;
    Status fine = status_ok();
    PooledSolver *pooled = acquire(pool, 1);
    assert_false(solver_pool_wants_more(pool, pooled, &fine));
    pooled->solver->widening = 0.25;
    assert_true(solver_pool_wants_more(pool, pooled, &fine));
    solver_pool_release(pool, pooled, false);
    assert_counts(pool, 0, 0, 0); /* it is of no use any more */
    pooled = acquire(pool, 1);
    assert_int_equal(pooled->lease_bytes, BUDGET);
    pooled->solver->widening = 0.125; /* better, though not as precise as usual */
    assert_false(solver_pool_wants_more(pool, pooled, &fine));
    assert_counts(pool, 1, 0, BUDGET);
    solver_pool_release(pool, pooled, false);
    assert_counts(pool, 0, 1, BUDGET);
}

/* --- speed --- */

static void one_slow_value_makes_a_variant_slow(void **state) {
    SolverPool *pool = *state;
    Variant variant = variant_of(1), other = variant_of(2);
    Seat searches = seat_of("minimax:2"), deeper = seat_of("minimax:3"), random = seat_of("random");
    assert_false(solver_pool_is_fast(pool, &variant, NULL)); /* nothing is known */
    assert_true(solver_pool_is_fast(pool, &variant, &random));
    solver_pool_record_time(pool, &variant, NULL, 0.001);
    assert_true(solver_pool_is_fast(pool, &variant, NULL));
    assert_false(solver_pool_is_fast(pool, &other, NULL));
    assert_false(solver_pool_is_fast(pool, &variant, &searches));
    solver_pool_record_time(pool, &variant, &searches, 0.001);
    assert_true(solver_pool_is_fast(pool, &variant, &searches));
    assert_false(solver_pool_is_fast(pool, &variant, &deeper));
    solver_pool_record_time(pool, &variant, NULL, 1);
    solver_pool_record_time(pool, &variant, NULL, 0.001);
    assert_false(solver_pool_is_fast(pool, &variant, NULL));
    assert_true(solver_pool_is_fast(pool, &variant, &searches));
}

/* That it needs more memory is known before it is known how long it takes. */
static void what_needs_all_is_not_fast(void **state) {
    SolverPool *pool = *state;
    Variant variant = variant_of(1);
    Status fine = status_ok();
    PooledSolver *pooled = acquire(pool, 1);
    pooled->solver->widening = 0.25;
    assert_true(solver_pool_wants_more(pool, pooled, &fine));
    assert_false(solver_pool_is_fast(pool, &variant, NULL));
    solver_pool_release(pool, pooled, true);
    solver_pool_record_time(pool, &variant, NULL, 0.001);
    assert_false(solver_pool_is_fast(pool, &variant, NULL));
}

/* That more memory does not help is known before, too. */
static void what_is_not_timed_is_not_fast(void **state) {
    SolverPool *pool = *state;
    PooledSolver *pooled;
    Variant variant = variant_of(1);
    fake.needed_bytes = BUDGET + 1;
    assert_fails(try_acquire(pool, 1, &pooled), STATUS_UNSUPPORTED, "too little memory");
    assert_false(solver_pool_is_fast(pool, &variant, NULL));
}

static void what_was_learned_first_is_forgotten_first(void **state) {
    SolverPool *pool = *state;
    for (int i = 0; i <= SOLVER_POOL_SPEEDS; i++) {
        Variant variant = variant_of(i);
        solver_pool_record_time(pool, &variant, NULL, 0.001);
    }
    for (int i = 0; i <= SOLVER_POOL_SPEEDS; i++) {
        Variant variant = variant_of(i);
        assert_int_equal(solver_pool_is_fast(pool, &variant, NULL), i > 0);
    }
}

#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, open_pool, free_pool)

int main(void) {
    const struct CMUnitTest tests[] = {
        POOL_TEST(an_idle_solver_is_used_again),
        POOL_TEST(players_of_other_kinds_and_settings_are_others),
        POOL_TEST(a_solver_of_its_own_is_not_shared),
        POOL_TEST(the_solver_that_was_idle_longest_is_dropped),
        POOL_TEST(estimates_are_replaced_after_a_time),
        POOL_TEST(a_solver_that_cannot_be_opened_leaves_nothing),
        POOL_TEST(only_so_many_of_a_kind),
        POOL_TEST(all_share_one_budget),
        POOL_TEST(a_release_wakes_who_waits),
        POOL_TEST(closing_stops_all_and_wakes_who_waits),
        POOL_TEST(a_solver_is_stopped_after_its_deadline),
        POOL_TEST(what_is_refused_gets_the_whole_budget),
        POOL_TEST(what_needs_all_waits_for_the_others),
        POOL_TEST(what_is_fast_does_not_wait_for_memory),
        POOL_TEST(a_share_comes_before_all),
        POOL_TEST(more_than_the_budget_is_not_tried_again),
        POOL_TEST(estimates_in_spite_of_the_whole_budget_take_a_share),
        POOL_TEST(less_precise_values_are_computed_again_once),
        POOL_TEST(one_slow_value_makes_a_variant_slow),
        POOL_TEST(what_needs_all_is_not_fast),
        POOL_TEST(what_is_not_timed_is_not_fast),
        POOL_TEST(what_was_learned_first_is_forgotten_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
