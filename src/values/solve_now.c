#include "values/solve_now.h"

#include "kernel/induction.h"

Status solve_now_check(const Variant *variant) {
    const Game *game = variant->game;
    if (game->solver && game->solver->check)
        return game->solver->check(&variant->rules);
    if (!game->solver && game->tree.has_cycles)
        return status_make(STATUS_UNSUPPORTED,
                           "%s has no exact values: its positions can repeat, which rules out "
                           "backward induction",
                           game->identity.name);
    return status_ok();
}

Status solve_now_open(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    Status status = solve_now_check(variant);
    if (!status_is_ok(&status))
        return status;
    const GameSolver *own = variant->game->solver;
    return own ? own->open(&variant->rules, limits, solver)
               : induction_new(variant, limits, solver);
}
