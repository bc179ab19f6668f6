/* Compression of one block of a table. Internal to this folder.
 *
 * The values of a block are stored as planes: the lowest bytes of all values, then the next bytes,
 * and so on. Neighboring values are often close to each other, so the high planes are almost
 * constant while the low ones look random; separately they compress better.
 *
 *     values 0x010203 0x010250    planes 03 50  02 02  01 01
 *
 * The planes are one zstd frame, with a zstd block for each plane, so that each is compressed with
 * its own statistics.
 */
#ifndef MALPAN_TABLE_BLOCK_H
#define MALPAN_TABLE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zstd.h>

/* The buffers with which one thread compresses. */
typedef struct BlockPacker {
    ZSTD_CCtx *context;
    uint8_t *planes;
    int value_bytes;
} BlockPacker;

/* Opens a packer for blocks of at most `values` values. Returns false, with nothing to close, if
 * there is no memory. */
bool block_packer_open(BlockPacker *packer, size_t values, int value_bytes);
void block_packer_close(BlockPacker *packer);

/* Compresses `count` values (at least one) into `packed`. Returns the number of bytes, at most
 * format_packed_max, or 0 if there is no memory. */
size_t block_pack(BlockPacker *packer, const uint32_t codes[], size_t count, uint8_t *packed);

/* Decompresses a block. Returns false unless it unpacks to exactly `size` bytes. */
bool block_unpack(ZSTD_DCtx *context, const uint8_t *packed, size_t packed_size, uint8_t *planes,
                  size_t size);

/* Value `i` of a block of `count`. */
static inline uint32_t block_decode(const uint8_t *planes, size_t count, size_t i,
                                    int value_bytes) {
    uint32_t code = planes[i];
    for (int plane = 1; plane < value_bytes; plane++)
        code |= (uint32_t)planes[(size_t)plane * count + i] << 8 * plane;
    return code;
}

/* Values `first` up to, but not including, `last` of a block of `count`. */
void block_decode_range(const uint8_t *planes, size_t count, int value_bytes, size_t first,
                        size_t last, uint32_t codes[]);

#endif
