/* Solves two-player Yut: value iteration to the fixed point, and a proof of how far the values can
 * be from it. */
#ifndef MALPAN_GAMES_YUT_SOLVE_FIXPOINT_H
#define MALPAN_GAMES_YUT_SOLVE_FIXPOINT_H

#include "game/solver.h"
#include "games/yut/solve/sweep.h"

/* The phases of the work. */
typedef enum FixpointPhase {
    FIXPOINT_VALUES,
    FIXPOINT_BRACKET,
    FIXPOINT_PROOF, /* checks that the upper and the lower bounds hold */
    FIXPOINT_WIDEN  /* widens bounds that depend on bounds the proof has widened */
} FixpointPhase;

/* The state of the work between two sweeps. Together with the tables, it is all that a checkpoint
 * needs. */
typedef struct FixpointCourse {
    int32_t phase;      /* FixpointPhase */
    int32_t kind;       /* of the next sweep of the values or bounds */
    int32_t bonus;      /* error allowed per turn, see fixpoint.c */
    int32_t slack_unit; /* see sweep.h */
    int32_t extras;     /* in the lists that the proof needs */
    int32_t reached;    /* extras in the lists that full sweeps have used so far */
    int32_t tries;      /* attempts at the proof */
    int32_t sweeps;     /* done so far */
    int32_t held;       /* checks of the proof passed since the bounds last changed */
    int32_t is_below;   /* the next check is of the lower bounds */
    double goal;        /* short sweeps run until they change no more than this */
    double full_change; /* change of the last full sweep; 1: none yet */
} FixpointCourse;

typedef struct Fixpoint {
    Sweep sweep; /* with the values, and from FIXPOINT_BRACKET on bounds on their error */
    FixpointCourse course;
    double error;  /* upper bound on the error of every value */
    double wanted; /* the error that was asked for */
} Fixpoint;

/* Where checkpoints are saved. */
typedef struct FixpointCheckpoint {
    const char *path;
    double interval_s; /* minimum time between two checkpoints */
} FixpointCheckpoint;

/* Solves until the error is at most `error`, within the limits. With a checkpoint (else NULL),
 * continues an interrupted run; the result is the same. */
Status fixpoint_open(const YutRules *rules, double error, const SolveLimits *limits,
                     const FixpointCheckpoint *checkpoint, Fixpoint *fixpoint);
void fixpoint_close(Fixpoint *fixpoint);

/* The memory that fixpoint_open needs. The rest goes to files in limits->scratch if it does not fit
 * in memory. */
Status fixpoint_needs(const YutRules *rules, double error, int threads, SweepNeeds *needs);

/* Opens empty tables, to be filled with values that are believed to be within `error`. */
Status fixpoint_open_empty(const YutRules *rules, double error, const SolveLimits *limits,
                           Fixpoint *fixpoint);

/* Proves an error bound for values that were filled in. Sets fixpoint->error, which stays 1 if the
 * proof fails. `residual` is the largest difference between a value and the right-hand side of its
 * equation. */
Status fixpoint_prove(Fixpoint *fixpoint, const SolveLimits *limits, double *residual);

#endif
