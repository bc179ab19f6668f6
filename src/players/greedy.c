/* The player that takes the move with the best score, looking one move ahead. */
#include <stdlib.h>

#include "players/player.h"

#include "game/estimate.h"
#include "game/move_score.h"

typedef struct GreedyPlayer {
    Player base;
    const Variant *variant;
} GreedyPlayer;

/* Scores a move by the game's move score, or else by the estimate of the state after it. */
static double score_move(const Variant *variant, const State *state, Move move, int me) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    if (game->move_score)
        return game->move_score->score(rules, state, move);
    State next = *state;
    double values[GAME_PLAYERS_MAX];
    game->tree.apply(rules, &next, move);
    game->estimate->values(rules, &next, values);
    return game->rules.value_info(rules).lower_is_better ? -values[me] : values[me];
}

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    (void)random;
    const Variant *variant = ((GreedyPlayer *)base)->variant;
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    int me = game->tree.actor(rules, state);
    Move moves[GAME_MOVES_MAX];
    size_t count = game->tree.moves(rules, state, moves);
    double best = 0;
    for (size_t i = 0; i < count; i++) {
        double score = score_move(variant, state, moves[i], me);
        if (i == 0 || score > best) {
            best = score;
            *move = moves[i];
        }
    }
    return status_ok();
}

static void free_player(Player *base) {
    free(base);
}

Status player_greedy_supports(const Variant *variant) {
    if (!variant->game->estimate && !variant->game->move_score)
        return status_make(STATUS_UNSUPPORTED, "greedy does not play %s: it has no estimate",
                           variant->game->identity.name);
    return status_ok();
}

Status player_greedy_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player) {
    (void)limits, (void)setting, (void)shared;
    GreedyPlayer *mine = malloc(sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    *mine =
        (GreedyPlayer){.base = {.choose = choose_move, .free = free_player}, .variant = variant};
    *player = &mine->base;
    return status_ok();
}
