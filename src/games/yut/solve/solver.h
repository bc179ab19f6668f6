/* Values of any state of two-player Yut, given the values of states that are about to throw with
 * nothing pending. */
#ifndef MALPAN_GAMES_YUT_SOLVE_SOLVER_H
#define MALPAN_GAMES_YUT_SOLVE_SOLVER_H

#include "game/solver.h"
#include "games/yut/solve/turn_search.h"

/* Solvers search turns to within the error of the starts divided by this. */
enum { YUT_SEARCH_SHARE = 2 };

/* A solver that searches the rest of a turn to within `tolerance`, and looks up in `starts`
 * where the next turn begins. Its error is that of `starts`, or the sum of both once a search
 * has cut something off. If memory is short, a value may be further off, and Solver.widening
 * says by how much. The solver closes `starts` when it is freed. If this function fails,
 * `starts` stays open. */
Status yut_solver_over(const Rules *rules, YutStarts starts, const char *method, double tolerance,
                       const SolveLimits *limits, Solver **solver);

#endif
