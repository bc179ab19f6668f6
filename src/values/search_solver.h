/* A solver over a game's search: exact where the search has a proof, else an estimate that is
 * marked as one. */
#ifndef MALPAN_VALUES_SEARCH_SOLVER_H
#define MALPAN_VALUES_SEARCH_SOLVER_H

#include "game/search.h"

/* For a game that has a search. Each question takes at most limits->seconds (or what is usual).
 * `values` gives proven values alone and fails otherwise; `evaluate` gives both. The caller frees
 * it. */
Status search_solver_new(const Variant *variant, const SolveLimits *limits, Solver **solver);

/* How far a search from `state` has looked, and the best line, in words. */
void search_solver_describe(const Variant *variant, const State *state, const SearchResult *result,
                            Text *text);

#endif
