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
    int me;       /* whose turn is searched; NOBODY: begin() has not been called yet */
    /* The states met in this turn and where the next one begins, with their values. A state may
     * have been valued with more or fewer throws left, which affects only its accuracy. */
    StateMap map;
    double *values; /* [number * players + player]; NAN while the state is being searched */
    size_t capacity;
} Lookahead;

/* Where the values of the state with this number are kept; NULL if there is no memory. */
static double *reserve_values(Lookahead *lookahead, uint32_t number) {
    if (number == STATE_MAP_NONE)
        return NULL;
    size_t players = (size_t)lookahead->players;
    if (number >= lookahead->capacity) {
        double *larger =
            realloc(lookahead->values, lookahead->map.capacity * players * sizeof *larger);
        if (!larger)
            return NULL;
        lookahead->values = larger;
        lookahead->capacity = lookahead->map.capacity;
    }
    return lookahead->values + number * players;
}

static void search(Lookahead *lookahead, const State *state, int throws_left, double values[]);

static void mean_of_chances(Lookahead *lookahead, const State *state, int throws_left,
                            double values[]) {
    const Game *game = lookahead->variant.game;
    const Rules *rules = &lookahead->variant.rules;
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    const int players = lookahead->players;
    size_t count = game->tree.chances(rules, state, chances, &whole);
    for (int player = 0; player < players; player++)
        values[player] = 0;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double one[GAME_PLAYERS_MAX];
        game->tree.apply(rules, &next, chances[i].move);
        search(lookahead, &next, throws_left - 1, one);
        for (int player = 0; player < players; player++)
            values[player] += (double)chances[i].weight * one[player];
    }
    for (int player = 0; player < players; player++)
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

/* What the state is worth to each player, as the one whose turn is searched plays on. */
static void search(Lookahead *lookahead, const State *state, int throws_left, double values[]) {
    const Game *game = lookahead->variant.game;
    const Rules *rules = &lookahead->variant.rules;
    size_t size = (size_t)lookahead->players * sizeof values[0];
    int actor = game->tree.actor(rules, state);
    bool is_turn_over = actor == GAME_END || game->tree.turn(rules, state) != lookahead->me;
    /* Not kept: the same state may be searched deeper elsewhere. */
    bool is_cut_off = !is_turn_over && actor == GAME_CHANCE && throws_left == 0;
    bool added = false;
    uint32_t number = is_cut_off ? STATE_MAP_NONE : state_map_add(&lookahead->map, state, &added);
    double *kept = reserve_values(lookahead, number);
    if (kept && !added && !isnan(kept[0])) {
        memcpy(values, kept, size);
        return;
    }
    /* A state that is being searched has come back, or there is no room, or no search. */
    if (!kept || !added || is_turn_over) {
        game->estimate->values(rules, state, values);
        if (kept && added)
            memcpy(kept, values, size);
        return;
    }
    kept[0] = NAN;
    if (actor == GAME_CHANCE)
        mean_of_chances(lookahead, state, throws_left, values);
    else
        best_of_moves(lookahead, state, throws_left, values);
    /* The search may have moved all values. */
    memcpy(lookahead->values + number * (size_t)lookahead->players, values, size);
}

static void lookahead_begin(Solver *base, const State *state) {
    Lookahead *lookahead = (Lookahead *)base;
    const Variant *variant = &lookahead->variant;
    lookahead->me = variant->game->tree.turn(&variant->rules, state);
    state_map_clear(&lookahead->map);
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
