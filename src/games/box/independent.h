/* An estimate of who wins a game of several rounds, for where it is too large to be solved.
 *
 * Every player is supposed to play each turn alone: to close the sets that make its expected score
 * smallest, where shutting the box counts as minus the sum of all tiles if it wins the game. Then
 * scores are independent, and who wins follows from their distribution, but for ties of three and
 * more, which are treated as if they were of two at a time. The sums of r scores,
 *
 *     sums[r][t] = chance that r turns bring t points and none of them shuts the box,
 *
 * are tabulated once: a total only grows, so a player is in after r turns exactly if its total is
 * below the limit then.
 */
#ifndef MALPAN_GAMES_BOX_INDEPENDENT_H
#define MALPAN_GAMES_BOX_INDEPENDENT_H

#include "games/box/fits.h"

enum { BOX_OUT = INT16_MAX }; /* in place of the total of a player who is out */

typedef struct Independent {
    BoxRules rules;
    int total;     /* the sum of all tiles */
    int horizon;   /* turns of a player, at most */
    int span;      /* totals that are told apart: 0 to span - 1 */
    double shut;   /* the chance that a turn wins the game by shutting the box */
    double *score; /* of each score: its chance */
    double *sums;  /* [r * span + t], as above */
    double *below; /* [r * span + t]: the sum of sums[r][0] to sums[r][t] */
} Independent;

/* False if there is no memory; independent_close is safe then, too. */
bool independent_open(const BoxRules *rules, const BoxFits *fits, Independent *model);
void independent_close(Independent *model);

/* Sets the chance of winning of every player. `round` counts finished rounds. Before the turn of
 * `player`; the totals of those before it include this round's scores. At least two are in. */
void independent_estimate(const Independent *model, int round, int player, const int totals[],
                          double values[]);

#endif
