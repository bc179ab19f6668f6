/* Values of positions: the best score if the throws are known, its mean over the throws not yet
 * made, and the expected score online. All are fractions of 64-bit integers. */
#include <stdlib.h>

#include "games/dice/best_play.h"

enum {
    MEAN_THROWS = 10, /* unknown throws that are scored at once */
    MEAN_MB = 64      /* the peak for that many, measured by the benchmark */
};

/* Below this many sequences no numerator reaches 2^53. */
#define LARGE (((uint64_t)1 << 53) / (DICE_SCORE_MAX + 1))

typedef struct DiceSolver {
    Solver base;
    DiceRules rules;
    size_t memory_bytes;
    const StopFlag *stop; /* as in SolveLimits */
    DiceKnown known;
    DiceOnline online;
    bool has_last; /* whether `last` and its value are set */
    State last;
    uint64_t numerator, denominator;
} DiceSolver;

/* Sums the points of inputs of `count` unknown throws, each by the product of its weights. */
static uint64_t weigh_points(const DiceFaces *faces, const int16_t points[], int count) {
    uint64_t sum = 0;
    if (count == 0)
        return (uint64_t)points[0];
    size_t section = (size_t)dice_power(DICE_SIDES, count - 1);
    for (int face = 1; face <= DICE_SIDES; face++)
        if (faces->weights[face] > 0)
            sum += faces->weights[face] *
                   weigh_points(faces, points + (size_t)(face - 1) * section, count - 1);
    return sum;
}

/* Sums the best points over all throws that have not been made, the last `unknown` ones. If these
 * are too many for the memory, the first of them is tried one face after the other. */
static Status sum_inputs(const DiceFaces *faces, DiceInputs *inputs, int unknown, uint64_t *sum) {
    Status status = status_ok();
    *sum = 0;
    if (unknown > MEAN_THROWS) {
        uint8_t *throw = &inputs->throws[inputs->count - unknown];
        for (uint8_t face = 1; face <= DICE_SIDES && status_is_ok(&status); face++) {
            uint64_t part = 0;
            *throw = face;
            if (faces->weights[face] > 0)
                status = sum_inputs(faces, inputs, unknown - 1, &part);
            *sum += faces->weights[face] * part;
        }
        *throw = 0;
        return status;
    }
    int16_t *points;
    size_t count;
    status = dice_score_inputs(inputs, &points, &count);
    if (status_is_ok(&status))
        *sum = weigh_points(faces, points, unknown);
    free(points);
    return status;
}

/* The mean over all throws that have not been made. */
static Status find_mean(const DiceSolver *solver, const DiceState *dice, uint64_t *sum,
                        uint64_t *inputs) {
    const DiceFaces *faces = &solver->rules.faces;
    DiceInputs ask = {
        .placement = dice_placement(dice->pieces), .count = dice->left, .stop = solver->stop};
    int unknown = dice->left - dice_known_count(dice);
    /* After more throws, more placements are possible: with each, about twice as many. */
    size_t needed_mb = (size_t)MEAN_MB << (dice->left > MEAN_THROWS ? dice->left - MEAN_THROWS : 0);
    if (solver->memory_bytes >> 20 < needed_mb)
        return status_make(STATUS_UNSUPPORTED, "all throws: %zu MB are needed", needed_mb);
    memcpy(ask.throws, dice->throws, sizeof ask.throws);
    *inputs = dice_power(dice_faces_total(faces), unknown);
    return sum_inputs(faces, &ask, unknown, sum);
}

/* The expected points still to be scored, as a fraction. */
static Status find_points(DiceSolver *solver, const DiceState *dice, uint64_t *sum, uint64_t *of) {
    DicePlacement placement = dice_placement(dice->pieces);
    uint64_t total = solver->online.total;
    bool is_online = solver->rules.online;
    *of = 1;
    if (is_online && dice->throws[0] > 0) {
        *of = dice_power(total, dice->left - 1);
        *sum = dice_online_sum_after_throw(&solver->online, placement, dice->left, dice->throws[0],
                                           NULL);
    } else if (is_online) {
        *of = dice_power(total, dice->left);
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
    const double rounding = 1e-12;   /* of one division of a number below 10,000 */
    const double conversion = 4e-12; /* the same, of integers above 2^53 */
    DiceSolver *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->memory_bytes = limits->memory_bytes;
    mine->stop = limits->stop;
    mine->rules = dice_rules(rules);
    mine->online = dice_online_make(&mine->rules.faces);
    mine->known.table = mine->online.table;
    uint64_t sequences = dice_power(mine->online.total, mine->rules.throws);
    mine->base = (Solver){.method = "backward induction over placements",
                          .error = sequences < LARGE ? rounding : conversion,
                          .values = values,
                          .fraction = fraction,
                          .free = free_solver};
    *solver = &mine->base;
    return status_ok();
}
