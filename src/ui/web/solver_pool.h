/* Solvers and computer players that are at rest, for whoever needs one next: making one may take
 * long, and one may be used by one thread at a time only. */
#ifndef MALPAN_UI_WEB_SOLVER_POOL_H
#define MALPAN_UI_WEB_SOLVER_POOL_H

#include <pthread.h>

#include "players/player.h"

/* What answers for one variant: values, or the moves of a player. */
typedef struct Brain {
    Variant variant;
    Seat seat;      /* whose moves; no kind: values */
    Solver *solver; /* for values; or what the player shares */
    Player *player;
    Status missing;        /* where values are estimates: why */
    Evaluation evaluation; /* room to work in */
    uint64_t used;         /* when, as a counter */
    double made_s;         /* when, as time */
    /* While somebody uses it: until when it may work, and whether it is to stop. */
    double until_s;
    StopFlag stop;
    struct Brain *next;
} Brain;

/* Where values are estimates, a table may be there later: so long they are remembered. */
#define SOLVERS_ESTIMATES_S 60.0

/* How long values of a variant took. */
typedef struct SolversPace {
    Variant variant; /* no game: nothing is known */
    bool is_slow;    /* once too long to be waited for */
} SolversPace;

enum { SOLVERS_PACES = 64 };

typedef struct Solvers {
    pthread_mutex_t lock;
    SolveLimits limits;
    Brain *resting, *working;
    size_t count; /* of those at rest */
    uint64_t clock;
    SolversPace paces[SOLVERS_PACES];
    size_t pace_count; /* ever noted: the next takes the place of the oldest */
} Solvers;

/* So many may be used at once. The limit of memory is for all of them and those at rest. */
void solvers_init(Solvers *solvers, const SolveLimits *limits, size_t users);
void solvers_free(Solvers *solvers);

/* Whether values of the variant are known to be found so soon that nobody else has to wait. */
bool solvers_is_quick(Solvers *solvers, const Variant *variant);

/* Notes how long they took, the solver's making included. */
void solvers_note(Solvers *solvers, const Variant *variant, double seconds);

/* One at rest, or a new one, for so many seconds; then it is told to stop. `seat` is NULL for
 * values. */
Status solvers_take(Solvers *solvers, const Variant *variant, const Seat *seat, double seconds,
                    Brain **brain);

/* A new one for values, which looks so long at a position that has to be searched. */
Status solvers_make(Solvers *solvers, const Variant *variant, double search_s, double seconds,
                    Brain **brain);

/* Its time is over with the next look. */
void solvers_hurry(Solvers *solvers, Brain *brain);

/* Tells those to stop whose time is over; or all. */
void solvers_watch(Solvers *solvers, bool all);

/* Gives it back, to rest or, with `drop`, to be freed. One that was stopped is freed too, and one
 * that has been estimating for long. */
void solvers_give(Solvers *solvers, Brain *brain, bool drop);

#endif
