#include "games/yut/solve/placements.h"

#include <assert.h>
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

/* The squares as digits to the base 31: the index in the lookup table. */
static size_t code_of(const uint8_t squares[], int count) {
    size_t code = 0;
    for (int i = 0; i < count; i++)
        code = code * YUT_SQUARES + squares[i];
    return code;
}

uint32_t placement_rank(const Placements *placements, const uint8_t squares[]) {
    uint8_t sorted[YUT_PIECES_MAX];
    memcpy(sorted, squares, (size_t)placements->pieces);
    sort_squares(sorted, placements->pieces);
    return placements->lookup[code_of(sorted, placements->pieces)];
}

uint32_t placement_send_back(const Placements *placements, uint32_t rank, int square) {
    uint8_t squares[YUT_PIECES_MAX];
    memcpy(squares, placements->squares[rank], sizeof squares);
    for (int i = 0; i < placements->pieces; i++)
        if (squares[i] == square)
            squares[i] = 0;
    return placement_rank(placements, squares);
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

/* Lists the ranks with a piece on each square. */
static bool fill_holding(Placements *placements) {
    size_t held = 0;
    for (uint32_t rank = 0; rank < placements->count; rank++)
        held += (size_t)__builtin_popcount(placements->occupied[rank]);
    placements->holding = malloc((held + 1) * sizeof *placements->holding);
    if (!placements->holding)
        return false;
    uint32_t used = 0;
    for (int square = 0; square <= YUT_SQUARES; square++) {
        placements->holding_from[square] = used;
        for (uint32_t rank = 0; rank < placements->count; rank++)
            if (placements->occupied[rank] >> square & 1)
                placements->holding[used++] = rank;
    }
    return true;
}

static void fill_squares(Placements *placements) {
    uint8_t squares[YUT_PIECES_MAX] = {0};
    uint32_t rank = 0;
    do {
        memcpy(placements->squares[rank], squares, sizeof squares);
        placements->lookup[code_of(squares, placements->pieces)] = rank;
        for (int i = 0; i < placements->pieces; i++) {
            if (squares[i] == 0)
                placements->waiting[rank]++;
            else if (squares[i] != YUT_ARRIVED)
                placements->occupied[rank] |= 1u << squares[i];
        }
        for (int waiting = 0; waiting <= placements->waiting[rank]; waiting++)
            placements->with_waiting[waiting]++;
        rank++;
    } while (next_squares(squares, placements->pieces));
}

Status placements_open(int pieces, Placements *placements) {
    size_t codes = 1, count = 1;
    for (int i = 0; i < pieces; i++) {
        codes *= YUT_SQUARES;
        count = count * (size_t)(YUT_SQUARES + i) / (size_t)(i + 1);
    }
    *placements = (Placements){.pieces = pieces, .count = (uint32_t)count};
    placements->squares = calloc(count, sizeof *placements->squares);
    placements->occupied = calloc(count, sizeof *placements->occupied);
    placements->waiting = calloc(count, sizeof *placements->waiting);
    placements->lookup = calloc(codes, sizeof *placements->lookup);
    bool good =
        placements->squares && placements->occupied && placements->waiting && placements->lookup;
    if (good)
        fill_squares(placements);
    if (!good || !fill_holding(placements)) {
        placements_close(placements);
        return out_of_memory();
    }
    return status_ok();
}

void placements_close(Placements *placements) {
    free(placements->squares);
    free(placements->occupied);
    free(placements->waiting);
    free(placements->lookup);
    free(placements->holding);
    *placements = (Placements){.pieces = 0};
}

/* Whether the player can have pieces on all these squares. */
static bool can_stand(const Placements *placements, const YutRules *rules, int player,
                      uint32_t rank) {
    for (int i = 0; i < placements->pieces; i++)
        if (!yut_can_stand(rules, player, placements->squares[rank][i]))
            return false;
    return true;
}

/* Asks the rules for the moves of one result, and notes them in the slots. */
static void fill_moves(const Placements *placements, const Rules *rules, int player, uint32_t rank,
                       int result, PlacementMoves *moves) {
    uint32_t *next = moves->next[result] + (size_t)rank * (size_t)moves->slots;
    for (int slot = 0; slot < moves->slots; slot++)
        next[slot] = rank;
    if (rank == placements->count - 1)
        return; /* all pieces home is the end: nothing moves */
    YutRules yut = yut_rules(rules);
    YutState state = {.turn = (uint8_t)player};
    if (!can_stand(placements, &yut, player, rank)) {
        /* As if everything moved home: a solver that waits until nothing changes any more is not
         * to wait for games that never end. */
        for (int slot = 0; slot < moves->slots; slot++)
            next[slot] = placements->count - 1;
        return;
    }
    memcpy(state.pieces[player], placements->squares[rank], (size_t)placements->pieces);
    state.list[result] = 1;
    State packed = yut_state_pack(&state);
    Move list[GAME_MOVES_MAX];
    int count = (int)yut_moves(rules, &packed, list);
    assert(count > 0 && count <= moves->slots);
    for (int slot = 0; slot < moves->slots; slot++) {
        YutState after = state;
        yut_play(&yut, &after, list[slot < count ? slot : 0]);
        next[slot] = placement_rank(placements, after.pieces[player]);
    }
}

Status placement_moves_open(const Placements *placements, const YutRules *rules, int player,
                            PlacementMoves *moves) {
    /* One more move for each square with a choice: 5 and 10, and the centre. */
    int choices = (rules->short_cut_may ? 2 : 0) + (rules->centre_may ? 1 : 0);
    if (choices > placements->pieces)
        choices = placements->pieces;
    *moves = (PlacementMoves){.slots = placements->pieces + choices};
    Rules packed = yut_rules_pack(rules);
    for (int result = 0; result < YUT_RESULTS; result++) {
        moves->next[result] = malloc(placements->count * (size_t)moves->slots * sizeof(uint32_t));
        if (!moves->next[result]) {
            placement_moves_close(moves);
            return out_of_memory();
        }
        for (uint32_t rank = 0; rank < placements->count; rank++)
            fill_moves(placements, &packed, player, rank, result, moves);
    }
    return status_ok();
}

void placement_moves_close(PlacementMoves *moves) {
    for (int result = 0; result < YUT_RESULTS; result++)
        free(moves->next[result]);
    *moves = (PlacementMoves){.slots = 0};
}
