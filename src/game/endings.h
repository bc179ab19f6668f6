/* Optional part: the ways in which a game can end, so that statistics can count them. */
#ifndef MALPAN_GAME_ENDINGS_H
#define MALPAN_GAME_ENDINGS_H

#include "game/game.h"

enum { GAME_ENDINGS_MAX = 8 };

typedef struct GameEndings {
    const Phrase *names;
    size_t count; /* at most GAME_ENDINGS_MAX */
    /* Which of them an ended game is. */
    size_t (*classify)(const Rules *rules, const State *end);
} GameEndings;

#endif
