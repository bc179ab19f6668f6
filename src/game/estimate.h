/* Optional part: a static evaluation, for lookahead where nothing is solved. */
#ifndef MALPAN_GAME_ESTIMATE_H
#define MALPAN_GAME_ESTIMATE_H

#include "game/game.h"

typedef struct GameEstimate {
    /* Estimates the state's value to each player. At the end of the game it is the payoff. */
    void (*values)(const Rules *rules, const State *state, double values[]);
} GameEstimate;

#endif
