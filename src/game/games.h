/* The list of games. A new game is one folder and one line in games.c. */
#ifndef MALPAN_GAME_GAMES_H
#define MALPAN_GAME_GAMES_H

#include "game/game.h"

size_t games_count(void);

/* The game number `index`, in the order they are shown to people. */
const Game *games_at(size_t index);

/* The game of that name, or an error that suggests the nearest one. */
Status games_find(const char *name, const Game **game);

#endif
