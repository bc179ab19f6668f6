#include "ui/web/solver_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "values/policy.h"

enum { RESTING_MAX = 6 };

#define AT_ONCE_S 0.02 /* what takes longer is left to a worker */

void solvers_init(Solvers *solvers, const SolveLimits *limits, size_t users) {
    *solvers = (Solvers){.limits = *limits};
    solvers->limits.memory_bytes /= RESTING_MAX + users;
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

/* Takes the first that fits out of the list. Under the lock. */
static Brain *take_resting(Solvers *solvers, const Variant *variant, const Seat *seat) {
    Brain **at = &solvers->resting;
    while (*at && !fits(*at, variant, seat))
        at = &(*at)->next;
    Brain *brain = *at;
    if (brain) {
        *at = brain->next;
        solvers->count--;
    }
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

/* Among those at work, with the lock held. */
static void start_work(Solvers *solvers, Brain *brain, double seconds) {
    brain->until_s = progress_clock_s() + seconds;
    brain->stop = false;
    brain->next = solvers->working;
    solvers->working = brain;
}

static void end_work(Solvers *solvers, Brain *brain) {
    Brain **at = &solvers->working;
    while (*at != brain)
        at = &(*at)->next;
    *at = brain->next;
}

void solvers_hurry(Solvers *solvers, Brain *brain) {
    pthread_mutex_lock(&solvers->lock);
    brain->until_s = 0;
    pthread_mutex_unlock(&solvers->lock);
}

void solvers_watch(Solvers *solvers, bool all) {
    double now = progress_clock_s();
    pthread_mutex_lock(&solvers->lock);
    for (Brain *brain = solvers->working; brain; brain = brain->next)
        if (all || brain->until_s < now)
            brain->stop = true;
    pthread_mutex_unlock(&solvers->lock);
}

/* A new one, watched from the beginning: making it may take long, too. */
static Status make_brain(Solvers *solvers, const Variant *variant, const Seat *seat,
                         double search_s, double seconds, Brain **brain) {
    Brain *made = calloc(1, sizeof *made);
    if (!made)
        return status_make(STATUS_FAILED, "out of memory");
    SolveLimits limits = solvers->limits;
    limits.stop = &made->stop;
    limits.seconds = search_s;
    made->variant = *variant;
    made->made_s = progress_clock_s();
    pthread_mutex_lock(&solvers->lock);
    start_work(solvers, made, seconds);
    pthread_mutex_unlock(&solvers->lock);
    Status status;
    if (seat) {
        made->seat = *seat;
        status = seat_open(seat, &made->variant, &limits, &made->solver, &made->player);
    } else {
        status = values_open(&made->variant, VALUES_ANY, &limits, &made->solver, &made->missing);
    }
    if (status_is_ok(&status))
        *brain = made;
    else
        solvers_give(solvers, made, true);
    return status;
}

Status solvers_make(Solvers *solvers, const Variant *variant, double search_s, double seconds,
                    Brain **brain) {
    return make_brain(solvers, variant, NULL, search_s, seconds, brain);
}

Status solvers_take(Solvers *solvers, const Variant *variant, const Seat *seat, double seconds,
                    Brain **brain) {
    pthread_mutex_lock(&solvers->lock);
    *brain = take_resting(solvers, variant, seat);
    if (*brain)
        start_work(solvers, *brain, seconds);
    pthread_mutex_unlock(&solvers->lock);
    return *brain ? status_ok()
                  : make_brain(solvers, variant, seat, solvers->limits.seconds, seconds, brain);
}

/* Takes the one out that was used longest ago. */
static Brain *drop_oldest(Solvers *solvers) {
    Brain **oldest = &solvers->resting;
    for (Brain **at = &solvers->resting; *at; at = &(*at)->next)
        if ((*at)->used < (*oldest)->used)
            oldest = at;
    Brain *brain = *oldest;
    assert(brain); /* there are too many */
    *oldest = brain->next;
    solvers->count--;
    return brain;
}

void solvers_give(Solvers *solvers, Brain *brain, bool drop) {
    Brain *dropped = NULL;
    bool is_old =
        !status_is_ok(&brain->missing) && progress_clock_s() > brain->made_s + SOLVERS_ESTIMATES_S;
    pthread_mutex_lock(&solvers->lock);
    end_work(solvers, brain);
    if (drop || is_old || brain->stop) {
        dropped = brain;
    } else {
        brain->used = ++solvers->clock;
        brain->next = solvers->resting;
        solvers->resting = brain;
        if (++solvers->count > RESTING_MAX)
            dropped = drop_oldest(solvers);
    }
    pthread_mutex_unlock(&solvers->lock);
    if (dropped)
        free_brain(dropped);
}
