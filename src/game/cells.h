/* Optional part: the board as a grid of character cells, for full-screen terminals.
 *
 * A board has spots: squares, tiles, or places beside the board where pieces wait. Each has a name,
 * the one that paths.h uses, and is a rectangle of cells. A move is made by picking its spots:
 * first the piece, then where it goes; or all the tiles that it closes.
 *
 *     cells   ╭───╮     a station of a large board: three rows of five cells, all of
 *             │●A2│     them belong to the spot "7"
 *             ╰7──╯
 *
 * Boards are drawn with box-drawing characters; where a terminal has only ASCII, the screen
 * replaces them. A wide character takes two cells; the second has the glyph 0.
 */
#ifndef MALPAN_GAME_CELLS_H
#define MALPAN_GAME_CELLS_H

#include "game/game.h"

enum {
    CELLS_ROWS_MAX = 48,
    CELLS_COLUMNS_MAX = 120,
    CELLS_SPOTS_MAX = 48,
    CELLS_NAME_BYTES = 8,
    /* Every board has a size that fits this room, under every rule set. */
    CELLS_ROWS_LEAST = 12,
    CELLS_COLUMNS_LEAST = 40
};

/* What a cell shows; the screen chooses the color. */
typedef enum CellInk {
    CELL_TEXT,
    CELL_LINE,    /* the lines of the board */
    CELL_FAINT,   /* numbers of squares, and what is out of play */
    CELL_SPECIAL, /* a square that is not like the others */
    CELL_PLAYER   /* CELL_PLAYER + i: a piece of player i */
} CellInk;

typedef struct BoardCell {
    uint32_t glyph; /* a code point; 0: the second half of a wide character */
    uint8_t ink;    /* CellInk */
    uint8_t spot;   /* 1 + the number of the spot it belongs to; 0: none */
} BoardCell;

typedef struct CellSpot {
    char name[CELLS_NAME_BYTES];
    int row, column, rows, columns;
} CellSpot;

typedef struct CellBoard {
    int rows, columns; /* the part that is used */
    size_t spot_count;
    CellSpot spots[CELLS_SPOTS_MAX];
    BoardCell cells[CELLS_ROWS_MAX][CELLS_COLUMNS_MAX];
} CellBoard;

typedef struct CellStyle {
    int rows, columns; /* the room there is: from CELLS_ROWS_LEAST to CELLS_ROWS_MAX, ... */
    bool numbers;      /* label the squares */
    Lang lang;
} CellStyle;

typedef struct GameCells {
    bool picks_are_a_set; /* the spots of a move may be picked in any order */
    /* Draws the board as large as the room allows. */
    void (*draw)(const Rules *rules, const State *state, CellStyle style, CellBoard *board);
    /* NULL if the game has no moves. Prints the names of the spots to pick for a move, in order,
     * separated by spaces; "" for a move that is made without the board. */
    void (*picks)(const Rules *rules, const State *state, Move move, Text *text);
    /* May be NULL. Draws what a chance event looks like, such as dice: at most CELLS_EVENT_ROWS
     * rows. */
    void (*draw_event)(const Rules *rules, const State *state, Move event, CellBoard *board);
} GameCells;

enum { CELLS_EVENT_ROWS = 3, CELLS_EVENT_COLUMNS = 30 };

/* --- drawing; pure functions over the caller's board --- */

/* Empties the board. */
void cells_clear(CellBoard *board);

/* Puts a character into a cell; outside the largest board it does nothing. */
void cells_put(CellBoard *board, int row, int column, uint32_t glyph, int ink);

/* Writes UTF-8 text into a row. Returns the column after it. */
int cells_write(CellBoard *board, int row, int column, const char *text, int ink);

/* Draws a rectangle with rounded corners, and blanks within. */
void cells_box(CellBoard *board, int row, int column, int rows, int columns, int ink);

/* Makes a rectangle of cells a spot. */
void cells_add_spot(CellBoard *board, const char *name, int row, int column, int rows, int columns);

/* Finds a spot by name; -1 if there is none. */
int cells_find_spot(const CellBoard *board, const char *name);

/* The shape of a player's pieces: a circle, a square, a triangle, ... */
uint32_t cells_shape(int player);

/* Draws a die that shows a number, three rows high and five columns wide. */
void cells_draw_die(CellBoard *board, int column, int number);

#endif
