/* The eight symmetries of the board, and one key for all images of a position.
 *
 * A symmetry is a number from 0 to 7: bit 0 exchanges files and ranks, then bit 1 reverses the
 * files, then bit 2 the ranks. For example, symmetry 3 takes b1 (file 1, rank 0) to a2 and then to
 * e2: a quarter turn.
 *
 *     5  . . . . .        . . . . .
 *     4  . . . . .        . . . . .       0 identity          4 mirror: ranks
 *     3  . . . . .   3    . . . . .       1 mirror: a1-e5     5 quarter turn
 *     2  . . . . .  --->  . . . . x       2 mirror: files     6 half turn
 *     1  . x . . .        . . . . .       3 quarter turn      7 mirror: a5-e1
 *        a b c d e        a b c d e
 *
 * A position's key has 64 bits, is the same for all eight images, and determines the position up to
 * symmetry, so no two other positions share it:
 *
 *     bits 0-24   soldiers of the side to move     25-29   its king's square
 *     bits 32-56  soldiers of the other side       57-61   that king's square
 *
 * The canonical image is the one whose kings' squares (mover's first) are smallest. If both kings
 * stand on one axis, two images have those; of these the smaller key counts.
 *
 * The tables are constant after symmetries_init; any number of threads may share them.
 */
#ifndef MALPAN_GAMES_VALLEY_SYMMETRY_H
#define MALPAN_GAMES_VALLEY_SYMMETRY_H

#include "games/valley/board.h"

enum { SYMMETRY_COUNT = 8 };

typedef struct Symmetries {
    uint8_t squares[SYMMETRY_COUNT][VALLEY_SQUARES]; /* where a symmetry takes a square */
    uint8_t inverse[SYMMETRY_COUNT];                 /* the symmetry that undoes it */
    /* [mover's king][other king]: the symmetries that lead to the canonical image of the kings; two
     * if both stand on one axis, else the same one twice. */
    uint8_t canonical[VALLEY_SQUARES][VALLEY_SQUARES][2];
} Symmetries;

/* Fills the tables. */
void symmetries_init(Symmetries *symmetries);

/* Replaces two sets of squares by their images under the symmetry. */
void symmetry_apply(int symmetry, uint32_t sets[2]);

/* The key of the position with `mover` to move; `symmetry` is set to the one that leads from the
 * position to its canonical image. */
uint64_t symmetry_key(const Symmetries *symmetries, const ValleyBoard *board, int mover,
                      int *symmetry);

#endif
