/* Optional part of a game whose chance events do not depend on the moves: every sequence of events
 * a game can bring, and the score of best play for each. One such sequence is an input. */
#ifndef MALPAN_GAME_INPUTS_H
#define MALPAN_GAME_INPUTS_H

#include "game/game.h"

typedef struct GameInputs {
    uint64_t (*count)(const Rules *rules);
    /* Prints the input of that number. */
    void (*print)(const Rules *rules, uint64_t index, Text *text);
    /* The payoff of each input, in order. The caller frees the array. */
    Status (*scores)(const Rules *rules, int16_t **scores);
} GameInputs;

#endif
