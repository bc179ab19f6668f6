#include "games/valley/search/transposition.h"

#include <assert.h>
#include <stdlib.h>

#include "game/search.h"

enum {
    BUCKET = 4, /* slots that a key may be in */
    CACHE_LINE = 64,
    GENERATIONS = 256,
    SCORE_BITS = 16,
    DEPTH_SHIFT = SCORE_BITS,
    BOUND_SHIFT = DEPTH_SHIFT + 8,
    MOVE_SHIFT = BOUND_SHIFT + 2,
    GENERATION_SHIFT = MOVE_SHIFT + 10
};

static_assert(BUCKET * sizeof(TranspositionSlot) == CACHE_LINE, "a bucket is one cache line");
static_assert(SEARCH_DEPTH_MAX < 1 << (BOUND_SHIFT - DEPTH_SHIFT), "a depth fits its field");
static_assert(GENERATION_SHIFT + 8 <= 64, "an entry fits one word");

static TranspositionSlot *find_bucket(const TranspositionTable *table, uint64_t key) {
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    return table->slots + (key * golden >> (64 - table->bucket_bits)) * BUCKET;
}

/* From the lowest bit: score 16 bits, depth 8, bound 2, move 10, generation 8. An entry is never 0,
 * as its bound is not BOUND_NONE; a word of 0 is an empty slot. */
static uint64_t pack(TranspositionEntry entry, unsigned generation) {
    assert(entry.bound != BOUND_NONE && entry.depth >= 0 && entry.depth <= SEARCH_DEPTH_MAX);
    assert(entry.score >= INT16_MIN && entry.score <= INT16_MAX && entry.move < 1u << 10);
    return (uint64_t)(uint16_t)entry.score | (uint64_t)entry.depth << DEPTH_SHIFT |
           (uint64_t)entry.bound << BOUND_SHIFT | (uint64_t)entry.move << MOVE_SHIFT |
           (uint64_t)generation << GENERATION_SHIFT;
}

static TranspositionEntry unpack(uint64_t data) {
    return (TranspositionEntry){.score = (int16_t)(data & 0xffff),
                                .depth = (int)(data >> DEPTH_SHIFT & 0xff),
                                .bound = (Bound)(data >> BOUND_SHIFT & 3),
                                .move = (Move)(data >> MOVE_SHIFT & 0x3ff)};
}

bool transposition_open(TranspositionTable *table, size_t bytes) {
    const size_t bucket = BUCKET * sizeof(TranspositionSlot);
    *table = (TranspositionTable){.bucket_bits = 1};
    while (bucket << (table->bucket_bits + 1) <= bytes)
        table->bucket_bits++;
    table->memory = calloc((bucket << table->bucket_bits) + CACHE_LINE, 1);
    if (!table->memory)
        return false;
    uintptr_t skip = -(uintptr_t)table->memory % CACHE_LINE;
    table->slots = (TranspositionSlot *)((char *)table->memory + skip);
    return true;
}

void transposition_close(TranspositionTable *table) {
    free(table->memory);
    *table = (TranspositionTable){.slots = NULL};
}

void transposition_new_search(TranspositionTable *table) {
    table->generation = (table->generation + 1) % GENERATIONS;
}

/* The slot with the lowest value is replaced first: old entries before new, shallow before deep. */
static int keep_value(const TranspositionTable *table, uint64_t data) {
    bool is_new = (data >> GENERATION_SHIFT) % GENERATIONS == table->generation;
    return unpack(data).depth + (is_new ? GENERATIONS : 0);
}

/* Mixes the bits of an entry, so that different entries give unrelated words. */
static uint64_t scramble(uint64_t data) {
    data = (data ^ data >> 31) * 0xbf58476d1ce4e5b9u;
    return data ^ data >> 29;
}

TranspositionEntry transposition_probe(const TranspositionTable *table, uint64_t key) {
    const TranspositionSlot *slots = find_bucket(table, key);
    for (int i = 0; i < BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t guarded = atomic_load_explicit(&slots[i].guarded_key, memory_order_relaxed);
        if ((guarded ^ scramble(data)) == key)
            return unpack(data);
    }
    return (TranspositionEntry){.bound = BOUND_NONE};
}

void transposition_store(TranspositionTable *table, uint64_t key, TranspositionEntry entry) {
    TranspositionSlot *slots = find_bucket(table, key), *chosen = slots;
    int least = INT32_MAX; /* the lowest value so far */
    for (int i = 0; i < BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t guarded = atomic_load_explicit(&slots[i].guarded_key, memory_order_relaxed);
        if ((guarded ^ scramble(data)) == key || data == 0) {
            chosen = &slots[i];
            break;
        }
        int value = keep_value(table, data);
        if (value < least) {
            least = value;
            chosen = &slots[i];
        }
    }
    uint64_t data = pack(entry, table->generation);
    atomic_store_explicit(&chosen->data, data, memory_order_relaxed);
    atomic_store_explicit(&chosen->guarded_key, key ^ scramble(data), memory_order_relaxed);
}
