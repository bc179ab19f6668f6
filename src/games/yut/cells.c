/* The board in character cells, and throws as sticks. */
#include "game/cells.h"
#include "game/cell_map.h"
#include "games/yut/yut.h"

#include <stdio.h>

enum { STATIONS = 29 };

/* Station i is square i + 1. */
static const MapStation stations[STATIONS] = {
    {"1", 60, 48, false},  {"2", 60, 36, false},  {"3", 60, 24, false},  {"4", 60, 12, false},
    {"5", 60, 0, true},    {"6", 48, 0, false},   {"7", 36, 0, false},   {"8", 24, 0, false},
    {"9", 12, 0, false},   {"10", 0, 0, true},    {"11", 0, 12, false},  {"12", 0, 24, false},
    {"13", 0, 36, false},  {"14", 0, 48, false},  {"15", 0, 60, true},   {"16", 12, 60, false},
    {"17", 24, 60, false}, {"18", 36, 60, false}, {"19", 48, 60, false}, {"20", 50, 10, false},
    {"21", 40, 20, false}, {"22", 30, 30, true},  {"23", 20, 40, false}, {"24", 10, 50, false},
    {"25", 10, 10, false}, {"26", 20, 20, false}, {"27", 40, 40, false}, {"28", 50, 50, false},
    {"29", 60, 60, true}};

/* The sides of the ring and the diagonals. */
static const MapLine lines[] = {{9, 4}, {4, 28}, {9, 14}, {14, 28}, {9, 28}, {4, 14}};

static const CellMap map = {stations, STATIONS, lines, sizeof lines / sizeof lines[0]};

static MapPiece piece_on(const YutRules *rules, const YutState *state, int square) {
    MapPiece piece = {.owner = -1};
    for (int player = rules->players; player-- > 0;) {
        int count = yut_count_on(rules, state, player, square);
        piece.count += count;
        if (count > 0)
            piece.owner = player;
    }
    if (rules->traps >> square & 1)
        piece.mark = '*';
    return piece;
}

/* Adds a player's tray: the pieces that wait and those that are home. Those of the player in turn
 * are spots. Returns the column after it. */
static int draw_tray(const YutRules *rules, const YutState *state, int player, int row, int column,
                     CellBoard *board) {
    int ink = CELL_PLAYER + player, from = column;
    bool in_turn = state->turn == player;
    char number[24];
    cells_put(board, row, column, cells_shape(player), ink);
    cells_put(board, row, column + 1, (uint32_t)('A' + player), ink);
    snprintf(number, sizeof number, " %d", yut_count_on(rules, state, player, 0));
    column = cells_write(board, row, column + 2, number, ink);
    if (in_turn)
        cells_add_spot(board, "0", row, from, 1, column - from);
    from = column + 1;
    snprintf(number, sizeof number, "→%d", yut_count_on(rules, state, player, YUT_ARRIVED));
    column = cells_write(board, row, from, number, ink);
    if (in_turn)
        cells_add_spot(board, "100", row, from, 1, column - from);
    return column + 2;
}

static void draw(const Rules *rules, const State *state, CellStyle style, CellBoard *board) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    MapPiece pieces[STATIONS];
    for (int i = 0; i < STATIONS; i++)
        pieces[i] = piece_on(&yut, &s, i + 1);
    int row = cell_map_draw(&map, pieces, style, 1, board), column = 0;
    for (int player = 0; player < yut.players; player++)
        column = draw_tray(&yut, &s, player, row, column, board);
}

static void picks(const Rules *rules, const State *state, Move move, Text *text) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    YutOutcome outcome = yut_outcome(&yut, &s, move);
    if (outcome.moved > 0)
        text_addf(text, "%d %d", yut_move_square(move),
                  outcome.destination == YUT_ARRIVED ? YUT_ARRIVED_TEXT : outcome.destination);
}

static void draw_event(const Rules *rules, const State *state, Move event, CellBoard *board) {
    (void)rules, (void)state;
    if (event == YUT_NAK) {
        cells_write(board, 1, 0, "/ \\ | _", CELL_FAINT);
        return;
    }
    /* Back-do is do with the marked stick; mo is no flat side at all. */
    int flat = event == YUT_BACK_DO ? 1 : event == YUT_MO ? 0 : (int)event;
    cell_map_draw_sticks(board, flat, event == YUT_BACK_DO);
}

const GameCells yut_cells = {.draw = draw, .picks = picks, .draw_event = draw_event};
