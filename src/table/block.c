#include "table/block.h"

#include <stdlib.h>

#include "table/format.h"

/* Of levels 1, 3 and 6, the last compresses a few percent better, decompresses fastest, and still
 * compresses 30 million values per second and thread. Tables are written once and probed often. */
enum { LEVEL = 6 };

bool block_packer_open(BlockPacker *packer, size_t values, int value_bytes) {
    *packer = (BlockPacker){.context = ZSTD_createCCtx(),
                            .planes = malloc(values * (size_t)value_bytes),
                            .value_bytes = value_bytes};
    if (packer->context && packer->planes &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, LEVEL)))
        return true;
    block_packer_close(packer);
    return false;
}

void block_packer_close(BlockPacker *packer) {
    ZSTD_freeCCtx(packer->context);
    free(packer->planes);
    *packer = (BlockPacker){.context = NULL};
}

static void split_planes(const uint32_t codes[], size_t count, int value_bytes, uint8_t *planes) {
    for (int plane = 0; plane < value_bytes; plane++)
        for (size_t i = 0; i < count; i++)
            planes[(size_t)plane * count + i] = (uint8_t)(codes[i] >> 8 * plane);
}

size_t block_pack(BlockPacker *packer, const uint32_t codes[], size_t count, uint8_t *packed) {
    size_t size = count * (size_t)packer->value_bytes;
    split_planes(codes, count, packer->value_bytes, packer->planes);
    ZSTD_CCtx_reset(packer->context, ZSTD_reset_session_only);
    ZSTD_CCtx_setPledgedSrcSize(packer->context, size);
    ZSTD_inBuffer in = {.src = packer->planes};
    ZSTD_outBuffer out = {.dst = packed, .size = format_packed_max(size)};
    while (in.size < size) {
        in.size += count;
        size_t left = ZSTD_compressStream2(packer->context, &out, &in,
                                           in.size < size ? ZSTD_e_flush : ZSTD_e_end);
        if (left != 0) /* there is room for everything, so this is an error */
            return 0;
    }
    return out.pos;
}

bool block_unpack(ZSTD_DCtx *context, const uint8_t *packed, size_t packed_size, uint8_t *planes,
                  size_t size) {
    /* Accepts a single frame of the current format that states its size; zstd itself would also
     * accept several frames and old formats. Its error codes are larger than any size. */
    return packed_size >= 4 && format_get(packed, 4) == ZSTD_MAGICNUMBER &&
           ZSTD_getFrameContentSize(packed, packed_size) == size &&
           ZSTD_findFrameCompressedSize(packed, packed_size) == packed_size &&
           ZSTD_decompressDCtx(context, planes, size, packed, packed_size) == size;
}

void block_decode_range(const uint8_t *planes, size_t count, int value_bytes, size_t first,
                        size_t last, uint32_t codes[]) {
    for (size_t i = first; i < last; i++)
        codes[i - first] = planes[i];
    for (int plane = 1; plane < value_bytes; plane++)
        for (size_t i = first; i < last; i++)
            codes[i - first] |= (uint32_t)planes[(size_t)plane * count + i] << 8 * plane;
}
