/* The player that looks to the end of its turn: the best over its moves, the mean over what chance
 * may bring it, and the game's estimate where the next player's turn begins. */
#include <stdlib.h>

#include "players/player.h"
#include "solve/state_map.h"

enum {
    THROWS_AHEAD = 2,           /* chance events that are followed within the turn */
    MEMORY_BYTES = 64 * 1 << 20 /* for the states of one turn */
};

typedef struct ExpectimaxPlayer {
    Player base;
    const Variant *variant;
    double sense;
    int me;
    /* The states met in this turn, with their values; how many throws were left differs, but only
     * in how exact a value is. */
    StateMap map;
    double *values;
    size_t capacity;
} ExpectimaxPlayer;

static double estimate(const ExpectimaxPlayer *mine, const State *state) {
    double values[GAME_PLAYERS_MAX];
    mine->variant->game->estimate(&mine->variant->rules, state, values);
    return values[mine->me];
}

/* What the state is worth to the player whose turn it was. */
static double search(ExpectimaxPlayer *mine, const State *state, int throws_left) {
    const Game *game = mine->variant->game;
    const Rules *rules = &mine->variant->rules;
    int actor = game->actor(rules, state);
    if (actor == GAME_END || game->turn(rules, state) != mine->me ||
        (actor == GAME_CHANCE && throws_left == 0))
        return estimate(mine, state);
    bool added;
    uint32_t number = state_map_add(&mine->map, state, &added);
    if (number == STATE_MAP_NONE)
        return estimate(mine, state);
    if (!added)
        return mine->values[number];
    if (mine->capacity < mine->map.capacity) {
        double *larger = realloc(mine->values, mine->map.capacity * sizeof *larger);
        if (!larger)
            return estimate(mine, state);
        mine->values = larger;
        mine->capacity = mine->map.capacity;
    }
    mine->values[number] = estimate(mine, state); /* should the game come back here */
    double value = 0;
    if (actor == GAME_CHANCE) {
        Chance chances[GAME_CHANCES_MAX];
        uint64_t whole;
        size_t count = game->chances(rules, state, chances, &whole);
        for (size_t i = 0; i < count; i++) {
            State next = *state;
            game->apply(rules, &next, chances[i].move);
            value += (double)chances[i].weight * search(mine, &next, throws_left - 1);
        }
        value /= (double)whole;
    } else {
        Move moves[GAME_MOVES_MAX];
        size_t count = game->moves(rules, state, moves);
        for (size_t i = 0; i < count; i++) {
            State next = *state;
            game->apply(rules, &next, moves[i]);
            double one = search(mine, &next, throws_left);
            if (i == 0 || mine->sense * one > mine->sense * value)
                value = one;
        }
    }
    mine->values[number] = value;
    return value;
}

static Status choose(Player *base, const State *state, Random *random, Move *move) {
    (void)random;
    ExpectimaxPlayer *mine = (ExpectimaxPlayer *)base;
    const Game *game = mine->variant->game;
    const Rules *rules = &mine->variant->rules;
    Move moves[GAME_MOVES_MAX];
    size_t count = game->moves(rules, state, moves);
    double best = 0;
    mine->me = game->actor(rules, state);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        game->apply(rules, &next, moves[i]);
        double value = mine->sense * search(mine, &next, THROWS_AHEAD);
        if (i == 0 || value > best) {
            best = value;
            *move = moves[i];
        }
    }
    state_map_free(&mine->map);
    return status_ok();
}

static void free_player(Player *base) {
    ExpectimaxPlayer *mine = (ExpectimaxPlayer *)base;
    state_map_free(&mine->map);
    free(mine->values);
    free(mine);
}

Status player_expectimax_open(const Variant *variant, const SolveLimits *limits, Solver **shared,
                              Player **player) {
    (void)limits, (void)shared;
    if (!variant->game->estimate)
        return status_make(STATUS_UNSUPPORTED, "expectimax does not play %s: it has no estimate",
                           variant->game->name);
    ExpectimaxPlayer *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->base = (Player){.choose = choose, .free = free_player};
    mine->variant = variant;
    mine->sense = variant->game->value_info(&variant->rules).lower_is_better ? -1 : 1;
    state_map_init(&mine->map, MEMORY_BYTES);
    *player = &mine->base;
    return status_ok();
}
