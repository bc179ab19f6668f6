/* King's Valley for retrograde analysis (kernel/retrograde.h). */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_UNMOVE_H
#define MALPAN_GAMES_VALLEY_SOLVE_UNMOVE_H

#include "games/valley/solve/rank.h"
#include "kernel/retrograde.h"

typedef struct ValleyRetro {
    RetroGame base;
    Numbers numbers;
} ValleyRetro;

void valley_retro_init(ValleyRetro *retro, int soldiers);

#endif
