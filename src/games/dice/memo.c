#include "games/dice/memo.h"

#include <stdlib.h>

enum { CAPACITY_FIRST = 1024 };

/* The entry of the key, or the empty entry where it belongs. */
static DiceMemoEntry *find(const DiceMemo *memo, uint64_t key) {
    const uint64_t scatter = 0x9e3779b97f4a7c15; /* 2^64 / golden ratio */
    size_t mask = memo->capacity - 1;
    size_t at = (size_t)(key * scatter >> 32) & mask;
    while (memo->entries[at].key != 0 && memo->entries[at].key != key)
        at = (at + 1) & mask;
    return &memo->entries[at];
}

bool dice_memo_get(const DiceMemo *memo, uint64_t key, uint64_t *value) {
    if (memo->capacity == 0)
        return false;
    const DiceMemoEntry *entry = find(memo, key);
    *value = entry->value;
    return entry->key == key;
}

/* Doubles the capacity; false if memory runs out. */
static bool grow(DiceMemo *memo) {
    DiceMemo larger = {.capacity = memo->capacity ? 2 * memo->capacity : CAPACITY_FIRST,
                       .count = memo->count};
    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < memo->capacity; i++)
        if (memo->entries[i].key != 0)
            *find(&larger, memo->entries[i].key) = memo->entries[i];
    free(memo->entries);
    *memo = larger;
    return true;
}

void dice_memo_add(DiceMemo *memo, uint64_t key, uint64_t value) {
    if (memo->count >= memo->capacity / 2 && !grow(memo))
        return;
    *find(memo, key) = (DiceMemoEntry){.key = key, .value = value};
    memo->count++;
}

void dice_memo_free(DiceMemo *memo) {
    free(memo->entries);
    *memo = (DiceMemo){.entries = NULL};
}
