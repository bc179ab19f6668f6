/* What the layers above the games provide to a game's own commands and benchmarks. The caller
 * passes it in, because a game must not include headers from above its layer. */
#ifndef MALPAN_GAME_SERVICES_H
#define MALPAN_GAME_SERVICES_H

#include "game/solver.h"
#include "table/table.h"

typedef struct GameServices {
    /* Opens an exact solver: over the variant's table if there is one, else one that solves now.
     * The caller frees it. */
    Status (*open_solver)(const Variant *variant, const SolveLimits *limits, Solver **solver);
    /* Opens the variant's table. STATUS_TABLE if there is none or it is damaged. The caller closes
     * it. */
    Status (*open_table)(const Variant *variant, const SolveLimits *limits, Table **table);
    /* Evaluates a state and its moves with a solver. */
    Status (*evaluate)(const Variant *variant, Solver *solver, const State *state,
                       Evaluation *evaluation);
    /* Counts move paths through the tree alone. */
    uint64_t (*perft_plain)(const Variant *variant, const State *state, int depth);
    /* Plays random games on all threads and returns how many moves they had; 0 on failure. */
    uint64_t (*play_random)(const Variant *variant, uint64_t games, uint64_t seed, int threads);
    /* NULL if the caller has no players. Plays games between two players, named as for `malpan
     * match`, in pairs with changed seats: the first one's points per game, and the margin of that
     * with 95 % confidence. */
    Status (*match)(const Variant *variant, const char *const players[2], uint64_t games,
                    uint64_t seed, const SolveLimits *limits, double *mean, double *margin);
} GameServices;

#endif
