/* The promised speeds, each with the plainest solver as a baseline where that is quick enough. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "games/box/box.h"

static BoxRules bench_rules(int tiles, int players) {
    return (BoxRules){.tiles = tiles,
                      .dice = 2,
                      .sides = 6,
                      .players = players,
                      .one_die = BOX_ONE_DIE_SUM,
                      .one_die_limit = 6};
}

/* The value of the start. With two players this solves every open set of player 1 against every
 * score of player 0. */
static double solve_start(int tiles, int players) {
    BoxRules box = bench_rules(tiles, players);
    Rules rules = box_rules_pack(&box);
    SolveLimits limits = {.memory_bytes = (size_t)200 << 20, .threads = 1};
    Solver *solver;
    Status status = box_solver_new(&rules, &limits, &solver);
    if (!status_is_ok(&status))
        return -1;
    double values[GAME_PLAYERS_MAX];
    State start = box_start(&rules);
    status = solver->values(solver, &start, values);
    solver->free(solver);
    return status_is_ok(&status) ? values[0] : -1;
}

/* Baseline: solves a turn by visiting every open set, every roll and every move that the rules
 * list. A player stuck with a sum gets worth[sum]; below `stop_below` it has won. */
static double plain_turn(int tiles, int stop_below, const double worth[], double values[]) {
    BoxRules box = bench_rules(tiles, 1);
    Rules rules = box_rules_pack(&box);
    TileSet all = box_all_tiles(&box);
    values[0] = 1;
    for (TileSet open = 1; open <= all; open++) {
        BoxState turn = {.open = open};
        State state = box_state_pack(&turn);
        Chance chances[GAME_CHANCES_MAX];
        uint64_t denominator;
        size_t rolls = box_chances(&rules, &state, chances, &denominator);
        double sum = 0;
        for (size_t i = 0; i < rolls; i++) {
            Move moves[GAME_MOVES_MAX];
            double best = -1;
            turn.roll = (uint8_t)chances[i].move;
            state = box_state_pack(&turn);
            size_t count = box_moves(&rules, &state, moves);
            for (size_t j = 0; j < count; j++)
                if (values[open ^ moves[j]] > best)
                    best = values[open ^ moves[j]];
            sum += (double)chances[i].weight * (count > 0 ? best : worth[box_sum(open)]);
        }
        values[open] = box_sum(open) < stop_below ? 1 : sum / (double)denominator;
    }
    return values[all];
}

static double plain_start(int tiles, int players) {
    enum { SCORE_MAX = BOX_TILES_MAX * (BOX_TILES_MAX + 1) / 2 };
    double first_worth[SCORE_MAX + 1] = {0};
    double second_worth[SCORE_MAX + 1];
    double *values = malloc(((size_t)1 << tiles) * sizeof *values);
    if (!values)
        return -1;
    int total = tiles * (tiles + 1) / 2;
    for (int score = 1; score <= total && players == 2; score++) {
        for (int own = 0; own <= total; own++)
            second_worth[own] = own < score ? 1 : own == score ? 0.5 : 0;
        first_worth[score] = 1 - plain_turn(tiles, score, second_worth, values);
    }
    double value = plain_turn(tiles, 0, first_worth, values);
    free(values);
    return value;
}

/* --- random access to values --- */

enum { POSITIONS = 4096, VALUES = 1000000 };

/* Random positions of both players, before and after a roll, player 1 against random scores. */
static void list_random_states(const Rules *rules, State states[POSITIONS]) {
    BoxRules box = box_rules(rules);
    Random random = random_from_seed(1, 0);
    uint64_t total = (uint64_t)box_sum(box_all_tiles(&box));
    for (size_t i = 0; i < POSITIONS;) {
        BoxState s = {.open = (TileSet)random_below(&random, box_all_tiles(&box)) + 1,
                      .player = (uint8_t)random_below(&random, 2)};
        if (s.player == 1)
            s.scores[0] = (uint16_t)(1 + random_below(&random, total));
        if (random_below(&random, 2) == 1)
            s.roll = (uint8_t)(1 + random_below(&random, 12));
        states[i] = box_state_pack(&s);
        Status status = box_check(rules, &states[i]);
        i += status_is_ok(&status) && box_actor(rules, &states[i]) != GAME_END;
    }
}

static double value_at_random(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    BoxRules box = bench_rules(9, 2);
    Rules rules = box_rules_pack(&box);
    SolveLimits one_core = {.memory_bytes = limits->memory_bytes, .threads = 1};
    static_assert(sizeof(State) * POSITIONS <= (size_t)1 << 20, "fits into a second-level cache");
    State *states = malloc(POSITIONS * sizeof *states);
    Solver *solver;
    Status status = box_solver_new(&rules, &one_core, &solver);
    if (!states || !status_is_ok(&status)) {
        free(states);
        if (status_is_ok(&status))
            solver->free(solver);
        return NAN;
    }
    list_random_states(&rules, states);
    double sum = 0;
    for (size_t i = 0; i < VALUES && status_is_ok(&status); i++) {
        double values[GAME_PLAYERS_MAX];
        status = solver->values(solver, &states[i % POSITIONS], values);
        sum += values[0];
    }
    solver->free(solver);
    free(states);
    return status_is_ok(&status) ? sum : NAN;
}

static double solve_9(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return solve_start(9, 2);
}

static double plain_9(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return plain_start(9, 2);
}

static double solve_12(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return solve_start(12, 2);
}

static double plain_12(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return plain_start(12, 2);
}

static double solve_20(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return solve_start(20, 1);
}

static double plain_20(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return plain_start(20, 1);
}

const GameBench box_benches[BOX_BENCH_COUNT] = {
    {.what = "9 tiles, two players: every set, every score",
     .limit = "370 kB of values, which a second-level cache holds",
     .goal_seconds = 0.010,
     .run = solve_9,
     .baseline = plain_9},
    {.what = "12 tiles, two players: every set, every score",
     .limit = "5 MB of values, in blocks of 1 MB that a second-level cache holds",
     .goal_seconds = 0.5,
     .run = solve_12,
     .baseline = plain_12},
    {.what = "9 tiles, two players: a million values, scores in any order",
     .limit = "700 kB of values and positions, which a second-level cache holds",
     .goal_seconds = 1,
     .run = value_at_random},
    {.what = "20 tiles, one player: every set",
     .limit = "8 MB of values, 68 tests of a set for each",
     .goal_seconds = 3,
     .goal_mb = 200,
     .run = solve_20,
     .baseline = plain_20},
};
