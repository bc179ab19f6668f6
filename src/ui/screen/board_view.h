/* A board on the canvas: where it is drawn, its spots, and what is marked on it. Pure but for the
 * canvas; a view belongs to one thread at a time. */
#ifndef MALPAN_UI_SCREEN_BOARD_VIEW_H
#define MALPAN_UI_SCREEN_BOARD_VIEW_H

#include "game/cells.h"
#include "game/variant.h"
#include "ui/screen/canvas.h"

typedef struct BoardView {
    CellBoard board;
    int row, column;                /* of its upper left corner on the canvas */
    uint8_t marks[CELLS_SPOTS_MAX]; /* the Ground of each spot */
} BoardView;

/* Lays the board out in the middle of the area, as large as it fits, with nothing marked. A game
 * without the part `cells` has an empty board. */
void board_view_set(BoardView *view, const Variant *variant, const State *state, Area area,
                    bool numbers, Lang lang);

/* Marks a spot by its name, if the board has it. */
void board_view_mark(BoardView *view, const char *spot, Ground ground);

/* Marks the first `count` squares of a move's path; all of them if `count` is negative. Returns how
 * many squares it has. */
int board_view_mark_path(BoardView *view, const Variant *variant, const State *before, Move move,
                         int count, Ground ground);

/* Draws the board; a game without the part `cells` as text. */
void board_view_draw(const BoardView *view, Canvas *canvas, const Variant *variant,
                     const State *state, Area area, Lang lang);

/* Draws what a chance event looks like at a place of the canvas. False if the game does not say. */
bool board_view_draw_event(Canvas *canvas, const Variant *variant, const State *state, Move event,
                           int row, int column);

/* The spot at a place of the canvas; -1 if there is none. */
int board_view_spot_at(const BoardView *view, int row, int column);

/* The nearest of the allowed spots in a direction; `from` if there is none. */
int board_view_neighbor(const BoardView *view, int from, int rows, int columns,
                        const bool allowed[CELLS_SPOTS_MAX]);

#endif
