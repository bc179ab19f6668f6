/* The values of all positions about to throw, in memory, for computations that visit every one.
 *
 * Both players have the same rules. So a position is (own pieces, other's pieces) with the owner
 * about to throw, and one grid serves both players. Both are placement ranks (placements.h).
 */
#ifndef MALPAN_GAMES_YUT_FACTS_START_GRID_H
#define MALPAN_GAMES_YUT_FACTS_START_GRID_H

#include "games/yut/solve/placements.h"
#include "games/yut/solve/solver.h"

#define START_GRID_ONE UINT32_MAX /* certain to win */

typedef struct StartGrid {
    Rules rules;
    Placements placements;
    uint32_t *values; /* [start_grid_index()]: chance of the owner in units of 1 / START_GRID_ONE */
    uint32_t barred;  /* bit q: no piece can be on square q */
} StartGrid;

/* How many bytes the grid takes. */
uint64_t start_grid_bytes(const YutRules *rules);

/* Fills the grid with values from the solver. */
Status start_grid_open(const Rules *rules, Solver *solver, const SolveLimits *limits,
                       StartGrid *grid);
void start_grid_close(StartGrid *grid);

static inline size_t start_grid_index(const StartGrid *grid, uint32_t own, uint32_t other) {
    return (size_t)other * grid->placements.count + own;
}

/* Whether the position exists and the game is not over. */
static inline bool start_grid_has(const StartGrid *grid, uint32_t own, uint32_t other) {
    const Placements *placements = &grid->placements;
    return !(placements->occupied[own] & placements->occupied[other]) &&
           !((placements->occupied[own] | placements->occupied[other]) & grid->barred) &&
           own + 1 < placements->count && other + 1 < placements->count;
}

static inline double start_grid_value(const StartGrid *grid, uint32_t own, uint32_t other) {
    return (double)grid->values[start_grid_index(grid, own, other)] / START_GRID_ONE;
}

/* The position as a state, with player 0 about to throw. */
State start_grid_state(const StartGrid *grid, uint32_t own, uint32_t other);

/* Wraps the grid as a source of values for yut_solver_over. The caller keeps the grid. */
YutStarts start_grid_starts(StartGrid *grid);

#endif
