/* The expected number of turns left in a game between two perfect players.
 *
 * The known values determine the best move. So the turns of a position are one plus the mean over
 * the positions after this turn. Sweeps over all positions, as in sweep.h but without choices,
 * continue until the numbers stop changing. Among moves of equal value, the one with the longer
 * game counts.
 */
#ifndef MALPAN_GAMES_YUT_FACTS_GAME_LENGTH_H
#define MALPAN_GAMES_YUT_FACTS_GAME_LENGTH_H

#include "games/yut/facts/start_grid.h"

typedef struct GameLength {
    uint32_t *turns; /* [start_grid_index()]: in units of 1 / GAME_LENGTH_ONE */
    int sweeps;
} GameLength;

#define GAME_LENGTH_ONE (1u << 22)

/* How many bytes game_length_open needs besides the grid. */
Status game_length_bytes(const YutRules *rules, int threads, uint64_t *bytes);

/* Counts the turns: to about a thousandth of a turn with one piece, a hundredth with two, and a
 * tenth with three. Only for players without animals. The result does not depend on the number of
 * threads. */
Status game_length_open(const StartGrid *grid, const SolveLimits *limits, GameLength *turns);
void game_length_close(GameLength *turns);

/* The turns left in the position (own, other) with the owner about to throw, this turn included. */
static inline double game_length_turns(const GameLength *turns, const StartGrid *grid, uint32_t own,
                                       uint32_t other) {
    return (double)turns->turns[start_grid_index(grid, own, other)] / GAME_LENGTH_ONE;
}

#endif
