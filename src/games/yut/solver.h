/* Values of any state of two-player Yut, where those about to throw with nothing pending are known.
 */
#ifndef MALPAN_GAMES_YUT_SOLVER_H
#define MALPAN_GAMES_YUT_SOLVER_H

#include "game/solver.h"
#include "games/yut/yut.h"

/* Who knows the value, to the player about to throw, of a state with nothing pending. */
typedef struct YutStarts {
    void *source;
    Status (*value)(const struct YutStarts *starts, const YutState *state, double *value);
    void (*close)(struct YutStarts *starts);
} YutStarts;

/* A solver that follows the rest of a turn and asks `starts` where the next begins; `error` is how
 * far those may be off. It closes `starts` when it is freed; not when this fails. */
Status yut_solver_over(const Rules *rules, YutStarts starts, const char *method, double error,
                       const SolveLimits *limits, Solver **solver);

/* The same, with the throws of a turn followed only so far: quicker, and a little less exact. */
Status yut_solver_within(const Rules *rules, YutStarts starts, const char *method, double error,
                         int extras, const SolveLimits *limits, Solver **solver);

#endif
