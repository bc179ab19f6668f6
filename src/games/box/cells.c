/* The tiles in character cells, and rolls as dice. */
#include "game/cells.h"
#include "games/box/box.h"

#include <stdio.h>

/* How large the tiles are drawn, and how many stand in a row. */
typedef struct TileSize {
    int wide, tall, in_row;
} TileSize;

/* As few rows as possible, of as many tiles each, as wide as they fit. */
static TileSize choose_size(const BoxRules *rules, CellStyle style) {
    for (int rows = 1; rows <= 2; rows++) {
        int in_row = (rules->tiles + rows - 1) / rows;
        for (int wide = 9; wide >= 5; wide -= 2) {
            TileSize size = {.wide = wide, .tall = wide > 5 ? 5 : 3, .in_row = in_row};
            if (in_row * wide <= style.columns && rows * size.tall + 1 <= style.rows)
                return size;
        }
    }
    return (TileSize){.wide = 4, .tall = 3, .in_row = style.columns / 4};
}

static void draw_tile(const TileSize *size, int tile, bool open, CellBoard *board) {
    int row = (tile - 1) / size->in_row * size->tall;
    int column = (tile - 1) % size->in_row * size->wide;
    int ink = open ? CELL_SPECIAL : CELL_FAINT;
    char name[8];
    int length = snprintf(name, sizeof name, "%d", tile);
    if (open)
        cells_box(board, row, column, size->tall, size->wide, ink);
    else
        for (int i = 0; i < size->wide; i++)
            cells_put(board, row + size->tall / 2, column + i, i % 2 ? 0xB7 : ' ', ink);
    cells_write(board, row + size->tall / 2, column + (size->wide - length + 1) / 2, name,
                open ? CELL_TEXT : CELL_FAINT);
    cells_add_spot(board, name, row, column, size->tall, size->wide);
}

static void draw(const Rules *rules, const State *state, CellStyle style, CellBoard *board) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    TileSize size = choose_size(&box, style);
    for (int tile = 1; tile <= box.tiles; tile++)
        draw_tile(&size, tile, s.open >> (tile - 1) & 1, board);
    char text[64];
    snprintf(text, sizeof text, s.roll > 0 ? "Σ %d   [ %d ]" : "Σ %d", box_sum(s.open), s.roll);
    cells_write(board, board->rows, 0, text, CELL_TEXT);
}

static void picks(const Rules *rules, const State *state, Move move, Text *text) {
    BoxRules box = box_rules(rules);
    (void)state;
    for (int tile = box.tiles; tile > 0; tile--)
        if (move >> (tile - 1) & 1)
            text_addf(text, "%s%d", text->length > 0 ? " " : "", tile);
}

/* Shows as many dice as are rolled; their numbers are a sum's most even split. */
static void draw_event(const Rules *rules, const State *state, Move event, CellBoard *board) {
    BoxRules box = box_rules(rules);
    int left = (int)event, dice = box_dice(&box, box_state(state).open);
    for (int i = 0; i < dice; i++) {
        int number = left / (dice - i);
        left -= number;
        cells_draw_die(board, 6 * i, number);
    }
}

const GameCells box_cells = {
    .picks_are_a_set = true, .draw = draw, .picks = picks, .draw_event = draw_event};
