/* The player that searches to the end of its turn, or of the next ones (kernel/lookahead.h). */
#include <stdlib.h>

#include "base/number.h"
#include "kernel/lookahead.h"
#include "players/player.h"

typedef struct ExpectimaxPlayer {
    Player base;
    const Variant *variant;
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

static Status read_turns(const char *setting, uint64_t *turns) {
    return number_parse("expectimax: turns", setting, 1, LOOKAHEAD_TURNS_MAX, turns);
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
    uint64_t turns = 1;
    Status status = setting[0] ? read_turns(setting, &turns) : status_ok();
    if (!status_is_ok(&status))
        return status;
    ExpectimaxPlayer *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->base = (Player){.choose = choose_move, .free = free_player};
    mine->variant = variant;
    status = lookahead_new(variant, &(LookaheadPlan){.turns = (int)turns}, limits, &mine->solver);
    if (!status_is_ok(&status)) {
        free(mine);
        return status;
    }
    *player = &mine->base;
    return status;
}
