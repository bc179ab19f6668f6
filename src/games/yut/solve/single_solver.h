/* Solves Yut with one piece each for any number of players (single_fixpoint.h), and answers
 * questions about any state. */
#ifndef MALPAN_GAMES_YUT_SOLVE_SINGLE_SOLVER_H
#define MALPAN_GAMES_YUT_SOLVE_SINGLE_SOLVER_H

#include "game/solver.h"
#include "games/yut/yut.h"

/* The caller frees the solver. Errors as single_fixpoint_open. For two sides its values are exact
 * to within an error bound; for more they are an equilibrium. */
Status single_solver_new(const YutRules *rules, const SolveLimits *limits, Solver **solver);

#endif
