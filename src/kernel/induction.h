/* Backward induction for games without cycles, over the Game interface.
 *
 * The value of an ended game is its payoff, that of a chance node the weighted mean of its
 * successors, and that of a player's node the value of the best move, the first listed among
 * equals. The values of all visited states are kept. A game with cycles is refused.
 */
#ifndef MALPAN_KERNEL_INDUCTION_H
#define MALPAN_KERNEL_INDUCTION_H

#include "game/solver.h"

/* Opens a solver for the variant within the memory of `limits`. Answers return STATUS_UNSUPPORTED
 * if the game has cycles, is too long or does not fit into memory, and STATUS_STOPPED soon after
 * the stop flag is set; then everything is solved again at the next question. Free it with
 * solver->free. */
Status induction_new(const Variant *variant, const SolveLimits *limits, Solver **solver);

#endif
