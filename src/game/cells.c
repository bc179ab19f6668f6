#include "game/cells.h"

#include <assert.h>
#include <string.h>

void cells_clear(CellBoard *board) {
    board->rows = board->columns = 0;
    board->spot_count = 0;
    for (int row = 0; row < CELLS_ROWS_MAX; row++)
        for (int column = 0; column < CELLS_COLUMNS_MAX; column++)
            board->cells[row][column] = (BoardCell){.glyph = ' '};
}

void cells_put(CellBoard *board, int row, int column, uint32_t glyph, int ink) {
    if (row < 0 || row >= CELLS_ROWS_MAX || column < 0 || column >= CELLS_COLUMNS_MAX)
        return;
    BoardCell *cell = &board->cells[row][column];
    cell->glyph = glyph;
    cell->ink = (uint8_t)ink;
    board->rows = row >= board->rows ? row + 1 : board->rows;
    board->columns = column >= board->columns ? column + 1 : board->columns;
}

int cells_write(CellBoard *board, int row, int column, const char *text, int ink) {
    while (*text) {
        uint32_t glyph;
        text += text_decode(text, &glyph);
        int width = text_columns_of(glyph);
        if (width > 0)
            cells_put(board, row, column, glyph, ink);
        if (width == 2)
            cells_put(board, row, column + 1, 0, ink);
        column += width;
    }
    return column;
}

void cells_box(CellBoard *board, int row, int column, int rows, int columns, int ink) {
    int bottom = row + rows - 1, right = column + columns - 1;
    for (int i = row; i <= bottom; i++)
        for (int j = column; j <= right; j++)
            cells_put(board, i, j,
                      i == row || i == bottom     ? 0x2500
                      : j == column || j == right ? 0x2502
                                                  : ' ',
                      ink);
    cells_put(board, row, column, 0x256D, ink);
    cells_put(board, row, right, 0x256E, ink);
    cells_put(board, bottom, column, 0x2570, ink);
    cells_put(board, bottom, right, 0x256F, ink);
}

void cells_add_spot(CellBoard *board, const char *name, int row, int column, int rows,
                    int columns) {
    assert(board->spot_count < CELLS_SPOTS_MAX && strlen(name) < CELLS_NAME_BYTES);
    assert(row >= 0 && row + rows <= CELLS_ROWS_MAX);
    assert(column >= 0 && column + columns <= CELLS_COLUMNS_MAX);
    CellSpot *spot = &board->spots[board->spot_count++];
    *spot = (CellSpot){.row = row, .column = column, .rows = rows, .columns = columns};
    memcpy(spot->name, name, strlen(name) + 1);
    for (int i = row; i < row + rows; i++)
        for (int j = column; j < column + columns; j++)
            board->cells[i][j].spot = (uint8_t)board->spot_count;
    board->rows = row + rows > board->rows ? row + rows : board->rows;
    board->columns = column + columns > board->columns ? column + columns : board->columns;
}

int cells_find_spot(const CellBoard *board, const char *name) {
    for (size_t i = 0; i < board->spot_count; i++)
        if (strcmp(board->spots[i].name, name) == 0)
            return (int)i;
    return -1;
}

uint32_t cells_shape(int player) {
    static const uint16_t shapes[GAME_PLAYERS_MAX] = {0x25CF, 0x25A0, 0x25B2, 0x25C6,
                                                      0x25CB, 0x25A1, 0x25B3, 0x25C7};
    return shapes[player];
}

void cells_draw_die(CellBoard *board, int column, int number) {
    /* The dots of 1 to 6 in the three columns of a die's face, from the top row down. */
    static const char *const faces[6][3] = {{"   ", " * ", "   "}, {"*  ", "   ", "  *"},
                                            {"*  ", " * ", "  *"}, {"* *", "   ", "* *"},
                                            {"* *", " * ", "* *"}, {"* *", "* *", "* *"}};
    for (int row = 0; row < CELLS_EVENT_ROWS; row++) {
        cells_put(board, row, column, '[', CELL_LINE);
        cells_put(board, row, column + 4, ']', CELL_LINE);
        for (int i = 0; i < 3; i++)
            cells_put(board, row, column + 1 + i,
                      number >= 1 && number <= 6 && faces[number - 1][row][i] == '*' ? 0x25CF : ' ',
                      CELL_TEXT);
    }
    char text[16];
    Text words = text_over(text, sizeof text);
    text_add_number(&words, (uint64_t)number);
    if (number < 1 || number > 6)
        cells_write(board, 1, column + 1, text, CELL_TEXT);
}
