/* Which placements the opponent's placements of a line (sweep.h) become when a square is caught. */
#ifndef MALPAN_GAMES_YUT_SOLVE_CATCHES_H
#define MALPAN_GAMES_YUT_SOLVE_CATCHES_H

#include "games/yut/solve/pending.h"

/* Some placements of the line have a piece on the square; when it is caught, they become
 * placements with consecutive ranks. */
typedef struct Catch {
    int square;
    int lane, lanes;
    uint32_t without; /* what the first becomes */
} Catch;

/* Placements of the line that become the same one when the piece on the square in which they differ
 * is caught. */
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

/* Finds the own placements with a piece on the square of a lane, and those lanes; returns how many
 * there are. */
size_t catches_pick(const Placements *placements, const SameCatch *same, PackedPick *picks);

/* The catches against the placements `first` to `last` - 1, which are all in one line. */
void catches_find(const Placements *placements, uint32_t first, uint32_t last, Catches *catches);

#endif
