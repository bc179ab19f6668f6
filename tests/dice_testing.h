/* What the tests of Dice Yut share. */
#ifndef MALPAN_TESTS_DICE_TESTING_H
#define MALPAN_TESTS_DICE_TESTING_H

#include <stdio.h>

#include "games/dice/dice.h"
#include "testing.h"
#include "values/solve_now.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 28, .threads = 1};

static inline Variant variant_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&dice_game, options, &variant));
    return variant;
}

static inline State position(const Variant *variant, const char *text) {
    State state;
    assert_ok(dice_parse_state(&variant->rules, text, &state));
    return state;
}

static inline Solver *solver_of(const Variant *variant) {
    Solver *solver;
    assert_ok(solve_now_open(variant, &limits, &solver));
    return solver;
}

static inline double value_of(const char *options, const char *text) {
    Variant variant = variant_of(options);
    State state = position(&variant, text);
    Solver *solver = solver_of(&variant);
    double value;
    assert_ok(solver->values(solver, &state, &value));
    solver->free(solver);
    return value;
}

/* Draws rules; weights are small, and some are 0. */
static inline void draw_rules(Random *random, int throws_max, char text[GAME_TEXT_BYTES],
                              int *throws, int *pieces, int weights[DICE_SIDES + 1]) {
    int sum = 0;
    *throws = 1 + (int)random_below(random, (uint64_t)throws_max);
    *pieces = 1 + (int)random_below(random, DICE_PIECES);
    while (sum == 0 || sum > 16) {
        sum = 0;
        for (int face = 1; face <= DICE_SIDES; face++)
            sum += weights[face] = (int)random_below(random, 7);
    }
    snprintf(text, GAME_TEXT_BYTES, "--throw-count %d --pieces %d --faces %d,%d,%d,%d,%d", *throws,
             *pieces, weights[1], weights[2], weights[3], weights[4], weights[5]);
}

static inline double start_value(const char *options) {
    Variant variant = variant_of(options);
    State start = dice_start(&variant.rules);
    Solver *solver = solver_of(&variant);
    double value;
    assert_ok(solver->values(solver, &start, &value));
    solver->free(solver);
    return value;
}

#endif
