/* One turn of best play, solved for every own placement against some placements of a line: the
 * kernel of a sweep (sweep.h tells the equations). */
#ifndef MALPAN_GAMES_YUT_SOLVE_TURN_H
#define MALPAN_GAMES_YUT_SOLVE_TURN_H

#include "games/yut/solve/sweep.h"

/* Memory to solve a turn in: a line of play[L] and throw[L] for every list, and of throw[L] with
 * two throws due where a catch gives two. pending.h has the layout. */
enum {
    WORKSPACE_WIDE_ROWS = 3,
    WORKSPACE_PICK_ROWS = 2, /* room for LANES picks of every own placement */
    WORKSPACE_SCRATCH_ROWS = 3 + WORKSPACE_WIDE_ROWS
};

typedef struct Workspace {
    uint16_t *play, *thrown, *thrown_2;
    int32_t *scratch[WORKSPACE_SCRATCH_ROWS]; /* a line each; the last are for what is widened */
    PackedPick *picks;
} Workspace;

/* Whose turn is being solved, against which placements: those from `first` up to `last` of one
 * line, all with `waiting` pieces at the start. */
typedef struct Turn {
    const Sweep *sweep;
    const SweepPass *pass;
    int side;
    uint32_t first, last;
    int waiting;
    const Pending *pending;
    const int32_t *play_rank, *throw_rank;
} Turn;

/* By how much a unit of slack changes the values that are being computed. The opponent's change by
 * as much in the other direction. */
int32_t turn_slack_step(const Turn *turn);

/* Computes `values`, a line of throw[{}], and stores what later turns need after their catches. */
void turn_solve(const Turn *turn, const Workspace *workspace, int32_t *values);

#endif
