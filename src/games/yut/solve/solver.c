/* Values of two-player Yut: at the start of a turn from the fixed point or a table, in the middle
 * of a turn from a search. */
#include "games/yut/solve/solver.h"

#include <math.h>
#include <stdlib.h>

#include "games/yut/solve/fixpoint.h"
#include "games/yut/solve/single_fixpoint.h"
#include "games/yut/solve/single_solver.h"

enum { SOLVED_AT_ONCE = 2 }; /* pieces; more take too long to solve on demand */

#define DEFAULT_ERROR 1e-6

typedef struct YutSolver {
    Solver base;
    YutRules rules;
    YutStarts starts;
    double tolerance; /* of searches */
    TurnSearch *search;
} YutSolver;

/* Adds the rule options of the missing table, the number of pieces first. */
static void add_options(const Rules *rules, Text *text) {
    Variant variant = {.game = &yut_game, .rules = *rules};
    text_addf(text, "--pieces %d", yut_rules(rules).pieces);
    for (size_t i = 0; i < yut_game.rules.option_count; i++) {
        const char *name = yut_game.rules.options[i].name;
        char value[GAME_TEXT_BYTES];
        if (strcmp(name, "pieces") != 0 && variant_is_unusual(&variant, name, value))
            text_addf(text, " --%s %s", name, value);
    }
}

/* Whether the variant is for the solver of one piece each. */
static bool is_single(const YutRules *yut) {
    return yut->players > 2;
}

Status yut_solver_check(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    if (is_single(&yut))
        return single_supports(&yut);
    Status status = sweep_supports(&yut);
    if (!status_is_ok(&status) || yut.pieces <= SOLVED_AT_ONCE)
        return status;
    char options[GAME_RULES_TEXT_BYTES];
    Text text = text_over(options, sizeof options);
    add_options(rules, &text);
    return status_make(STATUS_TABLE,
                       "no table of yut with %d pieces each: `malpan solve yut %s` makes one",
                       yut.pieces, options);
}

static bool list_is_empty(const YutState *state) {
    for (int i = 0; i < YUT_RESULTS; i++)
        if (state->list[i] > 0)
            return false;
    return true;
}

static Status yut_values(Solver *base, const State *state, double values[]) {
    YutSolver *solver = (YutSolver *)base;
    YutState s = yut_state(state);
    int winner = yut_winner(&solver->rules, &s), player = s.turn;
    TurnValue known = {.value = winner == player ? 1 : 0};
    Status status = status_ok();
    if (winner < 0 && list_is_empty(&s) && s.throws == 1)
        status = solver->starts.value(&solver->starts, &s, &known.value);
    else if (winner < 0)
        status = turn_search_value(solver->search, &s, solver->tolerance, &known);
    values[player] = known.value;
    values[1 - player] = 1 - known.value;
    if (status_is_ok(&status) && known.error > 0) {
        base->error = solver->starts.error + solver->tolerance;
        base->widening = fmax(base->widening, known.error - solver->tolerance);
    }
    return status;
}

static void yut_solver_free(Solver *base) {
    YutSolver *solver = (YutSolver *)base;
    turn_search_close(solver->search);
    solver->starts.close(&solver->starts);
    free(solver);
}

Status yut_solver_over(const Rules *rules, YutStarts starts, const char *method, double tolerance,
                       const SolveLimits *limits, Solver **solver) {
    YutSolver *yut = calloc(1, sizeof *yut);
    if (!yut)
        return status_make(STATUS_FAILED, "out of memory");
    yut->rules = yut_rules(rules);
    yut->starts = starts;
    yut->tolerance = tolerance;
    Status status = turn_search_open(&yut->rules, &yut->starts, limits->memory_bytes / 4,
                                     limits->stop, &yut->search);
    if (!status_is_ok(&status)) {
        free(yut);
        return status;
    }
    yut->base = (Solver){
        .method = method, .error = starts.error, .values = yut_values, .free = yut_solver_free};
    *solver = &yut->base;
    return status_ok();
}

/* --- solving on demand --- */

static Status value_in_fixpoint(const YutStarts *starts, const YutState *state, double *value) {
    const Fixpoint *fixpoint = starts->source;
    const Sweep *sweep = &fixpoint->sweep;
    int player = state->turn;
    uint32_t own = placement_rank(&sweep->placements, state->pieces[player]);
    uint32_t other = placement_rank(&sweep->placements, state->pieces[1 - player]);
    const int32_t *grid = sweep_values(sweep, sweep->sides == 2 ? player : 0);
    *value = (double)grid[sweep_index(sweep, own, other)] / SWEEP_ONE;
    return status_ok();
}

static void close_fixpoint(YutStarts *starts) {
    Fixpoint *fixpoint = starts->source;
    fixpoint_close(fixpoint);
    free(fixpoint);
}

Status yut_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    YutRules yut = yut_rules(rules);
    Status status = yut_solver_check(rules);
    if (!status_is_ok(&status))
        return status;
    if (is_single(&yut))
        return single_solver_new(&yut, limits, solver);
    Fixpoint *fixpoint = malloc(sizeof *fixpoint);
    if (!fixpoint)
        return status_make(STATUS_FAILED, "out of memory");
    status = fixpoint_open(&yut, DEFAULT_ERROR, limits, NULL, fixpoint);
    if (!status_is_ok(&status)) {
        free(fixpoint);
        return status;
    }
    YutStarts starts = {.source = fixpoint,
                        .error = fixpoint->error,
                        .value = value_in_fixpoint,
                        .close = close_fixpoint};
    status = yut_solver_over(rules, starts, "value iteration over all positions",
                             fixpoint->error / YUT_SEARCH_SHARE, limits, solver);
    if (!status_is_ok(&status))
        close_fixpoint(&starts);
    return status;
}
