/* Estimates by expectimax to the end of the turn, for variants that are not solved.
 *
 * Takes the best move of the player whose turn it is and the mean over chance events, down to where
 * the next turn begins or the turn has had two more throws. There it uses the game's own estimate
 * (game/estimate.h).
 *
 * Thread safety: as a solver's; it belongs to one thread at a time.
 */
#ifndef MALPAN_VALUES_LOOKAHEAD_H
#define MALPAN_VALUES_LOOKAHEAD_H

#include "game/solver.h"

/* Opens a solver whose values are estimates. The caller frees it. STATUS_UNSUPPORTED for a game
 * without an estimate. With little memory the search is shallower. */
Status lookahead_new(const Variant *variant, const SolveLimits *limits, Solver **solver);

#endif
