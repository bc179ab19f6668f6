#include "values/policy.h"

#include "base/file.h"
#include "game/stored.h"
#include "kernel/lookahead.h"
#include "values/search_solver.h"
#include "values/solve_now.h"
#include "values/store.h"

/* --- solving now --- */

/* solve_now_check, with what making the table costs added to the message about a missing one. */
static Status check_solving_now(const Variant *variant) {
    Status status = solve_now_check(variant);
    char cost[GAME_TEXT_BYTES];
    Text text = text_over(cost, sizeof cost);
    if (status.code != STATUS_TABLE || !store_add_cost(variant, &text))
        return status;
    return status_make(STATUS_TABLE, "%s (%s)", status.message, cost);
}

/* Solves, and leaves a table if one can be written. */
static Status solve_and_keep(const Variant *variant, const SolveLimits *limits, const char *path,
                             Solver **solver) {
    Status status = check_solving_now(variant);
    if (!status_is_ok(&status))
        return status;
    if (path && store_can_write(limits->tables)) {
        status = store_solve(path, variant, limits);
        if (status_is_ok(&status))
            status = store_open_solver(path, variant, limits, solver);
        /* The disk may be full. That does not prevent solving in memory. */
        if (status.code != STATUS_FAILED)
            return status;
    }
    return solve_now_open(variant, limits, solver);
}

/* --- exact values --- */

/* Whether the table at `path` is further from the truth than what solving now gives. */
static bool is_coarse(const Variant *variant, const char *path) {
    Table *table;
    Status status = solve_now_check(variant);
    if (!status_is_ok(&status))
        return false;
    status = store_open(path, variant, &table);
    if (!status_is_ok(&status))
        return false;
    bool is_coarse = table_info(table)->error > variant->game->stored->usual_error(&variant->rules);
    table_close(table);
    return is_coarse;
}

static Status open_table(const Variant *variant, const SolveLimits *limits, const char *path,
                         Solver **solver) {
    if (is_coarse(variant, path)) {
        Status status = solve_now_open(variant, limits, solver);
        if (status_is_ok(&status) || status.code == STATUS_STOPPED)
            return status;
    }
    return store_open_solver(path, variant, limits, solver);
}

/* The path of the variant's table; "" if the variant is never stored, or no folder is given. */
static Status find_path(const Variant *variant, const SolveLimits *limits, char path[PATH_MAX]) {
    const GameStored *stored = variant->game->stored;
    path[0] = '\0';
    if (!stored || !limits->tables)
        return status_ok();
    Status storable = stored->check(&variant->rules);
    return status_is_ok(&storable) ? store_path(limits->tables, variant, path) : status_ok();
}

/* `is_final`: the error has to be reported, whatever the policy. */
static Status open_exact(const Variant *variant, const SolveLimits *limits, Solver **solver,
                         bool *is_final) {
    char path[PATH_MAX];
    Status status = find_path(variant, limits, path);
    *is_final = true;
    if (!status_is_ok(&status))
        return status;
    if (path[0] && file_exists(path))
        return open_table(variant, limits, path, solver);
    status = solve_and_keep(variant, limits, path[0] ? path : NULL, solver);
    *is_final = status.code != STATUS_TABLE && status.code != STATUS_UNSUPPORTED;
    return status;
}

/* --- the policy --- */

#define SHARE_BYTES ((size_t)256 << 20)

int values_share(const SolveLimits *limits, SolveLimits *share) {
    *share = *limits;
    if (share->memory_bytes > SHARE_BYTES)
        share->memory_bytes = SHARE_BYTES;
    size_t shares = share->memory_bytes > 0 ? limits->memory_bytes / share->memory_bytes : 1;
    return shares < (size_t)limits->threads ? (int)shares : limits->threads;
}

static bool has_search(const Variant *variant) {
    return variant->game->search && variant->game->rules.player_count(&variant->rules) == 2;
}

static bool has_own_estimate(const Variant *variant) {
    return variant->game->solver && variant->game->solver->estimate;
}

bool values_has_estimate(const Variant *variant) {
    return has_own_estimate(variant) || variant->game->estimate;
}

Status values_open_estimate(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    if (has_own_estimate(variant))
        return variant->game->solver->estimate(&variant->rules, limits, solver);
    return lookahead_new(variant, &(LookaheadPlan){.turns = 1}, limits, solver);
}

Status values_open(const Variant *variant, ValuePolicy policy, const SolveLimits *limits,
                   Solver **solver, Status *why_not_exact) {
    bool is_final;
    Status status = open_exact(variant, limits, solver, &is_final);
    if (why_not_exact)
        *why_not_exact = status;
    if (status_is_ok(&status) || is_final || policy == VALUES_EXACT)
        return status;
    if (has_search(variant))
        return search_solver_new(variant, limits, solver);
    if (policy != VALUES_ANY || !values_has_estimate(variant))
        return status;
    Status estimated = values_open_estimate(variant, limits, solver);
    return estimated.code == STATUS_UNSUPPORTED ? status : estimated;
}

Status values_open_exact(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    return values_open(variant, VALUES_EXACT, limits, solver, NULL);
}

Status values_open_another(const Variant *variant, const Solver *first, const SolveLimits *limits,
                           Solver **solver) {
    return first && first->clone ? first->clone(first, limits, solver)
                                 : values_open_exact(variant, limits, solver);
}

Status values_check(const Variant *variant, ValuePolicy policy, const SolveLimits *limits) {
    char path[PATH_MAX];
    Status status = find_path(variant, limits, path);
    if (!status_is_ok(&status) || (path[0] && file_exists(path)))
        return status;
    if ((policy != VALUES_EXACT && has_search(variant)) ||
        (policy == VALUES_ANY && values_has_estimate(variant)))
        return status_ok();
    return check_solving_now(variant);
}
