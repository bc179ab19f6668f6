/* A frame of the screen: a grid of cells with a character, an ink and a ground each.
 *
 * Inks and grounds say what something is (a target, a player's piece); paint.h decides how that
 * looks in the colors the terminal has, or without any. Everything is clipped to the canvas.
 * A wide character takes two cells; the second has the glyph 0.
 *
 * A canvas belongs to one thread at a time.
 */
#ifndef MALPAN_UI_SCREEN_CANVAS_H
#define MALPAN_UI_SCREEN_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/phrase.h"

typedef enum Ink {
    INK_TEXT,
    INK_FAINT,
    INK_FRAME,
    INK_TITLE,
    INK_ACCENT,
    INK_GOOD,
    INK_BAD,
    INK_PLAYER, /* INK_PLAYER + i, for eight players */
    INK_COUNT = INK_PLAYER + 8
} Ink;

typedef enum Ground {
    GROUND_NONE,
    GROUND_CURSOR,
    GROUND_SELECTED,
    GROUND_TARGET,
    GROUND_PATH,
    GROUND_LAST, /* what changed last */
    GROUND_BAR,
    GROUND_COUNT
} Ground;

typedef struct Cell {
    uint32_t glyph; /* 0: the second half of a wide character */
    uint8_t ink, ground;
} Cell;

typedef struct Canvas {
    int rows, columns;
    bool ascii; /* drawing characters are replaced by ASCII */
    Cell *cells;
} Canvas;

/* A rectangle of the canvas. */
typedef struct Area {
    int row, column, rows, columns;
} Area;

/* Makes the canvas this large, and blank. False if memory ran out; the canvas is unchanged then. */
bool canvas_resize(Canvas *canvas, int rows, int columns);
void canvas_free(Canvas *canvas);
void canvas_clear(Canvas *canvas);

/* The cell at a place on the canvas, or NULL. */
Cell *canvas_at(Canvas *canvas, int row, int column);

void canvas_put(Canvas *canvas, int row, int column, uint32_t glyph, int ink, int ground);

/* Writes text into `columns` columns at most; what does not fit is cut with an ellipsis. Returns
 * the column after it. */
int canvas_write(Canvas *canvas, int row, int column, int columns, const char *text, int ink,
                 int ground);

/* Fills a rectangle with a ground, and blanks. */
void canvas_fill(Canvas *canvas, Area area, int ground);

/* Draws a frame with a title along its edge; the area within is blank. Returns that area. */
Area canvas_frame(Canvas *canvas, Area area, const char *title);

/* Writes text with its lines broken at spaces. Returns how many rows it took, at most area.rows. */
int canvas_wrap(Canvas *canvas, Area area, const char *text, int ink);

/* Draws a bar of eighths of a cell: `part` of `columns`, from 0 to 1. */
void canvas_bar(Canvas *canvas, int row, int column, int columns, double part, int ink);

#endif
