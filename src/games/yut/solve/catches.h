/* What the pieces of a line of sides (sweep.h) become when one of their squares is caught. */
#ifndef MALPAN_GAMES_YUT_SOLVE_CATCHES_H
#define MALPAN_GAMES_YUT_SOLVE_CATCHES_H

#include "games/yut/solve/pending.h"

/* Some sides of the line have a piece on the square; when it is caught, they become sides with
 * numbers in a row. */
typedef struct Catch {
    int square;
    int lane, lanes;
    uint32_t without; /* what the first becomes */
} Catch;

/* Sides of the line that become one and the same when a piece of each is caught: that on the square
 * in which they differ. */
typedef struct SameCatch {
    uint32_t squares[LANES]; /* the square of each lane, as a bit; 0: none */
    uint32_t without;
} SameCatch;

enum { CATCHES_MAX = LANES * YUT_PIECES_MAX };

/* All catches against the sides of a turn. */
typedef struct Catches {
    int count, same_count;
    Catch runs[CATCHES_MAX];
    SameCatch same[LANES];
} Catches;

/* Finds the own sides with a piece on the square of a lane, and those lanes; returns how many there
 * are. */
size_t catches_pick(const Placements *placements, const SameCatch *same, PackedPick *picks);

/* The catches against the sides from `first` up to `last`, which are of one line. */
void catches_find(const Placements *placements, uint32_t first, uint32_t last, Catches *catches);

#endif
