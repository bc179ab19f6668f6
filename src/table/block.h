/* One block of a table: values to compressed bytes and back. Inner to this folder.
 *
 * The values of a block are laid out as planes: the lowest bytes of all values, then their next
 * bytes, and so on. Neighbours in a table are often near each other, so that the high planes are
 * almost constant, while the low ones look random: apart they compress better than mixed.
 *
 *     values 0x010203 0x010250    planes 03 50  02 02  01 01
 *
 * The planes are one zstd frame. In it each plane ends a zstd block, so that each gets statistics
 * of its own.
 */
#ifndef MALPAN_TABLE_BLOCK_H
#define MALPAN_TABLE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zstd.h>

/* What one thread compresses with. */
typedef struct BlockPacker {
    ZSTD_CCtx *context;
    uint8_t *planes;
    int value_bytes;
} BlockPacker;

/* A packer for blocks of at most `values` values. False: out of memory, and nothing to close. */
bool block_packer_open(BlockPacker *packer, size_t values, int value_bytes);
void block_packer_close(BlockPacker *packer);

/* Compresses `count` values (at least one) into `packed`; gives the number of bytes, at most
 * format_packed_max. 0: out of memory. */
size_t block_pack(BlockPacker *packer, const uint32_t codes[], size_t count, uint8_t *packed);

/* Decompresses into planes; false unless there are exactly `size` bytes of them. */
bool block_unpack(ZSTD_DCtx *context, const uint8_t *packed, size_t packed_size, uint8_t *planes,
                  size_t size);

/* Value `i` of a block of `count`. */
static inline uint32_t block_code(const uint8_t *planes, size_t count, size_t i, int value_bytes) {
    uint32_t code = planes[i];
    for (int plane = 1; plane < value_bytes; plane++)
        code |= (uint32_t)planes[(size_t)plane * count + i] << 8 * plane;
    return code;
}

/* The values from number `first` to before `last` of a block of `count`. */
void block_codes(const uint8_t *planes, size_t count, int value_bytes, size_t first, size_t last,
                 uint32_t codes[]);

#endif
