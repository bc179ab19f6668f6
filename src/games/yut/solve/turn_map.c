#include "games/yut/solve/turn_map.h"

#include <stdlib.h>

/* All of a state of two players, in two words. */
typedef struct Key {
    uint64_t pieces, rest; /* `rest` is 0 for no state */
} Key;

typedef struct TurnEntry {
    Key key;
    Known known;
} TurnEntry;

static Key key_of(const YutState *state) {
    Key key;
    static_assert(sizeof key.pieces == 2 * sizeof state->pieces[0], "two players");
    static_assert(sizeof key.rest == sizeof *state - offsetof(YutState, list), "all the rest");
    memcpy(&key.pieces, state->pieces, sizeof key.pieces);
    memcpy(&key.rest, state->list, sizeof key.rest);
    return key;
}

void turn_map_init(TurnMap *map, size_t bytes_max) {
    *map = (TurnMap){.bytes_max = bytes_max};
}

void turn_map_free(TurnMap *map) {
    free(map->entries);
    turn_map_init(map, map->bytes_max);
}

/* The entry of the key, or the empty one where it would go. */
static TurnEntry *entry_of(const TurnMap *map, Key key) {
    uint64_t hash = (key.pieces * 0x9E3779B97F4A7C15u ^ key.rest) * 0xD6E8FEB86659FD93u;
    size_t at = (size_t)(hash ^ hash >> 32) & (map->size - 1);
    while (map->entries[at].key.rest != 0 &&
           (map->entries[at].key.pieces != key.pieces || map->entries[at].key.rest != key.rest))
        at = (at + 1) & (map->size - 1);
    return &map->entries[at];
}

static bool grow(TurnMap *map) {
    TurnMap larger = {
        .size = map->size ? 2 * map->size : 1024, .count = map->count, .bytes_max = map->bytes_max};
    /* While growing, both are there. */
    if ((map->size + larger.size) * sizeof(TurnEntry) > map->bytes_max)
        return false;
    larger.entries = calloc(larger.size, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < map->size; i++)
        if (map->entries[i].key.rest != 0)
            *entry_of(&larger, map->entries[i].key) = map->entries[i];
    free(map->entries);
    *map = larger;
    return true;
}

const Known *turn_map_find(const TurnMap *map, const YutState *state) {
    if (map->size == 0)
        return NULL;
    const TurnEntry *entry = entry_of(map, key_of(state));
    return entry->key.rest != 0 ? &entry->known : NULL;
}

bool turn_map_put(TurnMap *map, const YutState *state, const Known *known) {
    if (2 * map->count >= map->size && !grow(map))
        return false;
    Key key = key_of(state);
    TurnEntry *entry = entry_of(map, key);
    map->count += entry->key.rest == 0;
    *entry = (TurnEntry){key, *known};
    return true;
}
