/* The one place that decides who answers "what is this position worth?".
 *
 *     policy          answered by, in this order
 *     VALUES_EXACT    the variant's table; else the variant is solved now
 *     VALUES_PROOF    also a search, whose proven values are exact
 *     VALUES_ANY      also an estimate: what a search has not proven, or a lookahead
 *
 * A table that is damaged is an error under every policy: nothing is used in its place. A table
 * whose error bound is worse than what solving now would give is not used where the variant can be
 * solved now.
 *
 * Every Evaluation states what it is (ValueKind, game/solver.h) and its error.
 *
 * Thread safety: any thread may call these functions. A solver belongs to one thread at a time.
 */
#ifndef MALPAN_VALUES_POLICY_H
#define MALPAN_VALUES_POLICY_H

#include "game/solver.h"

typedef enum ValuePolicy { VALUES_EXACT, VALUES_PROOF, VALUES_ANY } ValuePolicy;

/* Opens a solver for the variant. The caller frees it.
 *
 * A small variant that is solved now leaves its table in limits->tables, if that can be written.
 * `why_not_exact` (may be NULL) receives success if the solver's values are exact, otherwise why
 * there are no exact values.
 *
 * Errors: STATUS_TABLE if only a table would do and there is none, or it is damaged;
 * STATUS_UNSUPPORTED if the variant has no values of the kind asked for, or needs more memory than
 * allowed; STATUS_STOPPED on request. */
Status values_open(const Variant *variant, ValuePolicy policy, const SolveLimits *limits,
                   Solver **solver, Status *why_not_exact);

/* values_open with VALUES_EXACT. */
Status values_open_exact(const Variant *variant, const SolveLimits *limits, Solver **solver);

/* The same for another thread: a clone of `first`, if it is a solver of this variant that can be
 * cloned (game/solver.h); otherwise, or if `first` is NULL, a new one. */
Status values_open_another(const Variant *variant, const Solver *first, const SolveLimits *limits,
                           Solver **solver);

/* The limits of one of several solvers that work side by side. Returns how many there may be, at
 * least one and at most limits->threads. A share does not depend on the number of threads, because
 * what a solver can do within its memory may influence its values. */
int values_share(const SolveLimits *limits, SolveLimits *share);

/* Whether values_open can be expected to succeed, without doing the work: by the rules, and by
 * whether the table's file exists. Returns the error otherwise. */
Status values_check(const Variant *variant, ValuePolicy policy, const SolveLimits *limits);

/* Opens what estimates this variant: a solver of the game's own, or else a lookahead to the end of
 * the turn. STATUS_UNSUPPORTED if there is neither. */
Status values_open_estimate(const Variant *variant, const SolveLimits *limits, Solver **solver);

/* Whether there is something to estimate this variant with. */
bool values_has_estimate(const Variant *variant);

#endif
