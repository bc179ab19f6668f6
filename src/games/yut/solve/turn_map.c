#include "games/yut/solve/turn_map.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "games/yut/solve/grid.h"

enum { FIRST_SIZE = 1024 };

/* Kept to 24 bytes, because the number of entries limits the depth of a search. A key is a word and
 * two placements; the extras are beside it in the same word:
 *
 *     bits 0-47: list   48-50: throws   51: turn   56-63: extras (not part of the key)
 *
 * No key has a word of 0: a result is in hand or a throw is due. */
typedef struct TurnEntry {
    uint64_t word; /* 0: the entry is empty */
    double value;
    uint32_t placements; /* own and other */
    float error;
} TurnEntry;

static_assert(sizeof(TurnEntry) == 24, "no padding");

enum { THROWS_SHIFT = 48, THROWS_BITS = 3, TURN_SHIFT = 51, EXTRAS_SHIFT = 56 };

static const uint64_t key_mask = ((uint64_t)1 << EXTRAS_SHIFT) - 1;

/* An entry with nothing but its key. */
static TurnEntry key_of(const TurnState *state) {
    assert(state->throws < 1 << THROWS_BITS);
    static_assert(YUT_RESULTS * 8 <= THROWS_SHIFT, "the list is below");
    uint64_t word =
        state->list | (uint64_t)state->throws << THROWS_SHIFT | (uint64_t)state->turn << TURN_SHIFT;
    return (TurnEntry){.word = word, .placements = (uint32_t)state->own << 16 | state->other};
}

static bool is_empty(const TurnEntry *entry) {
    return entry->word == 0;
}

static bool is_same(const TurnEntry *a, const TurnEntry *b) {
    return ((a->word ^ b->word) & key_mask) == 0 && a->placements == b->placements;
}

static uint64_t hash_of(const TurnEntry *key) {
    uint64_t word = key->word & key_mask;
    uint64_t hash = (key->placements * 0x9E3779B97F4A7C15u ^ word) * 0xD6E8FEB86659FD93u;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 32;
}

/* The entry with this key, or the empty entry where it belongs. */
static TurnEntry *find_entry(const TurnMap *map, const TurnEntry *key) {
    size_t at = (size_t)hash_of(key) & (map->size - 1);
    while (!is_empty(&map->entries[at]) && !is_same(&map->entries[at], key))
        at = (at + 1) & (map->size - 1);
    return &map->entries[at];
}

void turn_map_init(TurnMap *map, size_t bytes_max) {
    *map = (TurnMap){.bytes_max = bytes_max};
}

void turn_map_free(TurnMap *map) {
    grid_free(map->entries);
    turn_map_init(map, map->bytes_max);
}

/* Frees a table that is mostly empty: clearing it would take longer than filling a new one. */
void turn_map_clear(TurnMap *map) {
    if (map->size > FIRST_SIZE && map->count < map->size / 8) {
        turn_map_free(map);
        return;
    }
    if (map->entries)
        memset(map->entries, 0, map->size * sizeof *map->entries);
    map->count = 0;
}

static bool grow(TurnMap *map) {
    TurnMap larger = {.size = map->size ? 2 * map->size : FIRST_SIZE,
                      .count = map->count,
                      .bytes_max = map->bytes_max};
    /* Both tables exist while entries are copied. */
    if ((map->size + larger.size) * sizeof(TurnEntry) > map->bytes_max)
        return false;
    larger.entries = grid_new(larger.size * sizeof *larger.entries);
    if (!larger.entries)
        return false;
    memset(larger.entries, 0, larger.size * sizeof *larger.entries);
    for (size_t i = 0; i < map->size; i++)
        if (!is_empty(&map->entries[i]))
            *find_entry(&larger, &map->entries[i]) = map->entries[i];
    grid_free(map->entries);
    *map = larger;
    return true;
}

void turn_map_prefetch(const TurnMap *map, const TurnState *state) {
    TurnEntry key = key_of(state);
    if (map->size > 0)
        __builtin_prefetch(&map->entries[hash_of(&key) & (map->size - 1)]);
}

bool turn_map_find(const TurnMap *map, const TurnState *state, TurnValue *value) {
    if (map->size == 0)
        return false;
    TurnEntry key = key_of(state);
    const TurnEntry *entry = find_entry(map, &key);
    if (is_empty(entry))
        return false;
    *value = (TurnValue){
        .value = entry->value, .error = entry->error, .extras = (int)(entry->word >> EXTRAS_SHIFT)};
    return true;
}

bool turn_map_put(TurnMap *map, const TurnState *state, const TurnValue *value) {
    assert(value->extras >= 0 && value->extras <= UINT8_MAX);
    /* Half full is fastest; if there is no memory for that, three quarters full. */
    if (2 * map->count >= map->size && !grow(map) && 4 * map->count >= 3 * map->size)
        return false;
    TurnEntry put = key_of(state);
    TurnEntry *entry = find_entry(map, &put);
    map->count += is_empty(entry);
    put.word |= (uint64_t)value->extras << EXTRAS_SHIFT;
    put.value = value->value;
    put.error = (float)value->error;
    if (put.error < value->error) /* round errors up */
        put.error = nextafterf(put.error, INFINITY);
    *entry = put;
    return true;
}
