/* Rows of numbers with LANES of them for every own side (lanes.h), each in as few bytes as one
 * wants: the lower bits are dropped. Numbers are from PACKED_LEAST on and have PACKED_BITS bits.
 *
 * For every own side there are first the two upper bytes of all lanes, then the third, so that they
 * can be read as vectors.
 */
#ifndef MALPAN_GAMES_YUT_PACKED_H
#define MALPAN_GAMES_YUT_PACKED_H

#include "games/yut/lanes.h"

enum { PACKED_WIDTH_MAX = 4, PACKED_BITS = 31, PACKED_LEAST = -(1 << 29) };

/* How many bits are dropped when a number has so many bytes. */
static inline int packed_dropped_bits(int width) {
    return width == PACKED_WIDTH_MAX ? 0 : PACKED_BITS - 8 * width;
}

/* Lanes of a row. */
typedef struct PackedLanes {
    int first, count;
} PackedLanes;

/* Puts the lanes of `cells` in the row. `rounding` is added to each before bits are dropped. */
void packed_keep(uint8_t *row, int width, PackedLanes lanes, const int32_t *cells, size_t own_count,
                 uint32_t rounding);

/* Copies the lanes of the row for the own sides `owns` to as many lanes of `cells`, from `lane` on.
 */
void packed_copy(const uint8_t *row, int width, PackedLanes lanes, const uint32_t *owns,
                 size_t own_count, int32_t *cells, int lane);

/* Copies the lane `first` of the row, for every own side, to those lanes of `cells` whose square
 * (as a bit, 0 for none) the own side holds. */
void packed_copy_same(const uint8_t *row, int width, int first, const uint32_t squares[LANES],
                      const uint32_t *occupied, size_t own_count, int32_t *cells);

#endif
