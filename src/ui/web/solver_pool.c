#include "ui/web/solver_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "values/policy.h"

enum { IDLE_MAX = 6 };

#define FAST_S 0.02 /* what takes longer is left to a worker */

void solver_pool_init(SolverPool *pool, const SolveLimits *limits, size_t users) {
    *pool = (SolverPool){.limits = *limits};
    pool->limits.memory_bytes /= IDLE_MAX + users;
    pthread_mutex_init(&pool->lock, NULL);
}

static void free_pooled(PooledSolver *pooled) {
    if (pooled->player)
        pooled->player->free(pooled->player);
    if (pooled->solver)
        pooled->solver->free(pooled->solver);
    free(pooled);
}

void solver_pool_free(SolverPool *pool) {
    while (pool->idle) {
        PooledSolver *pooled = pool->idle;
        pool->idle = pooled->next;
        free_pooled(pooled);
    }
    pthread_mutex_destroy(&pool->lock);
}

static bool matches(const PooledSolver *pooled, const Variant *variant, const Seat *seat) {
    return pooled->variant.game == variant->game &&
           memcmp(&pooled->variant.rules, &variant->rules, sizeof variant->rules) == 0 &&
           pooled->seat.kind == (seat ? seat->kind : NULL) &&
           (!seat || strcmp(pooled->seat.setting, seat->setting) == 0);
}

/* Removes the first match from the idle list; NULL if there is none. The caller holds the lock. */
static PooledSolver *take_idle(SolverPool *pool, const Variant *variant, const Seat *seat) {
    PooledSolver **at = &pool->idle;
    while (*at && !matches(*at, variant, seat))
        at = &(*at)->next;
    PooledSolver *pooled = *at;
    if (pooled) {
        *at = pooled->next;
        pool->idle_count--;
    }
    return pooled;
}

/* The variant's entry; NULL if nothing is known. The caller holds the lock. */
static VariantSpeed *find_speed(SolverPool *pool, const Variant *variant) {
    for (size_t i = 0; i < SOLVER_POOL_SPEEDS; i++) {
        VariantSpeed *speed = &pool->speeds[i];
        if (speed->variant.game == variant->game &&
            memcmp(&speed->variant.rules, &variant->rules, sizeof variant->rules) == 0)
            return speed;
    }
    return NULL;
}

bool solver_pool_is_fast(SolverPool *pool, const Variant *variant) {
    pthread_mutex_lock(&pool->lock);
    const VariantSpeed *speed = find_speed(pool, variant);
    bool is_fast = speed && !speed->is_slow;
    pthread_mutex_unlock(&pool->lock);
    return is_fast;
}

void solver_pool_record_time(SolverPool *pool, const Variant *variant, double seconds) {
    pthread_mutex_lock(&pool->lock);
    VariantSpeed *speed = find_speed(pool, variant);
    if (!speed) {
        speed = &pool->speeds[pool->speed_count++ % SOLVER_POOL_SPEEDS];
        *speed = (VariantSpeed){.variant = *variant};
    }
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

void solver_pool_stop_expired(SolverPool *pool, bool all) {
    double now = progress_clock_s();
    pthread_mutex_lock(&pool->lock);
    for (PooledSolver *pooled = pool->busy; pooled; pooled = pooled->next)
        if (all || pooled->deadline_s < now)
            pooled->stop = true;
    pthread_mutex_unlock(&pool->lock);
}

/* Creates a solver or player. It is busy, with a deadline, from the start: opening may take long.
 */
static Status create_pooled(SolverPool *pool, const Variant *variant, const Seat *seat,
                            double search_s, double seconds, PooledSolver **pooled) {
    PooledSolver *created = calloc(1, sizeof *created);
    if (!created)
        return status_make(STATUS_FAILED, "out of memory");
    SolveLimits limits = pool->limits;
    limits.stop = &created->stop;
    limits.seconds = search_s;
    created->variant = *variant;
    created->created_s = progress_clock_s();
    pthread_mutex_lock(&pool->lock);
    mark_busy(pool, created, seconds);
    pthread_mutex_unlock(&pool->lock);
    Status status;
    if (seat) {
        created->seat = *seat;
        status = seat_open(seat, &created->variant, &limits, &created->solver, &created->player);
    } else {
        status = values_open(&created->variant, VALUES_ANY, &limits, &created->solver,
                             &created->missing);
    }
    if (status_is_ok(&status))
        *pooled = created;
    else
        solver_pool_release(pool, created, true);
    return status;
}

Status solver_pool_create(SolverPool *pool, const Variant *variant, double search_s, double seconds,
                          PooledSolver **pooled) {
    return create_pooled(pool, variant, NULL, search_s, seconds, pooled);
}

Status solver_pool_acquire(SolverPool *pool, const Variant *variant, const Seat *seat,
                           double seconds, PooledSolver **pooled) {
    pthread_mutex_lock(&pool->lock);
    *pooled = take_idle(pool, variant, seat);
    if (*pooled)
        mark_busy(pool, *pooled, seconds);
    pthread_mutex_unlock(&pool->lock);
    return *pooled ? status_ok()
                   : create_pooled(pool, variant, seat, pool->limits.seconds, seconds, pooled);
}

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
    pthread_mutex_unlock(&pool->lock);
    if (dropped)
        free_pooled(dropped);
}
