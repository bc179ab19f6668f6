/* A solver over a game's own search (game/search.h): exact where the search has a proof, otherwise
 * an estimate that is marked as one.
 *
 * Thread safety: as a solver's; it belongs to one thread at a time.
 */
#ifndef MALPAN_VALUES_SEARCH_SOLVER_H
#define MALPAN_VALUES_SEARCH_SOLVER_H

#include "game/search.h"

/* Opens a solver for a two-player game that has a search. Each question takes at most
 * limits->seconds, or five seconds if that is 0. Its values() returns proven values and
 * STATUS_TABLE where there is no proof; its evaluate() returns both kinds, marked. The caller frees
 * it. */
Status search_solver_new(const Variant *variant, const SolveLimits *limits, Solver **opened);

/* Describes a search from `state` in words: its depth, its speed and its principal variation. */
void search_solver_describe(const Variant *variant, const State *state, const SearchResult *result,
                            Text *text);

#endif
