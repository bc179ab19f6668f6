#include "games/yut/solve/packed.h"

#include "games/yut/solve/cpu_dispatch.h"

/* Inlines the loops below, so that they are compiled with a constant width. */
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

/* Reads and writes cells, narrow or whole. */
INLINE int32_t get(const void *cells, bool is_narrow, size_t i) {
    return is_narrow ? widened(((const uint16_t *)cells)[i], PACKED_NARROW)
                     : ((const int32_t *)cells)[i];
}

INLINE void put(void *cells, bool is_narrow, size_t i, int32_t number, uint32_t rounding) {
    if (is_narrow)
        ((uint16_t *)cells)[i] = (uint16_t)narrowed(number, PACKED_NARROW, rounding);
    else
        ((int32_t *)cells)[i] = number;
}

INLINE void keep_width(uint8_t *restrict row, int width, PackedLanes lanes,
                       const void *restrict cells, bool is_narrow, size_t own_count,
                       uint32_t rounding) {
    for (size_t own = 0; own < own_count; own++)
        for (int lane = lanes.first; lane < lanes.first + lanes.count; lane++)
            store(row + own * LANES * (size_t)width, width, lane,
                  narrowed(get(cells, is_narrow, own * LANES + (size_t)lane), width, rounding));
}

/* The own placements are far apart in memory, so they are prefetched. */
INLINE void copy_width(const uint8_t *restrict row, int width, PackedLanes lanes,
                       const uint32_t *restrict owns, size_t own_count, void *restrict cells,
                       bool is_narrow, int lane, uint32_t rounding) {
    enum { AHEAD = 12 };
    const size_t size = LANES * (size_t)width;
    const size_t cell = is_narrow ? sizeof(uint16_t) : sizeof(int32_t);
    for (size_t i = 0; i < own_count; i++) {
        uint32_t ahead = owns[i + AHEAD < own_count ? i + AHEAD : i];
        const uint8_t *from = row + owns[i] * size;
        size_t to = owns[i] * (size_t)LANES;
        __builtin_prefetch(row + ahead * size);
        __builtin_prefetch((char *)cells + ahead * (size_t)LANES * cell, 1);
        if (lanes.count == 1) {
            put(cells, is_narrow, to + (size_t)lane,
                widened(fetch(from, width, lanes.first), width), rounding);
            continue;
        }
        int32_t all[2 * LANES]; /* so that any LANES consecutive ones can be read */
        int32_t *some = all + (lanes.first > lane ? 0 : LANES);
#pragma GCC unroll 1
        for (int k = 0; k < LANES; k++)
            some[k] = widened(fetch(from, width, k), width);
        some += lanes.first - lane;
#pragma GCC unroll 1
        for (int k = 0; k < LANES; k++)
            if (k >= lane && k < lane + lanes.count)
                put(cells, is_narrow, to + (size_t)k, some[k], rounding);
    }
}

INLINE void copy_same_width(const uint8_t *restrict row, int width, int first,
                            const PackedPick *restrict picks, size_t pick_count,
                            void *restrict cells, bool is_narrow, uint32_t rounding) {
    enum { AHEAD = 16 };
    const size_t size = LANES * (size_t)width;
    for (size_t i = 0; i < pick_count; i++) {
        __builtin_prefetch(row + picks[i + AHEAD < pick_count ? i + AHEAD : i].own * size);
        size_t own = picks[i].own;
        uint32_t lanes = picks[i].lanes;
        int32_t value = widened(fetch(row + own * size, width, first), width);
#pragma GCC unroll 1
        for (size_t lane = 0; lane < LANES; lane++)
            if (lanes >> lane & 1)
                put(cells, is_narrow, own * LANES + lane, value, rounding);
    }
}

/* Calls one of the loops above with a constant width and kind of cells. */
#define FOR_WIDTHS(LOOP, IS_NARROW)                                                                \
    switch (width) {                                                                               \
    case 1:                                                                                        \
        LOOP(1, IS_NARROW);                                                                        \
        break;                                                                                     \
    case 2:                                                                                        \
        LOOP(2, IS_NARROW);                                                                        \
        break;                                                                                     \
    case 3:                                                                                        \
        LOOP(3, IS_NARROW);                                                                        \
        break;                                                                                     \
    default:                                                                                       \
        LOOP(4, IS_NARROW);                                                                        \
    }

#define FOR_CELLS(LOOP, CELLS)                                                                     \
    do {                                                                                           \
        if ((CELLS).is_narrow)                                                                     \
            FOR_WIDTHS(LOOP, true)                                                                 \
        else                                                                                       \
            FOR_WIDTHS(LOOP, false)                                                                \
    } while (false)

#define KEEP(WIDTH, IS_NARROW)                                                                     \
    keep_width(row, WIDTH, lanes, from.cells, IS_NARROW, own_count, rounding)
#define COPY(WIDTH, IS_NARROW)                                                                     \
    copy_width(row, WIDTH, lanes, owns, own_count, to.cells, IS_NARROW, lane, rounding)
#define COPY_SAME(WIDTH, IS_NARROW)                                                                \
    copy_same_width(row, WIDTH, first, picks, pick_count, to.cells, IS_NARROW, rounding)

CPU_DISPATCH static void run_packed_keep(uint8_t *row, int width, PackedLanes lanes,
                                         PackedCells from, size_t own_count, uint32_t rounding) {
    FOR_CELLS(KEEP, from);
}

CPU_DISPATCH static void run_packed_copy(const uint8_t *row, int width, PackedLanes lanes,
                                         const uint32_t *owns, size_t own_count, PackedCells to,
                                         int lane, uint32_t rounding) {
    FOR_CELLS(COPY, to);
}

CPU_DISPATCH static void run_packed_copy_same(const uint8_t *row, int width, int first,
                                              const PackedPick *picks, size_t pick_count,
                                              PackedCells to, uint32_t rounding) {
    FOR_CELLS(COPY_SAME, to);
}

CPU_DISPATCH static void run_packed_narrow(const int32_t *restrict numbers, size_t count,
                                           uint32_t rounding, uint16_t *restrict narrow) {
    for (size_t i = 0; i < count; i++)
        narrow[i] = (uint16_t)narrowed(numbers[i], PACKED_NARROW, rounding);
}

CPU_DISPATCH static void run_packed_widen(const uint16_t *restrict narrow, size_t count,
                                          int32_t *restrict numbers) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = widened(narrow[i], PACKED_NARROW);
}

/* --- the loops compiled for this CPU --- */

void packed_keep(uint8_t *row, int width, PackedLanes lanes, PackedCells from, size_t own_count,
                 uint32_t rounding) {
    run_packed_keep(row, width, lanes, from, own_count, rounding);
}

void packed_copy(const uint8_t *row, int width, PackedLanes lanes, const uint32_t *owns,
                 size_t own_count, PackedCells to, int lane, uint32_t rounding) {
    run_packed_copy(row, width, lanes, owns, own_count, to, lane, rounding);
}

void packed_copy_same(const uint8_t *row, int width, int first, const PackedPick *picks,
                      size_t pick_count, PackedCells to, uint32_t rounding) {
    run_packed_copy_same(row, width, first, picks, pick_count, to, rounding);
}

void packed_set(PackedCells to, int32_t number, const uint32_t *owns, size_t own_count,
                PackedLanes lanes) {
    for (size_t i = 0; i < own_count; i++)
        for (int k = lanes.first; k < lanes.first + lanes.count; k++)
            put(to.cells, to.is_narrow, owns[i] * (size_t)LANES + (size_t)k, number, 0);
}

void packed_narrow(const int32_t *restrict numbers, size_t count, uint32_t rounding,
                   uint16_t *restrict narrow) {
    run_packed_narrow(numbers, count, rounding, narrow);
}

void packed_widen(const uint16_t *restrict narrow, size_t count, int32_t *restrict numbers) {
    run_packed_widen(narrow, count, numbers);
}
