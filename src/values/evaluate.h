/* What a position is worth, and every legal move in it, best first. */
#ifndef MALPAN_VALUES_EVALUATE_H
#define MALPAN_VALUES_EVALUATE_H

#include "game/solver.h"

/* Why there is no solver for the variant, or fine. */
Status evaluate_check(const Variant *variant);
bool evaluate_can_solve(const Variant *variant);

/* A solver for the variant: the game's own, or backward induction. The caller frees it. */
Status evaluate_solver(const Variant *variant, const SolveLimits *limits, Solver **solver);

/* Whether a value in it, or of one of its moves, is not exact. */
bool evaluate_has_estimates(const Evaluation *evaluation);

/* Values the state alone. */
Status evaluate_value(const Variant *variant, Solver *solver, const State *state,
                      Evaluation *evaluation);

/* Values the state and its moves. */
Status evaluate_state(const Variant *variant, Solver *solver, const State *state,
                      Evaluation *evaluation);

#endif
