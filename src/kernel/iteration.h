/* Value iteration for games whose positions may come back, over the common interface; for one
 * player, or two where one's gain is the other's loss. Plain, to check faster solvers by.
 *
 * Every state that was met has a lower and an upper bound of what it is worth. They begin as the
 * least and the most that any game pays, and a sweep takes each anew from those of the states that
 * follow: the mean where chance acts, the best where a player does. So they only ever draw
 * together, and the truth is between them at any time. That stays so when part of the game is never
 * looked at: a state where too many chance events have followed each other, or that there is no
 * room for, just keeps its first bounds.
 */
#ifndef MALPAN_KERNEL_ITERATION_H
#define MALPAN_KERNEL_ITERATION_H

#include "game/solver.h"

typedef struct IterationPlan {
    double lowest, highest; /* no game pays the first player less, or more */
    int chances_max;        /* chance events in a row that are followed */
    double residual;        /* sweeps end when none of the bounds moves by more */
} IterationPlan;

typedef struct IterationBounds {
    double lower, upper; /* of the value to the first player; proven, rounding included */
} IterationBounds;

/* A solver for the variant, within the memory of `limits`. Its values are halfway between the
 * bounds, and its error is half of the widest gap that an answer had. Where play can go on for
 * ever, the gap may never close. Free it with solver->free. */
Status iteration_new(const Variant *variant, const SolveLimits *limits, const IterationPlan *plan,
                     Solver **solver);

/* The bounds themselves, from a solver made here. */
Status iteration_bounds(Solver *solver, const State *state, IterationBounds *bounds);

#endif
