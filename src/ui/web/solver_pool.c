#include "ui/web/solver_pool.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"
#include "values/policy.h"

enum { IDLE_MAX = 6, SHARES_MIN = 8 };

#define FAST_S 0.02 /* what takes longer is left to a worker */

void solver_pool_init(SolverPool *pool, const SolveLimits *limits) {
    *pool = (SolverPool){.limits = *limits};
    /* More solvers of a kind than processors would only take memory, and creating one may take
     * seconds. */
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pool->alike_max = processors > 1 ? (size_t)processors : 1;
    size_t shares = 2 * pool->alike_max > SHARES_MIN ? 2 * pool->alike_max : SHARES_MIN;
    pool->share_bytes = limits->memory_bytes / shares;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->released, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void free_pooled(PooledSolver *pooled) {
    if (pooled->player)
        pooled->player->free(pooled->player);
    if (pooled->solver)
        pooled->solver->free(pooled->solver);
    free(pooled);
}

void solver_pool_free(SolverPool *pool) {
    assert(!pool->busy);
    while (pool->idle) {
        PooledSolver *pooled = pool->idle;
        pool->idle = pooled->next;
        free_pooled(pooled);
    }
    pthread_cond_destroy(&pool->released);
    pthread_mutex_destroy(&pool->lock);
}

static bool is_same_seat(const Seat *a, const Seat *b) {
    return a->kind == b->kind && (!a->kind || strcmp(a->setting, b->setting) == 0);
}

static bool is_same_variant(const Variant *a, const Variant *b) {
    return a->game == b->game && memcmp(&a->rules, &b->rules, sizeof a->rules) == 0;
}

static bool matches(const PooledSolver *pooled, const Variant *variant, const Seat *seat) {
    const Seat none = {.kind = NULL};
    return is_same_variant(&pooled->variant, variant) &&
           is_same_seat(&pooled->seat, seat ? seat : &none);
}

/* The place of the first match in the idle list; it points to NULL if there is none. The caller
 * holds the lock. */
static PooledSolver **find_idle_place(SolverPool *pool, const Variant *variant, const Seat *seat) {
    PooledSolver **at = &pool->idle;
    while (*at && !matches(*at, variant, seat))
        at = &(*at)->next;
    return at;
}

/* Removes the first match from the idle list; NULL if there is none. The caller holds the lock. */
static PooledSolver *take_idle(SolverPool *pool, const Variant *variant, const Seat *seat) {
    PooledSolver **at = find_idle_place(pool, variant, seat), *pooled = *at;
    if (pooled) {
        *at = pooled->next;
        pool->idle_count--;
    }
    return pooled;
}

/* How many busy solvers there are for the variant and player. The caller holds the lock. */
static size_t count_busy(const SolverPool *pool, const Variant *variant, const Seat *seat) {
    size_t count = 0;
    for (const PooledSolver *pooled = pool->busy; pooled; pooled = pooled->next)
        count += matches(pooled, variant, seat);
    return count;
}

/* What is known; NULL if nothing. The caller holds the lock. */
static SolverSpeed *find_speed(SolverPool *pool, const Variant *variant, const Seat *seat) {
    const Seat none = {.kind = NULL};
    for (size_t i = 0; i < SOLVER_POOL_SPEEDS; i++) {
        SolverSpeed *speed = &pool->speeds[i];
        if (is_same_variant(&speed->variant, variant) &&
            is_same_seat(&speed->seat, seat ? seat : &none))
            return speed;
    }
    return NULL;
}

/* The caller holds the lock. */
static bool is_fast(SolverPool *pool, const Variant *variant, const Seat *seat) {
    const SolverSpeed *speed = find_speed(pool, variant, seat);
    return (seat && seat->kind->is_instant) ||
           (speed && speed->is_timed && !speed->is_slow && speed->memory != SOLVER_MEMORY_ALL);
}

bool solver_pool_is_fast(SolverPool *pool, const Variant *variant, const Seat *seat) {
    pthread_mutex_lock(&pool->lock);
    bool is = is_fast(pool, variant, seat);
    pthread_mutex_unlock(&pool->lock);
    return is;
}

/* What is known, or a new entry. The caller holds the lock. */
static SolverSpeed *find_or_add_speed(SolverPool *pool, const Variant *variant, const Seat *seat) {
    SolverSpeed *speed = find_speed(pool, variant, seat);
    if (speed)
        return speed;
    speed = &pool->speeds[pool->speed_count++ % SOLVER_POOL_SPEEDS];
    *speed = (SolverSpeed){.variant = *variant};
    if (seat)
        speed->seat = *seat;
    return speed;
}

double solver_pool_clock_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void solver_pool_record_time(SolverPool *pool, const Variant *variant, const Seat *seat,
                             double seconds) {
    pthread_mutex_lock(&pool->lock);
    SolverSpeed *speed = find_or_add_speed(pool, variant, seat);
    speed->is_timed = true;
    speed->is_slow = speed->is_slow || seconds > FAST_S;
    pthread_mutex_unlock(&pool->lock);
}

/* Puts it on the busy list. The caller holds the lock. */
static void mark_busy(SolverPool *pool, PooledSolver *pooled, double seconds) {
    pooled->deadline_s = progress_clock_s() + seconds;
    pooled->stop = false;
    pooled->next = pool->busy;
    pool->busy = pooled;
}

/* Takes it off the busy list. The caller holds the lock. */
static void unmark_busy(SolverPool *pool, PooledSolver *pooled) {
    PooledSolver **at = &pool->busy;
    while (*at != pooled)
        at = &(*at)->next;
    *at = pooled->next;
}

void solver_pool_expire(SolverPool *pool, PooledSolver *pooled) {
    pthread_mutex_lock(&pool->lock);
    pooled->deadline_s = 0;
    pthread_mutex_unlock(&pool->lock);
}

void solver_pool_stop_expired(SolverPool *pool) {
    double now = progress_clock_s();
    pthread_mutex_lock(&pool->lock);
    for (PooledSolver *pooled = pool->busy; pooled; pooled = pooled->next)
        if (pooled->deadline_s < now)
            pooled->stop = true;
    pthread_mutex_unlock(&pool->lock);
}

void solver_pool_close(SolverPool *pool) {
    pthread_mutex_lock(&pool->lock);
    assert(pool->phase == SOLVER_POOL_OPEN);
    pool->phase = SOLVER_POOL_CLOSING;
    for (PooledSolver *pooled = pool->busy; pooled; pooled = pooled->next)
        pooled->stop = true;
    pthread_cond_broadcast(&pool->released);
    pthread_mutex_unlock(&pool->lock);
}

static Status stopped(void) {
    return status_make(STATUS_STOPPED, "stopped");
}

/* --- memory --- */

/* Removes the idle solver that was released longest ago. The caller holds the lock. */
static PooledSolver *remove_oldest(SolverPool *pool) {
    PooledSolver **oldest = &pool->idle;
    for (PooledSolver **at = &pool->idle; *at; at = &(*at)->next)
        if ((*at)->used < (*oldest)->used)
            oldest = at;
    PooledSolver *pooled = *oldest;
    assert(pooled); /* called only when there are too many */
    *oldest = pooled->next;
    pool->idle_count--;
    return pooled;
}

/* Frees idle solvers until the budget has room for a lease. Returns whether it has; otherwise busy
 * solvers have to be waited for. The caller holds the lock. */
static bool make_room(SolverPool *pool, size_t lease_bytes) {
    while (pool->idle && pool->leased_bytes + lease_bytes > pool->limits.memory_bytes) {
        PooledSolver *dropped = remove_oldest(pool);
        pool->leased_bytes -= dropped->lease_bytes;
        free_pooled(dropped);
    }
    return pool->leased_bytes + lease_bytes <= pool->limits.memory_bytes;
}

/* How much memory a new solver may use. The caller holds the lock. */
static size_t find_memory(SolverPool *pool, const Variant *variant, const Seat *seat) {
    const SolverSpeed *speed = find_speed(pool, variant, seat);
    return speed && speed->memory == SOLVER_MEMORY_ALL ? pool->limits.memory_bytes
                                                       : pool->share_bytes;
}

bool solver_pool_wants_more(SolverPool *pool, PooledSolver *pooled, const Status *outcome) {
    bool is_refused =
        outcome->code == STATUS_UNSUPPORTED || pooled->missing.code == STATUS_UNSUPPORTED;
    bool was_short = is_refused || (pooled->solver && pooled->solver->widening > 0);
    bool has_all = pooled->memory_bytes >= pool->limits.memory_bytes;
    if (!was_short)
        return false;
    pthread_mutex_lock(&pool->lock);
    SolverSpeed *speed =
        find_or_add_speed(pool, &pooled->variant, pooled->seat.kind ? &pooled->seat : NULL);
    if (has_all && is_refused) { /* memory was not the reason */
        speed->memory = SOLVER_MEMORY_SHARE;
        pool->leased_bytes -= pooled->lease_bytes - pool->share_bytes;
        pooled->lease_bytes = pooled->memory_bytes = pool->share_bytes;
    }
    bool again = !has_all && speed->memory == SOLVER_MEMORY_UNKNOWN;
    if (again) {
        speed->memory = SOLVER_MEMORY_ALL;
        pooled->stop = true; /* so that it is dropped */
    }
    pthread_mutex_unlock(&pool->lock);
    return again;
}

SolverPoolCounts solver_pool_counts(SolverPool *pool) {
    SolverPoolCounts counts = {.busy = 0};
    pthread_mutex_lock(&pool->lock);
    for (const PooledSolver *pooled = pool->busy; pooled; pooled = pooled->next)
        counts.busy++;
    counts.idle = pool->idle_count;
    counts.leased_bytes = pool->leased_bytes;
    pthread_mutex_unlock(&pool->lock);
    return counts;
}

/* --- taking and returning --- */

/* Whether there is an idle solver of the kind, if that will do, or room for one more. The caller
 * holds the lock. */
static bool is_room_for(SolverPool *pool, const Variant *variant, const Seat *seat, bool may_share,
                        size_t lease_bytes) {
    if (may_share && *find_idle_place(pool, variant, seat))
        return true;
    if (lease_bytes >= pool->limits.memory_bytes && pool->waiting_for_shares > 0)
        return false;
    return count_busy(pool, variant, seat) < pool->alike_max && make_room(pool, lease_bytes);
}

/* Waits until there is. The caller holds the lock. False if that takes longer than `seconds`, which
 * may be negative, or the pool is closing. */
static bool wait_for_room(SolverPool *pool, const Variant *variant, const Seat *seat,
                          bool may_share, size_t lease_bytes, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds + 1;
    int code = seconds < 0 ? ETIMEDOUT : 0;
    bool has_room =
        pool->phase == SOLVER_POOL_OPEN && is_room_for(pool, variant, seat, may_share, lease_bytes);
    bool wants_share = lease_bytes < pool->limits.memory_bytes;
    pool->waiting_for_shares += wants_share;
    while (!has_room && pool->phase == SOLVER_POOL_OPEN && code != ETIMEDOUT) {
        code = pthread_cond_timedwait(&pool->released, &pool->lock, &until);
        has_room = pool->phase == SOLVER_POOL_OPEN &&
                   is_room_for(pool, variant, seat, may_share, lease_bytes);
    }
    pool->waiting_for_shares -= wants_share;
    if (wants_share && !has_room)
        pthread_cond_broadcast(&pool->released); /* for those that let it go first */
    return has_room;
}

/* Marks a new solver as busy, with a deadline, before it is opened: that may take long. The caller
 * holds the lock. NULL if out of memory. */
static PooledSolver *add_busy(SolverPool *pool, const Variant *variant, const Seat *seat,
                              size_t memory_bytes, size_t lease_bytes, double seconds) {
    PooledSolver *created = calloc(1, sizeof *created);
    if (!created)
        return NULL;
    created->variant = *variant;
    created->created_s = progress_clock_s();
    created->memory_bytes = memory_bytes;
    created->lease_bytes = lease_bytes;
    pool->leased_bytes += lease_bytes;
    if (seat)
        created->seat = *seat;
    mark_busy(pool, created, seconds);
    return created;
}

/* Opens the solver or player of a busy entry. */
static Status open_pooled(SolverPool *pool, double search_s, PooledSolver *created) {
    SolveLimits limits = pool->limits;
    limits.stop = &created->stop;
    limits.seconds = search_s;
    limits.memory_bytes = created->memory_bytes;
    return created->seat.kind ? seat_open(&created->seat, &created->variant, &limits,
                                          &created->solver, &created->player)
                              : values_open(&created->variant, VALUES_ANY, &limits,
                                            &created->solver, &created->missing);
}

/* Takes a matching idle solver, if `may_share`, or creates one. `search_s`: how long a new one may
 * search; `wait_s`: how long to wait for room; negative: not at all. */
static Status acquire(SolverPool *pool, const Variant *variant, const Seat *seat, bool may_share,
                      double search_s, double wait_s, double seconds, PooledSolver **pooled) {
    PooledSolver *created = NULL;
    *pooled = NULL;
    pthread_mutex_lock(&pool->lock);
    size_t memory_bytes = find_memory(pool, variant, seat);
    size_t lease_bytes = is_fast(pool, variant, seat) ? 0 : memory_bytes;
    bool has_room = wait_for_room(pool, variant, seat, may_share, lease_bytes, wait_s);
    if (has_room && may_share && (*pooled = take_idle(pool, variant, seat)))
        mark_busy(pool, *pooled, seconds);
    else if (has_room)
        created = add_busy(pool, variant, seat, memory_bytes, lease_bytes, seconds);
    pthread_mutex_unlock(&pool->lock);
    if (*pooled)
        return status_ok();
    if (!created)
        return has_room ? status_make(STATUS_FAILED, "out of memory") : stopped();
    Status status = open_pooled(pool, search_s, created);
    bool again = (!status_is_ok(&status) || !status_is_ok(&created->missing)) &&
                 solver_pool_wants_more(pool, created, &status);
    if (status_is_ok(&status) && !again) {
        *pooled = created;
        return status;
    }
    solver_pool_release(pool, created, true);
    return again ? acquire(pool, variant, seat, may_share, search_s, wait_s, seconds, pooled)
                 : status;
}

Status solver_pool_create(SolverPool *pool, const Variant *variant, double search_s, double seconds,
                          PooledSolver **pooled) {
    return acquire(pool, variant, NULL, false, search_s, seconds, seconds, pooled);
}

Status solver_pool_acquire(SolverPool *pool, const Variant *variant, const Seat *seat,
                           double seconds, PooledSolver **pooled) {
    return acquire(pool, variant, seat, true, pool->limits.seconds, seconds, seconds, pooled);
}

Status solver_pool_try(SolverPool *pool, const Variant *variant, const Seat *seat, double seconds,
                       PooledSolver **pooled) {
    return acquire(pool, variant, seat, true, pool->limits.seconds, -1, seconds, pooled);
}

void solver_pool_release(SolverPool *pool, PooledSolver *pooled, bool drop) {
    PooledSolver *dropped = NULL;
    bool is_old = !status_is_ok(&pooled->missing) &&
                  progress_clock_s() > pooled->created_s + SOLVER_POOL_ESTIMATES_S;
    pthread_mutex_lock(&pool->lock);
    unmark_busy(pool, pooled);
    if (drop || is_old || pooled->stop) {
        dropped = pooled;
    } else {
        pooled->used = ++pool->clock;
        pooled->next = pool->idle;
        pool->idle = pooled;
        if (++pool->idle_count > IDLE_MAX)
            dropped = remove_oldest(pool);
    }
    if (dropped)
        pool->leased_bytes -= dropped->lease_bytes;
    pthread_cond_broadcast(&pool->released);
    pthread_mutex_unlock(&pool->lock);
    if (dropped)
        free_pooled(dropped);
}
