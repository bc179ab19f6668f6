#include "games/yut/solve/turn_map.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "games/yut/solve/grid.h"

enum { FIRST_SIZE = 1024 };

/* Kept to 24 bytes, because the number of entries limits the depth of a search. */
typedef struct TurnEntry {
    double value;
    float error;
    uint16_t own, other;
    uint8_t list[YUT_RESULTS];
    uint8_t owner; /* 1 + 4 * throws + turn; 0: the entry is empty */
    uint8_t extras;
} TurnEntry;

static_assert(sizeof(TurnEntry) == 24, "no padding");

static TurnEntry make_entry(const TurnState *state, const TurnValue *value) {
    assert(value->extras >= 0 && value->extras <= UINT8_MAX);
    TurnEntry entry = {.value = value->value,
                       .error = (float)value->error,
                       .own = state->own,
                       .other = state->other,
                       .owner = (uint8_t)(1 + 4 * state->throws + state->turn),
                       .extras = (uint8_t)value->extras};
    if (entry.error < value->error) /* round errors up */
        entry.error = nextafterf(entry.error, INFINITY);
    memcpy(entry.list, state->list, sizeof entry.list);
    return entry;
}

static bool is_empty(const TurnEntry *entry) {
    return entry->owner == 0;
}

static bool is_same(const TurnEntry *a, const TurnEntry *b) {
    return a->own == b->own && a->other == b->other && a->owner == b->owner &&
           memcmp(a->list, b->list, sizeof a->list) == 0;
}

static uint64_t hash_of(const TurnEntry *key) {
    uint64_t list = 0, placements = (uint64_t)key->own << 16 | key->other;
    memcpy(&list, key->list, sizeof key->list);
    list |= (uint64_t)key->owner << 56;
    uint64_t hash = (placements * 0x9E3779B97F4A7C15u ^ list) * 0xD6E8FEB86659FD93u;
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
    TurnEntry key = make_entry(state, &(TurnValue){.value = 0});
    if (map->size > 0)
        __builtin_prefetch(&map->entries[hash_of(&key) & (map->size - 1)]);
}

bool turn_map_find(const TurnMap *map, const TurnState *state, TurnValue *value) {
    if (map->size == 0)
        return false;
    TurnEntry key = make_entry(state, &(TurnValue){.value = 0});
    const TurnEntry *entry = find_entry(map, &key);
    if (is_empty(entry))
        return false;
    *value = (TurnValue){.value = entry->value, .error = entry->error, .extras = entry->extras};
    return true;
}

bool turn_map_put(TurnMap *map, const TurnState *state, const TurnValue *value) {
    if (4 * map->count >= 3 * map->size && !grow(map))
        return false;
    TurnEntry put = make_entry(state, value);
    TurnEntry *entry = find_entry(map, &put);
    map->count += is_empty(entry);
    *entry = put;
    return true;
}
