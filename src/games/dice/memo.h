/* What is known of placings and turns already: a table from one 64-bit number to another. Where no
 * memory is to be had it forgets, which only costs time. */
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

/* False where the key is not known. A key is never 0. */
bool dice_memo_get(const DiceMemo *memo, uint64_t key, uint64_t *value);

/* Remembers what was not known before. */
void dice_memo_add(DiceMemo *memo, uint64_t key, uint64_t value);

/* Forgets all. */
void dice_memo_free(DiceMemo *memo);

#endif
