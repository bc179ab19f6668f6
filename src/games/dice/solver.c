/* Values of positions: the best score if the throws are known, its mean over the throws not yet
 * made, and the expected score online. All are fractions of integers below 2^53. */
#include <stdlib.h>

#include "games/dice/best_play.h"

enum { MEAN_BYTES = 64 << 20 }; /* peak for ten unknown throws, measured by the benchmark */

typedef struct DiceSolver {
    Solver base;
    bool is_online;
    size_t memory_bytes;
    DiceKnown known;
    DiceOnline online;
    bool has_last; /* whether `last` and its value are set */
    State last;
    uint64_t numerator, denominator;
} DiceSolver;

/* The mean over all throws that have not been made. */
static Status find_mean(const DiceSolver *solver, const DiceState *dice, uint64_t *sum,
                        uint64_t *inputs) {
    DiceInputs ask = {.placement = dice_placement(dice->pieces), .count = dice->left};
    int16_t *points;
    size_t count;
    if (solver->memory_bytes < MEAN_BYTES)
        return status_make(STATUS_UNSUPPORTED, "all throws: %d MB are needed", MEAN_BYTES >> 20);
    memcpy(ask.throws, dice->throws, sizeof ask.throws);
    Status status = dice_score_inputs(&ask, &points, &count);
    *sum = 0;
    *inputs = count;
    for (size_t i = 0; status_is_ok(&status) && i < count; i++)
        *sum += (uint64_t)points[i];
    free(points);
    return status;
}

/* The expected points still to be scored, as a fraction. */
static Status find_points(DiceSolver *solver, const DiceState *dice, uint64_t *sum, uint64_t *of) {
    DicePlacement placement = dice_placement(dice->pieces);
    *of = 1;
    if (solver->is_online && dice->throws[0] > 0) {
        *of = dice_power(dice->left - 1);
        *sum = dice_online_sum_after_throw(&solver->online, placement, dice->left, dice->throws[0],
                                           NULL);
    } else if (solver->is_online) {
        *of = dice_power(dice->left);
        *sum = dice_online_sum(&solver->online, placement, dice->left);
    } else if (dice_known_count(dice) == dice->left) {
        dice_known_set(&solver->known, dice->throws, dice->left);
        *sum = (uint64_t)dice_known_best(&solver->known, placement, dice->left);
    } else {
        return find_mean(solver, dice, sum, of);
    }
    return status_ok();
}

static Status fraction(Solver *base, const State *state, uint64_t *numerator,
                       uint64_t *denominator) {
    DiceSolver *solver = (DiceSolver *)base;
    if (!solver->has_last || memcmp(&solver->last, state, sizeof *state) != 0) {
        DiceState dice = dice_state(state);
        uint64_t sum = 0;
        Status status = find_points(solver, &dice, &sum, &solver->denominator);
        solver->has_last = status_is_ok(&status);
        if (!solver->has_last)
            return status;
        solver->last = *state;
        solver->numerator = dice.score * solver->denominator + sum;
    }
    *numerator = solver->numerator;
    *denominator = solver->denominator;
    return status_ok();
}

static Status values(Solver *base, const State *state, double values[]) {
    uint64_t numerator = 0, denominator = 1;
    Status status = fraction(base, state, &numerator, &denominator);
    values[0] = (double)numerator / (double)denominator;
    return status;
}

static void free_solver(Solver *base) {
    DiceSolver *solver = (DiceSolver *)base;
    dice_memo_free(&solver->known.memo);
    dice_memo_free(&solver->online.memo);
    free(solver);
}

Status dice_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    const double rounding = 1e-12; /* of one division of a number below 10,000 */
    DiceSolver *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->memory_bytes = limits->memory_bytes;
    mine->is_online = dice_rules(rules).online;
    mine->known.table = mine->online.table = dice_move_table();
    mine->base = (Solver){.method = "backward induction over placements",
                          .error = rounding,
                          .values = values,
                          .fraction = fraction,
                          .free = free_solver};
    *solver = &mine->base;
    return status_ok();
}
