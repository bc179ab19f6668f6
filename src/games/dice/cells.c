/* The board in character cells, and throws as dice. */
#include "game/cells.h"
#include "game/cell_map.h"
#include "games/dice/dice.h"

#include <stdio.h>

enum { STATIONS = DICE_FINISH - 1 };

/* Station i is square i + 1. */
static const MapStation stations[STATIONS] = {
    {"2", 60, 48, false},   {"4", 60, 36, false},  {"6", 60, 24, false},   {"8", 60, 12, false},
    {"10", 60, 0, true},    {"12", 48, 0, false},  {"14", 36, 0, false},   {"16", 24, 0, false},
    {"18", 12, 0, false},   {"20", 0, 0, true},    {"22", 0, 12, false},   {"24", 0, 24, false},
    {"26", 0, 36, false},   {"28", 0, 48, false},  {"30", 0, 60, true},    {"32", 12, 60, false},
    {"34", 24, 60, false},  {"36", 36, 60, false}, {"38", 48, 60, false},  {"13", 50, 10, false},
    {"16i", 42, 18, false}, {"19", 36, 24, false}, {"22i", 12, 12, false}, {"24i", 21, 21, false},
    {"28i", 10, 50, false}, {"27", 17, 43, false}, {"26i", 24, 36, false}, {"25", 30, 30, true},
    {"30i", 39, 39, false}, {"35", 48, 48, false}, {"40", 60, 60, true}};

/* The sides of the ring and the diagonals. */
static const MapLine lines[] = {{9, 4}, {4, 30}, {9, 14}, {14, 30}, {9, 30}, {4, 14}};

static const CellMap map = {stations, STATIONS, lines, sizeof lines / sizeof lines[0]};

static int count_on(const DiceState *dice, int square) {
    int count = 0;
    for (int i = 0; i < DICE_PIECES; i++)
        count += dice->pieces[i] == square;
    return count;
}

static void draw(const Rules *rules, const State *state, CellStyle style, CellBoard *board) {
    DiceState dice = dice_state(state);
    MapPiece pieces[STATIONS];
    for (int i = 0; i < STATIONS; i++) {
        int count = count_on(&dice, i + 1);
        pieces[i] = (MapPiece){.owner = count > 0 ? 0 : -1, .count = count};
    }
    style.numbers = true; /* they are the points */
    int row = cell_map_draw(&map, pieces, style, 1, board);
    char text[64];
    cells_put(board, row, 0, cells_shape(0), CELL_PLAYER);
    snprintf(text, sizeof text, " %d", count_on(&dice, DICE_START));
    int column = cells_write(board, row, 1, text, CELL_PLAYER);
    cells_add_spot(board, "0", row, 0, 1, column);
    int absent = DICE_PIECES - dice_rules(rules).pieces;
    snprintf(text, sizeof text, "→%d", count_on(&dice, DICE_FINISH) - absent);
    int after = cells_write(board, row, column + 1, text, CELL_PLAYER);
    cells_add_spot(board, "F", row, column + 1, 1, after - column - 1);
    /* The throws that are left: the present one first. */
    column = after + 2;
    for (int i = 0; i < dice.left && (i == 0 || !dice_rules(rules).online); i++) {
        if (dice.throws[i] == 0)
            break;
        snprintf(text, sizeof text, i == 0 ? "[%d]" : " %d", dice.throws[i]);
        column = cells_write(board, row, column, text, i == 0 ? CELL_SPECIAL : CELL_FAINT);
    }
}

static void picks(const Rules *rules, const State *state, Move move, Text *text) {
    (void)rules, (void)state;
    text_add(text, dice_squares[move].name);
}

static void draw_event(const Rules *rules, const State *state, Move event, CellBoard *board) {
    (void)rules, (void)state;
    cells_draw_die(board, 0, (int)event);
}

const GameCells dice_cells = {.draw = draw, .picks = picks, .draw_event = draw_event};
