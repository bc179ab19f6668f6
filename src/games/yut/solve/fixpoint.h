/* Two-player Yut solved: value iteration to the fixed point, and a proof of how far from it the
 * values can be. */
#ifndef MALPAN_GAMES_YUT_SOLVE_FIXPOINT_H
#define MALPAN_GAMES_YUT_SOLVE_FIXPOINT_H

#include "game/solver.h"
#include "games/yut/solve/sweep.h"

/* The phases of the work. */
typedef enum FixpointPhase {
    FIXPOINT_VALUES,
    FIXPOINT_BRACKET,
    FIXPOINT_PROOF, /* checks that the upper and the lower bounds hold */
    FIXPOINT_WIDEN  /* bounds that failed were widened: widens those that lead there */
} FixpointPhase;

/* The state of the work between two sweeps. With the tables, all that a checkpoint needs. */
typedef struct FixpointCourse {
    int32_t phase;      /* FixpointPhase */
    int32_t kind;       /* of the next sweep of the values or bounds */
    int32_t bonus;      /* what a turn may be off, see fixpoint.c */
    int32_t slack_unit; /* see sweep.h */
    int32_t extras;     /* of the lists that the proof needs */
    int32_t reached;    /* of the lists that full sweeps have had so far */
    int32_t tries;      /* of the proof */
    int32_t sweeps;     /* done so far */
    int32_t held;       /* checks of the proof that the bounds have passed since they changed */
    int32_t is_below;   /* the next one is of the lower bounds */
    double goal;        /* short sweeps go on until they change no more than this */
    double full_change; /* of the last full sweep; 1: none yet */
} FixpointCourse;

typedef struct Fixpoint {
    Sweep sweep; /* with the values, and from FIXPOINT_BRACKET on how far off they can be */
    FixpointCourse course;
    double error;  /* no value is further from the truth than this */
    double wanted; /* how far they may be */
} Fixpoint;

/* Where checkpoints are saved. */
typedef struct FixpointCheckpoint {
    const char *path;
    double interval_s; /* between two checkpoints, at least */
} FixpointCheckpoint;

/* Solves until the error is at most `error`, within the limits. With a checkpoint (else NULL), it
 * continues an interrupted run, with the same result. */
Status fixpoint_open(const YutRules *rules, double error, const SolveLimits *limits,
                     const FixpointCheckpoint *checkpoint, Fixpoint *fixpoint);
void fixpoint_close(Fixpoint *fixpoint);

/* What that takes; the rest goes to files in limits->scratch where memory has no room for it. */
Status fixpoint_needs(const YutRules *rules, double error, int threads, SweepNeeds *needs);

/* Empty tables, to be filled with values that are believed to be within `error`. */
Status fixpoint_open_empty(const YutRules *rules, double error, const SolveLimits *limits,
                           Fixpoint *fixpoint);

/* Proves a bound for values that were filled in: fixpoint->error, which stays 1 if the proof fails.
 * `residual` is the largest difference between a value and the right-hand side of its equation. */
Status fixpoint_prove(Fixpoint *fixpoint, const SolveLimits *limits, double *residual);

#endif
