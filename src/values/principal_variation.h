/* A best line of play: for one player, where nothing is left to chance any more, so that the line
 * is what is going to happen. */
#ifndef MALPAN_VALUES_PRINCIPAL_VARIATION_H
#define MALPAN_VALUES_PRINCIPAL_VARIATION_H

#include "game/solver.h"

enum { LINES_MOVES_MAX = 64 };

typedef struct BestLines {
    uint64_t count; /* how many different lines are equally good; 0: there is no such line */
    size_t length;
    Move moves[LINES_MOVES_MAX]; /* the first of them, in the game's own order of moves */
} BestLines;

/* Finds the best lines from a state where the player is to choose. The values must be exact. */
Status lines_find(const Variant *variant, Solver *solver, const State *state, BestLines *lines);

#endif
