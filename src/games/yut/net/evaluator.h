/* Values of any state of Yut by a network, and by exact values where they are at hand.
 *
 * A network values the beginning of a turn. Results in hand are played first, each by the move that
 * the network values most. What follows is the beginning of a turn: the next player's, or the same
 * player's if it throws again.
 *
 * Thread safety: an evaluator is never changed, but its accumulator is, if it has one.
 */
#ifndef MALPAN_GAMES_YUT_NET_EVALUATOR_H
#define MALPAN_GAMES_YUT_NET_EVALUATOR_H

#include "games/yut/net/accumulator.h"
#include "games/yut/net/exact.h"

typedef struct Evaluator {
    Network network;
    const ExactValues *exact; /* NULL: none */
    Accumulator *last;        /* of the thread that uses the evaluator; NULL: none */
} Evaluator;

/* Whether the state is the beginning of a turn, or as good as one: nothing is in hand. */
bool evaluator_is_start(const YutState *state);

/* The state's value to each player; the payoff at the end of a game. */
void evaluator_values(const Evaluator *evaluator, const YutRules *rules, const YutState *state,
                      double values[]);

/* Plays the move with the best value after it. The player has results to play. */
void evaluator_play(const Evaluator *evaluator, const YutRules *rules, YutState *state);

#endif
