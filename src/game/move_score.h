/* Optional part: a heuristic that scores moves rather than positions. */
#ifndef MALPAN_GAME_MOVE_SCORE_H
#define MALPAN_GAME_MOVE_SCORE_H

#include "game/game.h"

typedef struct GameMoveScore {
    /* The score to the player who moves; 0 for a move that is neither good nor bad. */
    double (*score)(const Rules *rules, const State *state, Move move);
} GameMoveScore;

#endif
