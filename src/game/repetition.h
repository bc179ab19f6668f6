/* Optional part: which states count as repetitions of each other. */
#ifndef MALPAN_GAME_REPETITION_H
#define MALPAN_GAME_REPETITION_H

#include "game/game.h"

typedef struct GameRepetition {
    /* Clears what has no bearing on the future, such as a move number. The moves stay the same. */
    void (*normalize)(const Rules *rules, State *state);
} GameRepetition;

#endif
