/* Alpha-beta search to a fixed depth, with principal variation search, a transposition table,
 * killer moves and the history heuristic.
 *
 * A score is an integer as seen from the side to move:
 *
 *     SCORE_WIN - n      won in n plies          proven, |score| > SCORE_PROVEN
 *     n - SCORE_WIN      lost in n plies         proven
 *     anything else      an estimate             |score| <= SCORE_ESTIMATE_MAX
 *
 * so the shortest win and the longest loss have the best scores. minimax(position, depth) is
 *
 *     a win in one       SCORE_WIN - 1, at any depth
 *     depth 0            alphabeta_estimate
 *     else               the best of the moves: 1 - SCORE_WIN for a move that walls in the mover's
 *                        own king, else -minimax(position after it, depth - 1), a ply further away
 *
 * Move order, the transposition table and the number of threads never change this number.
 * tests/test_valley_search.c compares the search with those three lines.
 */
#ifndef MALPAN_GAMES_VALLEY_SEARCH_ALPHABETA_H
#define MALPAN_GAMES_VALLEY_SEARCH_ALPHABETA_H

#include <assert.h>

#include "game/search.h"
#include "games/valley/search/transposition.h"
#include "games/valley/symmetry.h"

enum { POLL_NODES = 2048 };

enum {
    SCORE_WIN = 30000,
    SCORE_PROVEN = 29000,     /* scores further from zero are proven */
    SCORE_ESTIMATE_MAX = 999, /* no estimate is further from zero */
};

static_assert(SCORE_WIN <= INT16_MAX, "a score fits its field of the transposition table");
static_assert(SCORE_WIN - 2 * SEARCH_LINE_MAX > SCORE_PROVEN, "every win within reach is proven");
static_assert(SCORE_ESTIMATE_MAX < SCORE_PROVEN, "an estimate is not taken for a proof");

static inline bool score_is_proven(int score) {
    return score > SCORE_PROVEN || score < -SCORE_PROVEN;
}

/* The state of one searching thread, which alone may access it; but `transpositions` and `stop` are
 * shared with the other threads of the search, and `symmetries` is constant. */
typedef struct Searcher {
    const Symmetries *symmetries;
    TranspositionTable *transpositions;
    ValleyBoard board; /* the position that is searched; moves are made and unmade here */
    uint64_t nodes;
    atomic_bool *stop; /* once set, the search unwinds and its results mean nothing */
    /* Polled every POLL_NODES nodes, or at most a position's moves later; true sets `stop`. NULL:
     * this thread does not watch. */
    bool (*should_stop)(void *context);
    void *context;
    uint64_t next_poll; /* the number of nodes at which it is polled next */
    /* Moves that caused cutoffs: at the same distance from the root, and anywhere. */
    Move killers[SEARCH_LINE_MAX][2];
    uint32_t history[2][VALLEY_SQUARES][VALLEY_SQUARES];
} Searcher;

/* The static evaluation of a position where `mover` has no win in one, as seen from `mover`. */
int alphabeta_estimate(const ValleyBoard *board, int mover);

/* Searches searcher->board with `mover` to move. With s = minimax(board, depth), the result r
 * satisfies
 *
 *     s <= alpha           =>   s <= r <= alpha
 *     alpha < s < beta     =>   r = s
 *     beta <= s            =>   beta <= r <= s
 *
 * where proven scores count plies from `ply` plies before the board's position. Requires
 * alpha < beta, 0 <= depth <= SEARCH_DEPTH_MAX, 0 <= ply, ply + depth < SEARCH_LINE_MAX, and that
 * the game is not over. The result means nothing once *searcher->stop is set. The board is left as
 * it was. */
int alphabeta_score(Searcher *searcher, int mover, int depth, int alpha, int beta, int ply);

#endif
