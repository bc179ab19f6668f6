/* Values of any state of two-player Yut, where those about to throw with nothing pending are known.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SOLVER_H
#define MALPAN_GAMES_YUT_SOLVE_SOLVER_H

#include "game/solver.h"
#include "games/yut/solve/turn_search.h"

/* Solvers search turns to within this part of the error of the starts. */
enum { YUT_SEARCH_SHARE = 2 };

/* A solver that searches the rest of a turn to within `tolerance`, and asks `starts` where the next
 * one begins. Its error is that of `starts`; once a search has cut something off, the sum of both.
 * Where memory is short a value may be further off, and Solver.widening says by how much. It closes
 * `starts` when it is freed, not when this fails. */
Status yut_solver_over(const Rules *rules, YutStarts starts, const char *method, double tolerance,
                       const SolveLimits *limits, Solver **solver);

#endif
