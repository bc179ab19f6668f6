#include "ui/web/solvers.h"

#include <stdlib.h>
#include <string.h>

#include "solve/lookahead.h"
#include "solve/store.h"

enum { RESTING_MAX = 12 };

#define AT_ONCE_S 0.005 /* what takes longer is left to a worker */

void solvers_init(Solvers *solvers, const SolveLimits *limits) {
    *solvers = (Solvers){.limits = *limits};
    pthread_mutex_init(&solvers->lock, NULL);
}

static void free_brain(Brain *brain) {
    if (brain->player)
        brain->player->free(brain->player);
    if (brain->solver)
        brain->solver->free(brain->solver);
    free(brain);
}

void solvers_free(Solvers *solvers) {
    while (solvers->resting) {
        Brain *brain = solvers->resting;
        solvers->resting = brain->next;
        free_brain(brain);
    }
    pthread_mutex_destroy(&solvers->lock);
}

static bool fits(const Brain *brain, const Variant *variant, const Seat *seat) {
    return brain->variant.game == variant->game &&
           memcmp(&brain->variant.rules, &variant->rules, sizeof variant->rules) == 0 &&
           brain->seat.kind == (seat ? seat->kind : NULL) &&
           (!seat || strcmp(brain->seat.setting, seat->setting) == 0);
}

/* Takes the first that fits out of the list. */
static Brain *take_resting(Solvers *solvers, const Variant *variant, const Seat *seat) {
    pthread_mutex_lock(&solvers->lock);
    Brain **at = &solvers->resting;
    while (*at && !fits(*at, variant, seat))
        at = &(*at)->next;
    Brain *brain = *at;
    if (brain) {
        *at = brain->next;
        solvers->count--;
    }
    pthread_mutex_unlock(&solvers->lock);
    return brain;
}

/* Under the lock. NULL: nothing is known. */
static SolversPace *find_pace(Solvers *solvers, const Variant *variant) {
    for (size_t i = 0; i < SOLVERS_PACES; i++) {
        SolversPace *pace = &solvers->paces[i];
        if (pace->variant.game == variant->game &&
            memcmp(&pace->variant.rules, &variant->rules, sizeof variant->rules) == 0)
            return pace;
    }
    return NULL;
}

bool solvers_is_quick(Solvers *solvers, const Variant *variant) {
    pthread_mutex_lock(&solvers->lock);
    const SolversPace *pace = find_pace(solvers, variant);
    bool is_quick = pace && !pace->is_slow;
    pthread_mutex_unlock(&solvers->lock);
    return is_quick;
}

void solvers_note(Solvers *solvers, const Variant *variant, double seconds) {
    pthread_mutex_lock(&solvers->lock);
    SolversPace *pace = find_pace(solvers, variant);
    if (!pace) {
        pace = &solvers->paces[solvers->pace_count++ % SOLVERS_PACES];
        *pace = (SolversPace){.variant = *variant};
    }
    pace->is_slow = pace->is_slow || seconds > AT_ONCE_S;
    pthread_mutex_unlock(&solvers->lock);
}

Status solvers_open(const Variant *variant, const SolveLimits *limits, Solver **solver,
                    Status *missing) {
    Status status = store_solver_or_estimate(variant, limits, solver, missing);
    /* Rules that nobody has solved: here a guess is better than nothing. */
    if (status.code != STATUS_UNSUPPORTED || !variant->game->estimate)
        return status;
    *missing = status;
    return lookahead_new(variant, limits, solver);
}

Status solvers_take(Solvers *solvers, const Variant *variant, const Seat *seat, Brain **brain) {
    *brain = take_resting(solvers, variant, seat);
    if (*brain)
        return status_ok();
    Brain *made = calloc(1, sizeof *made);
    if (!made)
        return status_make(STATUS_FAILED, "out of memory");
    made->variant = *variant;
    Status status;
    if (seat) {
        made->seat = *seat;
        status = seat_open(seat, &made->variant, &solvers->limits, &made->solver, &made->player);
    } else {
        status = solvers_open(variant, &solvers->limits, &made->solver, &made->missing);
    }
    if (status_is_ok(&status))
        *brain = made;
    else
        free_brain(made);
    return status;
}

/* Takes the one out that was used longest ago. */
static Brain *drop_oldest(Solvers *solvers) {
    Brain **oldest = &solvers->resting;
    for (Brain **at = &solvers->resting; *at; at = &(*at)->next)
        if ((*at)->used < (*oldest)->used)
            oldest = at;
    Brain *brain = *oldest;
    *oldest = brain->next;
    solvers->count--;
    return brain;
}

void solvers_give(Solvers *solvers, Brain *brain) {
    Brain *dropped = NULL;
    pthread_mutex_lock(&solvers->lock);
    brain->used = ++solvers->clock;
    brain->next = solvers->resting;
    solvers->resting = brain;
    if (++solvers->count > RESTING_MAX)
        dropped = drop_oldest(solvers);
    pthread_mutex_unlock(&solvers->lock);
    if (dropped)
        free_brain(dropped);
}
