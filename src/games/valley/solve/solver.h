/* Solved King's Valley: a tablebase of codes, from a file or in memory, and solvers over it.
 *
 * The code of a position is the number of plies to the end under best play: odd if the side to move
 * wins, even if it loses, 0 if the game is endless. Codes are stored by rank (rank.h). Two kinds of
 * entries mean nothing and hold whatever compresses best: indices that are not used, and positions
 * with a win in one, which is quicker to see on the board.
 */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_SOLVER_H
#define MALPAN_GAMES_VALLEY_SOLVE_SOLVER_H

#include "games/valley/solve/unmove.h"
#include "games/valley/valley.h"
#include "table/table.h"

enum {
    VALLEY_ENDLESS_CODE = 0,
    VALLEY_LOST_IN_ONE = 255 /* possible only by the rule of the first move, so in no table */
};

static_assert((int)RETRO_PLIES_MAX < (int)VALLEY_LOST_IN_ONE, "no stored code means lost in one");

/* All codes of a variant. Threads may share one with codes in memory; one with a reader belongs to
 * one thread at a time, as the reader does. Owns neither. */
typedef struct ValleyTablebase {
    Ranking ranking;
    const uint8_t *codes; /* [block * block_size + index]; NULL: not in memory, then: */
    TableReader *reader;
} ValleyTablebase;

/* The following functions return a bare StatusCode, as verification calls them billions of times.
 * After a failure tablebase_failure returns the message. Codes in memory never fail. */

/* Looks up the code of a position in which the game is not over, `mover` to move. */
StatusCode tablebase_probe_board(const ValleyTablebase *tablebase, const ValleyBoard *board,
                                 int mover, uint32_t *code);

/* The same for a state. At the first ply only soldiers may move, which its code respects. */
StatusCode tablebase_probe_state(const ValleyTablebase *tablebase, const ValleyState *valley,
                                 uint32_t *code);

/* Derives the code of a position from those of the positions after its moves. */
StatusCode tablebase_derive_code(const ValleyTablebase *tablebase, const ValleyBoard *board,
                                 int mover, uint32_t *code);

/* Why the last probe failed. At least one must have failed. */
Status tablebase_failure(const ValleyTablebase *tablebase);

/* The value of a code to the side to move. */
double valley_value_of_code(uint32_t code);

/* Whether the table has one code for every index. STATUS_TABLE if not. */
Status valley_check_table(const Table *table, const Ranking *ranking);

/* Turns codes of the retrograde analysis into those of a tablebase, in place. They may be all, or
 * pieces in order: `last` is what this returned for the piece before, at first
 * VALLEY_ENDLESS_CODE. */
uint8_t tablebase_finish_codes(uint8_t codes[], size_t count, uint8_t last);

/* Opens a solver over a table, with a cache in the memory of the limits. The solver owns the table
 * and closes it; after a failure the caller still does. */
Status valley_solver_over_table(const Rules *rules, Table *table, const SolveLimits *limits,
                                Solver **solver);

/* Opens a solver that solves all positions now, in memory. */
Status valley_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver);

/* Whether there are few enough positions for that. STATUS_TABLE if a table is needed. */
Status valley_solver_check(const Rules *rules);

#endif
