/* Optional part: a static evaluation, for lookahead where nothing is solved. */
#ifndef MALPAN_GAME_ESTIMATE_H
#define MALPAN_GAME_ESTIMATE_H

#include "game/game.h"

typedef struct GameEstimate {
    /* Estimates the state's value to each player. At the end of the game it is the payoff. */
    void (*values)(const Rules *rules, const State *state, double values[]);
    /* May be NULL. The mean distance from the truth of a lookahead to the end of the turn that uses
     * such estimates, as measured on positions of this kind. 0 at the end of the game, and where it
     * is not known. */
    double (*typical_error)(const Rules *rules, const State *state);
    /* May be NULL. As `values`, but written by hand instead of learned: what a learned estimate is
     * measured against. */
    void (*plain)(const Rules *rules, const State *state, double values[]);
    /* May be NULL: the same values, faster where states resemble each other. `memory` keeps what
     * was computed of the last state; it has memory_bytes, aligned to 64, all zero before the first
     * call, and belongs to one thread and to these rules. */
    void (*values_near)(void *memory, const Rules *rules, const State *state, double values[]);
    size_t memory_bytes;
} GameEstimate;

#endif
