/* Where the codes of a retrograde analysis are kept.
 *
 * Blocks are split into parts of equal size, a power of two (the last may be smaller), so that
 * there are enough of them for many ranks. Each rank keeps the codes of some parts, one after
 * another. Which ones follows from the game and the number of ranks alone, so every rank knows the
 * owner of every code:
 *
 *     part = block * parts_per_block + index / 2^part_bits
 *     owner = (part + block / cycle) mod ranks
 *
 * After `cycle` blocks, the owners of the first parts of blocks would repeat; the shift lets every
 * rank have its share of them, and of the last parts, which are smaller. No rank has more than one
 * part more than another. A process alone has all codes, in the order of blocks and indices. Parts
 * do not depend on the number of ranks.
 *
 * Example: three blocks of 4 parts, two ranks, cycle 1. The owners are 0 1 0 1, 1 0 1 0, 0 1 0 1.
 *
 * A layout is constant once it is open. A transfer belongs to one thread.
 */
#ifndef MALPAN_KERNEL_RETRO_LAYOUT_H
#define MALPAN_KERNEL_RETRO_LAYOUT_H

#include "kernel/exchange.h"

enum { RETRO_PIECE_BYTES = 1 << 16 };

typedef struct RetroLayout {
    uint32_t block_count, block_size;
    uint32_t part_bits, parts_per_block, part_count;
    int rank, ranks;
    uint32_t cycle;    /* the lowest number of blocks whose parts the ranks share evenly */
    uint64_t bytes;    /* of the codes of this rank */
    uint64_t *offsets; /* [part]: among these; undefined for parts of other ranks */
} RetroLayout;

/* Computes all but the offsets; nothing to close. */
RetroLayout retro_layout_plan(uint32_t block_count, uint32_t block_size, int rank, int ranks);

/* The same with the offsets. Returns false if out of memory; either way the caller closes it. */
bool retro_layout_open(RetroLayout *layout, uint32_t block_count, uint32_t block_size, int rank,
                       int ranks);
void retro_layout_close(RetroLayout *layout);

static inline uint32_t retro_part_block(const RetroLayout *layout, uint32_t part) {
    return part / layout->parts_per_block;
}

/* The index of the first code of a part in its block. */
static inline uint32_t retro_part_first(const RetroLayout *layout, uint32_t part) {
    return part % layout->parts_per_block << layout->part_bits;
}

/* How many codes a part has. */
static inline uint32_t retro_part_size(const RetroLayout *layout, uint32_t part) {
    uint32_t left = layout->block_size - retro_part_first(layout, part);
    return left < 1u << layout->part_bits ? left : 1u << layout->part_bits;
}

static inline int retro_part_owner(const RetroLayout *layout, uint32_t part) {
    uint32_t shift = retro_part_block(layout, part) / layout->cycle;
    return (int)((part + shift) % (uint32_t)layout->ranks);
}

/* --- all codes in order --- */

/* Moves the codes of all ranks to or from rank 0, in the order of blocks and indices. */
typedef struct RetroTransfer {
    const RetroLayout *layout;
    Exchange *exchange;
    uint8_t *codes;  /* of this rank */
    bool is_load;    /* from rank 0 to the owners */
    uint32_t part;   /* the next code */
    uint32_t offset; /* in the part */
    uint64_t left;   /* how many codes are to come */
} RetroTransfer;

RetroTransfer retro_transfer_begin(const RetroLayout *layout, Exchange *exchange, uint8_t codes[],
                                   bool is_load);

/* Moves the next `size` codes. Every rank calls this with the same sizes; `bytes` is used by rank 0
 * only. */
void retro_transfer_move(RetroTransfer *transfer, uint8_t bytes[], size_t size);

/* Moves what is left, in pieces of RETRO_PIECE_BYTES; rank 0 ignores what it gets, or sends zeros.
 * So a rank that has no use for the codes takes part, and rank 0 can give up. */
void retro_transfer_finish(RetroTransfer *transfer);

#endif
