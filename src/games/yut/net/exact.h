/* Exact values of duels as targets of learning: one array with all positions in which a turn begins
 * and each player has at most a given number of pieces left.
 *
 * A game with more pieces, some of which are home, is the same game: four pieces each, one of each
 * side home, have the values of three pieces each.
 *
 * Thread safety: nothing changes after exact_open.
 */
#ifndef MALPAN_GAMES_YUT_NET_EXACT_H
#define MALPAN_GAMES_YUT_NET_EXACT_H

#include "game/services.h"
#include "games/yut/solve/placements.h"

typedef struct ExactValues {
    int pieces;
    uint32_t forbidden; /* bit q: no piece stays on square q, by a house rule */
    Placements placements;
    float *values; /* [rank of the other's placement * count + rank of the thrower's] */
} ExactValues;

/* Reads the values of three pieces each under these rules, if their table exists; otherwise of two,
 * which are solved now. The caller closes it. */
Status exact_open(const YutRules *rules, const GameServices *services, const SolveLimits *limits,
                  ExactValues *exact);
void exact_close(ExactValues *exact);

/* The value to the player about to throw, if it is known. */
bool exact_find(const ExactValues *exact, const YutRules *rules, const YutState *state,
                double *value);

/* Draws a position with a known value in which nobody has won and each player has at most `left`
 * pieces that are not home. `state` belongs to rules with YUT_PIECES_MAX pieces. Uniform if `left`
 * is exact->pieces. Returns the address of the value, which is probably not in the caches: to draw
 * many, prefetch them and read them later. */
const float *exact_draw(const ExactValues *exact, int left, Random *random, YutState *state);

/* The same, but pieces wait or are home as often as in games; uniform, most are on the board. */
const float *exact_draw_scattered(const ExactValues *exact, Random *random, YutState *state);

/* What a position is for. Those for validation and for tests are held out, never learned from: on
 * the former, networks and ways of learning are compared and chosen; the errors that are stated are
 * measured on the latter, by which nothing was chosen. */
typedef enum ExactPart { EXACT_LEARNING, EXACT_VALIDATION, EXACT_TEST } ExactPart;

/* One position in 64 is for validation and one for tests, among those in which both players have a
 * piece on the board. `pieces` each; the others are home. */
ExactPart exact_part(int pieces, const YutState *state);

#endif
