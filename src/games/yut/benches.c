/* The promised speeds of Yut, some with a plain baseline. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "games/yut/net/network.h"
#include "games/yut/solve/fixpoint.h"
#include "kernel/iteration.h"
#include "kernel/lookahead.h"

static Variant with_pieces(int pieces) {
    Variant variant = variant_default(&yut_game);
    YutRules rules = yut_rules(&variant.rules);
    rules.pieces = (uint8_t)pieces;
    variant.rules = yut_rules_pack(&rules);
    return variant;
}

/* --- solving --- */

/* The value of the start, solved to a proven error of at most `error`. */
static double solve_start(int pieces, double error, const SolveLimits *limits) {
    Variant variant = with_pieces(pieces);
    YutRules rules = yut_rules(&variant.rules);
    Fixpoint fixpoint;
    Status status = fixpoint_open(&rules, error, limits, NULL, &fixpoint);
    if (!status_is_ok(&status))
        return NAN;
    double value =
        (double)sweep_values(&fixpoint.sweep, 0)[sweep_index(&fixpoint.sweep, 0, 0)] / SWEEP_ONE;
    fixpoint_close(&fixpoint);
    return value;
}

static double solve_1(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return solve_start(1, 1e-6, limits);
}

/* Baseline: value iteration over every reachable state, using only the rules of the game. */
static double plain_1(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    Variant variant = with_pieces(1);
    IterationPlan plan = {.highest = 1, .chances_max = 8, .residual = 1e-8};
    Solver *solver;
    Status status = iteration_new(&variant, limits, &plan, &solver);
    if (!status_is_ok(&status))
        return NAN;
    State start = yut_start(&variant.rules);
    double values[GAME_PLAYERS_MAX];
    status = solver->values(solver, &start, values);
    if (status_is_ok(&status) && solver->error > 1e-6)
        values[0] = NAN;
    solver->free(solver);
    return status_is_ok(&status) ? values[0] : NAN;
}

/* A proven error of 1e-5 requires sweeps until nothing changes by 1e-7, and then the proof. */
static double solve_2_changes(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return solve_start(2, 1e-5, limits);
}

static double solve_2(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return solve_start(2, 1e-6, limits);
}

static double solve_3(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return solve_start(3, 1e-6, limits);
}

/* One sweep over all positions with short lists, from the initial values. */
static double sweep_4(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    const double error = 1e-4, rare = 1e-6 * SWEEP_ONE;
    Variant variant = with_pieces(4);
    YutRules rules = yut_rules(&variant.rules);
    SweepRoom room = {.threads = limits->threads};
    SweepPass pass = {.kind = SWEEP_SHORT};
    SweepNeeds needs;
    SweepChange change;
    Sweep sweep;
    Status status = fixpoint_needs(&rules, error, limits->threads, &needs);
    if (!status_is_ok(&status) || needs.memory > limits->memory_bytes)
        return NAN;
    status = sweep_open(&rules, rare, &room, &sweep);
    if (!status_is_ok(&status))
        return NAN;
    status = sweep_run(&sweep, &pass, &change);
    double value = (double)sweep_values(&sweep, 0)[sweep_index(&sweep, 0, 0)] / SWEEP_ONE;
    sweep_close(&sweep);
    return status_is_ok(&status) ? value : NAN;
}

/* --- probing tables --- */

enum { PROBES = 100000 };

/* A random legal position with no results pending. */
static State random_start(const Variant *variant, const Placements *placements, Random *random) {
    for (;;) {
        uint32_t first = (uint32_t)random_below(random, placements->count - 1);
        uint32_t second = (uint32_t)random_below(random, placements->count - 1);
        YutState yut = {.turn = (uint8_t)random_below(random, 2), .throws = 1};
        memcpy(yut.pieces[0], placements->squares[first], (size_t)placements->pieces);
        memcpy(yut.pieces[1], placements->squares[second], (size_t)placements->pieces);
        State state = yut_state_pack(&yut);
        Status status = yut_check(&variant->rules, &state);
        if (status_is_ok(&status))
            return state;
    }
}

/* The mean value of random positions to the player about to throw; NAN after an error. Uses the
 * stored table; with few pieces, it is created on first use. */
static double probe_table(int pieces, const GameServices *services, const SolveLimits *limits) {
    Variant variant = with_pieces(pieces);
    Placements placements;
    Solver *solver;
    Random random = random_from_seed(1, 0);
    Status status = services->open_solver(&variant, limits, &solver);
    if (!status_is_ok(&status))
        return NAN;
    status = placements_open(pieces, &placements);
    double sum = 0;
    for (int i = 0; i < PROBES && status_is_ok(&status); i++) {
        State state = random_start(&variant, &placements, &random);
        double values[GAME_PLAYERS_MAX] = {0};
        status = solver->values(solver, &state, values);
        sum += values[yut_turn(&variant.rules, &state)];
    }
    placements_close(&placements);
    solver->free(solver);
    return status_is_ok(&status) ? sum / PROBES : NAN;
}

/* Baseline: without a cache, so every position requires reading and unpacking a block. */
static double probe_plainly(int pieces, const GameServices *services, const SolveLimits *limits) {
    Variant variant = with_pieces(pieces);
    Placements placements;
    Table *table;
    TableReader *reader;
    Random random = random_from_seed(1, 0);
    Status status = services->open_table(&variant, limits, &table);
    if (!status_is_ok(&status))
        return NAN;
    status = placements_open(pieces, &placements);
    double sum = 0;
    for (int i = 0; i < PROBES && status_is_ok(&status); i++) {
        State state = random_start(&variant, &placements, &random);
        YutState yut = yut_state(&state);
        uint64_t own = placement_rank(&placements, yut.pieces[yut.turn]);
        uint64_t other = placement_rank(&placements, yut.pieces[1 - yut.turn]);
        uint32_t code = 0;
        status = table_reader_open(table, 0, &reader);
        if (!status_is_ok(&status))
            break;
        status = table_get(reader, other * placements.count + own, &code);
        sum += table_chance(code, table_info(table)->value_bytes);
        table_reader_close(reader);
    }
    placements_close(&placements);
    table_close(table);
    return status_is_ok(&status) ? sum / PROBES : NAN;
}

static double probe_2(const GameServices *services, const SolveLimits *limits) {
    return probe_table(2, services, limits);
}

static double plain_probe_2(const GameServices *services, const SolveLimits *limits) {
    return probe_plainly(2, services, limits);
}

static double probe_3(const GameServices *services, const SolveLimits *limits) {
    return probe_table(3, services, limits);
}

static double plain_probe_3(const GameServices *services, const SolveLimits *limits) {
    return probe_plainly(3, services, limits);
}

/* The mean value to player 0 of states with results left to play, taken from random games; NAN
 * after an error. */
static double search_turns(int pieces, int wanted, const GameServices *services,
                           const SolveLimits *limits) {
    Variant variant = with_pieces(pieces);
    Solver *solver;
    Status status = services->open_solver(&variant, limits, &solver);
    if (!status_is_ok(&status))
        return NAN;
    int done = 0;
    double sum = 0;
    for (uint64_t game = 0; done < wanted && status_is_ok(&status); game++) {
        Random random = random_from_seed(7, game);
        State state = yut_start(&variant.rules);
        for (int actor; (actor = yut_actor(&variant.rules, &state)) != GAME_END && done < wanted;) {
            double values[GAME_PLAYERS_MAX] = {0};
            Move moves[GAME_MOVES_MAX];
            YutState yut = yut_state(&state);
            static const uint8_t nothing[YUT_RESULTS];
            if (memcmp(yut.list, nothing, sizeof nothing) != 0) {
                status = solver->values(solver, &state, values);
                sum += values[0];
                done++;
            }
            Move move =
                actor == GAME_CHANCE
                    ? variant_draw_chance(&variant, &state, &random)
                    : moves[random_below(&random, yut_moves(&variant.rules, &state, moves))];
            yut_apply(&variant.rules, &state, move);
        }
    }
    solver->free(solver);
    return status_is_ok(&status) ? sum / wanted : NAN;
}

static double search_2(const GameServices *services, const SolveLimits *limits) {
    return search_turns(2, 5000, services, limits);
}

static double search_3(const GameServices *services, const SolveLimits *limits) {
    return search_turns(3, 100, services, limits);
}

/* --- estimates --- */

enum { ESTIMATES = 500000 };

typedef void ScoreInputs(const Network *network, const uint16_t inputs[], int count,
                         int64_t scores[NETWORK_SCORES_MAX]);

/* The mean estimate of positions of random games with four pieces each. */
static double estimate_positions(ScoreInputs *score) {
    enum { POSITIONS = 1024 };
    Variant variant = with_pieces(YUT_PIECES_MAX);
    YutRules rules = yut_rules(&variant.rules);
    Network network = network_shipped(NETWORK_DUEL);
    YutState states[POSITIONS];
    Random random = random_from_seed(9, 0);
    Placements placements;
    Status status = placements_open(YUT_PIECES_MAX, &placements);
    if (!status_is_ok(&status))
        return NAN;
    for (int i = 0; i < POSITIONS; i++) {
        State state = random_start(&variant, &placements, &random);
        states[i] = yut_state(&state);
    }
    placements_close(&placements);
    double sum = 0;
    for (int i = 0; i < ESTIMATES; i++) {
        uint16_t inputs[FEATURES_MAX];
        int64_t scores[NETWORK_SCORES_MAX];
        double chances[NETWORK_SCORES_MAX];
        score(&network, inputs, features_list(&rules, &states[i % POSITIONS], inputs), scores);
        network_chances(scores, 2, chances);
        sum += chances[0];
    }
    return sum / ESTIMATES;
}

static double estimate_4(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return estimate_positions(network_score);
}

/* Baseline: without vector instructions. */
static double plain_estimate_4(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return estimate_positions(network_score_portable);
}

/* The mean value of the best move along a random game, by a lookahead of so many turns. */
static double choose_moves(int turns, int wanted, const SolveLimits *limits) {
    Variant variant = with_pieces(YUT_PIECES_MAX);
    const Rules *rules = &variant.rules;
    LookaheadPlan plan = {.turns = turns};
    Solver *solver;
    Status status = lookahead_new(&variant, &plan, limits, &solver);
    if (!status_is_ok(&status))
        return NAN;
    Random random = random_from_seed(10, 0);
    State state = yut_start(rules);
    double sum = 0;
    for (int done = 0; done < wanted && status_is_ok(&status);) {
        int actor = yut_actor(rules, &state);
        Move moves[GAME_MOVES_MAX];
        double best = 0;
        if (actor == GAME_END) {
            state = yut_start(rules);
            continue;
        }
        if (actor == GAME_CHANCE) {
            yut_apply(rules, &state, variant_draw_chance(&variant, &state, &random));
            continue;
        }
        size_t count = yut_moves(rules, &state, moves);
        solver->begin(solver, &state);
        for (size_t i = 0; i < count && status_is_ok(&status); i++) {
            State next = state;
            double values[GAME_PLAYERS_MAX] = {0};
            yut_apply(rules, &next, moves[i]);
            status = solver->values(solver, &next, values);
            best = fmax(best, values[actor]);
        }
        sum += best;
        done++;
        yut_apply(rules, &state, moves[random_below(&random, count)]);
    }
    solver->free(solver);
    return status_is_ok(&status) ? sum / wanted : NAN;
}

static double choose_4(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return choose_moves(1, 100, limits);
}

static double choose_4_deep(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return choose_moves(2, 10, limits);
}

const GameBench yut_benches[YUT_BENCH_COUNT] = {
    {.what = "one piece each, all positions, proven to 1e-6",
     .limit = "the latency of its steps, on 15 kB of values: one thread is faster than several",
     .goal_seconds = 0.1,
     .tolerance = 3e-6,
     .run = solve_1,
     .baseline = plain_1},
    {.what = "two pieces each, all positions, until nothing changes by 1e-7",
     .limit = "additions and comparisons, sixteen side by side, on values in the caches",
     .goal_seconds = 2,
     .run = solve_2_changes},
    {.what = "two pieces each, all positions, proven to 1e-6",
     .limit = "the same",
     .goal_seconds = 2,
     .run = solve_2},
    {.what = "three pieces each, all positions, proven to 1e-6",
     .limit = "the same, on 120 MB a table, and the memory's speed",
     .goal_seconds = 180,
     .goal_mb = 4096,
     .is_slow = true,
     .run = solve_3},
    {.what = "four pieces each, all positions: making room, and one sweep with short lists",
     .limit = "the same, on 8.6 GB of values; all of it takes some 225 times as long, 4 h at most",
     .goal_seconds = 64,
     .goal_mb = 18432,
     .is_slow = true,
     .needs = "18 GiB of memory: --memory 18G",
     .run = sweep_4},
    {.what = "two pieces each, 100,000 random positions from the table, one thread",
     .limit = "nothing but the caches: the whole table is kept unpacked",
     .goal_seconds = 1,
     .run = probe_2,
     .baseline = plain_probe_2},
    {.what = "three pieces each, 100,000 random positions from the table, one thread",
     .limit = "unpacking a block of 512 values for nearly every position",
     .goal_seconds = 1,
     .needs = "a table: malpan solve yut --pieces 3",
     .run = probe_3,
     .baseline = plain_probe_3},
    {.what = "two pieces each, 5,000 values with results in hand along random games, one thread",
     .limit = "hash probes; a few states with a throw pending take most of the time",
     .goal_seconds = 1,
     .run = search_2},
    {.what = "three pieces each, 100 values with results in hand along random games, one thread",
     .limit = "the same",
     .goal_seconds = 1,
     .needs = "a table: malpan solve yut --pieces 3",
     .run = search_3},
    {.what = "four pieces each, 500,000 estimates of random positions, one thread",
     .limit = "additions of 16-bit weights, sixteen side by side, from the second-level cache",
     .goal_seconds = 1,
     .run = estimate_4,
     .baseline = plain_estimate_4},
    {.what = "four pieces each, 100 choices by expectimax along a random game, one thread",
     .limit = "estimates, and hash probes; 30 ms a choice",
     .goal_seconds = 3,
     .run = choose_4},
    {.what = "four pieces each, 10 choices by expectimax:2 along a random game, one thread",
     .limit = "the same; 2 s a choice",
     .goal_seconds = 20,
     .run = choose_4_deep},
};
