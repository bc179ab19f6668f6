/* A pool of solvers and computer players. Creating one may take long, and one may be used by only
 * one thread at a time, so they are kept after use for the next request about the same variant.
 *
 * All of them share one memory budget. A solver is created with an ordinary share of it. If that
 * turns out to be too little, it is created again with the whole budget, as soon as the others have
 * given theirs back: so whatever the budget suffices for can be computed, however many threads
 * there are (solver_pool_wants_more).
 *
 * What is found so fast that it can hardly have touched memory takes nothing from the budget: it
 * must not wait for a solver that has all of it. And a solver that asks for a share comes before
 * one that asks for all.
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
    size_t memory_bytes;   /* what it may use */
    size_t lease_bytes;    /* its part of the memory budget: the same, or 0 */
    uint64_t used;         /* when it was last released, in ticks of the pool's clock */
    double created_s;
    double deadline_s; /* while busy: when it is told to stop */
    StopFlag stop;
    struct PooledSolver *next;
} PooledSolver;

/* A solver of estimates is replaced after this time, because the table may exist by then. */
#define SOLVER_POOL_ESTIMATES_S 60.0

/* How much of the memory budget a solver gets. */
typedef enum SolverMemory {
    SOLVER_MEMORY_UNKNOWN, /* an ordinary share, which has sufficed so far */
    SOLVER_MEMORY_ALL,     /* all of it: a share was too little */
    SOLVER_MEMORY_SHARE    /* a share: even all of it does not help */
} SolverMemory;

/* What was learned about a variant, or a computer player of it: whether values or moves are found
 * fast enough to compute them on a request thread or in the lane for short work, and how much
 * memory that takes. */
typedef struct SolverSpeed {
    Variant variant; /* without a game: an unused entry */
    Seat seat;       /* without a kind: values */
    bool is_timed;   /* it was recorded how long something took */
    bool is_slow;    /* took too long at least once */
    SolverMemory memory;
} SolverSpeed;

enum { SOLVER_POOL_SPEEDS = 256 };

typedef enum SolverPoolPhase {
    SOLVER_POOL_OPEN,
    SOLVER_POOL_CLOSING /* busy solvers were told to stop; no solver is given out any more */
} SolverPoolPhase;

/* Shared by all request threads, all workers and the main thread. `limits`, `alike_max` and
 * `share_bytes` never change; `lock` guards the rest. The lock is a leaf: no other lock is taken
 * while it is held, and no solver runs under it.
 *
 * Shutdown: solver_pool_close, then the workers and request threads end, then solver_pool_free. */
typedef struct SolverPool {
    pthread_mutex_t lock;
    pthread_cond_t released; /* a solver was released, or the phase changed */
    SolverPoolPhase phase;
    SolveLimits limits;
    size_t alike_max;          /* solvers for the same variant and player */
    size_t share_bytes;        /* what a solver gets at first */
    size_t leased_bytes;       /* what all solvers have together */
    size_t waiting_for_shares; /* threads */
    PooledSolver *idle, *busy;
    size_t idle_count;
    uint64_t clock;
    SolverSpeed speeds[SOLVER_POOL_SPEEDS]; /* a ring buffer */
    size_t speed_count;                     /* recorded since the start */
} SolverPool;

/* limits->memory_bytes is for all solvers together. */
void solver_pool_init(SolverPool *pool, const SolveLimits *limits);

/* Tells all busy solvers to stop, and refuses to give out any more. */
void solver_pool_close(SolverPool *pool);

/* Frees the idle solvers; none may be busy. */
void solver_pool_free(SolverPool *pool);

/* Whether values of the variant, or moves of the player at `seat`, are known to be found so fast
 * that a request thread may compute them. Thread-safe, as is everything below. */
bool solver_pool_is_fast(SolverPool *pool, const Variant *variant, const Seat *seat);

/* CPU seconds of this thread, so that a busy machine does not make a game look slow. */
double solver_pool_clock_s(void);

/* Records how long an evaluation or a move took by that clock, including the creation of the
 * solver.
 */
void solver_pool_record_time(SolverPool *pool, const Variant *variant, const Seat *seat,
                             double seconds);

/* Takes an idle solver, creates one, or waits for one if there are enough of the kind; it is told
 * to stop after `seconds`. `seat` names a computer player; NULL asks for a solver for values. Pair
 * with solver_pool_release. STATUS_STOPPED if the pool is closing or no solver becomes free in
 * time. */
Status solver_pool_acquire(SolverPool *pool, const Variant *variant, const Seat *seat,
                           double seconds, PooledSolver **pooled);

/* The same for a thread that must not wait: STATUS_STOPPED if there is no solver at once. */
Status solver_pool_try(SolverPool *pool, const Variant *variant, const Seat *seat, double seconds,
                       PooledSolver **pooled);

/* Creates a solver for values that searches each position for `search_s` where it has to search. */
Status solver_pool_create(SolverPool *pool, const Variant *variant, double search_s, double seconds,
                          PooledSolver **pooled);

/* Moves the deadline of a busy solver to now: the next solver_pool_stop_expired stops it. */
void solver_pool_expire(SolverPool *pool, PooledSolver *pooled);

/* Tells busy solvers past their deadline to stop. */
void solver_pool_stop_expired(SolverPool *pool);

/* Whether the solver, which has just been used with this outcome, should be released and acquired
 * again to do the same with more memory: it refused for lack of it, or was less precise than usual.
 * It is dropped when it is released. */
bool solver_pool_wants_more(SolverPool *pool, PooledSolver *pooled, const Status *outcome);

/* How many solvers there are, and how much memory they may use. */
typedef struct SolverPoolCounts {
    size_t busy, idle, leased_bytes;
} SolverPoolCounts;

SolverPoolCounts solver_pool_counts(SolverPool *pool);

/* Returns a solver to the pool. It is freed instead if `drop` is set, if it was told to stop, or if
 * it has given estimates for too long. */
void solver_pool_release(SolverPool *pool, PooledSolver *pooled, bool drop);

#endif
