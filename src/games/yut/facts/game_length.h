/* How many turns a game still takes, on average, when both play their best.
 *
 * Known values say which move is best; so the turns of a position are one, and the mean of those
 * that the positions after this turn still take. Sweeps over all positions, as in sweep.h but
 * without anything to choose, go on until the numbers stop changing. Of moves with equal values,
 * the one with the longer game counts.
 */
#ifndef MALPAN_GAMES_YUT_FACTS_GAME_LENGTH_H
#define MALPAN_GAMES_YUT_FACTS_GAME_LENGTH_H

#include "games/yut/facts/start_grid.h"

typedef struct GameLength {
    uint32_t *turns; /* [start_grid_index()]: parts of GAME_LENGTH_ONE */
    int sweeps;
} GameLength;

#define GAME_LENGTH_ONE (1u << 22)

/* How many bytes that takes beside the grid. */
Status game_length_bytes(const YutRules *rules, int threads, uint64_t *bytes);

/* Counts the turns: with one piece to about a thousandth of a turn, with two to a hundredth, with
 * three to a tenth. Only for players without animals. The outcome does not
 * depend on the number of threads. */
Status game_length_open(const StartGrid *grid, const SolveLimits *limits, GameLength *turns);
void game_length_close(GameLength *turns);

/* Of the position (own, other), with the owner about to throw: this turn and all that follow. */
static inline double game_length_turns(const GameLength *turns, const StartGrid *grid, uint32_t own,
                                       uint32_t other) {
    return (double)turns->turns[start_grid_index(grid, own, other)] / GAME_LENGTH_ONE;
}

#endif
