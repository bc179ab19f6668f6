/* Exact values of two-player Yut: the fixed point where somebody is about to throw, and a recursion
 * over the rest of the turn where results are pending. */
#include "games/yut/solver.h"

#include <math.h>
#include <stdlib.h>

#include "games/yut/fixpoint.h"
#include "solve/state_map.h"

enum {
    SOLVED_AT_ONCE = 2, /* pieces: more take too long to be solved on the way */
    EXTRAS_MAX = 12     /* a turn's throws are followed so far at most; see extras_for */
};

#define DEFAULT_ERROR 1e-6

typedef struct YutSolver {
    Solver base;
    Rules packed_rules;
    YutRules rules;
    YutStarts starts;
    int extras; /* how far a turn's throws are followed */
    const StopFlag *stop;
    /* Values of the states of one turn, by their numbers in the map. */
    StateMap map;
    double *values;
    size_t capacity;
} YutSolver;

/* The rule options of the table that is missing, the number of pieces first. */
static void add_options(const Rules *rules, Text *text) {
    Variant variant = {.game = &yut_game, .rules = *rules};
    text_addf(text, "--pieces %d", yut_rules(rules).pieces);
    for (size_t i = 0; i < yut_game.option_count; i++) {
        const char *name = yut_game.options[i].name;
        char value[GAME_TEXT_BYTES];
        if (strcmp(name, "pieces") != 0 && variant_is_unusual(&variant, name, value))
            text_addf(text, " --%s %s", name, value);
    }
}

Status yut_solver_check(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    Status status = sweep_supports(&yut);
    if (!status_is_ok(&status) || yut.pieces <= SOLVED_AT_ONCE)
        return status;
    char options[GAME_TEXT_BYTES];
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

/* The value to player 0 of any state; `extras` more throws may go on. */
static Status value_of(YutSolver *solver, const State *state, int extras, double *value) {
    YutState s = yut_state(state);
    int winner = yut_winner(&solver->rules, &s);
    if (winner >= 0) {
        *value = winner == 0 ? 1 : 0;
        return status_ok();
    }
    if (list_is_empty(&s) && s.throws == 1) {
        double mine;
        Status status = solver->starts.value(&solver->starts, &s, &mine);
        *value = s.turn == 0 ? mine : 1 - mine;
        return status;
    }
    bool added;
    uint32_t number = state_map_add(&solver->map, state, &added);
    if (number == STATE_MAP_NONE)
        return status_make(STATUS_UNSUPPORTED,
                           "following this turn's throws needs more memory (--memory)");
    if (!added) {
        *value = solver->values[number];
        return status_ok();
    }
    if (solver->stop && *solver->stop)
        return status_make(STATUS_STOPPED, "stopped");
    if (solver->capacity < solver->map.capacity) {
        double *larger = realloc(solver->values, solver->map.capacity * sizeof *larger);
        if (!larger)
            return status_make(STATUS_FAILED, "out of memory");
        solver->values = larger;
        solver->capacity = solver->map.capacity;
    }

    double result = 0, whole = 0;
    if (s.throws > 0) {
        Chance chances[GAME_CHANCES_MAX];
        uint64_t denominator;
        size_t count = yut_chances(&solver->packed_rules, state, chances, &denominator);
        for (size_t i = 0; i < count; i++) {
            bool again = yut_throws_again(&solver->rules, s.turn, (YutResult)chances[i].move);
            if (again && extras == 0)
                continue; /* what lies beyond is left to the others */
            State next = *state;
            double one = 0;
            yut_apply(&solver->packed_rules, &next, chances[i].move);
            Status status = value_of(solver, &next, extras - again, &one);
            if (!status_is_ok(&status))
                return status;
            result += (double)chances[i].weight * one;
            whole += (double)chances[i].weight;
        }
        result /= whole;
    } else {
        Move moves[GAME_MOVES_MAX];
        size_t count = yut_moves(&solver->packed_rules, state, moves);
        for (size_t i = 0; i < count; i++) {
            State next = *state;
            double one = 0;
            yut_apply(&solver->packed_rules, &next, moves[i]);
            Status status = value_of(solver, &next, extras, &one);
            if (!status_is_ok(&status))
                return status;
            bool better = s.turn == 0 ? one > result : one < result;
            if (i == 0 || better)
                result = one;
        }
    }
    solver->values[number] = result;
    *value = result;
    return status_ok();
}

static Status yut_values(Solver *base, const State *state, double values[]) {
    YutSolver *solver = (YutSolver *)base;
    /* A fresh map for each question: how far throws are followed depends on where it began. */
    state_map_free(&solver->map);
    Status status = value_of(solver, state, solver->extras, &values[0]);
    values[1] = 1 - values[0];
    return status;
}

static void yut_solver_free(Solver *base) {
    YutSolver *solver = (YutSolver *)base;
    solver->starts.close(&solver->starts);
    state_map_free(&solver->map);
    free(solver->values);
    free(solver);
}

/* The chance that the throws of a turn go on for longer than they are followed, of either player. A
 * turn has at most so many throws, each with a geometric number of extras; of n in all the chance
 * is binom(n + throws - 1, n) again^n (1 - again)^throws. */
static double chance_beyond(const YutRules *rules, int extras) {
    double again = sweep_again(rules), binomial = 1, beyond = 0;
    bool sheep = rules->animals[0] == YUT_SHEEP || rules->animals[1] == YUT_SHEEP;
    int throws = 1 + (sheep ? 2 : 1) * rules->pieces;
    for (int n = 0; n < 1000; n++) {
        if (n > extras)
            beyond += binomial * pow(again, n) * pow(1 - again, throws);
        binomial = binomial * (n + throws) / (n + 1);
    }
    return beyond;
}

/* So far that what lies beyond adds little to the error. */
static int extras_for(const YutRules *rules, double error) {
    int extras = 0;
    while (extras < EXTRAS_MAX && chance_beyond(rules, extras) > error / 100)
        extras++;
    return extras;
}

Status yut_solver_within(const Rules *rules, YutStarts starts, const char *method, double error,
                         int extras, const SolveLimits *limits, Solver **solver) {
    YutSolver *yut = calloc(1, sizeof *yut);
    if (!yut)
        return status_make(STATUS_FAILED, "out of memory");
    yut->packed_rules = *rules;
    yut->rules = yut_rules(rules);
    yut->starts = starts;
    yut->extras = extras;
    yut->stop = limits->stop;
    state_map_init(&yut->map, limits->memory_bytes / 4);
    yut->base = (Solver){.method = method,
                         .error = error + chance_beyond(&yut->rules, extras),
                         .values = yut_values,
                         .free = yut_solver_free};
    *solver = &yut->base;
    return status_ok();
}

Status yut_solver_over(const Rules *rules, YutStarts starts, const char *method, double error,
                       const SolveLimits *limits, Solver **solver) {
    YutRules yut = yut_rules(rules);
    return yut_solver_within(rules, starts, method, error, extras_for(&yut, error), limits, solver);
}

/* --- solved now --- */

static Status value_in_fixpoint(const YutStarts *starts, const YutState *state, double *value) {
    const Fixpoint *fixpoint = starts->source;
    const Sweep *sweep = &fixpoint->sweep;
    int player = state->turn;
    uint32_t own = places_number(&sweep->places, state->pieces[player]);
    uint32_t other = places_number(&sweep->places, state->pieces[1 - player]);
    const int32_t *grid = sweep_values(sweep, sweep->sides == 2 ? player : 0);
    *value = (double)grid[sweep_place(sweep, own, other)] / SWEEP_ONE;
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
    Fixpoint *fixpoint = malloc(sizeof *fixpoint);
    if (!fixpoint)
        return status_make(STATUS_FAILED, "out of memory");
    status = fixpoint_open(&yut, DEFAULT_ERROR, limits, NULL, fixpoint);
    if (!status_is_ok(&status)) {
        free(fixpoint);
        return status;
    }
    YutStarts starts = {.source = fixpoint, .value = value_in_fixpoint, .close = close_fixpoint};
    status = yut_solver_over(rules, starts, "value iteration over all positions", fixpoint->error,
                             limits, solver);
    if (!status_is_ok(&status))
        close_fixpoint(&starts);
    return status;
}
