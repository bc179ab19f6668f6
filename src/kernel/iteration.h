/* Value iteration for games with cycles, over the Game interface: for one player, or for two with a
 * constant sum of payoffs. It is a plain reference to check faster solvers against.
 *
 * Every reachable state has a lower and an upper bound on its value. They start as the least and
 * the greatest payoff of the game. A sweep recomputes each bound from those of the successors: the
 * mean at a chance node, the best at a player's node. So the bounds only tighten, and the value is
 * between them at any time. This holds even if part of the game is never explored: a state beyond
 * too many chance events, or one that does not fit into memory, keeps its initial bounds.
 */
#ifndef MALPAN_KERNEL_ITERATION_H
#define MALPAN_KERNEL_ITERATION_H

#include "game/solver.h"

typedef struct IterationPlan {
    double lowest, highest; /* the least and the greatest payoff to the first player */
    int chances_max;        /* how many chance events in a row to follow */
    double residual;        /* sweeps end when no bound moves by more than this */
} IterationPlan;

typedef struct IterationBounds {
    double lower, upper; /* on the value to the first player; proven, rounding errors included */
} IterationBounds;

/* Opens a solver for the variant, within the memory of `limits`. A value is halfway between its
 * bounds; `error` is half of the widest gap among the answers so far. If play can go on forever,
 * the gap may never close. STATUS_UNSUPPORTED for more than two players. Queries return
 * STATUS_STOPPED soon after the stop flag is set, and can be repeated. Free it with
 * solver->free. */
Status iteration_new(const Variant *variant, const SolveLimits *limits, const IterationPlan *plan,
                     Solver **solver);

/* Computes the bounds of a state; `solver` must be from iteration_new. */
Status iteration_bounds(Solver *solver, const State *state, IterationBounds *bounds);

#endif
