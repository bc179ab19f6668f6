/* Positions that are turns and mirror images of each other, folded into one.
 *
 * The board has eight symmetries. A symmetry is a number: bit 0 exchanges files and ranks, then bit
 * 1 reverses the files, then bit 2 the ranks. A position becomes a key of 64 bits that is the same
 * for all eight of its images, and from which the position can be told: no two others share it.
 *
 *     bits 0-24   soldiers of whoever moves       25-29   its king's square
 *     bits 32-56  soldiers of the other side      57-61   that king's square
 *
 * Of the images, the one counts in which the kings' squares come first in order; where both kings
 * stand on one axis there are two such, and the smaller key counts.
 */
#ifndef MALPAN_GAMES_VALLEY_SYMMETRY_H
#define MALPAN_GAMES_VALLEY_SYMMETRY_H

#include "games/valley/board.h"

enum { FOLD_SYMMETRIES = 8 };

typedef struct Fold {
    uint8_t squares[FOLD_SYMMETRIES][VALLEY_SQUARES]; /* where a symmetry takes a square */
    uint8_t inverse[FOLD_SYMMETRIES];                 /* the symmetry that takes it back */
    uint8_t best[VALLEY_SQUARES][VALLEY_SQUARES][2];  /* for two kings; both alike: only one */
} Fold;

/* Fills the tables above. */
void fold_init(Fold *fold);

/* Two sets of squares as the symmetry has them. */
void fold_turn(int symmetry, uint32_t sets[2]);

/* The key of the position with `mover` to move; `symmetry` is the one that leads there. */
uint64_t fold_key(const Fold *fold, const ValleyBoard *board, int mover, int *symmetry);

#endif
