/* Self-play for tables of players: many cheap games, without a lookahead.
 *
 * A step is one throw. If no further throw is due, the results in hand are then played, each by the
 * move that the network values most (evaluator.h). At step t, V(t) is the network's value, and U(t)
 * the mean of its values after the throw, over all results. The target is
 *
 *     G(t) = U(t) + lambda * (G(t + 1) - V(t + 1))
 *
 * This is TD(lambda) without the luck of the throws, as in self_play.h: the network's value does
 * not change between one throw and the next, since it is the value after the moves that are made
 * then. At the end of a game G and V are the payoff. What remains is how much the network
 * contradicts itself later in the game. The positions are the steps with nothing in hand; for other
 * steps lambda is 1.
 *
 *     step      0      1      2      end        all to one player, lambda = 0.7
 *     V         .520   .470   .530   1
 *     U         .510   .490   .620
 *     G         .568   .553   .620              .553 = .490 + 0.7 * (.620 - .530)
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
