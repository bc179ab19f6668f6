/* The player that searches to the end of its turn, or of the next ones (kernel/lookahead.h). With
 * the setting `plain` it does so with the game's plain estimate (game/estimate.h). */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "game/estimate.h"
#include "kernel/lookahead.h"
#include "players/player.h"

typedef struct ExpectimaxPlayer {
    Player base;
    const Variant *variant;
    Variant played; /* a copy, for plain estimates */
    Solver *solver; /* its own, freed with it */
} ExpectimaxPlayer;

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    (void)random;
    ExpectimaxPlayer *mine = (ExpectimaxPlayer *)base;
    const Game *game = mine->variant->game;
    const Rules *rules = &mine->variant->rules;
    int me = game->tree.actor(rules, state);
    double sense = game->rules.value_info(rules).lower_is_better ? -1 : 1;
    Move moves[GAME_MOVES_MAX];
    size_t count = game->tree.moves(rules, state, moves);
    double best = 0;
    mine->solver->begin(mine->solver, state);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double values[GAME_PLAYERS_MAX];
        game->tree.apply(rules, &next, moves[i]);
        Status status = mine->solver->values(mine->solver, &next, values);
        if (!status_is_ok(&status))
            return status;
        if (i == 0 || sense * values[me] > best) {
            best = sense * values[me];
            *move = moves[i];
        }
    }
    return status_ok();
}

static void free_player(Player *base) {
    ExpectimaxPlayer *mine = (ExpectimaxPlayer *)base;
    mine->solver->free(mine->solver);
    free(mine);
}

static bool is_plain(const char *setting) {
    return strcmp(setting, "plain") == 0;
}

static Status read_turns(const char *setting, uint64_t *turns) {
    *turns = 1;
    if (setting[0] == 0 || is_plain(setting))
        return status_ok();
    return number_parse("expectimax: turns", setting, 1, LOOKAHEAD_TURNS_MAX, turns);
}

static void estimate_plain(void *context, const State *state, double values[]) {
    const Variant *variant = context;
    variant->game->estimate->plain(&variant->rules, state, values);
}

Status player_expectimax_check(const char *setting) {
    uint64_t turns;
    return read_turns(setting, &turns);
}

Status player_expectimax_supports(const Variant *variant) {
    if (!variant->game->estimate)
        return status_make(STATUS_UNSUPPORTED, "expectimax does not play %s: it has no estimate",
                           variant->game->identity.name);
    return status_ok();
}

Status player_expectimax_open(const Variant *variant, const SolveLimits *limits,
                              const char *setting, Solver **shared, Player **player) {
    (void)shared;
    uint64_t turns;
    Status status = read_turns(setting, &turns);
    if (!status_is_ok(&status))
        return status;
    if (is_plain(setting) && !variant->game->estimate->plain)
        return status_make(STATUS_UNSUPPORTED,
                           "expectimax:plain does not play %s: it has only "
                           "one estimate",
                           variant->game->identity.name);
    ExpectimaxPlayer *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->base = (Player){.choose = choose_move, .free = free_player};
    mine->variant = variant;
    LookaheadPlan plan = {.turns = (int)turns};
    if (is_plain(setting)) {
        mine->played = *variant;
        plan.estimate = estimate_plain;
        plan.context = &mine->played;
    }
    status = lookahead_new(variant, &plan, limits, &mine->solver);
    if (!status_is_ok(&status)) {
        free(mine);
        return status;
    }
    *player = &mine->base;
    return status;
}
