/* The player that picks any legal move, all with the same chance. */
#include <stdlib.h>

#include "players/player.h"

typedef struct RandomPlayer {
    Player base;
    const Variant *variant;
} RandomPlayer;

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    const Variant *variant = ((RandomPlayer *)base)->variant;
    Move moves[GAME_MOVES_MAX];
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    *move = moves[random_below(random, count)];
    return status_ok();
}

static void free_player(Player *base) {
    free(base);
}

Status player_random_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player) {
    (void)limits, (void)setting, (void)shared;
    RandomPlayer *mine = malloc(sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    *mine =
        (RandomPlayer){.base = {.choose = choose_move, .free = free_player}, .variant = variant};
    *player = &mine->base;
    return status_ok();
}
