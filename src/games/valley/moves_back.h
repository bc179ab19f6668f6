/* King's Valley for retrograde analysis (solve/retrograde.h). */
#ifndef MALPAN_GAMES_VALLEY_MOVES_BACK_H
#define MALPAN_GAMES_VALLEY_MOVES_BACK_H

#include "games/valley/numbers.h"
#include "solve/retrograde.h"

typedef struct ValleyRetro {
    RetroGame base;
    Numbers numbers;
} ValleyRetro;

void valley_retro_init(ValleyRetro *retro, int soldiers);

#endif
