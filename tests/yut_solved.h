/* What the tests of solved Yut share: rules, values of a fixed point, and the value of a turn by
 * the rules of the game itself. */
#ifndef MALPAN_TESTS_YUT_SOLVED_H
#define MALPAN_TESTS_YUT_SOLVED_H

#include <stdlib.h>
#include <string.h>

#include "games/yut/solve/fixpoint.h"
#include "kernel/state_map.h"
#include "testing.h"

/* Of the six results. */
static const double chance[6] = {1 / 16.0, 3 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0, 1 / 16.0};

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

static inline YutRules rules_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&yut_game, options, &variant));
    return yut_rules(&variant.rules);
}

/* The value of (own, other), the owner about to throw. */
static inline double table_value(const Fixpoint *fixpoint, int side, uint32_t own, uint32_t other) {
    size_t place = sweep_index(&fixpoint->sweep, own, other);
    return (double)sweep_values(&fixpoint->sweep, side)[place] / SWEEP_ONE;
}

typedef struct Checker {
    const Fixpoint *fixpoint;
    Rules rules;
    YutRules yut;
    StateMap map;
    double *values;
    size_t capacity;
} Checker;

/* The value to the thrower `me` of a state of its turn, the next turn's being taken from the table.
 */
static inline double turn_value(Checker *checker, const State *state, int me, int extras) {
    YutState s = yut_state(state);
    if (yut_winner(&checker->yut, &s) >= 0)
        return yut_winner(&checker->yut, &s) == me ? 1 : 0;
    if (s.turn != me) {
        const Sweep *sweep = &checker->fixpoint->sweep;
        const Placements *placements = &sweep->placements;
        return 1 - table_value(checker->fixpoint, sweep->sides == 2 ? s.turn : 0,
                               placement_rank(placements, s.pieces[s.turn]),
                               placement_rank(placements, s.pieces[me]));
    }
    bool added;
    uint32_t number = state_map_add(&checker->map, state, &added);
    assert_true(number != STATE_MAP_NONE);
    if (!added)
        return checker->values[number];
    if (checker->capacity < checker->map.capacity) {
        checker->capacity = checker->map.capacity;
        checker->values = realloc(checker->values, checker->capacity * sizeof(double));
        assert_non_null(checker->values);
    }
    double value = 0;
    if (s.throws > 0) {
        Chance chances[GAME_CHANCES_MAX];
        uint64_t denominator;
        size_t count = yut_chances(&checker->rules, state, chances, &denominator);
        double whole = 0;
        for (size_t i = 0; i < count; i++) {
            bool again = yut_throws_again(&checker->yut, me, (YutResult)chances[i].move);
            if (again && extras == 0)
                continue;
            State next = *state;
            yut_apply(&checker->rules, &next, chances[i].move);
            value += (double)chances[i].weight * turn_value(checker, &next, me, extras - again);
            whole += (double)chances[i].weight;
        }
        value /= whole;
    } else {
        Move moves[GAME_MOVES_MAX];
        size_t count = yut_moves(&checker->rules, state, moves);
        for (size_t i = 0; i < count; i++) {
            State next = *state;
            yut_apply(&checker->rules, &next, moves[i]);
            value = fmax(value, turn_value(checker, &next, me, extras));
        }
    }
    checker->values[number] = value;
    return value;
}

#endif
