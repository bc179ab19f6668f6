/* Optional part: move numbers that mean the same at every position, so that a learner can use them
 * as the actions of the game. */
#ifndef MALPAN_GAME_MOVE_IDS_H
#define MALPAN_GAME_MOVE_IDS_H

#include "game/game.h"

typedef struct GameMoveIds {
    /* All moves and chance events under these rules are below this number. */
    uint32_t (*bound)(const Rules *rules);
} GameMoveIds;

#endif
