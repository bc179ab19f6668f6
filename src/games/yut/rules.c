/* The rules: throws, legal moves, their effect, and the end of the game. */
#include <assert.h>

#include "games/yut/yut.h"

bool yut_same_side(const YutRules *rules, int a, int b) {
    return a == b || (rules->teams && (a + b) % 2 == 0);
}

bool yut_throws_again(const YutRules *rules, int player, YutResult result) {
    return result == YUT_YUT || result == YUT_MO ||
           (result == YUT_GEOL && rules->animals[player] == YUT_DOG);
}

/* Pieces are ascending: if the first is home, all are. */
static bool is_home(const YutState *state, int player) {
    return state->pieces[player][0] == YUT_ARRIVED;
}

/* Whether every player of the side is home. */
static bool side_is_home(const YutRules *rules, const YutState *state, int player) {
    for (int other = 0; other < rules->players; other++)
        if (yut_same_side(rules, player, other) && !is_home(state, other))
            return false;
    return true;
}

int yut_winner(const YutRules *rules, const YutState *state) {
    for (int player = 0; player < rules->players; player++)
        if (side_is_home(rules, state, player))
            return player;
    return -1;
}

/* Insertion sort: at most four pieces, nearly in order. */
static void sort_pieces(uint8_t pieces[], int count) {
    for (int i = 1; i < count; i++) {
        uint8_t piece = pieces[i];
        int at = i;
        for (; at > 0 && pieces[at - 1] > piece; at--)
            pieces[at] = pieces[at - 1];
        pieces[at] = piece;
    }
}

int yut_count_on(const YutRules *rules, const YutState *state, int player, int square) {
    int count = 0;
    for (int i = 0; i < rules->pieces; i++)
        count += state->pieces[player][i] == square;
    return count;
}

static bool on_board(int square) {
    return square > 0 && square < YUT_ARRIVED;
}

/* Passes the turn to the next player with a piece that is not home. In a team, a player may have no
 * such piece. */
static void pass_turn(const YutRules *rules, YutState *state) {
    memset(state->list, 0, sizeof state->list);
    do
        state->turn = (uint8_t)((state->turn + 1) % rules->players);
    while (is_home(state, state->turn));
    state->throws = 1;
}

static int list_length(const YutState *state) {
    int length = 0;
    for (int i = 0; i < YUT_RESULTS; i++)
        length += state->list[i];
    return length;
}

/* Passes the turn if nothing is left to throw or to play. */
static void pass_if_done(const YutRules *rules, YutState *state) {
    if (state->throws == 0 && list_length(state) == 0)
        pass_turn(rules, state);
}

void yut_throw(const YutRules *rules, YutState *state, YutResult result) {
    assert(state->throws > 0);
    if (result == YUT_NAK) {
        state->throws--;
        if (rules->nak_loses_turn)
            pass_turn(rules, state);
        else
            pass_if_done(rules, state);
        return;
    }
    if (state->list[result] < UINT8_MAX)
        state->list[result]++;
    if (!yut_throws_again(rules, state->turn, result))
        state->throws--;
}

bool yut_can_stand(const YutRules *rules, int player, int square) {
    if (rules->animals[player] == YUT_COW && !yut_on_cow_route(square))
        return false;
    if (rules->finish == YUT_FINISH_REACH && square == YUT_LAST)
        return false;
    return !(rules->traps >> square & 1);
}

int yut_catch_throws(const YutRules *rules, int player, YutResult result) {
    bool is_strong = result == YUT_YUT || result == YUT_MO;
    if (rules->catch_bonus == YUT_BONUS_NEVER ||
        (rules->catch_bonus == YUT_BONUS_WEAK && is_strong))
        return 0;
    return rules->animals[player] == YUT_SHEEP ? 2 : 1;
}

/* Whether the player can choose between two ways on the square. */
static bool has_choice(const YutRules *rules, int player, int square) {
    if (rules->animals[player] == YUT_COW)
        return false;
    return square == YUT_CENTRE ? rules->centre_may
                                : rules->short_cut_may && (square == 5 || square == 10);
}

int yut_ways(const YutRules *rules, int player, int square, YutResult result) {
    if (result == YUT_BACK_DO)
        return on_board(square) && !(rules->no_back_from_1 && square == 1);
    bool is_close = square == 19 || square == 28 || square == YUT_LAST;
    if (square == YUT_ARRIVED ||
        (rules->finish == YUT_FINISH_SHORT && is_close && result > YUT_GAE))
        return 0;
    return has_choice(rules, player, square) ? 2 : 1;
}

int yut_stop(const YutRules *rules, int player, int square, YutResult result, bool detour) {
    int stop = yut_destination(square, result, rules->animals[player] == YUT_COW, detour);
    if (square == 0 && result == YUT_BACK_DO && rules->empty_back_do != YUT_EMPTY_SKIP)
        stop = rules->empty_back_do == YUT_EMPTY_HOME ? YUT_ARRIVED : YUT_LAST;
    return stop == YUT_LAST && rules->finish == YUT_FINISH_REACH ? YUT_ARRIVED : stop;
}

/* Whether the player has a piece on the board. */
static bool has_piece_on_board(const YutRules *rules, const YutState *state, int player) {
    for (int i = 0; i < rules->pieces; i++)
        if (on_board(state->pieces[player][i]))
            return true;
    return false;
}

/* Whether a legal move only uses the result up: no piece can play it. */
static bool is_used_up(const YutRules *rules, const YutState *state, Move move) {
    if (yut_move_square(move) != 0)
        return false;
    return yut_move_result(move) == YUT_BACK_DO ? rules->empty_back_do == YUT_EMPTY_SKIP ||
                                                      has_piece_on_board(rules, state, state->turn)
                                                : yut_count_on(rules, state, state->turn, 0) == 0;
}

YutOutcome yut_outcome(const YutRules *rules, const YutState *state, Move move) {
    int square = yut_move_square(move);
    int player = state->turn;
    if (is_used_up(rules, state, move))
        return (YutOutcome){.destination = square};
    YutOutcome outcome = {.destination = yut_stop(rules, player, square, yut_move_result(move),
                                                  yut_move_detour(move))};
    outcome.trapped = rules->traps >> outcome.destination & 1;
    outcome.joined = rules->centre_stack && outcome.destination == YUT_CENTRE && !outcome.trapped &&
                     yut_count_on(rules, state, player, 0) > 0;
    for (int other = 0; other < rules->players; other++) {
        bool ours = yut_same_side(rules, player, other);
        if (square == 0 && other == player)
            outcome.moved += 1;
        else if (square != 0 && ours)
            outcome.moved += yut_count_on(rules, state, other, square);
        if (!on_board(outcome.destination))
            continue;
        int there = yut_count_on(rules, state, other, outcome.destination);
        if (there > 0 && ours)
            outcome.stacked = true;
        if (there > 0 && !ours) {
            outcome.caught += there;
            outcome.caught_of |= 1u << other;
        }
    }
    return outcome;
}

/* Moves all pieces of the side that are on the square. From 0, moves only one piece, and only of
 * the player itself. */
static void move_pieces(const YutRules *rules, YutState *state, int square, int destination) {
    for (int other = 0; other < rules->players; other++) {
        if (!yut_same_side(rules, state->turn, other) || (square == 0 && other != state->turn))
            continue;
        for (int i = 0; i < rules->pieces; i++) {
            if (state->pieces[other][i] != square)
                continue;
            state->pieces[other][i] = (uint8_t)destination;
            if (square == 0)
                break;
        }
        sort_pieces(state->pieces[other], rules->pieces);
    }
}

/* Sends the caught pieces back to the start. Returns whether one of them was a pig's. */
static bool send_to_start(const YutRules *rules, YutState *state, const YutOutcome *outcome) {
    bool pig = false;
    for (int player = 0; player < rules->players; player++) {
        if (!(outcome->caught_of >> player & 1))
            continue;
        pig = pig || rules->animals[player] == YUT_PIG;
        for (int i = 0; i < rules->pieces; i++)
            if (state->pieces[player][i] == outcome->destination)
                state->pieces[player][i] = 0;
        sort_pieces(state->pieces[player], rules->pieces);
    }
    return pig;
}

void yut_play(const YutRules *rules, YutState *state, Move move) {
    YutResult result = yut_move_result(move);
    YutOutcome outcome = yut_outcome(rules, state, move);
    assert(state->list[result] > 0);
    state->list[result]--;
    if (outcome.moved > 0)
        move_pieces(rules, state, yut_move_square(move), outcome.trapped ? 0 : outcome.destination);
    if (outcome.joined)
        move_pieces(rules, state, 0, YUT_CENTRE);

    if (yut_winner(rules, state) >= 0) {
        memset(state->list, 0, sizeof state->list);
        return;
    }
    if (outcome.caught > 0) {
        if (send_to_start(rules, state, &outcome)) {
            pass_turn(rules, state);
            return;
        }
        int throws = yut_catch_throws(rules, state->turn, result);
        if (throws > 0) /* otherwise an estimate that plays before it throws keeps its throw */
            state->throws = (uint8_t)throws;
    }
    if (is_home(state, state->turn))
        pass_turn(rules, state);
    else
        pass_if_done(rules, state);
}

State yut_start(const Rules *rules) {
    (void)rules;
    YutState state = {.throws = 1};
    return yut_state_pack(&state);
}

int yut_actor(const Rules *rules, const State *state) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (s.throws > 0)
        return GAME_CHANCE;
    return yut_winner(&yut, &s) >= 0 ? GAME_END : s.turn;
}

int yut_turn(const Rules *rules, const State *state) {
    (void)rules;
    return yut_state(state).turn;
}

size_t yut_moves(const Rules *rules, const State *state, Move moves[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    const uint8_t *pieces = s.pieces[s.turn];
    size_t count = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        if (s.list[result] == 0)
            continue;
        size_t before = count;
        for (int i = yut.pieces; i-- > 0;) {
            bool again = i + 1 < yut.pieces && pieces[i + 1] == pieces[i];
            int ways = again ? 0 : yut_ways(&yut, s.turn, pieces[i], (YutResult)result);
            for (int way = 0; way < ways; way++)
                moves[count++] = yut_move_pack(pieces[i], (YutResult)result, way > 0);
        }
        if (count == before) /* no piece can play it: it is spent on 0 */
            moves[count++] = yut_move_pack(0, (YutResult)result, false);
    }
    return count;
}

/* Every marked stick makes a single flat stick a back-do as often as the odds say for one. */
static void mark_sticks(const YutRules *rules, uint64_t weights[YUT_RESULTS]) {
    uint64_t single = rules->odds[YUT_BACK_DO];
    memcpy(weights, rules->odds, sizeof rules->odds);
    weights[YUT_BACK_DO] = rules->marked * single;
    weights[YUT_DO] += single;
    assert(weights[YUT_DO] >= weights[YUT_BACK_DO]);
    weights[YUT_DO] -= weights[YUT_BACK_DO];
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t yut_weights(const YutRules *rules, uint64_t weights[YUT_RESULTS + 1]) {
    uint64_t whole = 0, divisor = 0;
    mark_sticks(rules, weights);
    weights[YUT_NAK] = 0;
    for (int i = 0; i < YUT_RESULTS; i++) {
        whole += weights[i];
        divisor = common_divisor(weights[i], divisor);
    }
    if (rules->nak == 0 || whole == 0)
        return whole;
    /* The nak is a fraction in lowest terms, over parts of the odds in lowest terms. */
    uint64_t unit = common_divisor(rules->nak, YUT_NAK_WHOLE);
    uint64_t nak = rules->nak / unit, parts = YUT_NAK_WHOLE / unit;
    if (whole / divisor > UINT64_MAX / parts)
        return 0;
    for (int i = 0; i < YUT_RESULTS; i++)
        weights[i] = weights[i] / divisor * (parts - nak);
    weights[YUT_NAK] = whole / divisor * nak;
    return whole / divisor * parts;
}

size_t yut_chances(const Rules *rules, const State *state, Chance chances[],
                   uint64_t *denominator) {
    (void)state;
    YutRules yut = yut_rules(rules);
    uint64_t weights[YUT_RESULTS + 1];
    size_t count = 0;
    *denominator = yut_weights(&yut, weights);
    assert(*denominator > 0);
    for (Move result = 0; result <= YUT_NAK; result++)
        if (weights[result] > 0)
            chances[count++] = (Chance){.move = result, .weight = weights[result]};
    return count;
}

void yut_apply(const Rules *rules, State *state, Move move) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (s.throws > 0) {
        bool full = move != YUT_NAK && list_length(&s) >= YUT_LIST_MAX;
        yut_throw(&yut, &s, (YutResult)move);
        if (full)
            s.list[move]--;
    } else {
        yut_play(&yut, &s, move);
    }
    *state = yut_state_pack(&s);
}

void yut_payoff(const Rules *rules, const State *state, double payoffs[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    int winner = yut_winner(&yut, &s);
    for (int i = 0; i < yut.players; i++)
        payoffs[i] = yut_same_side(&yut, winner, i) ? 1 : 0;
}

/* Says why no piece of the player can be on the square. */
static Status refuse_square(const YutRules *rules, int player, int square) {
    if (rules->traps >> square & 1)
        return status_make(STATUS_USAGE, "pieces of player %d: %d is a trap, where no piece stays",
                           player, square);
    if (square == YUT_LAST && rules->finish == YUT_FINISH_REACH)
        return status_make(STATUS_USAGE,
                           "pieces of player %d: with --finish reach, 29 is home: write 100",
                           player);
    return status_make(STATUS_USAGE, "pieces of player %d: a cow never comes to %d", player,
                       square);
}

static Status check_pieces(const YutRules *rules, const YutState *state) {
    for (int player = 0; player < YUT_PLAYERS_MAX; player++) {
        for (int i = 0; i < YUT_PIECES_MAX; i++) {
            int square = state->pieces[player][i];
            bool used = player < rules->players && i < rules->pieces;
            if (square > YUT_ARRIVED || (!used && square != 0))
                return status_make(STATUS_USAGE, "pieces of player %d: no such square", player);
            if (used && i > 0 && square < state->pieces[player][i - 1])
                return status_make(STATUS_USAGE, "pieces of player %d: expected ascending squares",
                                   player);
            if (used && !yut_can_stand(rules, player, square))
                return refuse_square(rules, player, square);
            for (int other = 0; used && other < player; other++)
                if (on_board(square) && !yut_same_side(rules, player, other) &&
                    yut_count_on(rules, state, other, square) > 0)
                    return status_make(STATUS_USAGE,
                                       "pieces: players %d and %d are both on square %d", other,
                                       player, square);
        }
    }
    return status_ok();
}

Status yut_check(const Rules *rules, const State *state) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    Status status = check_pieces(&yut, &s);
    if (!status_is_ok(&status))
        return status;
    if (s.turn >= yut.players)
        return status_make(STATUS_USAGE, "turn: expected 0 to %d, not %d", yut.players - 1, s.turn);
    if (list_length(&s) > YUT_LIST_MAX)
        return status_make(STATUS_USAGE, "list: more than %d results", YUT_LIST_MAX);
    int throws_max = yut.animals[s.turn] == YUT_SHEEP ? 2 : 1;
    if (s.throws > throws_max)
        return status_make(STATUS_USAGE, "list: at most %d throw%s can be owed", throws_max,
                           throws_max > 1 ? "s" : "");
    int winner = yut_winner(&yut, &s);
    if (winner >= 0) {
        for (int other = 0; other < yut.players; other++)
            if (!yut_same_side(&yut, winner, other) && side_is_home(&yut, &s, other))
                return status_make(STATUS_USAGE, "pieces: players %d and %d are both home", winner,
                                   other);
        if (!yut_same_side(&yut, winner, s.turn))
            return status_make(STATUS_USAGE, "turn: player %d has won, so it must be its turn",
                               winner);
        if (list_length(&s) > 0 || s.throws > 0)
            return status_make(STATUS_USAGE, "list: player %d has won, so nothing is left to play",
                               winner);
        return status_ok();
    }
    if (is_home(&s, s.turn))
        return status_make(STATUS_USAGE, "turn: player %d has no piece left to move", s.turn);
    if (list_length(&s) == 0 && s.throws == 0)
        return status_make(STATUS_USAGE, "list: expected a throw or a result to play");
    return status_ok();
}
