/* Solved King's Valley: values by the codes of all positions, from a table or from memory.
 *
 * A code is the number of plies to the end, won if that is odd; 0 is endless. Where whoever moves
 * can win on the spot, and at places that are no positions, a code means nothing: it is whatever
 * packs best. */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_SOLVER_H
#define MALPAN_GAMES_VALLEY_SOLVE_SOLVER_H

#include "games/valley/solve/unmove.h"
#include "games/valley/valley.h"
#include "table/table.h"

enum {
    VALLEY_ENDLESS_CODE = 0,
    VALLEY_LOST_IN_ONE = 255 /* only by the rule of the first move, so in no table */
};

/* Where codes come from. */
typedef struct ValleyCodes {
    Numbers numbers;
    const uint8_t *bytes; /* of all places in memory; or NULL, then: */
    TableReader *reader;
} ValleyCodes;

/* The functions that look codes up return a bare StatusCode, as verifying calls them billions of
 * times. After a failure valley_codes_failure has the message; codes in memory never fail. */

/* The code of a position in which the game goes on, `mover` to move. */
StatusCode valley_code(const ValleyCodes *codes, const ValleyBoard *board, int mover,
                       uint32_t *code);

/* The same for a state: at the first move only what soldiers can do counts. */
StatusCode valley_state_code(const ValleyCodes *codes, const ValleyState *valley, uint32_t *code);

/* What the code has to be by those of the positions after each move. */
StatusCode valley_code_by_moves(const ValleyCodes *codes, const ValleyBoard *board, int mover,
                                uint32_t *code);

/* Why the last lookup failed. */
Status valley_codes_failure(const ValleyCodes *codes);

/* What a code is worth to whoever moves. */
double valley_value_of_code(uint32_t code);

/* A solver over a table, which it closes when it is freed; not when this fails. */
Status valley_solver_over_table(const Rules *rules, Table *table, Solver **solver);

/* Whether the table has a code for every place. */
Status valley_check_table(const Table *table, const Numbers *numbers);

/* The codes as they are stored, of what retrograde analysis found; in place. */
void valley_codes_finish(uint8_t codes[], size_t count);

/* A solver that solves all positions now. */
Status valley_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver);
/* Whether there are few enough of them for that. */
Status valley_solver_check(const Rules *rules);

#endif
