/* What a search remembers of positions: a table of fixed size that any number of threads read and
 * write without locks. Keys are whole positions (fold.h), so an entry is never taken for another
 * position's. An entry is two words: what is known, and the key xored with a scrambled image of
 * that; where two threads wrote one half each, the words fit no key, but for one chance in 2^60. */
#ifndef MALPAN_GAMES_VALLEY_SEARCH_TRANSPOSITION_H
#define MALPAN_GAMES_VALLEY_SEARCH_TRANSPOSITION_H

#include <stdatomic.h>
#include <stddef.h>

#include "game/variant.h"

typedef enum HashBound { HASH_NONE, HASH_AT_LEAST, HASH_AT_MOST, HASH_EXACT } HashBound;

typedef struct HashEntry {
    int score;       /* as seen from the position itself */
    int depth;       /* plies that were looked through below it */
    HashBound bound; /* HASH_NONE: nothing is known of the position */
    Move move;       /* the best, in the coordinates of the key; 0 for none */
} HashEntry;

typedef struct HashSlot {
    _Atomic uint64_t guarded_key, data;
} HashSlot;

typedef struct Hash {
    void *memory;
    HashSlot *slots; /* in it, at a line of the cache */
    int bucket_bits;
    unsigned generation; /* entries of earlier ones give way first */
} Hash;

/* A table of at most `bytes`; false when there is no memory. */
bool hash_open(Hash *hash, size_t bytes);
void hash_close(Hash *hash);

/* What is in the table is old from now on. */
void hash_age(Hash *hash);

HashEntry hash_read(const Hash *hash, uint64_t key);
void hash_write(Hash *hash, uint64_t key, HashEntry entry);

#endif
