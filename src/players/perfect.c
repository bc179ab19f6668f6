/* The player that makes the best move by exact values. */
#include <stdlib.h>

#include "players/player.h"
#include "values/evaluate.h"
#include "values/policy.h"

typedef struct PerfectPlayer {
    Player base;
    const Variant *variant;
    Solver *solver; /* shared; not freed here */
    Evaluation evaluation;
} PerfectPlayer;

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    (void)random;
    PerfectPlayer *mine = (PerfectPlayer *)base;
    Status status = evaluate_state(mine->variant, mine->solver, state, &mine->evaluation);
    if (status_is_ok(&status))
        *move = mine->evaluation.moves[0].move;
    return status;
}

static void free_player(Player *base) {
    free(base);
}

Status player_perfect_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                           Solver **shared, Player **player) {
    (void)setting;
    if (!*shared) {
        Status status = values_open_exact(variant, limits, shared);
        if (!status_is_ok(&status))
            return status;
    }
    PerfectPlayer *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->base = (Player){.choose = choose_move, .free = free_player};
    mine->variant = variant;
    mine->solver = *shared;
    *player = &mine->base;
    return status_ok();
}
