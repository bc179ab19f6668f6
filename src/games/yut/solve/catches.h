/* How catches change the opponent's placements of a line (sweep.h): which placement each becomes
 * when a square is caught. */
#ifndef MALPAN_GAMES_YUT_SOLVE_CATCHES_H
#define MALPAN_GAMES_YUT_SOLVE_CATCHES_H

#include "games/yut/solve/pending.h"

/* A run of placements of the line that have a piece on the square. When it is caught, they become
 * placements with consecutive ranks. */
typedef struct Catch {
    int square;
    int lane, lanes;
    uint32_t without; /* what the first of them becomes */
} Catch;

/* Placements of the line that differ in one square, and become the same placement when the piece on
 * that square is caught. */
typedef struct SameCatch {
    uint32_t squares[LANES]; /* the square of each lane, as a bit; 0: none */
    uint32_t without;
} SameCatch;

enum { CATCHES_MAX = LANES * YUT_PIECES_MAX };

/* All catches against the placements of a turn. */
typedef struct Catches {
    int count, same_count;
    Catch runs[CATCHES_MAX];
    SameCatch same[LANES];
} Catches;

/* Finds the own placements with a piece on the square of some lane, together with those lanes.
 * Returns how many placements there are. */
size_t catches_pick(const Placements *placements, const SameCatch *same, PackedPick *picks);

/* The catches against the placements `first` to `last` - 1, which are all in one line. */
void catches_find(const Placements *placements, uint32_t first, uint32_t last, Catches *catches);

#endif
