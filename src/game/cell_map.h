/* Draws a board of stations that are joined by straight lines, in any size, for cells.h.
 *
 *     ○ ── ○ ── ◎     a map of five stations: two on each line, and a corner
 *               │
 *               ○
 *
 * Positions are in units of 1/60 of the board's width and height.
 */
#ifndef MALPAN_GAME_CELL_MAP_H
#define MALPAN_GAME_CELL_MAP_H

#include "game/cells.h"

typedef struct MapStation {
    const char *name;
    uint8_t x, y;   /* 0 to 60, from the left and from the top */
    bool is_corner; /* where routes part */
} MapStation;

/* A line between the stations of these two numbers, straight through any between them. */
typedef struct MapLine {
    uint8_t from, to;
} MapLine;

typedef struct CellMap {
    const MapStation *stations;
    size_t station_count;
    const MapLine *lines;
    size_t line_count;
} CellMap;

/* What stands on a station. */
typedef struct MapPiece {
    int owner; /* the player; -1: nobody */
    int count;
    uint32_t mark; /* a character shown when nobody is there, such as a trap; 0: none */
} MapPiece;

enum { CELL_MAP_ROWS_LEAST = 11, CELL_MAP_COLUMNS_LEAST = 35 };

/* Draws the map, as large as `style` allows but for `rows_below` rows, with a spot for each
 * station. `pieces` has one entry for each. Returns the row below the map. */
int cell_map_draw(const CellMap *map, const MapPiece pieces[], CellStyle style, int rows_below,
                  CellBoard *board);

/* Draws four sticks of which `flat` lie with the flat side up; `marked` of those are marked. */
void cell_map_draw_sticks(CellBoard *board, int flat, int marked);

#endif
