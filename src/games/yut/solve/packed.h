/* Rows of numbers, LANES for every own placement (lanes.h), each packed into as few bytes as the
 * caller wants by dropping its low bits. Numbers start at PACKED_LEAST and have PACKED_BITS bits.
 *
 * For every own placement, the two upper bytes of all lanes come first, then the third bytes, so
 * that both can be read as vectors.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_PACKED_H
#define MALPAN_GAMES_YUT_SOLVE_PACKED_H

#include "games/yut/solve/lanes.h"

enum { PACKED_WIDTH_MAX = 4, PACKED_BITS = 31, PACKED_LEAST = -(1 << 29) };

/* How many bits are dropped from a number stored in `width` bytes. */
static inline int packed_dropped_bits(int width) {
    return width == PACKED_WIDTH_MAX ? 0 : PACKED_BITS - 8 * width;
}

/* A range of lanes of a row. */
typedef struct PackedLanes {
    int first, count;
} PackedLanes;

/* Unpacked numbers to compute with, LANES for every own placement. They are whole (int32_t) or
 * narrow (uint16_t). Narrow ones are rows of PACKED_NARROW bytes per number, and compare like the
 * numbers they stand for. */
enum { PACKED_NARROW = 2 };

typedef struct PackedCells {
    void *cells;
    bool is_narrow;
} PackedCells;

/* In the functions below, `rounding` is added to each number before bits are dropped. */

/* Packs the lanes of `from` into the row. */
void packed_keep(uint8_t *row, int width, PackedLanes lanes, PackedCells from, size_t own_count,
                 uint32_t rounding);

/* For the own placements `owns`, copies the lanes of the row to as many lanes of `to`, starting at
 * `lane`. */
void packed_copy(const uint8_t *row, int width, PackedLanes lanes, const uint32_t *owns,
                 size_t own_count, PackedCells to, int lane, uint32_t rounding);

/* An own placement and some of its lanes, as a bit set. */
typedef struct PackedPick {
    uint32_t own, lanes;
} PackedPick;

/* Copies lane `first` of the row to all picked lanes of `to`. */
void packed_copy_same(const uint8_t *row, int width, int first, const PackedPick *picks,
                      size_t pick_count, PackedCells to, uint32_t rounding);

/* Sets these lanes of the own placements `owns` to `number`. */
void packed_set(PackedCells to, int32_t number, const uint32_t *owns, size_t own_count,
                PackedLanes lanes);

/* Converts whole numbers to narrow ones. */
void packed_narrow(const int32_t *restrict numbers, size_t count, uint32_t rounding,
                   uint16_t *restrict narrow);

/* Converts narrow numbers back to the whole numbers they stand for. */
void packed_widen(const uint16_t *restrict narrow, size_t count, int32_t *restrict numbers);

#endif
