/* A hash table from 64-bit keys to 64-bit values. If memory runs out it stops storing, which only
 * costs time. */
#ifndef MALPAN_GAMES_DICE_MEMO_H
#define MALPAN_GAMES_DICE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct DiceMemoEntry {
    uint64_t key, value;
} DiceMemoEntry;

typedef struct DiceMemo {
    DiceMemoEntry *entries;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} DiceMemo;

/* Looks a key up; false if it is absent. A key is never 0. */
bool dice_memo_get(const DiceMemo *memo, uint64_t key, uint64_t *value);

/* Adds a key that is not present. */
void dice_memo_add(DiceMemo *memo, uint64_t key, uint64_t value);

/* Empties the table and frees its memory. */
void dice_memo_free(DiceMemo *memo);

#endif
