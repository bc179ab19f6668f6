/* Checks the promises of game.h, and of every optional part a game has, by playing random games.
 *
 * At every state on the way:
 *   - the state passes its own check, and applying a move is deterministic;
 *   - the text of the state, of each move and of each chance event reads back as the same thing;
 *   - there is something to do (unless the game is over), nothing is listed twice, and the chance
 *     weights sum to the denominator;
 *   - a move or event that is not listed is refused, as a number and as text;
 *   - drawing and narration fit their buffers, in every style and language;
 *   - each optional part keeps the promises of its header (contract_parts.c).
 * Every game reaches its end or the length limit, and payoffs are finite.
 */
#ifndef MALPAN_GAME_CONTRACT_H
#define MALPAN_GAME_CONTRACT_H

#include "game/variant.h"

/* Plays `games` random games of at most `steps_max` steps and checks all of the above. A failure
 * names the broken promise and the state. `ended` (may be NULL) receives how many games ended. */
Status contract_check(const Variant *variant, uint64_t seed, int games, int steps_max, int *ended);

#endif
