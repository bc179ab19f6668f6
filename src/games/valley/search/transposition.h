/* The transposition table: what the search has found out about positions, by their canonical key.
 *
 * The key is the whole position (symmetry.h), so an entry is never mistaken for another position's.
 * Four slots share a cache line and form a bucket; a key may be in any slot of its bucket. Memory
 * is zeroed by the operating system and touched only where entries go.
 *
 * Concurrency. All threads of a search probe and store without locks. A slot is two words, each
 * read and written atomically (relaxed), but not together:
 *
 *     data          score, depth, bound, move and generation
 *     guarded_key   key ^ scramble(data)
 *
 * A reader accepts a slot only if guarded_key ^ scramble(data) is the key it looks for. If two
 * threads store to one slot at once, a reader may see the data of one and the guarded key of the
 * other. Such a pair matches some key by accident with a probability of about 2^-60; otherwise the
 * slot counts as empty. One thread alone never sees a mixed slot. `generation` changes only in
 * transposition_new_search; open, close and new_search must not run while others use the table.
 */
#ifndef MALPAN_GAMES_VALLEY_SEARCH_TRANSPOSITION_H
#define MALPAN_GAMES_VALLEY_SEARCH_TRANSPOSITION_H

#include <stdatomic.h>
#include <stddef.h>

#include "game/variant.h"

/* What an entry's score says about the true score. BOUND_LOWER: it is at least the entry's. */
typedef enum Bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT } Bound;

typedef struct TranspositionEntry {
    int score;   /* as seen from the position itself, not from the root */
    int depth;   /* plies that were searched below the position */
    Bound bound; /* BOUND_NONE: the table has no entry */
    Move move;   /* the best one, in the coordinates of the key; 0 for none */
} TranspositionEntry;

typedef struct TranspositionSlot {
    _Atomic uint64_t guarded_key, data;
} TranspositionSlot;

typedef struct TranspositionTable {
    void *memory;
    TranspositionSlot *slots; /* within `memory`, aligned to a cache line */
    int bucket_bits;          /* there are 2^bucket_bits buckets */
    unsigned generation; /* of the present search; entries of earlier ones are replaced first */
} TranspositionTable;

/* Allocates a table of at most `bytes` (but at least two buckets). Returns false, with nothing to
 * close, if there is no memory. */
bool transposition_open(TranspositionTable *table, size_t bytes);
void transposition_close(TranspositionTable *table);

/* Starts a new generation: from now on the present entries are the first to be replaced. */
void transposition_new_search(TranspositionTable *table);

/* Returns the entry of the key; its bound is BOUND_NONE if there is none. Any thread. */
TranspositionEntry transposition_probe(const TranspositionTable *table, uint64_t key);

/* Stores an entry: over that of the same key, else in an empty slot, else over the shallowest of
 * the oldest generation. Any thread. */
void transposition_store(TranspositionTable *table, uint64_t key, TranspositionEntry entry);

#endif
