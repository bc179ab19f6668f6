/* Learning Yut's networks: `malpan learn yut`.
 *
 * The steps are divided into rounds, as many as LearnPlan in learn.c says. Before each round, games
 * of self-play with the current network give new positions and targets (self_play.h); the positions
 * of the previous round are kept as well. A sample of a step is
 *
 *     duel    a position with its exact value in three of four samples, otherwise one of self-play
 *             (in the first round only the former: self-play would teach nothing yet). Half of the
 *             exact ones have their pieces where they are in games, the others anywhere.
 *     table   a position of self-play, or the end of a game with its exact value (table_exact.h):
 *             five to one
 *
 * Positions that are held out (exact.h) are never learned from: networks are chosen by some of them
 * (`--measure FILE --validate`), errors stated by others. At the end the errors are measured
 * (measure.h) and written with the weights.
 *
 * Games and samples have numbers, and their random numbers depend on the seed and that number. A
 * checkpoint holds the weights with Adam's moments and the positions. So the bytes are the same
 * for any number of threads, and when the work was stopped or killed and resumed.
 */
#ifndef MALPAN_GAMES_YUT_NET_LEARN_H
#define MALPAN_GAMES_YUT_NET_LEARN_H

#include "game/learning.h"

extern const GameLearning yut_learning;

#endif
