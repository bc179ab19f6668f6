/* Plain minimax to a fixed depth, without pruning, for games of two players without chance that
 * score moves (game/move_score.h).
 *
 * A line is worth the score of its last move to the side that made it. A line that reaches the end
 * of the game ends there. A pure function, except that it looks at the stop flag.
 */
#ifndef MALPAN_PLAYERS_SHALLOW_H
#define MALPAN_PLAYERS_SHALLOW_H

#include "base/stop_flag.h"
#include "game/variant.h"

/* The minimax value of a move to the player who makes it, `depth` plies from here (at least 1).
 * Once `stop` (may be NULL) is set the value means nothing. */
double shallow_search(const Variant *variant, const State *state, Move move, int depth,
                      const StopFlag *stop);

#endif
