/* Optional part: the way a piece takes, so that it can be shown moving. */
#ifndef MALPAN_GAME_PATHS_H
#define MALPAN_GAME_PATHS_H

#include "game/game.h"

typedef struct GamePaths {
    /* Prints the squares that a piece passes with this move, or with a chance event that moves one:
     * their names, separated by spaces, from where it stands to where it stops. */
    void (*trace)(const Rules *rules, const State *before, Move move, Text *text);
} GamePaths;

#endif
