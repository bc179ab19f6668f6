/* Alpha-beta: what a position is worth when both sides look `depth` plies ahead.
 *
 * A score is a whole number seen from whoever moves. A won game counts SEARCH_WON less the plies it
 * takes, a lost one the same below zero; all else is an estimate and much nearer to zero. So the
 * shortest win and the longest loss come out by themselves, and such a score is proven.
 *
 * The score of a position at a depth is one number, by plain minimax:
 *
 *     a win on the spot   SEARCH_WON - 1, at any depth
 *     depth 0             search_estimate
 *     else                the best of its moves: of one that walls in the own king, 1 - SEARCH_WON;
 *                         of any other, the reverse of the score after it at depth - 1, a ply
 *                         further away
 *
 * Nothing that makes the search fast changes it: neither the order of moves nor what is remembered,
 * on however many threads. tests/test_valley_search.c compares it with those three lines.
 */
#ifndef MALPAN_GAMES_VALLEY_SEARCH_ALPHABETA_H
#define MALPAN_GAMES_VALLEY_SEARCH_ALPHABETA_H

#include "game/search.h"
#include "games/valley/search/transposition.h"
#include "games/valley/symmetry.h"

enum {
    SEARCH_WON = 30000,
    SEARCH_PROVEN = 29000,    /* beyond this a score is proven */
    SEARCH_ESTIMATE_MAX = 999 /* no estimate is further from zero */
};

static inline bool search_is_proven(int score) {
    return score > SEARCH_PROVEN || score < -SEARCH_PROVEN;
}

/* One thread's part of a search. */
typedef struct Searcher {
    const Fold *fold;
    Hash *hash;
    ValleyBoard board;
    uint64_t nodes;
    /* To stop: somebody says so, or this thread's watch does. */
    atomic_bool *stop;
    bool (*watch)(void *context);
    void *context;
    /* Moves that were good elsewhere: at this distance from the root, and altogether. */
    Move killers[SEARCH_LINE_MAX][2];
    uint32_t history[2][VALLEY_SQUARES][VALLEY_SQUARES];
} Searcher;

/* A guess at what a position without a win on the spot is worth to `mover`. */
int search_estimate(const ValleyBoard *board, int mover);

/* The score of searcher->board with `mover` to move, if it is between alpha and beta; else a bound
 * on its far side. Plies are counted from `ply` plies before. The game goes on there. What it
 * returns means nothing once `stop` is set. */
int search_score(Searcher *searcher, int mover, int depth, int alpha, int beta, int ply);

#endif
