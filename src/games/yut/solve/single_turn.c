#include "games/yut/solve/single_turn.h"

#include <assert.h>
#include <stdlib.h>

#include "game/solver.h"
#include "games/yut/solve/lists.h"
#include "games/yut/solve/pending.h"

enum {
    MOVES_MAX = 2 * YUT_RESULTS,
    MAP_BITS_FIRST = 12, /* entries of a new map, as a power of two */
    PARTNER = 2          /* in the order of play */
};

/* --- the game --- */

static void fill_ways(const YutRules *rules, int player, SinglePlayer *to) {
    Rules packed = yut_rules_pack(rules);
    for (int square = 0; square < YUT_ARRIVED; square++) {
        for (int result = 0; result < YUT_RESULTS; result++) {
            YutState state = {.turn = (uint8_t)player};
            Move moves[GAME_MOVES_MAX];
            if (!yut_can_stand(rules, player, square))
                continue;
            state.pieces[player][0] = (uint8_t)square;
            state.list[result] = 1;
            State generic = yut_state_pack(&state);
            size_t count = yut_moves(&packed, &generic, moves);
            assert(count <= 2);
            to->ways[square][result] = (uint8_t)count;
            for (size_t i = 0; i < count; i++) {
                YutOutcome outcome = yut_outcome(rules, &state, moves[i]);
                to->next[square][result][i] =
                    (uint8_t)(outcome.moved > 0 ? outcome.destination : square);
            }
        }
    }
}

void single_game_init(const YutRules *rules, SingleAim aim, SingleGame *game) {
    assert(rules->pieces == 1);
    *game = (SingleGame){.rules = *rules, .players = rules->players, .aim = aim};
    game->parts = aim == SINGLE_SIDES ? (size_t)rules->players : aim == SINGLE_BOUNDS ? 2 : 1;
    game->positions = 1;
    for (int i = 0; i < rules->players; i++) {
        SinglePlayer *player = &game->player[i];
        game->positions *= YUT_SQUARES;
        game->has_tables_by_player =
            game->has_tables_by_player || rules->animals[i] != rules->animals[0];
        lists_find_chances(rules, i, player->chances, player->is_extra);
        player->again = lists_again(rules, i);
        player->catch_throws = pending_catch_throws(rules, i);
        player->is_pig = rules->animals[i] == YUT_PIG;
        fill_ways(rules, i, player);
    }
}

int single_tables(const SingleGame *game) {
    return game->has_tables_by_player ? game->players : 1;
}

/* The index of the start of the player `ahead` places after the one whose turn it is. */
static size_t index_of(const SingleGame *game, const SingleState *state, int ahead) {
    int player = (state->player + ahead) % game->players;
    size_t index = game->has_tables_by_player ? (size_t)player : 0;
    for (int i = 0; i < game->players; i++)
        index = index * YUT_SQUARES + state->squares[(ahead + i) % game->players];
    return index;
}

size_t single_index(const SingleGame *game, const SingleState *state) {
    return index_of(game, state, 0);
}

SingleState single_state(const SingleGame *game, const YutState *state) {
    SingleState single = {.throws = state->throws, .player = state->turn};
    memcpy(single.list, state->list, sizeof single.list);
    for (int i = 0; i < game->players; i++)
        single.squares[i] = state->pieces[(state->turn + i) % game->players][0];
    return single;
}

/* --- the map of states met in a turn --- */

typedef struct MapEntry {
    uint64_t key;
    uint32_t query; /* in which it was written; entries of earlier ones are free */
    int32_t extras; /* how many extras were followed from here */
    SingleValue value;
} MapEntry;

struct SingleTurn {
    const SingleGame *game;
    const SinglePlayer *player; /* whose turn is searched */
    MapEntry *entries;
    size_t capacity, capacity_max, used;
    uint32_t query;
    bool remembers;
    const StopFlag *stop;
    Status failure;
};

static uint64_t key_of(const SingleState *state) {
    uint64_t key = state->throws;
    for (int i = 0; i < YUT_RESULTS; i++)
        key = key << 6 | state->list[i];
    for (int i = 0; i < YUT_PLAYERS_MAX; i++)
        key = key << 5 | state->squares[i];
    return key;
}

static MapEntry *find_entry(const SingleTurn *turn, uint64_t key) {
    size_t mask = turn->capacity - 1, at = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (turn->entries[at].query == turn->query && turn->entries[at].key != key)
        at = (at + 1) & mask;
    return &turn->entries[at];
}

static bool grow_map(SingleTurn *turn) {
    MapEntry *old = turn->entries;
    size_t count = turn->capacity;
    if (2 * count > turn->capacity_max) {
        turn->failure = status_make(STATUS_UNSUPPORTED,
                                    "the rest of this turn has more states than fit into the "
                                    "memory limit (--memory)");
        return false;
    }
    turn->entries = calloc(2 * count, sizeof *old);
    if (!turn->entries) {
        turn->entries = old;
        turn->failure = status_make(STATUS_FAILED, "out of memory");
        return false;
    }
    turn->capacity = 2 * count;
    for (size_t i = 0; i < count; i++)
        if (old[i].query == turn->query)
            *find_entry(turn, old[i].key) = old[i];
    free(old);
    return true;
}

static bool put_entry(SingleTurn *turn, uint64_t key, int extras, const SingleValue *value) {
    if (turn->stop && *turn->stop) {
        turn->failure = status_make(STATUS_STOPPED, "stopped");
        return false;
    }
    if (2 * turn->used >= turn->capacity && !grow_map(turn))
        return false;
    MapEntry *entry = find_entry(turn, key);
    turn->used += entry->query != turn->query;
    *entry = (MapEntry){.key = key, .query = turn->query, .extras = extras, .value = *value};
    return true;
}

SingleTurn *single_turn_open(const SingleGame *game, size_t bytes_max, const StopFlag *stop) {
    SingleTurn *turn = calloc(1, sizeof *turn);
    if (!turn)
        return NULL;
    turn->game = game;
    turn->stop = stop;
    turn->capacity = (size_t)1 << MAP_BITS_FIRST;
    turn->capacity_max = bytes_max / sizeof *turn->entries;
    turn->entries = calloc(turn->capacity, sizeof *turn->entries);
    if (!turn->entries) {
        free(turn);
        return NULL;
    }
    return turn;
}

void single_turn_close(SingleTurn *turn) {
    if (!turn)
        return;
    free(turn->entries);
    free(turn);
}

/* --- ends of a turn --- */

static bool on_board(int square) {
    return square > 0 && square < YUT_ARRIVED;
}

int single_count_results(const SingleState *state) {
    int count = 0;
    for (int i = 0; i < YUT_RESULTS; i++)
        count += state->list[i];
    return count;
}

static void value_win(const SingleGame *game, SingleValue *value) {
    *value = (SingleValue){.cut = 0};
    if (game->aim == SINGLE_ENDLESS)
        return;
    value->part[0] = 1; /* the winner's chance, or the upper bound */
    if (game->aim == SINGLE_BOUNDS)
        value->part[SINGLE_LOWER] = 1;
}

/* Whether a value is that of a game the mover has won. */
static bool is_won(const SingleGame *game, const SingleValue *value) {
    return game->aim == SINGLE_SIDES    ? value->part[0] == 1
           : game->aim == SINGLE_BOUNDS ? value->part[SINGLE_LOWER] == 1
                                        : false;
}

/* Looks up the start of the player `ahead` places further, as a value to the one whose turn it
 * is. */
static void look_up(const SingleGame *game, const SingleState *state, int ahead,
                    SingleValue *value) {
    const double *start = game->values + index_of(game, state, ahead) * game->parts;
    *value = (SingleValue){.cut = 0};
    if (game->aim == SINGLE_SIDES) {
        for (int i = 0; i < game->players; i++)
            value->part[(ahead + i) % game->players] = start[i];
    } else if (game->aim == SINGLE_ENDLESS) {
        value->part[0] = start[0];
    } else {
        bool is_ours = yut_same_side(&game->rules, 0, ahead % game->players);
        value->part[SINGLE_UPPER] = is_ours ? start[SINGLE_UPPER] : 1 - start[SINGLE_LOWER];
        value->part[SINGLE_LOWER] = is_ours ? start[SINGLE_LOWER] : 1 - start[SINGLE_UPPER];
    }
}

void single_value_end(const SingleGame *game, const SingleState *state, SingleValue *value) {
    int ahead = 1;
    while (state->squares[ahead % game->players] == YUT_ARRIVED)
        ahead++;
    look_up(game, state, ahead, value);
}

void single_value_start(const SingleGame *game, const SingleState *state, SingleValue *value) {
    look_up(game, state, 0, value);
}

/* --- the search --- */

static bool value_state(SingleTurn *turn, const SingleState *state, int extras, SingleValue *value);

/* Whether the game is won as soon as the piece is home. */
static bool wins_at_home(const SingleGame *game, const SingleState *state) {
    int partner = state->squares[PARTNER];
    return !game->rules.teams || partner == YUT_ARRIVED ||
           (partner == state->squares[0] && on_board(partner));
}

/* Whether the piece comes home by playing the longest results first and never catches a pig. Other
 * catches only add results, so the game is won then. */
static bool runs_home(const SingleTurn *turn, const SingleState *state) {
    const SingleGame *game = turn->game;
    int square = state->squares[0];
    if (!wins_at_home(game, state))
        return false;
    for (int result = YUT_RESULTS; result-- > YUT_DO;) {
        for (int left = state->list[result]; left > 0; left--) {
            square = turn->player->next[square][result][0];
            if (square == YUT_ARRIVED)
                return true;
            for (int i = 1; i < game->players; i++)
                if (state->squares[i] == square &&
                    game->player[(state->player + i) % game->players].is_pig)
                    return false;
        }
    }
    return false;
}

/* The mean over the possible throws. */
static bool value_throw(SingleTurn *turn, const SingleState *state, int extras,
                        SingleValue *value) {
    const SingleGame *game = turn->game;
    const SinglePlayer *player = turn->player;
    if (runs_home(turn, state)) {
        value_win(game, value);
        return true;
    }
    SingleValue mean = {.cut = 0};
    for (int result = 0; result < YUT_RESULTS; result++) {
        bool again = player->is_extra[result];
        if (player->chances[result] == 0 || (again && extras == 0))
            continue;
        SingleState next = *state;
        SingleValue one;
        next.list[result]++;
        next.throws = (uint8_t)(next.throws - !again);
        if (!value_state(turn, &next, extras - again, &one))
            return false;
        for (size_t i = 0; i < game->parts; i++)
            mean.part[i] += player->chances[result] * one.part[i];
        mean.cut += player->chances[result] * one.cut;
    }
    if (extras == 0 && player->again > 0) {
        mean.cut += player->again;
        if (game->aim == SINGLE_SIDES)
            for (size_t i = 0; i < game->parts; i++)
                mean.part[i] /= 1 - player->again;
        else
            mean.part[0] += player->again; /* the upper bound */
    }
    *value = mean;
    return true;
}

/* Sends the pieces on the mover's square back to the start. Returns how many there were; `pig` if
 * one was a pig's. */
static int catch_pieces(const SingleGame *game, SingleState *state, bool *pig) {
    int caught = 0;
    *pig = false;
    if (!on_board(state->squares[0]))
        return 0;
    for (int i = 1; i < game->players; i++) {
        if (state->squares[i] != state->squares[0] || yut_same_side(&game->rules, 0, i))
            continue;
        state->squares[i] = 0;
        *pig = *pig || game->player[(state->player + i) % game->players].is_pig;
        caught++;
    }
    return caught;
}

/* The value of playing `result`, which is no longer in the list, to a square. */
static bool value_move(SingleTurn *turn, const SingleState *state, int result, int to, int extras,
                       SingleValue *value) {
    const SingleGame *game = turn->game;
    SingleState next = *state;
    bool is_stacked = game->rules.teams && on_board(state->squares[0]) &&
                      state->squares[PARTNER] == state->squares[0];
    bool pig = false;
    next.squares[0] = (uint8_t)to;
    if (is_stacked)
        next.squares[PARTNER] = (uint8_t)to;
    if (to == YUT_ARRIVED) {
        if (wins_at_home(game, state))
            value_win(game, value);
        else
            single_value_end(game, &next, value);
        return true;
    }
    int caught = to != state->squares[0] ? catch_pieces(game, &next, &pig) : 0;
    if (caught > 0 && !pig)
        next.throws = (uint8_t)yut_catch_throws(&game->rules, state->player, (YutResult)result);
    if (pig || (next.throws == 0 && single_count_results(&next) == 0)) {
        single_value_end(game, &next, value);
        return true;
    }
    return value_state(turn, &next, extras, value);
}

/* Picks the value of the state from those of its moves, in the order of the rules. */
static void pick_best(const SingleGame *game, const SingleValue values[], int count,
                      SingleValue *best) {
    double cut = 0;
    int top = 0;
    for (int i = 0; i < count; i++) {
        cut = values[i].cut > cut ? values[i].cut : cut;
        if (values[i].part[0] > values[top].part[0])
            top = i;
    }
    if (game->aim == SINGLE_SIDES) {
        /* The first of those that are as good as the best. */
        int first = 0;
        while (solver_exceeds(values[top].part[0], values[first].part[0]))
            first++;
        *best = values[first];
    } else {
        *best = values[top];
        for (int i = 0; i < count && game->aim == SINGLE_BOUNDS; i++)
            if (values[i].part[SINGLE_LOWER] > best->part[SINGLE_LOWER])
                best->part[SINGLE_LOWER] = values[i].part[SINGLE_LOWER];
    }
    best->cut = cut;
}

static bool value_choice(SingleTurn *turn, const SingleState *state, int extras,
                         SingleValue *value) {
    SingleValue values[MOVES_MAX];
    int count = 0, square = state->squares[0];
    for (int result = 0; result < YUT_RESULTS; result++) {
        if (state->list[result] == 0)
            continue;
        SingleState left = *state;
        left.list[result]--;
        for (int way = 0; way < turn->player->ways[square][result]; way++) {
            int to = turn->player->next[square][result][way];
            if (!value_move(turn, &left, result, to, extras, &values[count]))
                return false;
            if (is_won(turn->game, &values[count])) {
                *value = values[count];
                return true;
            }
            count++;
        }
    }
    assert(count > 0);
    pick_best(turn->game, values, count, value);
    return true;
}

/* Whether the state is worth remembering: a single result is searched again faster. */
static bool is_remembered(const SingleTurn *turn, const SingleState *state) {
    return turn->remembers && (state->throws > 0 || single_count_results(state) > 1);
}

static bool value_state(SingleTurn *turn, const SingleState *state, int extras,
                        SingleValue *value) {
    bool keep = is_remembered(turn, state);
    uint64_t key = keep ? key_of(state) : 0;
    if (state->throws == 1 && single_count_results(state) == 0) {
        look_up(turn->game, state, 0, value);
        return true;
    }
    if (keep) {
        const MapEntry *entry = find_entry(turn, key);
        if (entry->query == turn->query && (entry->extras >= extras || entry->value.cut == 0)) {
            *value = entry->value;
            return true;
        }
    }
    if (!(state->throws > 0 ? value_throw(turn, state, extras, value)
                            : value_choice(turn, state, extras, value)))
        return false;
    return !keep || put_entry(turn, key, extras, value);
}

Status single_turn_value(SingleTurn *turn, const SingleState *state, int extras_max,
                         SingleValue *value) {
    turn->player = &turn->game->player[state->player];
    turn->used = 0;
    turn->failure = status_ok();
    turn->remembers = extras_max > 1 || single_count_results(state) > 2;
    if (++turn->query == 0) { /* numbers are used up */
        memset(turn->entries, 0, turn->capacity * sizeof *turn->entries);
        turn->query = 1;
    }
    bool good = state->throws > 0 ? value_throw(turn, state, extras_max, value)
                                  : value_choice(turn, state, extras_max, value);
    return good ? status_ok() : turn->failure;
}
