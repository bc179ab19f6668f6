/* Plain minimax to a fixed depth (shallow.h): the reference that other players are measured
 * against. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "game/move_score.h"
#include "players/player.h"
#include "players/shallow.h"

enum { DEPTH_MAX = 64, DEPTH_DEFAULT = 3 };

typedef struct MinimaxPlayer {
    Player base;
    const Variant *variant;
    int depth;
    const StopFlag *stop; /* as in SolveLimits */
} MinimaxPlayer;

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    (void)random;
    const MinimaxPlayer *mine = (const MinimaxPlayer *)base;
    const Variant *variant = mine->variant;
    Move moves[GAME_MOVES_MAX];
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    double best = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double value = shallow_search(variant, state, moves[i], mine->depth, mine->stop);
        if (mine->stop && *mine->stop)
            return status_make(STATUS_STOPPED, "stopped");
        if (value > best) {
            best = value;
            *move = moves[i];
        }
    }
    return status_ok();
}

static void free_player(Player *base) {
    free(base);
}

static Status read_depth(const char *setting, uint64_t *depth) {
    return number_parse("minimax: depth", setting, 1, DEPTH_MAX, depth);
}

Status player_minimax_check(const char *setting) {
    uint64_t depth;
    return read_depth(setting, &depth);
}

Status player_minimax_supports(const Variant *variant) {
    if (!variant->game->move_score || !variant->game->tree.is_deterministic)
        return status_make(STATUS_UNSUPPORTED,
                           "minimax does not play %s: it plays games without chance that score "
                           "moves",
                           variant->game->identity.name);
    return status_ok();
}

Status player_minimax_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                           Solver **shared, Player **player) {
    (void)shared;
    uint64_t depth = DEPTH_DEFAULT;
    Status status = setting[0] ? read_depth(setting, &depth) : status_ok();
    if (!status_is_ok(&status))
        return status;
    MinimaxPlayer *mine = malloc(sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    *mine = (MinimaxPlayer){.base = {.choose = choose_move, .free = free_player},
                            .variant = variant,
                            .depth = (int)depth,
                            .stop = limits->stop};
    *player = &mine->base;
    return status_ok();
}
