#include "kernel/state_map.h"

#include <stdlib.h>
#include <string.h>

void state_map_init(StateMap *map, size_t bytes_max) {
    *map = (StateMap){.bytes_max = bytes_max};
}

void state_map_free(StateMap *map) {
    free(map->states);
    free(map->slots);
    *map = (StateMap){.bytes_max = map->bytes_max};
}

void state_map_clear(StateMap *map) {
    const size_t spare = 8; /* larger tables are freed: clearing must cost no more than filling */
    if (map->slot_count == 0 || map->slot_count / spare > map->count) {
        state_map_free(map);
        return;
    }
    memset(map->slots, 0, map->slot_count * sizeof *map->slots);
    map->count = 0;
}

static uint64_t hash_state(const State *state) {
    uint64_t words[GAME_STATE_BYTES / 8];
    uint64_t h = 0x9E3779B97F4A7C15u;
    memcpy(words, state, sizeof words);
    for (size_t i = 0; i < GAME_STATE_BYTES / 8; i++) {
        h = (h ^ words[i]) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
    }
    return h;
}

/* The slot that holds the state, or the empty slot where it belongs. */
static size_t slot_of(const StateMap *map, const State *state) {
    size_t mask = map->slot_count - 1;
    size_t slot = (size_t)hash_state(state) & mask;
    while (map->slots[slot] != 0 &&
           memcmp(&map->states[map->slots[slot] - 1], state, sizeof *state) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

uint32_t state_map_find(const StateMap *map, const State *state) {
    if (map->count == 0)
        return STATE_MAP_NONE;
    uint32_t held = map->slots[slot_of(map, state)];
    return held ? held - 1 : STATE_MAP_NONE;
}

static bool grow_map(StateMap *map) {
    size_t capacity = map->capacity ? 2 * map->capacity : 1024;
    size_t slot_count = 2 * capacity;
    /* While growing, the old arrays may exist alongside the new ones. */
    if (capacity >= STATE_MAP_NONE ||
        3 * (capacity * sizeof(State) + slot_count * sizeof(uint32_t)) / 2 > map->bytes_max)
        return false;
    map->is_starved = true; /* unless both succeed */
    State *states = realloc(map->states, capacity * sizeof *states);
    if (!states)
        return false;
    map->states = states;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return false;
    map->is_starved = false;
    free(map->slots);
    map->slots = slots;
    map->slot_count = slot_count;
    map->capacity = capacity;
    for (size_t i = 0; i < map->count; i++)
        map->slots[slot_of(map, &map->states[i])] = (uint32_t)i + 1;
    return true;
}

uint32_t state_map_add(StateMap *map, const State *state, bool *added) {
    *added = false;
    uint32_t number = state_map_find(map, state);
    if (number != STATE_MAP_NONE)
        return number;
    if (map->count == map->capacity && !grow_map(map))
        return STATE_MAP_NONE;
    number = (uint32_t)map->count++;
    map->states[number] = *state;
    map->slots[slot_of(map, state)] = number + 1;
    *added = true;
    return number;
}
