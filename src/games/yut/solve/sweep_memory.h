/* The memory of sweeps: tables, lists, and the workspaces on which turns are solved. Only sweep.c
 * uses it; what others need is in sweep.h.
 *
 * Thread safety: while lines are solved nothing here changes but the workspaces. A thread uses its
 * own workspace, or all of them while it is the only one (see SWEEP_WAITING_FOR_THREADS).
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SWEEP_MEMORY_H
#define MALPAN_GAMES_YUT_SOLVE_SWEEP_MEMORY_H

#include "games/yut/solve/sweep.h"
#include "games/yut/solve/turn.h"

enum {
    SWEEP_WAVE = 8,               /* lines that read the same values */
    SWEEP_WAITING_FOR_THREADS = 1 /* placements with more pieces at the start have the most lists
                                     and are few: one thread takes them, so that the others need no
                                     room for so many lists */
};

/* The room for turns. One workspace a thread, side by side, for placements with few pieces at the
 * start. Those with more have far more lists and are few: one thread takes them, and has the room
 * of all workspaces, or where that will not do a deep one. */
struct SweepWorkspaces {
    SweepKind kind; /* of the sweeps that it is for */
    Grid wave_grid;
    int32_t *wave; /* the new values of a wave's lines, then a line a thread for old ones */
    size_t rows;   /* narrow ones (pending.h), of each thread's workspace */
    Grid workspaces, deep;
};

/* Bytes of the new values of a line. */
size_t sweep_row_bytes(const Sweep *sweep);

/* Opens the tables that a pass needs, and closes what it does not, to make room. */
Status sweep_open_for(Sweep *sweep, const SweepPass *pass);

/* Closes the scratch files of a pass. */
void sweep_close_after(Sweep *sweep, const SweepPass *pass);

/* The workspace of a thread, for opponent's placements with so many pieces at the start. */
Workspace sweep_take_workspace(const Sweep *sweep, int waiting, int thread);

#endif
