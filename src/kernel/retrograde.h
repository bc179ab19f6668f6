/* Retrograde analysis: every position of a game of two players without chance, solved from the end.
 *
 * A position is a place in a block, and has a code of one byte. It starts as the number of its
 * moves that are not known to lose; then, wave after wave, moves are taken back from the positions
 * decided one ply before:
 *
 *     lost in n plies    whoever can move there wins in n + 1, unless it does so sooner
 *     won in n plies     whoever can move there has one move less; with none left it has lost, in
 *                        n + 1, since the others ended sooner
 *
 * What is open in the end goes on for ever under best play. A game has to be over by a move of the
 * winner's wherever the loser plays its best, so that wins take an odd number of plies and losses
 * an even one, and a byte tells both by the plies alone.
 *
 * The game is asked for two things: the first codes of a block, and the positions from which a move
 * leads to given ones. Those may lie in any block; they are handed on in batches, so that a block
 * is worked on by one thread at a time and its bytes are fetched ahead. The result depends on
 * nothing but the game.
 *
 * A place may stand for several positions that are images of each other. Then a move counts as
 * often as it can be made from one position of the place, and `times` says how often each that is
 * taken back has to count; see games/valley/solve/unmove.c for how that follows.
 */
#ifndef MALPAN_KERNEL_RETROGRADE_H
#define MALPAN_KERNEL_RETROGRADE_H

#include <stdint.h>

#include "game/solver.h"

enum {
    RETRO_NONE = 0,       /* no position, or an image of another place */
    RETRO_MOVES_MAX = 40, /* codes up to this: open, so many moves left; above: decided */
    RETRO_PLIES_MAX = 255 - RETRO_MOVES_MAX,
    RETRO_PLACE_BITS = 30 /* a block has fewer than 2 to this places */
};

static inline uint8_t retro_code(int plies) {
    return (uint8_t)(RETRO_MOVES_MAX + plies);
}

static inline bool retro_is_decided(uint8_t code) {
    return code > RETRO_MOVES_MAX;
}

/* Of one that is decided. It is won if that is odd. */
static inline int retro_plies(uint8_t code) {
    return code - RETRO_MOVES_MAX;
}

typedef struct RetroSink RetroSink;
typedef struct RetroGame RetroGame;

struct RetroGame {
    uint32_t block_count;
    uint32_t block_size;
    /* The wins of so few plies are not waited for: the first codes take them into account. */
    int plies_known;
    void (*begin)(const RetroGame *game, uint32_t block, uint8_t codes[]);
    /* Hands on, by retro_hand_on, every position from which a move leads to one of the places. */
    void (*take_back)(const RetroGame *game, uint32_t block, const uint32_t places[], size_t count,
                      RetroSink *sink);
};

/* Where a run that is stopped leaves what it has. */
typedef struct RetroCheckpoint {
    const char *path;
    const char *name; /* of the work */
    double interval_s;
} RetroCheckpoint;

typedef struct RetroResult {
    uint8_t *codes; /* [block * block_size + place]; retrograde_free gives them back */
    size_t bytes;
    int waves;
} RetroResult;

/* How much memory it takes. */
uint64_t retrograde_bytes(const RetroGame *game, int threads);

/* Solves everything. STATUS_STOPPED when limits->stop was set; then the checkpoint (NULL: none) has
 * what is needed to go on. */
Status retrograde_run(const RetroGame *game, const SolveLimits *limits,
                      const RetroCheckpoint *checkpoint, RetroResult *result);
void retrograde_free(RetroResult *result);

/* --- for take_back --- */

enum { RETRO_BATCH = 256, RETRO_ROOM = 2048 };

/* What waits to be done to the places of a block: the place, and in the lowest two bits how many
 * moves lead from it to positions of this wave. */
typedef struct RetroBuffer {
    uint32_t count;
    uint32_t updates[RETRO_ROOM];
} RetroBuffer;

struct RetroSink {
    RetroBuffer *buffers; /* a block each */
    void *owner;
};

/* Applies what waits for the block. */
void retro_flush(RetroSink *sink, uint32_t block);

/* A move leads from `place` of `block` to one of the places at hand; it counts 1 or 2 times. */
static inline void retro_hand_on(RetroSink *sink, uint32_t block, uint32_t place, uint32_t times) {
    RetroBuffer *buffer = &sink->buffers[block];
    buffer->updates[buffer->count++] = place << 2 | times;
    if (buffer->count == RETRO_ROOM)
        retro_flush(sink, block);
}

#endif
