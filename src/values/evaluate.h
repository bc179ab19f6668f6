/* Evaluates a position and its legal moves with a solver (values/policy.h opens one).
 *
 * An Evaluation is about 100 kB: callers keep one and reuse it. Only what is used is written.
 *
 * Thread safety: as the solver's, which belongs to one thread at a time.
 */
#ifndef MALPAN_VALUES_EVALUATE_H
#define MALPAN_VALUES_EVALUATE_H

#include "game/solver.h"

/* Evaluates the state alone. Where a player chooses, the best move may be listed. */
Status evaluate_value(const Variant *variant, Solver *solver, const State *state,
                      Evaluation *evaluation);

/* Evaluates the state and each of its moves, best first. */
Status evaluate_state(const Variant *variant, Solver *solver, const State *state,
                      Evaluation *evaluation);

/* Evaluates an ended game without a solver: its values are the payoffs. */
void evaluate_end(const Variant *variant, const State *state, Evaluation *evaluation);

/* Whether the value, or that of a move, is an estimate. */
bool evaluate_has_estimates(const Evaluation *evaluation);

#endif
