/* Exact values of two-player Yut: the fixed point where somebody is about to throw, and a recursion
 * over the rest of the turn where results are pending. */
#include <stdlib.h>

#include "games/yut/fixpoint.h"
#include "games/yut/yut.h"
#include "solve/state_map.h"

enum {
    SOLVED_AT_ONCE = 2, /* pieces: more take too long to be solved on the way */
    EXTRA_THROWS = 12   /* a turn's throws are followed this far; see cut_off_of */
};

/* What rounding a table of numbers up to 2^31 and the recursion allow without ado. */
#define DEFAULT_ERROR 1e-6

typedef struct YutSolver {
    Solver base;
    Rules packed_rules;
    YutRules rules;
    Fixpoint fixpoint;
    /* Values of the states of one turn, by their numbers in the map. */
    StateMap map;
    double *values;
    size_t capacity;
} YutSolver;

Status yut_solver_check(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    Status status = sweep_supports(&yut);
    if (status_is_ok(&status) && yut.pieces > SOLVED_AT_ONCE)
        status = status_make(STATUS_UNSUPPORTED,
                             "yut: no exact values with %d pieces yet; up to %d pieces each are "
                             "solved at once",
                             yut.pieces, SOLVED_AT_ONCE);
    return status;
}

/* The value, to the player about to throw, of a state with an empty list. */
static double value_of_start(const YutSolver *solver, const YutState *state) {
    const Sweep *sweep = &solver->fixpoint.sweep;
    const Places *places = &sweep->places;
    int player = state->turn;
    uint32_t own = places_number(places, state->pieces[player]);
    uint32_t other = places_number(places, state->pieces[1 - player]);
    const int32_t *values = sweep->values[sweep->sides == 2 ? player : 0];
    return (double)values[(size_t)other * places->count + own] / SWEEP_ONE;
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
        double mine = value_of_start(solver, &s);
        *value = s.turn == 0 ? mine : 1 - mine;
        return status_ok();
    }
    bool added;
    uint32_t number = state_map_add(&solver->map, state, &added);
    if (number == STATE_MAP_NONE)
        return status_make(STATUS_UNSUPPORTED, "yut: too many ways to play this list");
    if (!added) {
        *value = solver->values[number];
        return status_ok();
    }
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
    Status status = value_of(solver, state, EXTRA_THROWS, &values[0]);
    values[1] = 1 - values[0];
    return status;
}

static void yut_solver_free(Solver *base) {
    YutSolver *solver = (YutSolver *)base;
    fixpoint_close(&solver->fixpoint);
    state_map_free(&solver->map);
    free(solver->values);
    free(solver);
}

/* The chance that the throws of a turn go on for longer than they are followed, of either player.
 */
static double cut_off_of(const YutRules *rules) {
    double most = 0;
    for (int player = 0; player < 2; player++) {
        ResultLists bound;
        int throws = rules->animals[player] == YUT_SHEEP ? 2 : 1;
        Status status =
            lists_bound(rules, player, EXTRA_THROWS, 1 + throws * rules->pieces, &bound);
        if (status_is_ok(&status) && bound.cut_off > most)
            most = bound.cut_off;
    }
    return most;
}

Status yut_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    Status status = yut_solver_check(rules);
    if (!status_is_ok(&status))
        return status;
    YutSolver *yut = calloc(1, sizeof *yut);
    if (!yut)
        return status_make(STATUS_FAILED, "out of memory");
    yut->packed_rules = *rules;
    yut->rules = yut_rules(rules);
    state_map_init(&yut->map, limits->memory_bytes / 4);
    status = fixpoint_open(&yut->rules, DEFAULT_ERROR, limits, &yut->fixpoint);
    if (!status_is_ok(&status)) {
        free(yut);
        return status;
    }
    yut->base = (Solver){.method = "value iteration over all positions",
                         .error = yut->fixpoint.error + cut_off_of(&yut->rules),
                         .values = yut_values,
                         .free = yut_solver_free};
    *solver = &yut->base;
    return status;
}
