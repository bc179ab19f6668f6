/* Optional part: random moves without listing all of them, for fast playouts. */
#ifndef MALPAN_GAME_SAMPLER_H
#define MALPAN_GAME_SAMPLER_H

#include "base/random.h"
#include "game/game.h"

typedef struct GameSampler {
    /* Picks the very move that random_below would pick from the list of moves(). Returns how many
     * moves there are. */
    size_t (*pick)(const Rules *rules, const State *state, Random *random, Move *move);
} GameSampler;

#endif
