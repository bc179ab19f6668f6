/* Runs the sweeps of a fixpoint, with progress reports, stop requests and checkpoints. Only
 * fixpoint.c uses it.
 *
 * Thread safety: only the thread that solves may use it.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_FIXPOINT_WORK_H
#define MALPAN_GAMES_YUT_SOLVE_FIXPOINT_WORK_H

#include "games/yut/solve/fixpoint.h"

/* The state of a running computation. */
typedef struct FixpointWork {
    Fixpoint *fixpoint;
    const SolveLimits *limits;
    const FixpointCheckpoint *checkpoint; /* NULL: none */
    double error;                         /* wanted */
    double saved_s;                       /* when the last checkpoint was saved */
    double save_took_s;                   /* how long saving it took */
    bool is_saved;                        /* a checkpoint exists */
    double sweep_s[SWEEP_KINDS];          /* duration of the last sweep of each kind; 0: none yet */
    double start_s;                       /* when the current sweep started */
    const char *stage;
    double change; /* of the last sweep */
    bool abandons; /* a stop request abandons the current sweep at once */
} FixpointWork;

/* Converts a part of SWEEP_ONE to a chance. */
double work_chance(int32_t units);

/* The largest change of a pass. When a bound is checked, only changes that violate it count. */
int32_t work_largest_change(const SweepPass *pass, const SweepChange *change);

/* Runs a sweep, reports its progress and counts it. STATUS_STOPPED if it was abandoned. */
Status work_run_sweep(FixpointWork *work, SweepPass pass, SweepChange *change);

/* Call between two sweeps. Saves a checkpoint if one is due, before a long sweep, and before
 * returning STATUS_STOPPED because a stop was requested. */
Status work_pause(FixpointWork *work, bool is_long);

/* Continues from the checkpoint, if there is one. */
Status work_load(FixpointWork *work);

#endif
