/* Backward induction for games without cycles, over the Game interface.
 *
 * The value of a finished game is its payoff. The value of a chance node is the weighted mean of
 * its successors. The value of a player's node is that of the best move, the first listed among
 * equals. The values of all visited states are kept. A game with cycles is refused.
 */
#ifndef MALPAN_KERNEL_INDUCTION_H
#define MALPAN_KERNEL_INDUCTION_H

#include "game/solver.h"

/* Opens a solver for the variant within the memory of `limits`. Queries return STATUS_UNSUPPORTED
 * if the game has cycles, is too long or does not fit into memory. They return STATUS_STOPPED soon
 * after the stop flag is set; the next query then solves everything again. Free it with
 * solver->free. */
Status induction_new(const Variant *variant, const SolveLimits *limits, Solver **solver);

#endif
