#include "kernel/lookahead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/estimate.h"
#include "kernel/state_map.h"

enum {
    EVENTS_AHEAD = 2,            /* chance events that are followed within a turn */
    MEMORY_BYTES = 64 * 1 << 20, /* for the states of one turn, at most */
    NOBODY = -1
};

/* The search of one turn. */
typedef struct LookaheadTurn {
    int me; /* whose turn it is; NOBODY: begin() has not been called yet */
    /* The states met in this turn and where the next one begins, with their values. A state may
     * have been valued with more or fewer events left, which affects only its accuracy. */
    StateMap map;
    double *values; /* [number * players + player]; NAN while the state is being searched */
    size_t capacity;
} LookaheadTurn;

typedef struct Lookahead {
    Solver base;
    Variant variant;
    LookaheadPlan plan;
    int players;
    double sense; /* -1 where lower is better */
    LookaheadTurn turns[LOOKAHEAD_TURNS_MAX];
    void *memory; /* of the game's estimate; NULL: it needs none */
} Lookahead;

/* Where the values of the state with this number are kept; NULL if there is no memory. */
static double *reserve_values(const Lookahead *lookahead, LookaheadTurn *turn, uint32_t number) {
    if (number == STATE_MAP_NONE)
        return NULL;
    size_t players = (size_t)lookahead->players;
    if (number >= turn->capacity) {
        double *larger = realloc(turn->values, turn->map.capacity * players * sizeof *larger);
        if (!larger)
            return NULL;
        turn->values = larger;
        turn->capacity = turn->map.capacity;
    }
    return turn->values + number * players;
}

static void begin_turn(const Lookahead *lookahead, LookaheadTurn *turn, const State *state) {
    turn->me = lookahead->variant.game->tree.turn(&lookahead->variant.rules, state);
    state_map_clear(&turn->map);
}

static void search_state(Lookahead *lookahead, int level, const State *state, int events_left,
                         double values[]);

static void mean_of_chances(Lookahead *lookahead, int level, const State *state, int events_left,
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
        search_state(lookahead, level, &next, events_left - 1, one);
        for (int player = 0; player < players; player++)
            values[player] += (double)chances[i].weight * one[player];
    }
    for (int player = 0; player < players; player++)
        values[player] /= (double)whole;
}

static void best_of_moves(Lookahead *lookahead, int level, const State *state, int events_left,
                          double values[]) {
    const Game *game = lookahead->variant.game;
    const Rules *rules = &lookahead->variant.rules;
    int me = lookahead->turns[level].me;
    Move moves[GAME_MOVES_MAX];
    size_t count = game->tree.moves(rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double one[GAME_PLAYERS_MAX];
        game->tree.apply(rules, &next, moves[i]);
        search_state(lookahead, level, &next, events_left, one);
        if (i == 0 || lookahead->sense * one[me] > lookahead->sense * values[me])
            memcpy(values, one, (size_t)lookahead->players * sizeof one[0]);
    }
}

static void estimate_state(const Lookahead *lookahead, const State *state, double values[]) {
    const Variant *variant = &lookahead->variant;
    if (lookahead->plan.estimate)
        lookahead->plan.estimate(lookahead->plan.context, state, values);
    else if (lookahead->memory)
        variant->game->estimate->values_near(lookahead->memory, &variant->rules, state, values);
    else
        variant->game->estimate->values(&variant->rules, state, values);
}

/* Values a state in which the turn of this level is over. */
static void search_next_turn(Lookahead *lookahead, int level, const State *state, double values[]) {
    const Variant *variant = &lookahead->variant;
    bool is_end = variant->game->tree.actor(&variant->rules, state) == GAME_END;
    if (is_end || level + 1 == lookahead->plan.turns) {
        estimate_state(lookahead, state, values);
        return;
    }
    begin_turn(lookahead, &lookahead->turns[level + 1], state);
    search_state(lookahead, level + 1, state, EVENTS_AHEAD, values);
}

/* Values a state of the turn that is searched, or one after it, to each player. */
static void search_state(Lookahead *lookahead, int level, const State *state, int events_left,
                         double values[]) {
    const Game *game = lookahead->variant.game;
    const Rules *rules = &lookahead->variant.rules;
    LookaheadTurn *turn = &lookahead->turns[level];
    size_t size = (size_t)lookahead->players * sizeof values[0];
    int actor = game->tree.actor(rules, state);
    bool is_turn_over = actor == GAME_END || game->tree.turn(rules, state) != turn->me;
    /* Not kept: the same state may be searched deeper elsewhere. */
    bool is_cut_off = !is_turn_over && actor == GAME_CHANCE && events_left == 0;
    bool added = false;
    uint32_t number = is_cut_off ? STATE_MAP_NONE : state_map_add(&turn->map, state, &added);
    double *kept = reserve_values(lookahead, turn, number);
    if (kept && !added && !isnan(kept[0])) {
        memcpy(values, kept, size);
        return;
    }
    if (is_turn_over) {
        search_next_turn(lookahead, level, state, values);
        if (kept && added)
            memcpy(kept, values, size);
        return;
    }
    /* The state is being searched already, or cut off, or there is no room to keep it. */
    if (!kept || !added) {
        estimate_state(lookahead, state, values);
        return;
    }
    kept[0] = NAN;
    if (actor == GAME_CHANCE)
        mean_of_chances(lookahead, level, state, events_left, values);
    else
        best_of_moves(lookahead, level, state, events_left, values);
    /* The search may have moved all values. */
    memcpy(turn->values + number * (size_t)lookahead->players, values, size);
}

static void lookahead_begin(Solver *base, const State *state) {
    Lookahead *lookahead = (Lookahead *)base;
    const GameEstimate *own = lookahead->variant.game->estimate;
    begin_turn(lookahead, &lookahead->turns[0], state);
    base->typical_error =
        own && own->typical_error ? own->typical_error(&lookahead->variant.rules, state) : NAN;
}

static Status lookahead_values(Solver *base, const State *state, double values[]) {
    Lookahead *lookahead = (Lookahead *)base;
    if (lookahead->turns[0].me == NOBODY)
        lookahead_begin(base, state);
    search_state(lookahead, 0, state, EVENTS_AHEAD, values);
    return status_ok();
}

static void lookahead_free(Solver *base) {
    Lookahead *lookahead = (Lookahead *)base;
    for (int level = 0; level < lookahead->plan.turns; level++) {
        state_map_free(&lookahead->turns[level].map);
        free(lookahead->turns[level].values);
    }
    free(lookahead->memory);
    free(lookahead);
}

/* Memory for estimates that use it. Without it (NULL) they are only slower. */
static void *open_memory(const GameEstimate *estimate) {
    if (!estimate->values_near)
        return NULL;
    size_t size = (estimate->memory_bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    return memory ? memset(memory, 0, size) : NULL;
}

Status lookahead_new(const Variant *variant, const LookaheadPlan *plan, const SolveLimits *limits,
                     Solver **solver) {
    static const char *const methods[] = {"look-ahead to the end of the turn",
                                          "look-ahead to the end of the next turn",
                                          "look-ahead to the end of the turn after the next"};
    static_assert(sizeof methods / sizeof methods[0] == LOOKAHEAD_TURNS_MAX, "one for each depth");
    const Game *game = variant->game;
    assert(plan->turns >= 1 && plan->turns <= LOOKAHEAD_TURNS_MAX);
    if (!plan->estimate && !game->estimate)
        return status_make(STATUS_UNSUPPORTED, "%s has no estimate to look ahead with",
                           game->identity.name);
    Lookahead *lookahead = calloc(1, sizeof *lookahead);
    if (!lookahead)
        return status_make(STATUS_FAILED, "out of memory");
    lookahead->base = (Solver){.method = methods[plan->turns - 1],
                               .kind = VALUE_ESTIMATE,
                               .error = INFINITY,
                               .typical_error = NAN,
                               .begin = lookahead_begin,
                               .values = lookahead_values,
                               .free = lookahead_free};
    lookahead->variant = *variant;
    lookahead->plan = *plan;
    if (!plan->estimate)
        lookahead->memory = open_memory(game->estimate);
    lookahead->players = game->rules.player_count(&variant->rules);
    lookahead->sense = game->rules.value_info(&variant->rules).lower_is_better ? -1 : 1;
    for (int level = 0; level < plan->turns; level++) {
        lookahead->turns[level].me = NOBODY;
        state_map_init(&lookahead->turns[level].map,
                       limits->memory_bytes < MEMORY_BYTES ? limits->memory_bytes : MEMORY_BYTES);
    }
    *solver = &lookahead->base;
    return status_ok();
}
