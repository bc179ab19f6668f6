/* Exact values without a table: the game's own solver, or backward induction. Most callers want
 * values/policy.h, which also looks for tables; this is for programs and tests that have none.
 *
 * Thread safety: any thread may call these functions. A solver belongs to one thread at a time.
 */
#ifndef MALPAN_VALUES_SOLVE_NOW_H
#define MALPAN_VALUES_SOLVE_NOW_H

#include "game/solver.h"

/* Whether the variant can be solved now, by a look at the rules. STATUS_TABLE if only a table would
 * do; STATUS_UNSUPPORTED if nothing does. */
Status solve_now_check(const Variant *variant);

/* Opens a solver. The caller frees it. Errors as above, and STATUS_UNSUPPORTED if the work needs
 * more memory than allowed. */
Status solve_now_open(const Variant *variant, const SolveLimits *limits, Solver **solver);

#endif
