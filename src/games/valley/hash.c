#include "games/valley/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKET = 4,
    CACHE_LINE = 64,
    GENERATIONS = 256
}; /* slots that a key may be in: one line of the cache */

static HashSlot *bucket_of(const Hash *hash, uint64_t key) {
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    return hash->slots + (key * golden >> (64 - hash->bucket_bits)) * BUCKET;
}

/* score 16 bits, depth 8, bound 2, move 10, generation 8. */
static uint64_t pack(HashEntry entry, unsigned generation) {
    return (uint64_t)(uint16_t)entry.score | (uint64_t)entry.depth << 16 |
           (uint64_t)entry.bound << 24 | (uint64_t)entry.move << 26 | (uint64_t)generation << 36;
}

static HashEntry unpack(uint64_t data) {
    return (HashEntry){.score = (int16_t)(data & 0xffff),
                       .depth = (int)(data >> 16 & 0xff),
                       .bound = (HashBound)(data >> 24 & 3),
                       .move = (Move)(data >> 26 & 0x3ff)};
}

static size_t slot_count(const Hash *hash) {
    return (size_t)BUCKET << hash->bucket_bits;
}

bool hash_open(Hash *hash, size_t bytes) {
    const size_t bucket = BUCKET * sizeof(HashSlot);
    *hash = (Hash){.bucket_bits = 1};
    while (bucket << (hash->bucket_bits + 1) <= bytes)
        hash->bucket_bits++;
    hash->slots = aligned_alloc(CACHE_LINE, slot_count(hash) * sizeof(HashSlot));
    if (hash->slots)
        hash_clear(hash);
    return hash->slots;
}

void hash_close(Hash *hash) {
    free(hash->slots);
    hash->slots = NULL;
}

void hash_clear(Hash *hash) {
    memset((void *)hash->slots, 0, slot_count(hash) * sizeof(HashSlot));
}

void hash_age(Hash *hash) {
    hash->generation = (hash->generation + 1) % GENERATIONS;
}

/* How much an entry is worth keeping: what is new and took long. */
static int worth_of(const Hash *hash, uint64_t data) {
    bool is_new = (data >> 36) % GENERATIONS == hash->generation;
    return unpack(data).depth + (is_new ? GENERATIONS : 0);
}

void hash_prefetch(const Hash *hash, uint64_t key) {
    __builtin_prefetch(bucket_of(hash, key));
}

HashEntry hash_read(const Hash *hash, uint64_t key) {
    const HashSlot *slots = bucket_of(hash, key);
    for (int i = 0; i < BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t both = atomic_load_explicit(&slots[i].key_and_data, memory_order_relaxed);
        if ((both ^ data) == key)
            return unpack(data);
    }
    return (HashEntry){.bound = HASH_NONE};
}

/* Over the same position, an empty slot, or else the one least worth keeping. */
void hash_write(Hash *hash, uint64_t key, HashEntry entry) {
    HashSlot *slots = bucket_of(hash, key), *chosen = slots;
    int least = INT32_MAX;
    for (int i = 0; i < BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t both = atomic_load_explicit(&slots[i].key_and_data, memory_order_relaxed);
        if ((both ^ data) == key || data == 0) {
            chosen = &slots[i];
            break;
        }
        int worth = worth_of(hash, data);
        if (worth < least) {
            least = worth;
            chosen = &slots[i];
        }
    }
    uint64_t data = pack(entry, hash->generation);
    atomic_store_explicit(&chosen->data, data, memory_order_relaxed);
    atomic_store_explicit(&chosen->key_and_data, key ^ data, memory_order_relaxed);
}
