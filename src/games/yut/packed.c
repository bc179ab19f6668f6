#include "games/yut/packed.h"

#include "games/yut/machines.h"

/* The loops below, with the width known. */
#define INLINE __attribute__((always_inline)) static inline

INLINE void store(uint8_t *lanes, int width, int lane, uint32_t code) {
    uint16_t *upper = (uint16_t *)(void *)lanes;
    uint8_t *lower = lanes + sizeof(uint16_t) * LANES;
    switch (width) {
    case 1:
        lanes[lane] = (uint8_t)code;
        break;
    case 2:
        upper[lane] = (uint16_t)code;
        break;
    case 3:
        upper[lane] = (uint16_t)(code >> 8);
        lower[lane] = (uint8_t)code;
        break;
    default:
        ((uint32_t *)(void *)lanes)[lane] = code;
    }
}

INLINE uint32_t fetch(const uint8_t *lanes, int width, int lane) {
    const uint16_t *upper = (const uint16_t *)(const void *)lanes;
    const uint8_t *lower = lanes + sizeof(uint16_t) * LANES;
    switch (width) {
    case 1:
        return lanes[lane];
    case 2:
        return upper[lane];
    case 3:
        return (uint32_t)upper[lane] << 8 | lower[lane];
    default:
        return ((const uint32_t *)(const void *)lanes)[lane];
    }
}

INLINE uint32_t narrowed(int32_t number, int width, uint32_t rounding) {
    int dropped = packed_dropped_bits(width);
    uint32_t most = (UINT32_MAX >> (32 - PACKED_BITS)) >> dropped;
    uint32_t code = ((uint32_t)(number - PACKED_LEAST) + rounding) >> dropped;
    if (width == PACKED_WIDTH_MAX)
        return (uint32_t)number;
    return code < most ? code : most;
}

INLINE int32_t widened(uint32_t code, int width) {
    return width == PACKED_WIDTH_MAX ? (int32_t)code
                                     : (int32_t)(code << packed_dropped_bits(width)) + PACKED_LEAST;
}

INLINE void keep_width(uint8_t *restrict row, int width, PackedLanes lanes,
                       const int32_t *restrict cells, size_t own_count, uint32_t rounding) {
    for (size_t own = 0; own < own_count; own++)
        for (int lane = lanes.first; lane < lanes.first + lanes.count; lane++)
            store(row + own * LANES * (size_t)width, width, lane,
                  narrowed(cells[own * LANES + (size_t)lane], width, rounding));
}

/* The own sides lie far apart, so they are asked for ahead. */
INLINE void copy_width(const uint8_t *restrict row, int width, PackedLanes lanes,
                       const uint32_t *restrict owns, size_t own_count, int32_t *restrict cells,
                       int lane) {
    enum { AHEAD = 12 };
    const size_t size = LANES * (size_t)width;
    for (size_t i = 0; i < own_count; i++) {
        uint32_t ahead = owns[i + AHEAD < own_count ? i + AHEAD : i];
        const uint8_t *from = row + owns[i] * size;
        int32_t *to = cells + owns[i] * (size_t)LANES;
        __builtin_prefetch(row + ahead * size);
        __builtin_prefetch(cells + ahead * (size_t)LANES, 1);
        if (lanes.count == 1) {
            to[lane] = widened(fetch(from, width, lanes.first), width);
            continue;
        }
        int32_t all[2 * LANES]; /* so that any LANES in a row can be read */
        int32_t *some = all + (lanes.first > lane ? 0 : LANES);
#pragma omp simd
        for (int k = 0; k < LANES; k++)
            some[k] = widened(fetch(from, width, k), width);
        some += lanes.first - lane;
#pragma omp simd
        for (int k = 0; k < LANES; k++)
            if (k >= lane && k < lane + lanes.count)
                to[k] = some[k];
    }
}

FOR_EACH_MACHINE static void run_packed_keep(uint8_t *row, int width, PackedLanes lanes,
                                             const int32_t *cells, size_t own_count,
                                             uint32_t rounding) {
    switch (width) {
    case 1:
        keep_width(row, 1, lanes, cells, own_count, rounding);
        break;
    case 2:
        keep_width(row, 2, lanes, cells, own_count, rounding);
        break;
    case 3:
        keep_width(row, 3, lanes, cells, own_count, rounding);
        break;
    default:
        keep_width(row, 4, lanes, cells, own_count, rounding);
    }
}

FOR_EACH_MACHINE static void run_packed_copy(const uint8_t *row, int width, PackedLanes lanes,
                                             const uint32_t *owns, size_t own_count, int32_t *cells,
                                             int lane) {
    switch (width) {
    case 1:
        copy_width(row, 1, lanes, owns, own_count, cells, lane);
        break;
    case 2:
        copy_width(row, 2, lanes, owns, own_count, cells, lane);
        break;
    case 3:
        copy_width(row, 3, lanes, owns, own_count, cells, lane);
        break;
    default:
        copy_width(row, 4, lanes, owns, own_count, cells, lane);
    }
}

INLINE void copy_same_width(const uint8_t *restrict row, int width, int first,
                            const uint32_t squares[LANES], const uint32_t *restrict occupied,
                            size_t own_count, int32_t *restrict cells) {
    for (size_t own = 0; own < own_count; own++) {
        int32_t value = widened(fetch(row + own * LANES * (size_t)width, width, first), width);
        int32_t *to = cells + own * LANES;
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            if (occupied[own] & squares[lane])
                to[lane] = value;
    }
}

FOR_EACH_MACHINE static void run_packed_copy_same(const uint8_t *row, int width, int first,
                                                  const uint32_t squares[LANES],
                                                  const uint32_t *occupied, size_t own_count,
                                                  int32_t *cells) {
    switch (width) {
    case 1:
        copy_same_width(row, 1, first, squares, occupied, own_count, cells);
        break;
    case 2:
        copy_same_width(row, 2, first, squares, occupied, own_count, cells);
        break;
    case 3:
        copy_same_width(row, 3, first, squares, occupied, own_count, cells);
        break;
    default:
        copy_same_width(row, 4, first, squares, occupied, own_count, cells);
    }
}

/* --- the loops for this machine --- */

void packed_keep(uint8_t *row, int width, PackedLanes lanes, const int32_t *cells, size_t own_count,
                 uint32_t rounding) {
    run_packed_keep(row, width, lanes, cells, own_count, rounding);
}

void packed_copy(const uint8_t *row, int width, PackedLanes lanes, const uint32_t *owns,
                 size_t own_count, int32_t *cells, int lane) {
    run_packed_copy(row, width, lanes, owns, own_count, cells, lane);
}

void packed_copy_same(const uint8_t *row, int width, int first, const uint32_t squares[LANES],
                      const uint32_t *occupied, size_t own_count, int32_t *cells) {
    run_packed_copy_same(row, width, first, squares, occupied, own_count, cells);
}
