#include "games/yut/solve/turn_search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "games/yut/solve/lists.h"
#include "games/yut/solve/placements.h"

enum {
    EXTRAS_COARSE = 2, /* moves are first compared with this many extras */
    EXTRAS_FIRST = 3,  /* a search starts with this many extras */
    EXTRAS_MAX = 24,   /* and ends with at most this many */
    MOVES_MAX = YUT_RESULTS * PLACEMENT_SLOTS_MAX
};

/* A search with more states than fit in this many bytes takes half a minute. */
#define MAP_BYTES_MAX ((size_t)640 << 20)

/* What a player can throw, and what a catch gives. */
typedef struct TurnPlayer {
    double chances[YUT_RESULTS];
    bool throws_again[YUT_RESULTS];
    double again;                  /* the chance of a result that throws again */
    int catch_throws[YUT_RESULTS]; /* throws that a catch with the result gives */
    bool catch_is_last;            /* a catch ends the turn instead */
    PlacementMoves moves;
} TurnPlayer;

/* A cache of the values of turn starts, in rows by one of the two placements, so that a search
 * reads them from one array: 1 + value, or 0 for those not looked up yet. */
typedef struct StartRows {
    double **rows;
    size_t count, used, used_max;
} StartRows;

struct TurnSearch {
    const YutStarts *starts;
    Placements placements;
    YutRules rules;
    TurnPlayer players[2];
    double again; /* of the player whose turn is searched */
    double
        near_win[EXTRAS_MAX + 1]; /* [extras]: a move with such a value need not be improved on */
    StartRows begins;             /* the turn continues with nothing in hand: [other][own] */
    StartRows ends;               /* the opponent begins a turn: [other][own] */
    TurnMap map;
    const StopFlag *stop;
    bool is_full;   /* the search ended because the map is full */
    Status failure; /* any other reason why it ended */
};

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* --- starts of turns --- */

static bool open_rows(const TurnSearch *search, size_t bytes_max, StartRows *rows) {
    rows->count = (size_t)search->placements.count * 2;
    rows->rows = calloc(rows->count, sizeof *rows->rows);
    size_t row_bytes = search->placements.count * sizeof(double);
    rows->used_max = bytes_max / row_bytes;
    return rows->rows != NULL;
}

static void clear_rows(StartRows *rows) {
    for (size_t i = 0; rows->rows && i < rows->count; i++) {
        free(rows->rows[i]);
        rows->rows[i] = NULL;
    }
    rows->used = 0;
}

/* Clears the rows if a query might not fit. A query needs one row for each set of opponent's pieces
 * that can be caught. */
static void make_room_for_rows(const TurnSearch *search, StartRows *rows) {
    if (rows->used + (1u << search->placements.pieces) > rows->used_max)
        clear_rows(rows);
}

static YutState state_of(const TurnSearch *search, int player, uint32_t own, uint32_t other) {
    const Placements *placements = &search->placements;
    YutState state = {.turn = (uint8_t)player, .throws = 1};
    memcpy(state.pieces[player], placements->squares[own], sizeof placements->squares[own]);
    memcpy(state.pieces[1 - player], placements->squares[other], sizeof placements->squares[other]);
    return state;
}

/* Fills an entry of a row with the value of the turn that `thrower` begins. */
static bool look_up(TurnSearch *search, int thrower, uint32_t own, uint32_t other, double *place) {
    double value = 0;
    YutState state = state_of(search, thrower, own, other);
    search->failure = search->starts->value(search->starts, &state, &value);
    *place = 1 + value;
    return status_is_ok(&search->failure);
}

/* The row of a player's turns against `other`. */
static double *find_row(TurnSearch *search, StartRows *rows, int player, uint32_t other) {
    double **row = &rows->rows[(size_t)player * search->placements.count + other];
    if (!*row) {
        *row = calloc(search->placements.count, sizeof **row);
        rows->used++;
    }
    if (!*row)
        search->failure = status_make(STATUS_FAILED, "out of memory");
    return *row;
}

/* The value to `player` when its turn ends here. */
static bool value_end(TurnSearch *search, int player, uint32_t own, uint32_t other, double *value) {
    double *row = find_row(search, &search->ends, player, other);
    if (!row || (row[own] == 0 && !look_up(search, 1 - player, other, own, &row[own])))
        return false;
    *value = 2 - row[own];
    return true;
}

/* The value to `player` when it throws once with nothing in hand. */
static bool value_begin(TurnSearch *search, int player, uint32_t own, uint32_t other,
                        double *value) {
    double *row = find_row(search, &search->begins, player, other);
    if (!row || (row[own] == 0 && !look_up(search, player, own, other, &row[own])))
        return false;
    *value = row[own] - 1;
    return true;
}

/* --- the search --- */

static bool search_state(TurnSearch *search, const TurnState *state, int extras, TurnValue *known);

/* The state after a result was thrown. */
static TurnState after_throw(const TurnPlayer *player, const TurnState *state, int result) {
    TurnState next = *state;
    next.list += turn_list_of(result);
    next.throws = (uint8_t)(next.throws - !player->throws_again[result]);
    return next;
}

/* The value after a nak. */
static bool search_nak(TurnSearch *search, const TurnState *state, int extras, TurnValue *known) {
    TurnState next = *state;
    bool has_list = turn_list_length(state->list) > 0;
    next.throws--;
    *known = (TurnValue){.extras = extras};
    if (search->rules.nak_loses_turn || (next.throws == 0 && !has_list))
        return value_end(search, state->turn, state->own, state->other, &known->value);
    if (next.throws == 1 && !has_list)
        return value_begin(search, state->turn, state->own, state->other, &known->value);
    return search_state(search, &next, extras, known);
}

/* The mean over the possible throws. */
static bool search_throw(TurnSearch *search, const TurnState *state, int extras, TurnValue *mean) {
    const TurnPlayer *player = &search->players[state->turn];
    *mean = (TurnValue){.extras = extras};
    for (int result = 0; result < YUT_RESULTS; result++) {
        bool again = player->throws_again[result];
        TurnValue one;
        if (player->chances[result] == 0 || (again && extras == 0))
            continue;
        TurnState next = after_throw(player, state, result);
        if (!search_state(search, &next, extras - again, &one))
            return false;
        mean->value += player->chances[result] * one.value;
        mean->error += player->chances[result] * one.error;
    }
    double nak = lists_nak(&search->rules);
    if (nak > 0) {
        TurnValue one;
        if (!search_nak(search, state, extras, &one))
            return false;
        mean->value += nak * one.value;
        mean->error += nak * one.error;
    }
    if (extras == 0 && player->again > 0) {
        /* Throws that are cut off count as the mean of the rest. Their true value can be
         * anything. */
        mean->value /= 1 - player->again;
        mean->error += player->again * larger(mean->value, 1 - mean->value);
    }
    return true;
}

/* The outcomes of a state's moves: the best value that is known exactly, and the states that have
 * to be searched. */
typedef struct TurnMoves {
    double best;
    int count;
    TurnState states[MOVES_MAX];
    TurnValue values[MOVES_MAX];
} TurnMoves;

/* Adds the outcome of playing `result` to `own`. The result is no longer in the list of `state`. */
static bool add_move(TurnSearch *search, const TurnState *state, int result, uint32_t own,
                     bool list_is_empty, TurnMoves *moves) {
    const Placements *placements = &search->placements;
    const TurnPlayer *player = &search->players[state->turn];
    uint32_t caught = placements->occupied[own] & placements->occupied[state->other];
    TurnState next = *state;
    next.own = (uint16_t)own;
    double value = 1;
    if (own == placements->count - 1) {
        moves->best = 1;
        return true;
    }
    if (caught) {
        next.other = (uint16_t)placement_send_back(placements, state->other, __builtin_ctz(caught));
        next.throws = (uint8_t)player->catch_throws[result];
    }
    bool is_last = caught && player->catch_is_last ? true : list_is_empty && next.throws == 0;
    bool begins = list_is_empty && next.throws == 1;
    if (!is_last && !begins) {
        turn_map_prefetch(&search->map, &next);
        moves->states[moves->count++] = next;
        return true;
    }
    if (!(is_last ? value_end(search, state->turn, own, next.other, &value)
                  : value_begin(search, state->turn, own, next.other, &value)))
        return false;
    moves->best = larger(moves->best, value);
    return true;
}

static bool list_moves(TurnSearch *search, const TurnState *state, TurnMoves *moves) {
    const PlacementMoves *tables = &search->players[state->turn].moves;
    bool is_last = turn_list_length(state->list) == 1;
    moves->best = 0;
    moves->count = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        if (turn_list_count(state->list, result) == 0)
            continue;
        TurnState left = *state;
        left.list -= turn_list_of(result);
        const uint32_t *next = tables->next[result] + (size_t)state->own * (size_t)tables->slots;
        for (int slot = 0; slot < tables->slots; slot++) {
            bool again = false;
            for (int before = 0; before < slot && !again; before++)
                again = next[before] == next[slot];
            if (!again && !add_move(search, &left, result, next[slot], is_last, moves))
                return false;
        }
    }
    return true;
}

/* Searches the moves that may still be best, and raises the lower bound. */
static bool compare_moves(TurnSearch *search, TurnMoves *moves, int extras, double enough,
                          double *low) {
    for (int i = 0; i < moves->count && *low < enough; i++) {
        TurnValue *one = &moves->values[i];
        if (one->error == 0 || one->value + one->error <= *low)
            continue;
        if (!search_state(search, &moves->states[i], extras, one))
            return false;
        *low = larger(*low, one->value - one->error);
    }
    return true;
}

/* The best move. The true value is between the best lower and the best upper bound of all moves. */
static bool search_moves(TurnSearch *search, const TurnState *state, int extras, TurnValue *best) {
    TurnMoves moves;
    if (!list_moves(search, state, &moves))
        return false;
    for (int i = 0; i < moves.count; i++)
        moves.values[i] = (TurnValue){.value = 0.5, .error = 0.5};
    double low = moves.best, enough = search->near_win[extras];
    if (extras > EXTRAS_COARSE && !compare_moves(search, &moves, EXTRAS_COARSE, enough, &low))
        return false;
    if (!compare_moves(search, &moves, extras, enough, &low))
        return false;
    *best = (TurnValue){.value = moves.best, .extras = extras};
    double high = moves.best;
    for (int i = 0; i < moves.count; i++) {
        best->value = larger(best->value, moves.values[i].value);
        high = larger(high, moves.values[i].value + moves.values[i].error);
    }
    if (low >= enough) {
        high = 1; /* moves that were not searched may have any value */
        best->value = (low + high) / 2;
    }
    best->error = larger(best->value - low, high - best->value);
    return true;
}

static bool is_stopped(TurnSearch *search) {
    if (!search->stop || !*search->stop)
        return false;
    search->failure = status_make(STATUS_STOPPED, "stopped");
    return true;
}

/* Searching a single result again is faster than finding it in the map. */
static bool is_remembered(const TurnState *state) {
    return state->throws > 0 || turn_list_length(state->list) > 1;
}

static bool search_state(TurnSearch *search, const TurnState *state, int extras, TurnValue *known) {
    bool plays = state->throws == 0;
    if (!is_remembered(state))
        return search_moves(search, state, extras, known);
    TurnValue before;
    if (turn_map_find(&search->map, state, &before) &&
        (before.extras >= extras || before.error == 0)) {
        *known = before;
        return true;
    }
    if (is_stopped(search) || !(plays ? search_moves(search, state, extras, known)
                                      : search_throw(search, state, extras, known)))
        return false;
    if (turn_map_put(&search->map, state, known))
        return true;
    search->is_full = true;
    return false;
}

/* --- queries --- */

/* Prepares the search for turns of `player`. */
static bool set_player(TurnSearch *search, int player) {
    PlacementMoves *moves = &search->players[player].moves;
    search->again = search->players[player].again;
    /* Not improving on a near win adds an error about as large as that of cutting off extras. */
    for (int extras = 0; extras <= EXTRAS_MAX; extras++)
        search->near_win[extras] = 1 - fmin(2 * pow(search->again, extras + 1), 0.5);
    if (moves->slots == 0)
        search->failure = placement_moves_open(&search->placements, &search->rules, player, moves);
    return status_is_ok(&search->failure);
}

static TurnState turn_state_of(const TurnSearch *search, const YutState *state) {
    const Placements *placements = &search->placements;
    TurnState turn = {.own = (uint16_t)placement_rank(placements, state->pieces[state->turn]),
                      .other = (uint16_t)placement_rank(placements, state->pieces[1 - state->turn]),
                      .turn = state->turn,
                      .throws = state->throws};
    for (int result = 0; result < YUT_RESULTS; result++)
        turn.list += state->list[result] * turn_list_of(result);
    return turn;
}

/* Searches with `extras` extras. If the map is full, clears it and tries once more. */
static bool search_root(TurnSearch *search, const TurnState *root, int extras, TurnValue *value) {
    for (int attempt = 0; attempt < 2; attempt++) {
        search->is_full = false;
        if (search_state(search, root, extras, value))
            return true;
        if (!search->is_full)
            return false;
        turn_map_clear(&search->map);
    }
    return false;
}

/* How many extras, more than now, are likely to bring the error within the tolerance. */
static int extras_for(const TurnSearch *search, const TurnValue *value, double tolerance) {
    double left = fmin(1.1 * search->again, 0.9); /* part of the error left after one more extra */
    double more = ceil(log(tolerance / value->error) / log(left));
    if (value->error == 0 || !(more < EXTRAS_MAX - value->extras))
        return EXTRAS_MAX; /* also when the tolerance is 0 */
    return value->extras + (more > 1 ? (int)more : 1);
}

/* Iterative deepening. If memory does not suffice, searches less deep, down to no search at all:
 * then the value is 0.5 with an error of 0.5, which is true of any chance. */
static Status search_deeper(TurnSearch *search, const TurnState *root, double tolerance,
                            TurnValue *value) {
    int extras = EXTRAS_FIRST, extras_max = EXTRAS_MAX;
    *value = (TurnValue){.value = 0.5, .error = 0.5, .extras = -1};
    while (value->error > tolerance && extras > value->extras) {
        TurnValue found;
        if (search_root(search, root, extras, &found)) {
            *value = found;
            extras = extras_for(search, value, tolerance);
        } else if (search->is_full) {
            extras_max = --extras;
        } else {
            return search->failure;
        }
        extras = extras < extras_max ? extras : extras_max;
    }
    return status_ok();
}

Status turn_search_value(TurnSearch *search, const YutState *state, double tolerance,
                         TurnValue *value) {
    const TurnState root = turn_state_of(search, state);
    assert(root.throws > 0 || turn_list_length(root.list) > 0);
    assert(yut_winner(&search->rules, state) < 0);
    search->failure = status_ok();
    if (!set_player(search, root.turn))
        return search->failure;
    make_room_for_rows(search, &search->begins);
    make_room_for_rows(search, &search->ends);
    TurnValue before;
    if (is_remembered(&root) && !turn_map_find(&search->map, &root, &before))
        turn_map_clear(&search->map); /* another turn */
    return search_deeper(search, &root, tolerance, value);
}

static void open_player(const YutRules *rules, int player, TurnPlayer *opened) {
    lists_find_chances(rules, player, opened->chances, opened->throws_again);
    opened->again = lists_again(rules, player);
    for (int result = 0; result < YUT_RESULTS; result++)
        opened->catch_throws[result] = yut_catch_throws(rules, player, (YutResult)result);
    opened->catch_is_last = rules->animals[1 - player] == YUT_PIG;
}

Status turn_search_open(const YutRules *rules, const YutStarts *starts, size_t bytes_max,
                        const StopFlag *stop, TurnSearch **search) {
    TurnSearch *opened = calloc(1, sizeof *opened);
    if (!opened)
        return status_make(STATUS_FAILED, "out of memory");
    opened->starts = starts;
    opened->rules = *rules;
    opened->stop = stop;
    size_t map_bytes = bytes_max / 4 * 3;
    turn_map_init(&opened->map, map_bytes < MAP_BYTES_MAX ? map_bytes : MAP_BYTES_MAX);
    for (int player = 0; player < 2; player++)
        open_player(rules, player, &opened->players[player]);
    Status status = placements_open(rules->pieces, &opened->placements);
    if (status_is_ok(&status) && (!open_rows(opened, bytes_max / 8, &opened->begins) ||
                                  !open_rows(opened, bytes_max / 8, &opened->ends)))
        status = status_make(STATUS_FAILED, "out of memory");
    if (!status_is_ok(&status)) {
        turn_search_close(opened);
        return status;
    }
    *search = opened;
    return status_ok();
}

void turn_search_close(TurnSearch *search) {
    if (!search)
        return;
    clear_rows(&search->begins);
    clear_rows(&search->ends);
    free(search->begins.rows);
    free(search->ends.rows);
    for (int player = 0; player < 2; player++)
        placement_moves_close(&search->players[player].moves);
    placements_close(&search->placements);
    turn_map_free(&search->map);
    free(search);
}
