#include "ui/screen/board_view.h"

#include <stdlib.h>
#include <string.h>

#include "game/paths.h"

void board_view_set(BoardView *view, const Variant *variant, const State *state, Area area,
                    bool numbers, Lang lang) {
    const CellStyle style = {.rows = area.rows < CELLS_ROWS_MAX ? area.rows : CELLS_ROWS_MAX,
                             .columns = area.columns < CELLS_COLUMNS_MAX ? area.columns
                                                                         : CELLS_COLUMNS_MAX,
                             .numbers = numbers,
                             .lang = lang};
    cells_clear(&view->board);
    memset(view->marks, 0, sizeof view->marks);
    if (variant->game->cells)
        variant->game->cells->draw(&variant->rules, state, style, &view->board);
    int rows_left = area.rows - view->board.rows, columns_left = area.columns - view->board.columns;
    view->row = area.row + (rows_left > 0 ? rows_left / 2 : 0);
    view->column = area.column + (columns_left > 0 ? columns_left / 2 : 0);
}

void board_view_mark(BoardView *view, const char *spot, Ground ground) {
    int found = cells_find_spot(&view->board, spot);
    if (found >= 0)
        view->marks[found] = (uint8_t)ground;
}

int board_view_mark_path(BoardView *view, const Variant *variant, const State *before, Move move,
                         int count, Ground ground) {
    enum { SQUARES_MAX = GAME_TEXT_BYTES / 2 };
    char bytes[GAME_TEXT_BYTES], storage[GAME_TEXT_BYTES];
    char *squares[SQUARES_MAX];
    Text text = text_over(bytes, sizeof bytes);
    if (variant->game->paths)
        variant->game->paths->trace(&variant->rules, before, move, &text);
    else if (variant->game->cells && variant->game->cells->picks &&
             variant->game->tree.actor(&variant->rules, before) >= 0)
        variant->game->cells->picks(&variant->rules, before, move, &text);
    int squares_count = (int)text_split(bytes, storage, sizeof storage, squares, SQUARES_MAX);
    for (int i = 0; i < squares_count && (count < 0 || i < count); i++)
        board_view_mark(view, squares[i], ground);
    return squares_count;
}

static int ink_of(int ink) {
    switch (ink) {
    case CELL_TEXT:
        return INK_TEXT;
    case CELL_LINE:
        return INK_FRAME;
    case CELL_FAINT:
        return INK_FAINT;
    case CELL_SPECIAL:
        return INK_ACCENT;
    default:
        return INK_PLAYER + (ink - CELL_PLAYER) % GAME_PLAYERS_MAX;
    }
}

static void draw_cells(const CellBoard *board, const uint8_t marks[], Canvas *canvas, int row,
                       int column, int rows, int columns) {
    for (int i = 0; i < board->rows && i < rows; i++) {
        for (int j = 0; j < board->columns && j < columns; j++) {
            const BoardCell *cell = &board->cells[i][j];
            int ground = marks && cell->spot > 0 ? marks[cell->spot - 1] : GROUND_NONE;
            canvas_put(canvas, row + i, column + j, cell->glyph, ink_of(cell->ink), ground);
        }
    }
}

static void draw_text(Canvas *canvas, const Variant *variant, const State *state, Area area,
                      Lang lang) {
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    const DrawStyle style = {.ascii = canvas->ascii, .lang = lang, .columns = area.columns};
    variant->game->text.draw(&variant->rules, state, style, &text);
    int row = area.row;
    for (char *line = strtok(bytes, "\n"); line && row < area.row + area.rows;
         line = strtok(NULL, "\n"))
        canvas_write(canvas, row++, area.column, area.columns, line, INK_TEXT, GROUND_NONE);
}

void board_view_draw(const BoardView *view, Canvas *canvas, const Variant *variant,
                     const State *state, Area area, Lang lang) {
    if (!variant->game->cells) {
        draw_text(canvas, variant, state, area, lang);
        return;
    }
    draw_cells(&view->board, view->marks, canvas, view->row, view->column, area.rows, area.columns);
}

bool board_view_draw_event(Canvas *canvas, const Variant *variant, const State *state, Move event,
                           int row, int column) {
    static CellBoard board;
    if (!variant->game->cells || !variant->game->cells->draw_event)
        return false;
    cells_clear(&board);
    variant->game->cells->draw_event(&variant->rules, state, event, &board);
    draw_cells(&board, NULL, canvas, row, column, CELLS_EVENT_ROWS, CELLS_EVENT_COLUMNS);
    return true;
}

int board_view_spot_at(const BoardView *view, int row, int column) {
    row -= view->row;
    column -= view->column;
    if (row < 0 || row >= view->board.rows || column < 0 || column >= view->board.columns)
        return -1;
    return view->board.cells[row][column].spot - 1;
}

int board_view_neighbor(const BoardView *view, int from, int rows, int columns,
                        const bool allowed[CELLS_SPOTS_MAX]) {
    enum { CELL_HEIGHT = 2, ASIDE = 3, AGAINST = 100000 };
    int best = from, best_distance = AGAINST;
    const CellSpot *origin = from >= 0 ? &view->board.spots[from] : NULL;
    for (size_t i = 0; i < view->board.spot_count; i++) {
        const CellSpot *spot = &view->board.spots[i];
        if (!allowed[i] || (int)i == from)
            continue;
        if (!origin)
            return (int)i;
        /* Twice the distances between the middles, in units that look alike in both directions. */
        int down = CELL_HEIGHT * (2 * spot->row + spot->rows - 2 * origin->row - origin->rows);
        int right = 2 * spot->column + spot->columns - 2 * origin->column - origin->columns;
        int ahead = rows != 0 ? rows * down : columns * right;
        int aside = abs(rows != 0 ? right : down);
        if (ahead > 0 && ahead + ASIDE * aside < best_distance) {
            best_distance = ahead + ASIDE * aside;
            best = (int)i;
        }
    }
    return best;
}
