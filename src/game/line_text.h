/* Optional part: a move in words as part of a line, where earlier moves of the line give it meaning
 * (which piece it is, for instance). */
#ifndef MALPAN_GAME_LINE_TEXT_H
#define MALPAN_GAME_LINE_TEXT_H

#include "game/game.h"

typedef struct GameLineText {
    /* Describes the last of `count` consecutive moves starting at `first`. */
    void (*narrate)(const Rules *rules, const State *first, const Move moves[], size_t count,
                    Lang lang, Text *text);
} GameLineText;

#endif
