/* A full sweep over Yut with one piece each: the values of all starts after a turn of best play.
 *
 * Starts are solved line by line (single_line.h), side by side on a pool of threads. A catch leads
 * to a line with one more piece waiting at the start, so lines with more waiting pieces are solved
 * first.
 *
 * Thread safety: a SingleLines belongs to one thread, which shares the lines with its pool. A
 * thread writes its own workspace, the stored throws of its line, and its part of the result.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SINGLE_LINES_H
#define MALPAN_GAMES_YUT_SOLVE_SINGLE_LINES_H

#include "base/threads.h"
#include "games/yut/solve/single_line.h"

typedef struct SingleLines SingleLines;

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
