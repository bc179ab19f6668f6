/* Optional part: how many ways there are to place the pieces, legal or not. */
#ifndef MALPAN_GAME_CENSUS_H
#define MALPAN_GAME_CENSUS_H

#include "base/random.h"
#include "game/game.h"

typedef struct GameCensus {
    uint64_t (*placements)(const Rules *rules);
    /* Draws a placement uniformly at random. Returns whether it is legal. */
    bool (*draw)(const Rules *rules, Random *random);
    uint64_t (*legal)(const Rules *rules);       /* how many placements are legal, exactly */
    uint64_t (*in_progress)(const Rules *rules); /* and not the end of a game */
} GameCensus;

#endif
