/* Self-play for tables of players: many cheap games, without a lookahead.
 *
 * A step is one throw with nothing in hand. Every move is the best by the network right after it,
 * one result at a time. At step t, V(t) is what the network says, B(r) what it says after the best
 * move with result r alone, and U(t) the mean of B over the results. With r the result that is
 * thrown, the target is
 *
 *     G(t) = U(t) + (V(t + 1) - B(r)) + lambda * (G(t + 1) - V(t + 1))
 *
 * This is TD(lambda) with most of the luck removed. Without a second throw V(t + 1) = B(r), so the
 * luck of the throw does not count at all; the bracket is what yut, mo and a list of several
 * results change, with mean 0. At the end of a game G and V are the payoff.
 *
 *     step      0      1      2      end        all to one player, lambda = 0.7
 *     B(r)      .470   .550   1
 *     V         .520   .470   .530   1          step 1 was a yut: then the turn went on
 *     U         .510   .490   .620
 *     G         .500   .533   .620              .533 = .490 + (.530 - .550) + 0.7 * (.620 - .530)
 *
 * A target can be below 0 or above 1. Clipping it would make players with small chances look better
 * than they are.
 *
 * Now and then a move is random, so that the games differ; G of that step is U.
 *
 * Thread safety: the functions may run on several threads at once.
 */
#ifndef MALPAN_GAMES_YUT_NET_TABLE_PLAY_H
#define MALPAN_GAMES_YUT_NET_TABLE_PLAY_H

#include "games/yut/net/self_play.h"

/* Plays a game from `state`, the beginning of a turn, and lists up to SELF_PLAY_TURNS_MAX of its
 * positions with their targets; the game is cut off there. With `explore`, some moves are
 * random. Returns how many. */
size_t table_play(const SelfPlay *self_play, const YutRules *rules, const YutState *state,
                  bool explore, Random *random, PlayedPosition positions[]);

#endif
