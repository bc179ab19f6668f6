/* The list of games. A new game is one folder and one line in games.c. */
#ifndef MALPAN_VALUES_REGISTRY_H
#define MALPAN_VALUES_REGISTRY_H

#include "game/variant.h"

size_t registry_count(void);

/* The game number `index`, in the order they are shown to people. */
const Game *registry_at(size_t index);

/* The game of that name, or an error that suggests the nearest one. */
Status registry_find(const char *name, const Game **game);

#endif
