/* Values of positions: the best score where the throws are known, its mean where they are still to
 * be made, and the expected score online. All are fractions of whole numbers below 2^53. */
#include <stdlib.h>

#include "games/dice/best.h"

enum { MEAN_BYTES = 64 << 20 }; /* for all ten throws; peak measured by the bench */

typedef struct DiceSolver {
    Solver base;
    bool online;
    size_t memory_bytes;
    DiceKnown known;
    DiceUnseen unseen;
    bool has_last; /* the state asked for last, and its value */
    State last;
    uint64_t numerator, denominator;
} DiceSolver;

/* The mean over what the throws that are still to be made may be. */
static Status find_mean(const DiceSolver *solver, const DiceState *dice, uint64_t *sum,
                        uint64_t *inputs) {
    DiceInputs ask = {.placing = dice_placing(dice->pieces), .count = dice->left};
    int16_t *points;
    size_t count;
    if (solver->memory_bytes < MEAN_BYTES)
        return status_make(STATUS_UNSUPPORTED, "all throws: %d MB are needed", MEAN_BYTES >> 20);
    memcpy(ask.throws, dice->throws, sizeof ask.throws);
    Status status = dice_all(&ask, &points, &count);
    *sum = 0;
    *inputs = count;
    for (size_t i = 0; status_is_ok(&status) && i < count; i++)
        *sum += (uint64_t)points[i];
    free(points);
    return status;
}

/* The points still to come, as a fraction. */
static Status find_points(DiceSolver *solver, const DiceState *dice, uint64_t *sum, uint64_t *of) {
    DicePlacing placing = dice_placing(dice->pieces);
    *of = 1;
    if (solver->online && dice->throws[0] > 0) {
        *of = dice_power(dice->left - 1);
        *sum = dice_unseen_sum_with(&solver->unseen, placing, dice->left, dice->throws[0], NULL);
    } else if (solver->online) {
        *of = dice_power(dice->left);
        *sum = dice_unseen_sum(&solver->unseen, placing, dice->left);
    } else if (dice_known(dice) == dice->left) {
        dice_known_set(&solver->known, dice->throws, dice->left);
        *sum = (uint64_t)dice_known_best(&solver->known, placing, dice->left);
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
    dice_memo_free(&solver->unseen.memo);
    free(solver);
}

Status dice_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    const double rounding = 1e-12; /* of one division, of a number below 10,000 */
    DiceSolver *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->memory_bytes = limits->memory_bytes;
    mine->online = dice_rules(rules).online;
    mine->known.ways = mine->unseen.ways = dice_ways();
    mine->base = (Solver){.method = "all placings, from the last throw back",
                          .error = rounding,
                          .values = values,
                          .fraction = fraction,
                          .free = free_solver};
    *solver = &mine->base;
    return status_ok();
}
