#include "games/yut/facts/start_grid.h"

#include <stdlib.h>

#include "games/yut/solve/grid.h"

State start_grid_state(const StartGrid *grid, uint32_t own, uint32_t other) {
    YutState state = {.throws = 1};
    size_t pieces = (size_t)grid->placements.pieces;
    memcpy(state.pieces[0], grid->placements.squares[own], pieces);
    memcpy(state.pieces[1], grid->placements.squares[other], pieces);
    return yut_state_pack(&state);
}

uint64_t start_grid_bytes(const YutRules *rules) {
    uint64_t count = 1;
    for (int i = 0; i < rules->pieces; i++)
        count = count * (uint64_t)(YUT_SQUARES + i) / (uint64_t)(i + 1);
    return count * count * sizeof(uint32_t);
}

/* Fills in the values of all own placements against one placement of the other player. */
static Status fill_line(StartGrid *grid, Solver *solver, uint32_t other) {
    uint32_t *line = grid->values + start_grid_index(grid, 0, other);
    for (uint32_t own = 0; own < grid->placements.count; own++) {
        line[own] = 0;
        if (!start_grid_has(grid, own, other))
            continue;
        State state = start_grid_state(grid, own, other);
        double values[2];
        Status status = solver->values(solver, &state, values);
        if (!status_is_ok(&status))
            return status;
        line[own] = (uint32_t)(values[0] * START_GRID_ONE + 0.5);
    }
    return status_ok();
}

Status start_grid_open(const Rules *rules, Solver *solver, const SolveLimits *limits,
                       StartGrid *grid) {
    YutRules yut = yut_rules(rules);
    *grid = (StartGrid){.rules = *rules};
    for (int square = 1; square < YUT_ARRIVED; square++)
        if (!yut_can_stand(&yut, 0, square))
            grid->barred |= 1u << square;
    Status status = placements_open(yut.pieces, &grid->placements);
    if (!status_is_ok(&status))
        return status;
    grid->values = grid_new(start_grid_bytes(&yut));
    if (!grid->values)
        status = status_make(STATUS_FAILED, "out of memory");
    progress_start(limits->progress, "reading values");
    for (uint32_t other = 0; other < grid->placements.count && status_is_ok(&status); other++) {
        status = fill_line(grid, solver, other);
        progress_report(limits->progress, other + 1, grid->placements.count);
    }
    progress_finish(limits->progress);
    if (!status_is_ok(&status))
        start_grid_close(grid);
    return status;
}

void start_grid_close(StartGrid *grid) {
    grid_free(grid->values);
    placements_close(&grid->placements);
    grid->values = NULL;
}

static Status value_in_grid(const YutStarts *starts, const YutState *state, double *value) {
    const StartGrid *grid = starts->source;
    int player = state->turn;
    *value = start_grid_value(grid, placement_rank(&grid->placements, state->pieces[player]),
                              placement_rank(&grid->placements, state->pieces[1 - player]));
    return status_ok();
}

static void close_nothing(YutStarts *starts) {
    (void)starts;
}

YutStarts start_grid_starts(StartGrid *grid) {
    return (YutStarts){.source = grid, .value = value_in_grid, .close = close_nothing};
}
