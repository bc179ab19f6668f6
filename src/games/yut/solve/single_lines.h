/* A full sweep over Yut with one piece each: the values of all starts after a turn of best play.
 *
 * A line is all starts of one player that differ only in its own square: 31 cells. One line is
 * solved at a time, for all lists of results in hand (lists.h) and all squares, shorter lists
 * first:
 *
 *     play[{}][c]  = the value when the turn ends with the piece on c
 *     play[L][c]   = the best of play[L - r][c after r], over the results r of L
 *     throw[L][c]  = the mean of play[L + r][c], or of throw[L + r][c] if r throws again
 *     start[c]     = throw[{}][c]
 *
 * A catch leads to another line, with one more piece waiting at the start. So lines with more
 * waiting pieces are solved first, and their throw[L] is stored. In teams, a piece that lands on
 * its partner moves on with it: the line of the stacked pair is solved before the others.
 *
 * Lists have a limited number of extras. For two sides, what is beyond counts as won for the upper
 * and as lost for the lower bound. For more sides it counts as won. In full sweeps that is exact
 * unless somebody has a pig: so many extras bring the piece home from anywhere.
 *
 * Thread safety: a SingleLines belongs to one thread, which shares the lines with its pool. A
 * thread writes its own workspace, the stored throws of its line, and its part of the result.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SINGLE_LINES_H
#define MALPAN_GAMES_YUT_SOLVE_SINGLE_LINES_H

#include "base/threads.h"
#include "games/yut/solve/single_turn.h"

typedef struct SingleLines SingleLines;

/* How long the lists are: with one extra at most, or as many as matter. */
typedef enum SingleReach { SINGLE_SHORT, SINGLE_FULL } SingleReach;

/* The chance that a throw has more extras than full sweeps follow, where that matters; else 0. */
double single_lines_cut(const SingleGame *game);

/* The memory that sweeps need, at most. */
size_t single_lines_bytes(const SingleGame *game, SingleReach reach, int threads);

/* The game must outlive it. */
Status single_lines_open(const SingleGame *game, SingleReach reach, int threads,
                         SingleLines **opened);
void single_lines_close(SingleLines *lines);

/* Called for the start with this index when its wave is done, by one of the threads. */
typedef void SingleCommit(void *context, size_t index, int thread);

/* Computes the value of every start from the game's values, into an array of the same shape. What
 * is not a start is left as it is.
 *
 * Lines are solved in waves: more waiting opponents first, then those whose opponents have the
 * least way left. `commit` (may be NULL) may change the game's values: a wave sees the changes of
 * the waves before it, but none of its own. */
Status single_lines_sweep(SingleLines *lines, ThreadPool *pool, const StopFlag *stop,
                          double *result, SingleCommit *commit, void *context);

#endif
