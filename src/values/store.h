/* The folder of solved tables: where a variant's table is, what it costs, how it is opened. Which
 * solver answers is decided in values/policy.h.
 *
 * Thread safety: any thread may call these functions.
 */
#ifndef MALPAN_VALUES_STORE_H
#define MALPAN_VALUES_STORE_H

#include <limits.h>

#include "game/stored.h"

/* The path of a variant's table in the folder: the game and the rule options that differ from their
 * defaults, as in `yut-pieces-3.table`. */
Status store_path(const char *folder, const Variant *variant, char path[PATH_MAX]);

/* Creates the folder and those above it, if absent. */
Status store_make_folder(const char *folder);

/* Whether a table can be written there; creates the folder if absent. */
bool store_can_write(const char *folder);

/* Opens the table at `path`. STATUS_TABLE if there is none, it is damaged, or it belongs to another
 * variant. The caller closes it. */
Status store_open(const char *path, const Variant *variant, Table **table);

/* Opens a solver over the table at `path`. The caller frees it. */
Status store_open_solver(const char *path, const Variant *variant, const SolveLimits *limits,
                         Solver **solver);

/* Whether the variant can have a table. STATUS_UNSUPPORTED says why not. */
Status store_check(const Variant *variant);

/* Whether the table at `path` exists and its error is at most `error`; `info` then receives its
 * description. STATUS_TABLE if the file is damaged or belongs to another variant. */
Status store_find(const char *path, const Variant *variant, double error, TableInfo *info,
                  bool *is_found);

/* Solves the variant to its default error and writes the table. */
Status store_solve(const char *path, const Variant *variant, const SolveLimits *limits);

/* Checks every checksum of the file, then the equations of `sample` random positions, or of all
 * positions if it is 0. What the report says of the table is left to the functions below. */
Status store_verify(const Variant *variant, const Table *table, uint64_t sample, uint64_t seed,
                    const SolveLimits *limits, VerifyReport *report);

/* Whether all equations were checked and prove the error bound that the table states. */
bool store_is_proven(const TableInfo *info, const VerifyReport *report);

/* STATUS_TABLE if the table violates the error bound it states. A sample can refute the bound, but
 * not prove it. */
Status store_check_bound(const TableInfo *info, const VerifyReport *report, uint64_t sample);

/* Adds what `malpan solve` needs: "about 2 min on two cores, 2.6 GB of memory, 437 MB of disk". The
 * figures are for a machine with two cores and 16 GB. False if the variant has no table. */
bool store_add_cost(const Variant *variant, Text *text);

#endif
