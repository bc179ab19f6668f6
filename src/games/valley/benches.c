/* Benchmarks with the speeds that are promised for this game. */
#include <math.h>
#include <stdlib.h>

#include "game/benches.h"
#include "games/valley/search/alphabeta.h"
#include "games/valley/solve/solver.h"
#include "games/valley/valley.h"

enum { PATH_DEPTH = 7, GAMES = 1000000, NODES = 5000000, NODES_DEPTH = 8, PROBES = 100000 };

static double count_paths(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    Variant variant = variant_default(&valley_game);
    State start = valley_start(&variant.rules);
    return (double)valley_perft(&variant.rules, &start, PATH_DEPTH);
}

static double count_paths_by_tree(const GameServices *services, const SolveLimits *limits) {
    (void)limits;
    Variant variant = variant_default(&valley_game);
    State start = valley_start(&variant.rules);
    return (double)services->perft_plain(&variant, &start, PATH_DEPTH);
}

static double play_games(const Game *game, const GameServices *services,
                         const SolveLimits *limits) {
    Variant variant = variant_default(game);
    uint64_t moves = services->play_random(&variant, GAMES, 1, limits->threads);
    return moves > 0 ? (double)moves : NAN;
}

static double play_random(const GameServices *services, const SolveLimits *limits) {
    return play_games(&valley_game, services, limits);
}

/* Without the sampler: lists all moves to pick one. */
static double play_random_from_lists(const GameServices *services, const SolveLimits *limits) {
    Game plain = valley_game;
    plain.sampler = NULL;
    return play_games(&plain, services, limits);
}

/* Searches positions a few random moves from the start until enough nodes were visited. */
static double search_many(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    Symmetries symmetries;
    TranspositionTable transpositions;
    atomic_bool stop = false;
    Variant variant = variant_default(&valley_game);
    Random random = random_from_seed(1, 0);
    Searcher searcher = {
        .symmetries = &symmetries, .transpositions = &transpositions, .stop = &stop};
    double sum = 0;
    if (!transposition_open(&transpositions, (size_t)64 << 20))
        return NAN;
    symmetries_init(&symmetries);
    while (searcher.nodes < NODES) {
        State state = valley_start(&variant.rules);
        for (int i = 0; i < 6 && valley_actor(&variant.rules, &state) != GAME_END; i++) {
            Move move;
            valley_pick(&variant.rules, &state, &random, &move);
            valley_apply(&variant.rules, &state, move);
        }
        if (valley_actor(&variant.rules, &state) == GAME_END)
            continue;
        ValleyState valley = valley_state(&state);
        searcher.board = valley.board;
        for (int depth = 1; depth <= NODES_DEPTH; depth++)
            sum += alphabeta_score(&searcher, (int)valley.turn, depth, -SCORE_WIN, SCORE_WIN, 0);
    }
    transposition_close(&transpositions);
    return sum;
}

static double prove_start(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    Variant variant = variant_default(&valley_game);
    State start = valley_start(&variant.rules);
    SearchBudget budget = {.threads = limits->threads};
    SearchResult result;
    Search *search;
    Status status = valley_search_new(&variant.rules, limits, &search);
    if (!status_is_ok(&status))
        return NAN;
    search->think(search, &start, &budget, &result);
    search->free(search);
    return result.is_proven ? result.value : NAN;
}

/* --- all positions --- */

/* Solves all positions; the result is the sum of their codes. */
static double solve_all(int soldiers, int threads, const SolveLimits *limits) {
    SolveLimits own = *limits;
    RetroResult solved;
    ValleyRetrograde *retro = malloc(sizeof *retro);
    own.threads = threads;
    own.progress = NULL;
    if (!retro)
        return NAN;
    valley_retrograde_init(retro, soldiers);
    Status status = retrograde_run(&retro->base, &own, NULL, NULL, &solved);
    free(retro);
    if (!status_is_ok(&status))
        return NAN;
    double sum = 0;
    for (size_t i = 0; i < solved.bytes; i++)
        sum += solved.codes[i];
    retrograde_free(&solved);
    return sum;
}

static double solve_3_alone(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return solve_all(3, 1, limits);
}

static double solve_3(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return solve_all(3, limits->threads, limits);
}

static double solve_4(const GameServices *services, const SolveLimits *limits) {
    (void)services;
    return solve_all(4, limits->threads, limits);
}

/* The mean value of random positions with four soldiers a side. */
static double probe_4(const GameServices *services, const SolveLimits *limits) {
    Variant variant = variant_default(&valley_game);
    Solver *solver;
    Random random = random_from_seed(1, 0);
    Ranking *ranking = malloc(sizeof *ranking);
    Status status = services->open_solver(&variant, limits, &solver);
    if (!ranking || !status_is_ok(&status)) {
        free(ranking);
        return NAN;
    }
    double sum = 0;
    ranking_init(ranking, VALLEY_SOLDIERS_MAX);
    for (int i = 0; i < PROBES && status_is_ok(&status); i++) {
        ValleyState valley = {.ply = 2, .turn = VALLEY_WHITE};
        double values[2];
        unrank_board(ranking, (uint32_t)random_below(&random, RANK_BLOCKS),
                     (uint32_t)random_below(&random, ranking->block_size), &valley.board,
                     VALLEY_WHITE);
        State state = valley_state_pack(&valley);
        status = solver->values(solver, &state, values);
        sum += values[0];
    }
    solver->free(solver);
    free(ranking);
    return status_is_ok(&status) ? sum / PROBES : NAN;
}

const GameBench valley_benches[VALLEY_BENCH_COUNT] = {
    {.what = "67,373,910 paths of seven moves, one core (40 million a second)",
     .limit = "arithmetic: a dozen operations per path, on 2 kB of tables",
     .goal_seconds = 1.68,
     .run = count_paths,
     .baseline = count_paths_by_tree},
    {.what = "5,000,000 positions of alpha-beta, one core",
     .limit = "the latency of memory: one look at the transpositions table a position, mostly not "
              "cached",
     .goal_seconds = 1,
     .run = search_many},
    {.what = "the proof that the start is won",
     .limit = "the same, on all cores",
     .goal_seconds = 10,
     .run = prove_start},
    {.what = "a million random games, 79 million moves",
     .limit = "arithmetic, and unpredictable branches",
     .goal_seconds = 5,
     .run = play_random,
     .baseline = play_random_from_lists},
    {.what = "three soldiers, 111,919,500 positions, one thread (2.3 million a second)",
     .limit = "memory: a random byte for each of a billion unmoves",
     .goal_seconds = 49,
     .is_slow = true,
     .run = solve_3_alone},
    {.what = "three soldiers, 111,919,500 positions, all threads",
     .limit = "the same",
     .goal_seconds = 25,
     .is_slow = true,
     .run = solve_3},
    {.what = "four soldiers, 1,678,792,500 positions, all threads",
     .limit = "the same",
     .goal_seconds = 900,
     .goal_mb = 5120,
     .is_slow = true,
     .run = solve_4},
    {.what = "four soldiers, 100,000 random positions from the table, one thread",
     .limit = "unpacking a block of 4096 values for nearly every position",
     .goal_seconds = 1,
     .needs = "a table: malpan solve valley",
     .run = probe_4},
};
