#include "games/yut/places.h"

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
    if (!places->squares || !places->occupied || !places->home || !places->lookup) {
        places_close(places);
        return out_of_memory();
    }
    uint8_t squares[YUT_PIECES_MAX] = {0};
    uint32_t number = 0;
    do {
        memcpy(places->squares[number], squares, sizeof squares);
        places->lookup[code_of(squares, pieces)] = number;
        for (int i = 0; i < pieces; i++) {
            if (squares[i] == 0)
                places->home[number]++;
            else if (squares[i] != YUT_ARRIVED)
                places->occupied[number] |= 1u << squares[i];
        }
        number++;
    } while (next_squares(squares, pieces));
    return status_ok();
}

void places_close(Places *places) {
    free(places->squares);
    free(places->occupied);
    free(places->home);
    free(places->lookup);
    *places = (Places){.pieces = 0};
}

/* Asks the rules for the moves of one result, and notes them in the slots. */
static void fill_moves(const Places *places, const Rules *rules, int player, uint32_t number,
                       int result, PlacesMoves *moves) {
    YutRules yut = yut_rules(rules);
    YutState state = {.turn = (uint8_t)player};
    for (int i = 0; i < places->pieces; i++)
        if (yut.animals[player] == YUT_COW && !yut_on_cow_route(places->squares[number][i]))
            return; /* no cow ever comes there */
    memcpy(state.pieces[player], places->squares[number], (size_t)places->pieces);
    state.list[result] = 1;
    State packed = yut_state_pack(&state);
    Move list[GAME_MOVES_MAX];
    size_t count = yut_moves(rules, &packed, list);
    for (size_t slot = 0; slot < count; slot++) {
        YutOutcome outcome = yut_outcome(&yut, &state, list[slot]);
        uint8_t squares[YUT_PIECES_MAX];
        memcpy(squares, state.pieces[player], sizeof squares);
        int left = outcome.moved;
        for (int i = 0; i < places->pieces && left > 0; i++) {
            if (squares[i] != yut_move_square(list[slot]))
                continue;
            squares[i] = (uint8_t)outcome.destination;
            left--;
        }
        bool lands = outcome.moved > 0 && outcome.destination != YUT_ARRIVED;
        moves->next[result][slot][number] = places_number(places, squares);
        moves->target[result][slot][number] = lands ? (uint8_t)outcome.destination : 0;
    }
}

Status places_open_moves(const Places *places, const YutRules *rules, int player,
                         PlacesMoves *moves) {
    *moves = (PlacesMoves){.slots = rules->short_cut_may ? 2 * places->pieces : places->pieces};
    Rules packed = yut_rules_pack(rules);
    for (int result = 0; result < YUT_RESULTS; result++) {
        for (int slot = 0; slot < moves->slots; slot++) {
            moves->next[result][slot] = malloc(places->count * sizeof(uint32_t));
            moves->target[result][slot] = calloc(places->count, 1);
            if (!moves->next[result][slot] || !moves->target[result][slot]) {
                places_close_moves(moves);
                return out_of_memory();
            }
            for (uint32_t number = 0; number < places->count; number++)
                moves->next[result][slot][number] = PLACES_NONE;
        }
        /* All pieces home is the end: nothing moves. */
        for (uint32_t number = 0; number + 1 < places->count; number++)
            fill_moves(places, &packed, player, number, result, moves);
    }
    return status_ok();
}

void places_close_moves(PlacesMoves *moves) {
    for (int result = 0; result < YUT_RESULTS; result++) {
        for (int slot = 0; slot < PLACES_SLOTS_MAX; slot++) {
            free(moves->next[result][slot]);
            free(moves->target[result][slot]);
        }
    }
    *moves = (PlacesMoves){.slots = 0};
}
