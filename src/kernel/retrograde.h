/* Retrograde analysis: solves every position of a two-player game without chance, from the ends of
 * the game backwards.
 *
 * A position is identified by a block and an index in it. Each has a code of one byte:
 *
 *     RETRO_UNUSED                        not a position, or represented by another index
 *     1 ... RETRO_COUNTER_MAX             undecided: how many of its moves are not known to lose
 *     RETRO_COUNTER_MAX + n, n >= 1       decided: won in n plies if n is odd, lost if n is even
 *
 * One parity is enough because a game must always be ended by a move of the winner when the loser
 * plays its best. So wins take an odd number of plies and losses an even one.
 *
 * The game fills in the initial codes. Then the analysis proceeds in waves. Wave n visits all
 * positions decided in n plies, and takes moves back from them to their predecessors:
 *
 *     n even (lost)    the predecessor is won in n + 1, unless it was decided before
 *     n odd (won)      the predecessor has one fewer move that is not known to lose; if none is
 *                      left, it is lost in n + 1, as its other moves lose sooner
 *
 * The analysis ends with the first wave that decides nothing. Positions that are still undecided
 * are endless under best play.
 *
 * Symmetry. An index may stand for several positions that are images of each other. Then the game
 * counts moves as seen from one of these positions, and passes to retro_emit how often each unmove
 * counts (its multiplicity); games/valley/solve/unmove.c derives it.
 *
 * Concurrency. Blocks are split into parts (kernel/retro_layout.h). Within a wave each part is
 * processed by one thread. It finds the positions of the wave, and emits their predecessors, which
 * may lie in any block, into its own RetroSink. The sink collects the updates of each block in a
 * buffer and applies a full buffer under the lock of that block. A code of the present wave is
 * never changed, and updates commute, so the result depends on nothing but the game. When a stop or
 * a checkpoint is due, the threads leave the remaining parts of the wave, the calling thread saves
 * the run alone, and the wave continues or is resumed later.
 *
 * Several processes (kernel/exchange.h) each have the codes of some parts and process these. A full
 * buffer is sorted by part; updates of parts that other ranks own are sent there as messages, and
 * applied by whichever thread receives them. A wave ends when all messages have been applied; then
 * the ranks sum up what they decided, and whether anybody has parts left. Rank 0 reads and writes
 * the checkpoint, which is the same file for any number of ranks: the other ranks pass it their
 * codes, or get them from it. It is complete or not there, so it is a state that all ranks had at
 * once.
 */
#ifndef MALPAN_KERNEL_RETROGRADE_H
#define MALPAN_KERNEL_RETROGRADE_H

#include <assert.h>
#include <stdint.h>

#include "game/solver.h"
#include "kernel/retro_layout.h"

enum {
    RETRO_UNUSED = 0,
    RETRO_COUNTER_MAX = 40,
    RETRO_PLIES_MAX = 255 - RETRO_COUNTER_MAX,
    RETRO_MULTIPLICITY_MAX = 3,
    RETRO_INDEX_BITS = 30 /* an index is below 2^RETRO_INDEX_BITS */
};

static_assert((RETRO_MULTIPLICITY_MAX + 1ull) << RETRO_INDEX_BITS == 1ull << 32,
              "an index and a multiplicity fill 32 bits");

/* The code of a position decided in `plies`. */
static inline uint8_t retro_decided_code(int plies) {
    assert(plies >= 1 && plies <= RETRO_PLIES_MAX);
    return (uint8_t)(RETRO_COUNTER_MAX + plies);
}

static inline bool retro_is_decided(uint8_t code) {
    return code > RETRO_COUNTER_MAX;
}

/* The plies of a decided code: odd for a win. */
static inline int retro_plies(uint8_t code) {
    return code - RETRO_COUNTER_MAX;
}

typedef struct RetroSink RetroSink;
typedef struct RetroGame RetroGame;

/* The game to solve. Its functions are called from several threads at once. */
struct RetroGame {
    uint32_t block_count;
    uint32_t block_size; /* indices in a block */
    /* The initial codes already account for positions decided in at most this many plies: their
     * predecessors have been decided or do not count the move. So their waves take nothing back. */
    int initial_plies;
    /* Fills in the initial codes of `count` indices of a block, from `first`. */
    void (*init)(const RetroGame *game, uint32_t block, uint32_t first, uint32_t count,
                 uint8_t codes[]);
    /* Calls retro_emit for every predecessor of every position in `indices`. */
    void (*unmove)(const RetroGame *game, uint32_t block, const uint32_t indices[], size_t count,
                   RetroSink *sink);
};

/* Where to save a run, so that it can be resumed after a stop or a kill. */
typedef struct RetroCheckpoint {
    const char *path;
    const char *name; /* identifies the computation; a checkpoint with another name is refused */
    double interval_s;
} RetroCheckpoint;

typedef struct RetroResult {
    uint8_t *codes; /* of this rank; of a process alone [block * block_size + index] */
    size_t bytes;
    int waves;
    RetroLayout layout;
} RetroResult;

/* How much memory a run takes on each of so many ranks, at most. */
uint64_t retrograde_bytes(const RetroGame *game, int threads, int ranks);

/* Solves the game on limits->threads threads of every rank of the exchange, resuming from the
 * checkpoint if there is one (`checkpoint` may be NULL). Every rank calls this and gets the same
 * status. On success the caller frees the result. Returns STATUS_STOPPED after limits->stop was set
 * on any rank; the checkpoint then contains all work done so far. Returns STATUS_UNSUPPORTED if
 * memory is too small or a game takes more than RETRO_PLIES_MAX plies. */
Status retrograde_run(const RetroGame *game, const SolveLimits *limits, Exchange *exchange,
                      const RetroCheckpoint *checkpoint, RetroResult *result);
void retrograde_free(RetroResult *result);

/* --- for RetroGame.unmove --- */

enum { RETRO_BATCH = 256, RETRO_BUFFER_UPDATES = 2048 };

/* Updates waiting to be applied to a block: the index, and the multiplicity in the lowest two bits.
 * As a message to the owner of a part, `place` is the part, otherwise the block. */
typedef struct RetroBuffer {
    uint32_t place, count;
    uint32_t updates[RETRO_BUFFER_UPDATES];
} RetroBuffer;

static_assert(sizeof(RetroBuffer) <= EXCHANGE_MESSAGE_BYTES_MAX, "a buffer fits into a message");

/* The predecessors that one thread has found. Only that thread accesses it. */
struct RetroSink {
    RetroBuffer *buffers;  /* [block] */
    RetroBuffer *outgoing; /* [part of a block]: updates of one block, sorted by part */
    void *owner;           /* the run */
};

/* Applies the waiting updates of a block under its lock, or sends them to the owners of its parts.
 */
void retro_flush(RetroSink *sink, uint32_t block);

/* Reports that a move leads from the position at `index` of `block` to one of those passed to
 * unmove. It counts `multiplicity` times, at most RETRO_MULTIPLICITY_MAX. */
static inline void retro_emit(RetroSink *sink, uint32_t block, uint32_t index,
                              uint32_t multiplicity) {
    RetroBuffer *buffer = &sink->buffers[block];
    assert(multiplicity >= 1 && multiplicity <= RETRO_MULTIPLICITY_MAX);
    buffer->updates[buffer->count++] = index << 2 | multiplicity;
    if (buffer->count == RETRO_BUFFER_UPDATES)
        retro_flush(sink, block);
}

#endif
