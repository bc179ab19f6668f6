/* A set of states, each with a number from 0 up in the order they were added. */
#ifndef MALPAN_KERNEL_STATE_MAP_H
#define MALPAN_KERNEL_STATE_MAP_H

#include "game/variant.h"

typedef struct StateMap {
    State *states; /* states[i] is the one numbered i */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* number + 1 of the state hashed there, 0 for none; half of them stay empty */
    size_t slot_count;
    size_t bytes_max;
} StateMap;

#define STATE_MAP_NONE UINT32_MAX

/* An empty map that will not grow beyond about `bytes_max` bytes. */
void state_map_init(StateMap *map, size_t bytes_max);
void state_map_free(StateMap *map);

/* Empties the map. Keeps its memory for the next states, unless it is much more than the states now
 * in it have needed. */
void state_map_clear(StateMap *map);

/* The state's number, or STATE_MAP_NONE. */
uint32_t state_map_find(const StateMap *map, const State *state);

/* Adds a state that may be there already; its number, or STATE_MAP_NONE when there is no room. */
uint32_t state_map_add(StateMap *map, const State *state, bool *added);

#endif
