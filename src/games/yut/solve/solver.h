/* Values of any state of two-player Yut, where those about to throw with nothing pending are known.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SOLVER_H
#define MALPAN_GAMES_YUT_SOLVE_SOLVER_H

#include "game/solver.h"
#include "games/yut/yut.h"

/* Who knows the value, to the player about to throw, of a state with nothing pending. */
typedef struct YutStarts {
    void *source;
    double error; /* no value is further from the truth */
    Status (*value)(const struct YutStarts *starts, const YutState *state, double *value);
    void (*close)(struct YutStarts *starts);
} YutStarts;

/* A solver that follows the rest of a turn and asks `starts` where the next begins. As throws may
 * go on for ever, `open` of a value may be left open. It closes `starts` when it is freed; not when
 * this fails. */
Status yut_solver_over(const Rules *rules, YutStarts starts, const char *method, double open,
                       const SolveLimits *limits, Solver **solver);

/* From now on, where memory is short throws are followed less far, and the solver's error grows by
 * what that leaves open; else such a value is refused. */
void yut_solver_take_less(Solver *solver);

#endif
