/* Values of Yut with one piece each and more than two players, or rules that the solver of two
 * players does not know: at the start of a turn from the fixed point, in the middle of a turn from
 * a search. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "games/yut/solve/single_fixpoint.h"
#include "games/yut/solve/single_solver.h"

enum { EXTRAS_MAX = 24, NOTE_BYTES = 256 };

#define CUT 1e-11 /* searches follow extras until more are as unlikely as this */

/* The solved game, which solvers of several threads share. Only `users` changes. */
typedef struct Solved {
    atomic_int users;
    SingleFixpoint fixpoint;
    char note[NOTE_BYTES];
} Solved;

typedef struct SingleSolver {
    Solver base;
    Solved *solved;
    SingleTurn *turn;
} SingleSolver;

static void release(Solved *solved) {
    if (atomic_fetch_sub(&solved->users, 1) > 1)
        return;
    single_fixpoint_close(&solved->fixpoint);
    free(solved);
}

/* How many extras a search of this player's turn follows. */
static int extras_for(const SinglePlayer *player) {
    int extras = 2;
    while (pow(player->again, extras + 1) > CUT && extras < EXTRAS_MAX)
        extras++;
    return extras;
}

static void set_values(SingleSolver *solver, const SingleState *state, const SingleValue *value,
                       double values[]) {
    const SingleGame *game = &solver->solved->fixpoint.game;
    double upper = value->part[SINGLE_UPPER], lower = value->part[SINGLE_LOWER];
    double chance = (upper + lower) / 2;
    for (int i = 0; i < game->players; i++) {
        int player = (state->player + i) % game->players;
        values[player] = game->aim == SINGLE_SIDES           ? value->part[i]
                         : yut_same_side(&game->rules, 0, i) ? chance
                                                             : 1 - chance;
    }
    if (game->aim == SINGLE_BOUNDS)
        solver->base.error = fmax(solver->base.error, (upper - lower) / 2);
}

static Status single_values(Solver *base, const State *state, double values[]) {
    SingleSolver *solver = (SingleSolver *)base;
    const SingleGame *game = &solver->solved->fixpoint.game;
    YutState yut = yut_state(state);
    if (yut_winner(&game->rules, &yut) >= 0) {
        Rules rules = yut_rules_pack(&game->rules);
        yut_payoff(&rules, state, values);
        return status_ok();
    }
    SingleState single = single_state(game, &yut);
    SingleValue value;
    Status status = status_ok();
    if (single.throws == 1 && single_count_results(&single) == 0)
        single_value_start(game, &single, &value);
    else
        status = single_turn_value(solver->turn, &single, extras_for(&game->player[single.player]),
                                   &value);
    if (status_is_ok(&status))
        set_values(solver, &single, &value, values);
    return status;
}

static void single_free(Solver *base) {
    SingleSolver *solver = (SingleSolver *)base;
    single_turn_close(solver->turn);
    release(solver->solved);
    free(solver);
}

static Status open_over(Solved *solved, const SolveLimits *limits, Solver **opened);

static Status single_clone(const Solver *base, const SolveLimits *limits, Solver **cloned) {
    return open_over(((const SingleSolver *)base)->solved, limits, cloned);
}

/* Opens a solver over the solved game, which counts as one more user if that succeeds. */
static Status open_over(Solved *solved, const SolveLimits *limits, Solver **opened) {
    const SingleFixpoint *fixpoint = &solved->fixpoint;
    bool is_bound = fixpoint->game.aim == SINGLE_BOUNDS;
    SingleSolver *solver = calloc(1, sizeof *solver);
    SingleTurn *turn = single_turn_open(&fixpoint->game, limits->memory_bytes / 4, limits->stop);
    if (!solver || !turn) {
        free(solver);
        single_turn_close(turn);
        return status_make(STATUS_FAILED, "out of memory");
    }
    solver->solved = solved;
    solver->turn = turn;
    solver->base = (Solver){.method = "value iteration over all positions",
                            .note = is_bound ? NULL : solved->note,
                            .kind = is_bound ? VALUE_EXACT : VALUE_EQUILIBRIUM,
                            .error = is_bound ? fixpoint->error : fixpoint->residual,
                            .values = single_values,
                            .clone = single_clone,
                            .free = single_free};
    atomic_fetch_add(&solved->users, 1);
    *opened = &solver->base;
    return status_ok();
}

static void write_note(Solved *solved) {
    const SingleFixpoint *fixpoint = &solved->fixpoint;
    int length =
        snprintf(solved->note, sizeof solved->note,
                 "every player maximizes its own chance: the equilibrium reached from equal "
                 "chances, with a largest residual of %.1g; others may exist",
                 fixpoint->residual);
    if (fixpoint->cut > 0 && length > 0 && (size_t)length < sizeof solved->note)
        snprintf(solved->note + length, sizeof solved->note - (size_t)length,
                 " (throws with so many yut and mo that their chance is below %.1g count as won)",
                 fixpoint->cut);
}

Status single_solver_new(const YutRules *rules, const SolveLimits *limits, Solver **solver) {
    Solved *solved = calloc(1, sizeof *solved);
    if (!solved)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = single_fixpoint_open(rules, limits, &solved->fixpoint);
    if (!status_is_ok(&status)) {
        free(solved);
        return status;
    }
    write_note(solved);
    atomic_init(&solved->users, 1);
    status = open_over(solved, limits, solver);
    release(solved);
    return status;
}
