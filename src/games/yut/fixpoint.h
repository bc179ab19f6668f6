/* Two-player Yut solved: sweeps until the values stand still, and how far from the truth they can
 * be. */
#ifndef MALPAN_GAMES_YUT_FIXPOINT_H
#define MALPAN_GAMES_YUT_FIXPOINT_H

#include "game/solver.h"
#include "games/yut/sweep.h"

typedef struct Fixpoint {
    Sweep sweep;      /* of the values */
    double residual;  /* the largest change of the last sweep */
    double turns_max; /* no play of both sides makes the game longer than this, in the mean */
    double error;     /* no value is further from the truth than this */
} Fixpoint;

/* Sweeps until the error is at most `error`, within the limits. */
Status fixpoint_open(const YutRules *rules, double error, const SolveLimits *limits,
                     Fixpoint *fixpoint);
void fixpoint_close(Fixpoint *fixpoint);

#endif
