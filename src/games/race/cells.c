/* The board in character cells, and throws as sticks. */
#include "game/cells.h"
#include "game/cell_map.h"
#include "games/race/race.h"

enum { TRAY_ROWS = 1 };

/* Station i is square i. */
static const MapStation stations[RACE_SQUARES] = {
    {"0", 60, 60, true},   {"1", 60, 48, false},  {"2", 60, 36, false},  {"3", 60, 24, false},
    {"4", 60, 12, false},  {"5", 60, 0, true},    {"6", 48, 0, false},   {"7", 36, 0, false},
    {"8", 24, 0, false},   {"9", 12, 0, false},   {"10", 0, 0, true},    {"11", 0, 12, false},
    {"12", 0, 24, false},  {"13", 0, 36, false},  {"14", 0, 48, false},  {"15", 0, 60, true},
    {"16", 12, 60, false}, {"17", 24, 60, false}, {"18", 36, 60, false}, {"19", 48, 60, false},
    {"20", 50, 10, false}, {"21", 40, 20, false}, {"22", 20, 40, false}, {"23", 10, 50, false},
    {"24", 10, 10, false}, {"25", 20, 20, false}, {"26", 30, 30, true},  {"27", 40, 40, false},
    {"28", 50, 50, false}};

static const MapLine lines[] = {{10, 5}, {5, 0}, {10, 15}, {15, 0}, {10, 0}, {5, 15}};

static const CellMap map = {stations, RACE_SQUARES, lines, sizeof lines / sizeof lines[0]};

static void draw(const Rules *rules, const State *state, CellStyle style, CellBoard *board) {
    RaceState race = race_state(state);
    MapPiece pieces[RACE_SQUARES];
    (void)rules;
    for (int square = 0; square < RACE_SQUARES; square++) {
        pieces[square] = (MapPiece){.owner = -1};
        for (int player = 2; player-- > 0;)
            if (race.pieces[player] == square)
                pieces[square] = (MapPiece){.owner = player, .count = pieces[square].count + 1};
    }
    int row = cell_map_draw(&map, pieces, style, TRAY_ROWS, board), column = 0;
    for (int player = 0; player < 2; player++) {
        int ink = CELL_PLAYER + player;
        cells_put(board, row, column, cells_shape(player), ink);
        cells_put(board, row, column + 1, (uint32_t)('A' + player), ink);
        char number[24];
        Text text = text_over(number, sizeof number);
        if (race.pieces[player] == RACE_HOME)
            text_add(&text, " →1");
        else
            text_addf(&text, " %d", race.pieces[player]);
        column = cells_write(board, row, column + 2, number, ink) + 2;
    }
    /* Home, where a piece goes that passes the last square. */
    cells_add_spot(board, "50", row, column, 1, 2);
    cells_write(board, row, column, "→□", CELL_FAINT);
}

static void draw_event(const Rules *rules, const State *state, Move event, CellBoard *board) {
    (void)rules, (void)state;
    cell_map_draw_sticks(board, event == RACE_STEPS_MAX ? 0 : (int)event, 0);
}

const GameCells race_cells = {.draw = draw, .draw_event = draw_event};
