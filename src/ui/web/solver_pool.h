/* A pool of solvers and computer players. Creating one may take long, and one may be used by only
 * one thread at a time, so they are kept after use for the next request about the same variant.
 */
#ifndef MALPAN_UI_WEB_SOLVER_POOL_H
#define MALPAN_UI_WEB_SOLVER_POOL_H

#include <pthread.h>

#include "players/player.h"

/* A solver, or a computer player with its solver, for one variant.
 *
 * While it is busy, the thread that acquired it owns it, except for `deadline_s` and `next`, which
 * the pool's lock guards, and `stop`, which the main thread sets under the lock and the solver
 * reads without it. While it is idle, the pool's lock guards all of it. */
typedef struct PooledSolver {
    Variant variant;
    Seat seat;      /* of the player; without a kind: a solver for values */
    Solver *solver; /* for values, or shared with the player */
    Player *player;
    Status missing;        /* why values are estimates; fine if they are exact */
    Evaluation evaluation; /* scratch space for the thread that uses it */
    uint64_t used;         /* when it was last released, in ticks of the pool's clock */
    double created_s;
    double deadline_s; /* while busy: when it is told to stop */
    StopFlag stop;
    struct PooledSolver *next;
} PooledSolver;

/* A solver of estimates is replaced after this time, because the table may exist by then. */
#define SOLVER_POOL_ESTIMATES_S 60.0

/* Whether values of a variant were found fast enough to compute them on a request thread. */
typedef struct VariantSpeed {
    Variant variant; /* without a game: an unused entry */
    bool is_slow;    /* took too long at least once */
} VariantSpeed;

enum { SOLVER_POOL_SPEEDS = 64 };

/* Shared by all request threads, all workers and the main thread. `limits` never changes; `lock`
 * guards the rest. The lock is a leaf: no other lock is taken while it is held, and no solver runs
 * under it.
 *
 * Shutdown: solver_pool_stop_expired(pool, true), then the workers and request threads end, then
 * solver_pool_free. */
typedef struct SolverPool {
    pthread_mutex_t lock;
    SolveLimits limits;
    PooledSolver *idle, *busy;
    size_t idle_count;
    uint64_t clock;
    VariantSpeed speeds[SOLVER_POOL_SPEEDS]; /* a ring buffer */
    size_t speed_count;                      /* recorded since the start */
} SolverPool;

/* Up to `users` threads may hold a solver at a time. limits->memory_bytes is for all of them and
 * the idle ones together. */
void solver_pool_init(SolverPool *pool, const SolveLimits *limits, size_t users);

/* Frees the idle solvers; none may be busy. */
void solver_pool_free(SolverPool *pool);

/* Whether values of the variant are known to be found so fast that a request thread may compute
 * them. Thread-safe, as is everything below. */
bool solver_pool_is_fast(SolverPool *pool, const Variant *variant);

/* Records how long an evaluation took, including the creation of the solver. */
void solver_pool_record_time(SolverPool *pool, const Variant *variant, double seconds);

/* Takes an idle solver or creates one; it is told to stop after `seconds`. `seat` names a computer
 * player; NULL asks for a solver for values. Pair with solver_pool_release. */
Status solver_pool_acquire(SolverPool *pool, const Variant *variant, const Seat *seat,
                           double seconds, PooledSolver **pooled);

/* Creates a solver for values that searches each position for `search_s` where it has to search. */
Status solver_pool_create(SolverPool *pool, const Variant *variant, double search_s, double seconds,
                          PooledSolver **pooled);

/* Moves the deadline of a busy solver to now: the next solver_pool_stop_expired stops it. */
void solver_pool_expire(SolverPool *pool, PooledSolver *pooled);

/* Tells busy solvers past their deadline to stop, or all of them. */
void solver_pool_stop_expired(SolverPool *pool, bool all);

/* Returns a solver to the pool. It is freed instead if `drop` is set, if it was told to stop, or if
 * it has given estimates for too long. */
void solver_pool_release(SolverPool *pool, PooledSolver *pooled, bool drop);

#endif
