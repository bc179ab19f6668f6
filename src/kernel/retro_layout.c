#include "kernel/retro_layout.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 8, PART_BITS_MIN = 9 };

RetroLayout retro_layout_plan(uint32_t block_count, uint32_t block_size, int rank, int ranks) {
    RetroLayout layout = {.block_count = block_count,
                          .block_size = block_size,
                          .part_bits = PART_BITS_MIN,
                          .rank = rank,
                          .ranks = ranks};
    while ((block_size - 1) >> layout.part_bits >= PARTS_MAX)
        layout.part_bits++;
    layout.parts_per_block = ((block_size - 1) >> layout.part_bits) + 1;
    layout.part_count = block_count * layout.parts_per_block;
    layout.cycle = 1;
    while (layout.cycle * layout.parts_per_block % (uint32_t)ranks > 0)
        layout.cycle++;
    for (uint32_t part = 0; part < layout.part_count; part++)
        if (retro_part_owner(&layout, part) == rank)
            layout.bytes += retro_part_size(&layout, part);
    return layout;
}

bool retro_layout_open(RetroLayout *layout, uint32_t block_count, uint32_t block_size, int rank,
                       int ranks) {
    uint64_t offset = 0;
    *layout = retro_layout_plan(block_count, block_size, rank, ranks);
    layout->offsets = calloc(layout->part_count, sizeof *layout->offsets);
    for (uint32_t part = 0; layout->offsets && part < layout->part_count; part++) {
        layout->offsets[part] = offset;
        if (retro_part_owner(layout, part) == rank)
            offset += retro_part_size(layout, part);
    }
    return layout->offsets != NULL;
}

void retro_layout_close(RetroLayout *layout) {
    free(layout->offsets);
    layout->offsets = NULL;
}

RetroTransfer retro_transfer_begin(const RetroLayout *layout, Exchange *exchange, uint8_t codes[],
                                   bool is_load) {
    return (RetroTransfer){.layout = layout,
                           .exchange = exchange,
                           .codes = codes,
                           .is_load = is_load,
                           .left = (uint64_t)layout->block_count * layout->block_size};
}

/* Moves codes of one part. */
static void move_codes(const RetroTransfer *transfer, uint8_t bytes[], size_t size) {
    const RetroLayout *layout = transfer->layout;
    const int owner = retro_part_owner(layout, transfer->part);
    uint8_t *codes = layout->rank == owner
                         ? transfer->codes + layout->offsets[transfer->part] + transfer->offset
                         : NULL;
    uint8_t *here = codes ? codes : bytes;
    if (owner != 0)
        exchange_move(transfer->exchange, transfer->is_load ? 0 : owner,
                      transfer->is_load ? owner : 0, here, size);
    else if (codes && transfer->is_load) /* from rank 0 to itself */
        memcpy(codes, bytes, size);
    else if (codes)
        memcpy(bytes, codes, size);
}

void retro_transfer_move(RetroTransfer *transfer, uint8_t bytes[], size_t size) {
    assert(size <= transfer->left);
    transfer->left -= size;
    while (size > 0) {
        size_t left = retro_part_size(transfer->layout, transfer->part) - transfer->offset;
        size_t now = left < size ? left : size;
        move_codes(transfer, bytes, now);
        bytes = bytes ? bytes + now : NULL;
        size -= now;
        transfer->offset += (uint32_t)now;
        if (now == left) {
            transfer->part++;
            transfer->offset = 0;
        }
    }
}

void retro_transfer_finish(RetroTransfer *transfer) {
    uint8_t ignored[RETRO_PIECE_BYTES] = {0};
    while (transfer->left > 0)
        retro_transfer_move(transfer, ignored,
                            transfer->left < RETRO_PIECE_BYTES ? (size_t)transfer->left
                                                               : RETRO_PIECE_BYTES);
}
