/* What a table's network starts from: the scores of a heuristic, to which it adds its own.
 *
 * A side is rated by the turns it still needs: those of its pieces alone, and what the threats
 * against them cost. This is the idea of heuristic.c under the usual rules, from constant tables,
 * and the same on every machine. The network learns what is missing.
 *
 * Worked example: one piece each, `19/0`. The piece on 19 needs 1.12 turns, and no result brings
 * the other player there; being about to throw is worth 1.25. The other needs 7.121. The scores are
 * -(1.12 - 1.25) / 4.25 = 0.031 and -7.121 / 4.25 = -1.676.
 *
 * Thread safety: a pure function.
 */
#ifndef MALPAN_GAMES_YUT_NET_TABLE_PRIOR_H
#define MALPAN_GAMES_YUT_NET_TABLE_PRIOR_H

#include "games/yut/yut.h"

/* The score of each side, from the one about to throw on; 0 for sides that do not exist. */
void table_prior(const YutRules *rules, const YutState *state, float scores[YUT_PLAYERS_MAX]);

#endif
