/* The principal variation of a one-player game in which nothing is left to chance: the line of best
 * play, and how many lines are equally good.
 */
#ifndef MALPAN_VALUES_PRINCIPAL_VARIATION_H
#define MALPAN_VALUES_PRINCIPAL_VARIATION_H

#include "game/solver.h"

enum { PRINCIPAL_VARIATION_MAX = 64 };

typedef struct PrincipalVariation {
    uint64_t count; /* of equally good lines; 0: there is no such line */
    size_t length;
    Move moves[PRINCIPAL_VARIATION_MAX]; /* the first of them in the game's own order of moves */
} PrincipalVariation;

/* Finds the lines of best play from a state. `count` is 0 if there are several players, chance is
 * ahead, values are estimates, or the lines are too many or too long. Errors are the solver's.
 * Thread safety: the solver belongs to the calling thread. */
Status principal_variation_find(const Variant *variant, Solver *solver, const State *state,
                                PrincipalVariation *line);

#endif
