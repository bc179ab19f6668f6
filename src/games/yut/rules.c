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

void yut_throw(const YutRules *rules, YutState *state, YutResult result) {
    assert(state->throws > 0);
    if (state->list[result] < UINT8_MAX)
        state->list[result]++;
    if (!yut_throws_again(rules, state->turn, result))
        state->throws--;
}

YutOutcome yut_outcome(const YutRules *rules, const YutState *state, Move move) {
    int square = yut_move_square(move);
    int player = state->turn;
    bool cow = rules->animals[player] == YUT_COW;
    YutOutcome outcome = {
        .destination = yut_destination(square, yut_move_result(move), cow, yut_move_ring(move))};
    if (outcome.destination == square)
        return outcome; /* a back-do on 0: nothing moves */
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
        move_pieces(rules, state, yut_move_square(move), outcome.destination);

    if (yut_winner(rules, state) >= 0) {
        memset(state->list, 0, sizeof state->list);
        return;
    }
    if (outcome.caught > 0) {
        if (send_to_start(rules, state, &outcome)) {
            pass_turn(rules, state);
            return;
        }
        if (!(rules->no_bonus_by_yut_mo && (result == YUT_YUT || result == YUT_MO)))
            state->throws = rules->animals[state->turn] == YUT_SHEEP ? 2 : 1;
    }
    bool nothing_left = list_length(state) == 0 && state->throws == 0;
    if (nothing_left || is_home(state, state->turn))
        pass_turn(rules, state);
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

/* Whether a back-do can be played on the square. */
static bool can_go_back(const YutRules *rules, int square) {
    return on_board(square) && !(rules->no_back_from_1 && square == 1);
}

size_t yut_moves(const Rules *rules, const State *state, Move moves[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    const uint8_t *pieces = s.pieces[s.turn];
    size_t count = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        if (s.list[result] == 0)
            continue;
        bool used = false;
        for (int i = yut.pieces; i-- > 0;) {
            int square = pieces[i];
            bool again = i + 1 < yut.pieces && pieces[i + 1] == square;
            bool playable =
                result == YUT_BACK_DO ? can_go_back(&yut, square) : square != YUT_ARRIVED;
            if (again || !playable)
                continue;
            used = true;
            moves[count++] = yut_move_pack(square, (YutResult)result, false);
            bool corner = square == 5 || square == 10;
            if (yut.short_cut_may && corner && result != YUT_BACK_DO &&
                yut.animals[s.turn] != YUT_COW)
                moves[count++] = yut_move_pack(square, (YutResult)result, true);
        }
        if (!used) /* a back-do that no piece can play is spent on 0 */
            moves[count++] = yut_move_pack(0, (YutResult)result, false);
    }
    return count;
}

size_t yut_chances(const Rules *rules, const State *state, Chance chances[],
                   uint64_t *denominator) {
    (void)state;
    YutRules yut = yut_rules(rules);
    if (yut.no_back_do) {
        yut.odds[YUT_DO] += yut.odds[YUT_BACK_DO];
        yut.odds[YUT_BACK_DO] = 0;
    }
    size_t count = 0;
    *denominator = 0;
    for (Move result = 0; result < YUT_RESULTS; result++) {
        *denominator += yut.odds[result];
        if (yut.odds[result] > 0)
            chances[count++] = (Chance){.move = result, .weight = yut.odds[result]};
    }
    return count;
}

void yut_apply(const Rules *rules, State *state, Move move) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (s.throws > 0) {
        bool full = list_length(&s) >= YUT_LIST_MAX;
        yut_throw(&yut, &s, (YutResult)move);
        s.list[move] = (uint8_t)(s.list[move] - full);
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
            if (used && rules->animals[player] == YUT_COW && !yut_on_cow_route(square))
                return status_make(STATUS_USAGE, "pieces of player %d: a cow never comes to %d",
                                   player, square);
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
