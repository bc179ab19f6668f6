/* King's Valley for retrograde analysis (kernel/retrograde.h): initial codes and unmoves. */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_UNMOVE_H
#define MALPAN_GAMES_VALLEY_SOLVE_UNMOVE_H

#include "games/valley/solve/rank.h"
#include "kernel/retrograde.h"

typedef struct ValleyRetrograde {
    RetroGame base;
    Ranking ranking;
} ValleyRetrograde;

/* Fills it for so many soldiers a side. Constant afterwards; threads may share it. */
void valley_retrograde_init(ValleyRetrograde *retro, int soldiers);

#endif
