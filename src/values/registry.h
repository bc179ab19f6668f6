/* The list of games. A new game is one folder and one line in registry.c. Constant data: any thread
 * may call these functions. */
#ifndef MALPAN_VALUES_REGISTRY_H
#define MALPAN_VALUES_REGISTRY_H

#include "game/variant.h"

size_t registry_count(void);

/* Game number `index`, in the order in which games are listed. */
const Game *registry_at(size_t index);

/* Finds a game by name. STATUS_USAGE, with a suggestion, if there is none. */
Status registry_find(const char *name, const Game **game);

#endif
