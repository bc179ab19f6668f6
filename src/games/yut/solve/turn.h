/* The kernel of a sweep: solves one turn of best play for every own placement against some
 * placements of a line. sweep.h has the equations. */
#ifndef MALPAN_GAMES_YUT_SOLVE_TURN_H
#define MALPAN_GAMES_YUT_SOLVE_TURN_H

#include "games/yut/solve/sweep.h"

/* The memory in which a turn is solved: one line of play[L] and one of throw[L] for every list, and
 * another of throw[L] with two throws due if a catch gives two. pending.h documents the layout. */
enum {
    WORKSPACE_WIDE_ROWS = 3,
    WORKSPACE_PICK_ROWS = 2, /* room for LANES picks of every own placement */
    WORKSPACE_SCRATCH_ROWS = 3 + WORKSPACE_WIDE_ROWS
};

typedef struct Workspace {
    uint16_t *play, *thrown, *thrown_2;
    int32_t *scratch[WORKSPACE_SCRATCH_ROWS]; /* one line each; the last few hold widened rows */
    PackedPick *picks;
} Workspace;

/* A turn to solve: `side` plays against the placements `first` to `last` - 1 of one line, all with
 * `waiting` pieces at the start. */
typedef struct Turn {
    const Sweep *sweep;
    const SweepPass *pass;
    int side;
    uint32_t first, last;
    int waiting;
    const Pending *pending;
    const int32_t *play_rank, *throw_rank;
} Turn;

/* How much one unit of slack changes the values being computed. The opponent's values change by the
 * same amount in the other direction. */
int32_t turn_slack_step(const Turn *turn);

/* Computes `values`, a line of throw[{}], and stores the throw[L] that later turns need after their
 * catches. */
void turn_solve(const Turn *turn, const Workspace *workspace, int32_t *values);

#endif
