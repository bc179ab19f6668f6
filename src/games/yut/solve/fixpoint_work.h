/* The work of a fixpoint sweep by sweep: progress, stop requests and checkpoints. Only fixpoint.c
 * uses it.
 *
 * Thread safety: one thread, the one that solves.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_FIXPOINT_WORK_H
#define MALPAN_GAMES_YUT_SOLVE_FIXPOINT_WORK_H

#include "games/yut/solve/fixpoint.h"

/* What is known while the work goes on. */
typedef struct FixpointWork {
    Fixpoint *fixpoint;
    const SolveLimits *limits;
    const FixpointCheckpoint *checkpoint; /* NULL: none */
    double error;                         /* wanted */
    double saved_s;                       /* when the last checkpoint was made, */
    double save_took_s;                   /* and how long that took */
    bool is_saved;                        /* there is one */
    double sweep_s[SWEEP_KINDS]; /* how long the last sweep of each kind took; 0: none yet */
    double start_s;              /* of the present sweep */
    const char *stage;
    double change; /* of the last sweep */
    bool abandons; /* a sweep that is stopped is given up at once */
} FixpointWork;

/* A part of SWEEP_ONE as a chance. */
double work_chance(int32_t units);

/* The largest change of a pass; where a bound is checked, only in the direction that breaks it. */
int32_t work_largest_change(const SweepPass *pass, const SweepChange *change);

/* Runs a sweep, reports its progress and counts it. STATUS_STOPPED when it was given up. */
Status work_run_sweep(FixpointWork *work, SweepPass pass, SweepChange *change);

/* Between two sweeps: saves a checkpoint if one is due, before a long sweep, and before it returns
 * STATUS_STOPPED because a stop was requested. */
Status work_pause(FixpointWork *work, bool is_long);

/* Continues from the checkpoint, if there is one. */
Status work_load(FixpointWork *work);

#endif
