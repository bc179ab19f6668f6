/* Values by looking ahead, for what is not solved: estimates, not exact values.
 *
 * The search goes to the end of the turn: the best over the moves of the player whose turn it is,
 * the mean over what chance may bring it, and the game's own estimate where the next turn begins,
 * or where the turn has gone on for too long.
 */
#ifndef MALPAN_VALUES_LOOKAHEAD_H
#define MALPAN_VALUES_LOOKAHEAD_H

#include "game/solver.h"

/* A solver whose values are estimates. STATUS_UNSUPPORTED for a game without an estimate. */
Status lookahead_new(const Variant *variant, const SolveLimits *limits, Solver **solver);

#endif
