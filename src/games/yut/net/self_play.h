/* Targets of learning from self-play, for positions without exact values.
 *
 * This is how duels are played. At tables of players games are cheaper (table_play.h).
 *
 * A game is played from its start, from a random position, or after some random turns. At the
 * beginning of each turn t, V(t) is what the network says, and U(t) what a lookahead to the end of
 * the turn says. Every move is the best by the lookahead. The target of turn t is
 *
 *     G(t) = U(t) + lambda * (G(t + 1) - V(t + 1))
 *
 * This is TD(lambda), with the luck of the throws removed: U(t) is the mean of V(t + 1) over all
 * throws, so a lucky throw, which raises V(t + 1) and G(t + 1) alike, does not change G(t). What
 * remains is how much the network contradicts itself later in the game, discounted by lambda per
 * turn. With lambda = 1 this is an unbiased estimate of what the play is worth, and far less noisy
 * than who won. At the end of a game, and where exact values are known, G and V are the truth.
 *
 *     turn      0      1      2      3 = known        all to one player, lambda = 0.9
 *     V         .520   .470   .550   .500
 *     U         .510   .490   .540
 *     G         .520   .481   .540   .500             .481 = .490 + 0.9 * (.540 - .550)
 *
 * Thread safety: self_play_game may run on several threads at once.
 */
#ifndef MALPAN_GAMES_YUT_NET_SELF_PLAY_H
#define MALPAN_GAMES_YUT_NET_SELF_PLAY_H

#include "games/yut/net/evaluator.h"
#include "games/yut/net/trainer.h"

enum { SELF_PLAY_TURNS_MAX = 160 }; /* of a game; it is cut off there */

/* A position at the beginning of a turn, with the rules that matter to the network, and its
 * target. */
typedef struct PlayedPosition {
    uint8_t players, pieces, teams, turn;
    uint8_t animals[YUT_PLAYERS_MAX];
    uint8_t squares[YUT_PLAYERS_MAX][YUT_PIECES_MAX];
    float values[YUT_PLAYERS_MAX]; /* to each player */
} PlayedPosition;

typedef struct SelfPlay {
    Evaluator evaluator;
    YutRules rules; /* of two players; the rest is drawn */
    double lambda;
    uint64_t seed;
} SelfPlay;

/* Draws the rules of the game of this number: those that the network is for, and whose start has no
 * exact value. */
YutRules self_play_rules(const SelfPlay *self_play, uint64_t number);

/* Plays the game of this number and lists up to SELF_PLAY_TURNS_MAX of its positions; the first
 * `looked` (may be NULL) of them were played by lookahead, the others have exact values. Fails for
 * lack of memory alone. */
Status self_play_game(const SelfPlay *self_play, const YutRules *rules, uint64_t number,
                      PlayedPosition positions[], size_t *count, size_t *looked);

/* Plays on from the beginning of a turn; `values` receives the target of that position. */
Status self_play_value(const SelfPlay *self_play, const YutRules *rules, const YutState *state,
                       uint64_t number, double values[]);

/* A position of a game in which a turn begins; its values are 0. */
PlayedPosition played_position(const YutRules *rules, const YutState *state);

/* The state of a position. */
YutState played_state(const PlayedPosition *position);

/* The position as a sample. */
void played_sample(const PlayedPosition *position, TrainerSample *sample);

#endif
