/* The player that makes the best move by exact values, in lost and endless positions the one that
 * is hardest to answer (trap.h). */
#include <stdlib.h>

#include "players/player.h"
#include "players/trap.h"
#include "values/evaluate.h"
#include "values/policy.h"

typedef struct PerfectPlayer {
    Player base;
    const Variant *variant;
    Solver *solver; /* shared; not freed here */
    Evaluation evaluation, replies;
} PerfectPlayer;

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    (void)random;
    PerfectPlayer *mine = (PerfectPlayer *)base;
    Status status = evaluate_state(mine->variant, mine->solver, state, &mine->evaluation);
    return status_is_ok(&status) ? trap_choose(mine->variant, mine->solver, state,
                                               &mine->evaluation, &mine->replies, move)
                                 : status;
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
