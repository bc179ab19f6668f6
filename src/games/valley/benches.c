/* The speeds promised for this game. */
#include <math.h>
#include <stdlib.h>

#include "games/valley/search.h"
#include "games/valley/valley.h"
#include "solve/perft.h"
#include "solve/playout.h"

enum { PATH_DEPTH = 7, GAMES = 1000000, NODES = 5000000, NODES_DEPTH = 8 };

static double count_paths(const SolveLimits *limits) {
    (void)limits;
    Variant variant = variant_default(&valley_game);
    State start = valley_start(&variant.rules);
    return (double)perft_count(&variant, &start, PATH_DEPTH);
}

static double count_paths_plainly(const SolveLimits *limits) {
    (void)limits;
    Variant variant = variant_default(&valley_game);
    State start = valley_start(&variant.rules);
    return (double)perft_count_plain(&variant, &start, PATH_DEPTH);
}

static double play_games(const Game *game, const SolveLimits *limits) {
    Variant variant = variant_default(game);
    const PlayoutPlan plan = {.games = GAMES, .seed = 1};
    PlayoutStats *stats = playout_run(&variant, &plan, limits->threads, NULL);
    if (!stats)
        return NAN;
    double moves = (double)stats->moves;
    free(stats);
    return moves;
}

static double play_random(const SolveLimits *limits) {
    return play_games(&valley_game, limits);
}

/* By lists of moves. */
static double play_random_plainly(const SolveLimits *limits) {
    Game plain = valley_game;
    plain.pick = NULL;
    return play_games(&plain, limits);
}

/* Positions a few random moves from the start, one after the other, until enough were visited on
 * the way. */
static double search_many(const SolveLimits *limits) {
    (void)limits;
    Fold fold;
    Hash hash;
    atomic_bool stop = false;
    Variant variant = variant_default(&valley_game);
    Random random = random_from_seed(1, 0);
    Searcher searcher = {.fold = &fold, .hash = &hash, .stop = &stop};
    double sum = 0;
    if (!hash_open(&hash, (size_t)64 << 20))
        return NAN;
    fold_init(&fold);
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
            sum += search_score(&searcher, (int)valley.turn, depth, -SEARCH_WON, SEARCH_WON, 0);
    }
    hash_close(&hash);
    return sum;
}

static double prove_start(const SolveLimits *limits) {
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

const GameBench valley_benches[VALLEY_BENCH_COUNT] = {
    {.what = "67,373,910 paths of seven moves, one core (40 million a second)",
     .limit = "arithmetic: a dozen operations a path, on 2 kB of tables",
     .goal_seconds = 1.68,
     .run = count_paths,
     .baseline = count_paths_plainly},
    {.what = "5,000,000 positions of alpha-beta, one core",
     .limit = "the latency of memory: one look at the hash table a position, mostly not cached",
     .goal_seconds = 1,
     .run = search_many},
    {.what = "the proof that the start is won",
     .limit = "the same, on all cores",
     .goal_seconds = 10,
     .run = prove_start},
    {.what = "a million random games, 79 million moves",
     .limit = "arithmetic, and branches that nothing can predict",
     .goal_seconds = 5,
     .run = play_random,
     .baseline = play_random_plainly},
};
