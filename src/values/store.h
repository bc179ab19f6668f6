/* Where solved tables are kept, and solvers that use them. */
#ifndef MALPAN_VALUES_STORE_H
#define MALPAN_VALUES_STORE_H

#include <limits.h>

#include "game/stored.h"

/* The file of a variant's table in the folder: the game, and the rule options that are not the
 * usual ones, as in `yut-pieces-3.table`. */
Status store_path(const char *folder, const Variant *variant, char path[PATH_MAX]);

/* Makes the folder with those above it, if it is not there. */
Status store_make_folder(const char *folder);

/* Opens the table at `path`, if it is one of this variant. */
Status store_open(const char *path, const Variant *variant, Table **table);

/* A solver for the variant: over its table in limits->tables where there is one; else one that
 * solves it now, which then leaves a table there. The caller frees it. STATUS_TABLE when only a
 * table would do and there is none, or when it is damaged. */
Status store_solver(const Variant *variant, const SolveLimits *limits, Solver **solver);

/* Why there is no such solver, by a look at the rules and whether there is a file; or fine. Here
 * STATUS_TABLE says that the table is missing: what a file holds shows when it is opened. */
Status store_check(const Variant *variant, const SolveLimits *limits);
bool store_can_solve(const Variant *variant, const SolveLimits *limits);

/* store_solver; but where there is no such solver, one that searches (values/search_solver.h), if
 * the game has a search; or where the table is missing, one of estimates (values/lookahead.h), if
 * it has those. `missing` says what store_check does. A damaged table stays an error. */
Status store_solver_or_estimate(const Variant *variant, const SolveLimits *limits, Solver **solver,
                                Status *missing);

#endif
