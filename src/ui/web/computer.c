#include "ui/web/computer.h"

#include "ui/web/request.h"

Status computer_choose(SolverPool *pool, const Variant *variant, const Seat *seat,
                       const State *state, Random random, Move *move) {
    PooledSolver *pooled;
    double start = solver_pool_clock_s();
    Status status = solver_pool_acquire(pool, variant, seat, SERVER_MOVE_S, &pooled);
    if (!status_is_ok(&status))
        return status;
    Random copy = random;
    status = pooled->player->choose(pooled->player, state, &copy, move);
    bool again = solver_pool_wants_more(pool, pooled, &status);
    solver_pool_release(pool, pooled, false);
    if (again)
        return computer_choose(pool, variant, seat, state, random, move);
    solver_pool_record_time(pool, variant, seat, solver_pool_clock_s() - start);
    return status;
}
