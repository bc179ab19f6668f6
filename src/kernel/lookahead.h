/* Estimates by expectimax to the end of the turn, or of the next turns, for variants that are not
 * solved.
 *
 * Takes the best move of the player whose turn it is and the mean over chance events, down to where
 * the next turn begins or two more chance events have happened. There it asks for an estimate: the
 * game's own (game/estimate.h), or another one.
 *
 *     turns 1    root ... best move, chance, best move | estimate
 *     turns 2    root ... best move | the next player: chance, best move ... | estimate
 *
 * Thread safety: as a solver's; it belongs to one thread at a time.
 */
#ifndef MALPAN_KERNEL_LOOKAHEAD_H
#define MALPAN_KERNEL_LOOKAHEAD_H

#include "game/solver.h"

enum { LOOKAHEAD_TURNS_MAX = 3 };

typedef struct LookaheadPlan {
    int turns; /* from 1 to LOOKAHEAD_TURNS_MAX */
    /* Estimates a state's value to each player; NULL: the game's own estimate. */
    void (*estimate)(void *context, const State *state, double values[]);
    void *context;
} LookaheadPlan;

/* Opens a solver whose values are estimates. The caller frees it. STATUS_UNSUPPORTED for a game
 * without an estimate. With little memory the search is shallower. */
Status lookahead_new(const Variant *variant, const LookaheadPlan *plan, const SolveLimits *limits,
                     Solver **solver);

#endif
