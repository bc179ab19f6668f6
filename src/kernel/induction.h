/* Backward induction for games without cycles, over the common interface.
 *
 * The value of an ended game is its payoff; of a chance node the weighted mean of what may happen;
 * of a player's node the best move for that player, the first listed among equals. Values are kept
 * for every state ever asked for or met on the way. A game that comes back to a state on its own
 * path is refused.
 */
#ifndef MALPAN_KERNEL_INDUCTION_H
#define MALPAN_KERNEL_INDUCTION_H

#include "game/solver.h"

/* A solver for the variant; its memory limit is that of `limits`. Free it with solver->free. */
Status induction_new(const Variant *variant, const SolveLimits *limits, Solver **solver);

#endif
