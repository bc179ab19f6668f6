#include "values/lookahead.h"

#include <stdlib.h>
#include <string.h>

#include "game/estimate.h"
#include "kernel/state_map.h"

enum {
    THROWS_AHEAD = 2,            /* chance events that are followed within the turn */
    MEMORY_BYTES = 64 * 1 << 20, /* for the states of one turn, at most */
    NOBODY = -1
};

typedef struct Lookahead {
    Solver base;
    Variant variant;
    int players;
    double sense; /* -1 where lower is better */
    int me;       /* whose turn is looked through; NOBODY: not begun yet */
    /* The states met in this turn, with their values; how many throws were left differs, but only
     * in how exact a value is. */
    StateMap map;
    double *values; /* [number * players + player] */
    size_t capacity;
} Lookahead;

/* Where the values of the state with this number are kept; NULL: there is no memory for them. */
static double *room_for(Lookahead *lookahead, uint32_t number) {
    if (number == STATE_MAP_NONE)
        return NULL;
    size_t a_state = (size_t)lookahead->players;
    if (number >= lookahead->capacity) {
        double *larger =
            realloc(lookahead->values, lookahead->map.capacity * a_state * sizeof *larger);
        if (!larger)
            return NULL;
        lookahead->values = larger;
        lookahead->capacity = lookahead->map.capacity;
    }
    return lookahead->values + number * a_state;
}

static void search(Lookahead *lookahead, const State *state, int throws_left, double values[]);

static void mean_of_chances(Lookahead *lookahead, const State *state, int throws_left,
                            double values[]) {
    const Game *game = lookahead->variant.game;
    const Rules *rules = &lookahead->variant.rules;
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    size_t count = game->tree.chances(rules, state, chances, &whole);
    for (int player = 0; player < lookahead->players; player++)
        values[player] = 0;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double one[GAME_PLAYERS_MAX];
        game->tree.apply(rules, &next, chances[i].move);
        search(lookahead, &next, throws_left - 1, one);
        for (int player = 0; player < lookahead->players; player++)
            values[player] += (double)chances[i].weight * one[player];
    }
    for (int player = 0; player < lookahead->players; player++)
        values[player] /= (double)whole;
}

static void best_of_moves(Lookahead *lookahead, const State *state, int throws_left,
                          double values[]) {
    const Game *game = lookahead->variant.game;
    const Rules *rules = &lookahead->variant.rules;
    int me = lookahead->me;
    Move moves[GAME_MOVES_MAX];
    size_t count = game->tree.moves(rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double one[GAME_PLAYERS_MAX];
        game->tree.apply(rules, &next, moves[i]);
        search(lookahead, &next, throws_left, one);
        if (i == 0 || lookahead->sense * one[me] > lookahead->sense * values[me])
            memcpy(values, one, (size_t)lookahead->players * sizeof one[0]);
    }
}

/* What the state is worth to each player, as the one whose turn is looked through plays on. */
static void search(Lookahead *lookahead, const State *state, int throws_left, double values[]) {
    const Game *game = lookahead->variant.game;
    const Rules *rules = &lookahead->variant.rules;
    size_t size = (size_t)lookahead->players * sizeof values[0];
    int actor = game->tree.actor(rules, state);
    bool is_leaf = actor == GAME_END || game->tree.turn(rules, state) != lookahead->me ||
                   (actor == GAME_CHANCE && throws_left == 0);
    bool added = false;
    uint32_t number = is_leaf ? STATE_MAP_NONE : state_map_add(&lookahead->map, state, &added);
    double *kept = room_for(lookahead, number);
    if (kept && !added) {
        memcpy(values, kept, size);
        return;
    }
    game->estimate->values(rules, state, values);
    if (!kept)
        return;
    memcpy(kept, values, size); /* should the game come back here */
    if (actor == GAME_CHANCE)
        mean_of_chances(lookahead, state, throws_left, values);
    else
        best_of_moves(lookahead, state, throws_left, values);
    /* All values may have been moved meanwhile. */
    memcpy(lookahead->values + number * (size_t)lookahead->players, values, size);
}

static void lookahead_begin(Solver *base, const State *state) {
    Lookahead *lookahead = (Lookahead *)base;
    const Variant *variant = &lookahead->variant;
    lookahead->me = variant->game->tree.turn(&variant->rules, state);
    state_map_free(&lookahead->map);
}

static Status lookahead_values(Solver *base, const State *state, double values[]) {
    Lookahead *lookahead = (Lookahead *)base;
    if (lookahead->me == NOBODY)
        lookahead_begin(base, state);
    search(lookahead, state, THROWS_AHEAD, values);
    return status_ok();
}

static void lookahead_free(Solver *base) {
    Lookahead *lookahead = (Lookahead *)base;
    state_map_free(&lookahead->map);
    free(lookahead->values);
    free(lookahead);
}

Status lookahead_new(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    const Game *game = variant->game;
    if (!game->estimate)
        return status_make(STATUS_UNSUPPORTED, "%s has no estimate to look ahead with",
                           game->identity.name);
    Lookahead *lookahead = calloc(1, sizeof *lookahead);
    if (!lookahead)
        return status_make(STATUS_FAILED, "out of memory");
    lookahead->base = (Solver){.method = "look-ahead to the end of the turn",
                               .kind = VALUE_ESTIMATE,
                               .error = INFINITY,
                               .begin = lookahead_begin,
                               .values = lookahead_values,
                               .free = lookahead_free};
    lookahead->variant = *variant;
    lookahead->players = game->rules.player_count(&variant->rules);
    lookahead->sense = game->rules.value_info(&variant->rules).lower_is_better ? -1 : 1;
    lookahead->me = NOBODY;
    state_map_init(&lookahead->map,
                   limits->memory_bytes < MEMORY_BYTES ? limits->memory_bytes : MEMORY_BYTES);
    *solver = &lookahead->base;
    return status_ok();
}
