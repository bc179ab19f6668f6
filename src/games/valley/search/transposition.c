#include "games/valley/search/transposition.h"

#include <stdlib.h>

enum {
    BUCKET = 4, /* slots that a key may be in: one line of the cache */
    CACHE_LINE = 64,
    GENERATIONS = 256
};

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

/* Memory that nobody has written to is zero, which is no entry; it is not touched before. */
bool hash_open(Hash *hash, size_t bytes) {
    const size_t bucket = BUCKET * sizeof(HashSlot);
    *hash = (Hash){.bucket_bits = 1};
    while (bucket << (hash->bucket_bits + 1) <= bytes)
        hash->bucket_bits++;
    hash->memory = calloc((bucket << hash->bucket_bits) + CACHE_LINE, 1);
    if (!hash->memory)
        return false;
    uintptr_t skip = -(uintptr_t)hash->memory % CACHE_LINE;
    hash->slots = (HashSlot *)((char *)hash->memory + skip);
    return true;
}

void hash_close(Hash *hash) {
    free(hash->memory);
    *hash = (Hash){.slots = NULL};
}

void hash_age(Hash *hash) {
    hash->generation = (hash->generation + 1) % GENERATIONS;
}

/* How much an entry is worth keeping: what is new and took long. */
static int worth_of(const Hash *hash, uint64_t data) {
    bool is_new = (data >> 36) % GENERATIONS == hash->generation;
    return unpack(data).depth + (is_new ? GENERATIONS : 0);
}

/* An image of the data that differs in about half of its bits from that of any other. */
static uint64_t scramble(uint64_t data) {
    data = (data ^ data >> 31) * 0xbf58476d1ce4e5b9u;
    return data ^ data >> 29;
}

HashEntry hash_read(const Hash *hash, uint64_t key) {
    const HashSlot *slots = bucket_of(hash, key);
    for (int i = 0; i < BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        uint64_t guarded = atomic_load_explicit(&slots[i].guarded_key, memory_order_relaxed);
        if ((guarded ^ scramble(data)) == key)
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
        uint64_t guarded = atomic_load_explicit(&slots[i].guarded_key, memory_order_relaxed);
        if ((guarded ^ scramble(data)) == key || data == 0) {
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
    atomic_store_explicit(&chosen->guarded_key, key ^ scramble(data), memory_order_relaxed);
}
