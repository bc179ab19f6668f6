/* The memory of sweeps: tables, lists, and the workspaces in which turns are solved. Only sweep.c
 * uses this header; the public functions are in sweep.h.
 *
 * Thread safety: while lines are solved, only the workspaces change. A thread uses its own
 * workspace, or all of them while it is the only one running (see SWEEP_WAITING_FOR_THREADS).
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SWEEP_MEMORY_H
#define MALPAN_GAMES_YUT_SOLVE_SWEEP_MEMORY_H

#include "games/yut/solve/sweep.h"
#include "games/yut/solve/turn.h"

enum {
    SWEEP_WAVE = 8,               /* lines that read the same values */
    SWEEP_WAITING_FOR_THREADS = 1 /* placements with more pieces at the start are few but have the
                                     most lists: one thread solves them, so that the others need no
                                     memory for so many lists */
};

/* The memory in which turns are solved. Each thread has a workspace for placements with few pieces
 * at the start; these are side by side. Placements with more pieces there are few but have far more
 * lists. One thread solves them in the memory of all workspaces or, if that is too small, in a deep
 * one. */
struct SweepWorkspaces {
    SweepKind kind; /* of the sweeps it is for */
    Grid wave_grid;
    int32_t *wave; /* the new values of a wave's lines, then one line per thread for old ones */
    size_t rows;   /* narrow rows (pending.h) in each thread's workspace */
    Grid workspaces, deep;
};

/* Bytes of the new values of a line. */
size_t sweep_row_bytes(const Sweep *sweep);

/* Opens the tables that a pass needs. To free memory, closes those it does not need. */
Status sweep_open_for(Sweep *sweep, const SweepPass *pass);

/* Closes the scratch files of a pass. */
void sweep_close_after(Sweep *sweep, const SweepPass *pass);

/* The workspace of a thread, for opponent's placements with `waiting` pieces at the start. */
Workspace sweep_take_workspace(const Sweep *sweep, int waiting, int thread);

#endif
