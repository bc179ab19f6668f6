/* Optional part: counting move paths faster than through the tree. */
#ifndef MALPAN_GAME_PERFT_H
#define MALPAN_GAME_PERFT_H

#include "game/game.h"

typedef struct GamePerft {
    /* The number of paths of `depth` steps from the state. */
    uint64_t (*count)(const Rules *rules, const State *state, int depth);
} GamePerft;

#endif
