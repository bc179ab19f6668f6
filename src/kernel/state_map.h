/* A hash set of states, numbered from 0 in the order in which they were added.
 *
 * Thread safety: a map belongs to one thread at a time. */
#ifndef MALPAN_KERNEL_STATE_MAP_H
#define MALPAN_KERNEL_STATE_MAP_H

#include "game/variant.h"

typedef struct StateMap {
    State *states; /* states[i] has number i */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* open addressing: number + 1 of a state, 0 if empty; at most half full */
    size_t slot_count;
    size_t bytes_max;
    bool is_starved; /* there was no room because the system has no memory, not by the limit */
} StateMap;

#define STATE_MAP_NONE UINT32_MAX

/* Initializes an empty map that will use at most about `bytes_max` bytes. */
void state_map_init(StateMap *map, size_t bytes_max);
void state_map_free(StateMap *map);

/* Empties the map. Keeps its memory for the next states, unless it is much more than the current
 * states needed. */
void state_map_clear(StateMap *map);

/* The state's number, or STATE_MAP_NONE. */
uint32_t state_map_find(const StateMap *map, const State *state);

/* Finds or adds a state. Returns its number, or STATE_MAP_NONE if there is no room. */
uint32_t state_map_add(StateMap *map, const State *state, bool *added);

#endif
