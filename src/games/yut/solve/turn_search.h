/* Values in the middle of a turn: expectimax over the remaining throws and moves.
 *
 * A throw continues while yut or mo come up; these are called extras (lists.h). Their number is
 * unlimited, so a search follows a limited number of them along each line of play. What is beyond
 * counts as any value between lost and won:
 *
 *     throw, 2 extras            value  = 7/8 * mean(played at once) + 1/8 * mean(with an extra)
 *        |-- do, gae, ... 7/8    played at once: the best move, with 2 extras after a catch
 *        '-- yut, mo      1/8    throw, 1 extra
 *                                   |-- do, gae, ...
 *                                   '-- yut, mo: throw, 0 extras ... cut off: an error of 1/8
 *
 * Each additional extra makes the error about eight times smaller. The search deepens until the
 * error is within the tolerance. Moves are compared with few extras first, and those that cannot be
 * best are not searched deeper. The comparison also stops when a move nearly wins.
 *
 * All results are remembered, with their errors. So queries about later states of the same turn
 * find most of their answer. A query about another turn clears the memory.
 *
 * Thread safety: a search belongs to one thread at a time.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_TURN_SEARCH_H
#define MALPAN_GAMES_YUT_SOLVE_TURN_SEARCH_H

#include "base/stop_flag.h"
#include "games/yut/solve/turn_map.h"

/* The values of the states in which a turn begins: one throw is due and nothing is in hand. */
typedef struct YutStarts {
    void *source;
    double error; /* no value is further from the true one than this */
    /* The value to the player who is about to throw. */
    Status (*value)(const struct YutStarts *starts, const YutState *state, double *value);
    void (*close)(struct YutStarts *starts);
} YutStarts;

typedef struct TurnSearch TurnSearch;

/* A search over `starts`, which must outlive it. It uses about `bytes_max` bytes. */
Status turn_search_open(const YutRules *rules, const YutStarts *starts, size_t bytes_max,
                        const StopFlag *stop, TurnSearch **search);
void turn_search_close(TurnSearch *search);

/* The value to the player whose turn it is, in a state with results in hand or throws due, to
 * within `tolerance`. If memory does not suffice for that, the search is less deep. value->error is
 * always a true bound; it does not include the error of `starts`. */
Status turn_search_value(TurnSearch *search, const YutState *state, double tolerance,
                         TurnValue *value);

#endif
