/* Rows of numbers with LANES of them for every own placement (lanes.h), each in as few bytes as one
 * wants: the lower bits are dropped. Numbers are from PACKED_LEAST on and have PACKED_BITS bits.
 *
 * For every own placement there are first the two upper bytes of all lanes, then the third, so that
 * they can be read as vectors.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_PACKED_H
#define MALPAN_GAMES_YUT_SOLVE_PACKED_H

#include "games/yut/solve/lanes.h"

enum { PACKED_WIDTH_MAX = 4, PACKED_BITS = 31, PACKED_LEAST = -(1 << 29) };

/* How many bits are dropped when a number has so many bytes. */
static inline int packed_dropped_bits(int width) {
    return width == PACKED_WIDTH_MAX ? 0 : PACKED_BITS - 8 * width;
}

/* Lanes of a row. */
typedef struct PackedLanes {
    int first, count;
} PackedLanes;

/* Numbers to compute with, LANES for every own placement: whole ones (int32_t), or narrow ones,
 * which are rows of PACKED_NARROW bytes (uint16_t) and compare like the numbers they stand for. */
enum { PACKED_NARROW = 2 };

typedef struct PackedCells {
    void *cells;
    bool is_narrow;
} PackedCells;

/* In what follows, `rounding` is added to each number before bits are dropped. */

/* Puts the lanes of `from` in the row. */
void packed_keep(uint8_t *row, int width, PackedLanes lanes, PackedCells from, size_t own_count,
                 uint32_t rounding);

/* Copies the lanes of the row for the own placements `owns` to as many lanes of `to`, from `lane`
 * on. */
void packed_copy(const uint8_t *row, int width, PackedLanes lanes, const uint32_t *owns,
                 size_t own_count, PackedCells to, int lane, uint32_t rounding);

/* Some lanes of an own placement, as bits. */
typedef struct PackedPick {
    uint32_t own, lanes;
} PackedPick;

/* Copies the lane `first` of the row to all lanes of `to` that are picked. */
void packed_copy_same(const uint8_t *row, int width, int first, const PackedPick *picks,
                      size_t pick_count, PackedCells to, uint32_t rounding);

/* Sets the lanes of the own placements `owns`. */
void packed_set(PackedCells to, int32_t number, const uint32_t *owns, size_t own_count,
                PackedLanes lanes);

/* Makes numbers narrow. */
void packed_narrow(const int32_t *restrict numbers, size_t count, uint32_t rounding,
                   uint16_t *restrict narrow);

/* The numbers that narrow ones stand for. */
void packed_widen(const uint16_t *restrict narrow, size_t count, int32_t *restrict numbers);

#endif
