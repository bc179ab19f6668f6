/* The promises of game.h, checked by playing: any game and any variant goes through this.
 *
 * Random games by fixed seeds, and at every state on the way:
 *   - the state passes its own check, and its bytes depend on nothing else;
 *   - its text, and the text of each move and chance event, reads back as the same thing;
 *   - there is something to do (unless it is the end), nothing twice, and the chance weights sum to
 *     the denominator;
 *   - a move or event that is not listed is refused, as a number and as text;
 *   - where states are numbered, index and unindex are inverse;
 *   - drawing and telling fit into their buffers, in every style and language;
 *   - an estimate or a judgement of a move, where offered, is a number;
 *   - the way of a piece, where offered, is squares with spaces between;
 *   - a state stripped of what has no bearing on the future has the same moves.
 * Every game reaches its end, or the bound on its length, and the payoffs there are finite.
 */
#ifndef MALPAN_GAME_CONTRACT_H
#define MALPAN_GAME_CONTRACT_H

#include "game/game.h"

/* Plays `games` random games and checks all of the above. The message of a failure names the rule
 * that broke and the state. `steps_max` bounds a single game; `ended` (may be NULL) is how many
 * games came to an end within it. */
Status contract_check(const Variant *variant, uint64_t seed, int games, int steps_max, int *ended);

/* Where states are numbered: for every number below `limit`, unindex gives a state that passes its
 * check and has that very number, or gives none. `legal` (may be NULL) counts the states. */
Status contract_check_numbering(const Variant *variant, uint64_t limit, uint64_t *legal);

#endif
