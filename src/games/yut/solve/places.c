#include "games/yut/solve/places.h"

#include <stdlib.h>

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

static void sort_squares(uint8_t squares[], int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && squares[j - 1] > squares[j]; j--) {
            uint8_t square = squares[j];
            squares[j] = squares[j - 1];
            squares[j - 1] = square;
        }
}

/* The squares as digits to the base 31: where the lookup table has the number. */
static size_t code_of(const uint8_t squares[], int count) {
    size_t code = 0;
    for (int i = 0; i < count; i++)
        code = code * YUT_SQUARES + squares[i];
    return code;
}

uint32_t places_number(const Places *places, const uint8_t squares[]) {
    uint8_t sorted[YUT_PIECES_MAX];
    memcpy(sorted, squares, (size_t)places->pieces);
    sort_squares(sorted, places->pieces);
    return places->lookup[code_of(sorted, places->pieces)];
}

uint32_t places_sent_home(const Places *places, uint32_t number, int square) {
    uint8_t squares[YUT_PIECES_MAX];
    memcpy(squares, places->squares[number], sizeof squares);
    for (int i = 0; i < places->pieces; i++)
        if (squares[i] == square)
            squares[i] = 0;
    return places_number(places, squares);
}

/* Moves on to the next sorted squares; false after the last. */
static bool next_squares(uint8_t squares[], int count) {
    int at = count - 1;
    while (at >= 0 && squares[at] == YUT_ARRIVED)
        at--;
    if (at < 0)
        return false;
    uint8_t square = (uint8_t)(squares[at] + 1);
    for (; at < count; at++)
        squares[at] = square;
    return true;
}

/* Which numbers hold a piece on each square. */
static bool fill_holding(Places *places) {
    size_t held = 0;
    for (uint32_t number = 0; number < places->count; number++)
        held += (size_t)__builtin_popcount(places->occupied[number]);
    places->holding = malloc((held + 1) * sizeof *places->holding);
    if (!places->holding)
        return false;
    uint32_t used = 0;
    for (int square = 0; square <= YUT_SQUARES; square++) {
        places->holding_from[square] = used;
        if (square == 0 || square >= YUT_ARRIVED)
            continue;
        for (uint32_t number = 0; number < places->count; number++)
            if (places->occupied[number] >> square & 1)
                places->holding[used++] = number;
    }
    return true;
}

static void fill_squares(Places *places) {
    uint8_t squares[YUT_PIECES_MAX] = {0};
    uint32_t number = 0;
    do {
        memcpy(places->squares[number], squares, sizeof squares);
        places->lookup[code_of(squares, places->pieces)] = number;
        for (int i = 0; i < places->pieces; i++) {
            if (squares[i] == 0)
                places->home[number]++;
            else if (squares[i] != YUT_ARRIVED)
                places->occupied[number] |= 1u << squares[i];
        }
        for (int home = 0; home <= places->home[number]; home++)
            places->with_home[home]++;
        number++;
    } while (next_squares(squares, places->pieces));
}

Status places_open(int pieces, Places *places) {
    size_t codes = 1, count = 1;
    for (int i = 0; i < pieces; i++) {
        codes *= YUT_SQUARES;
        count = count * (size_t)(YUT_SQUARES + i) / (size_t)(i + 1);
    }
    *places = (Places){.pieces = pieces, .count = (uint32_t)count};
    places->squares = calloc(count, sizeof *places->squares);
    places->occupied = calloc(count, sizeof *places->occupied);
    places->home = calloc(count, sizeof *places->home);
    places->lookup = calloc(codes, sizeof *places->lookup);
    bool good = places->squares && places->occupied && places->home && places->lookup;
    if (good)
        fill_squares(places);
    if (!good || !fill_holding(places)) {
        places_close(places);
        return out_of_memory();
    }
    return status_ok();
}

void places_close(Places *places) {
    free(places->squares);
    free(places->occupied);
    free(places->home);
    free(places->lookup);
    free(places->holding);
    *places = (Places){.pieces = 0};
}

/* Whether all squares are on the way of cows; no cow ever comes to others. */
static bool can_be_cows(const Places *places, uint32_t number) {
    for (int i = 0; i < places->pieces; i++)
        if (!yut_on_cow_route(places->squares[number][i]))
            return false;
    return true;
}

/* Asks the rules for the moves of one result, and notes them in the slots. */
static void fill_moves(const Places *places, const Rules *rules, int player, uint32_t number,
                       int result, PlacesMoves *moves) {
    uint32_t *next = moves->next[result] + (size_t)number * (size_t)moves->slots;
    for (int slot = 0; slot < moves->slots; slot++)
        next[slot] = number;
    if (number == places->count - 1)
        return; /* all pieces home is the end: nothing moves */
    YutRules yut = yut_rules(rules);
    YutState state = {.turn = (uint8_t)player};
    if (yut.animals[player] == YUT_COW && !can_be_cows(places, number)) {
        /* As if everything moved home: a solver that waits until nothing changes any more is not
         * to wait for games that never end. */
        for (int slot = 0; slot < moves->slots; slot++)
            next[slot] = places->count - 1;
        return;
    }
    memcpy(state.pieces[player], places->squares[number], (size_t)places->pieces);
    state.list[result] = 1;
    State packed = yut_state_pack(&state);
    Move list[GAME_MOVES_MAX];
    int count = (int)yut_moves(rules, &packed, list);
    for (int slot = 0; slot < moves->slots; slot++) {
        Move move = list[slot < count ? slot : 0];
        YutOutcome outcome = yut_outcome(&yut, &state, move);
        uint8_t squares[YUT_PIECES_MAX];
        memcpy(squares, state.pieces[player], sizeof squares);
        int left = outcome.moved;
        for (int i = 0; i < places->pieces && left > 0; i++) {
            if (squares[i] != yut_move_square(move))
                continue;
            squares[i] = (uint8_t)outcome.destination;
            left--;
        }
        next[slot] = places_number(places, squares);
    }
}

Status places_open_moves(const Places *places, const YutRules *rules, int player,
                         PlacesMoves *moves) {
    *moves = (PlacesMoves){.slots = rules->short_cut_may ? 2 * places->pieces : places->pieces};
    Rules packed = yut_rules_pack(rules);
    for (int result = 0; result < YUT_RESULTS; result++) {
        moves->next[result] = malloc(places->count * (size_t)moves->slots * sizeof(uint32_t));
        if (!moves->next[result]) {
            places_close_moves(moves);
            return out_of_memory();
        }
        for (uint32_t number = 0; number < places->count; number++)
            fill_moves(places, &packed, player, number, result, moves);
    }
    return status_ok();
}

void places_close_moves(PlacesMoves *moves) {
    for (int result = 0; result < YUT_RESULTS; result++)
        free(moves->next[result]);
    *moves = (PlacesMoves){.slots = 0};
}
