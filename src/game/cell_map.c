#include "game/cell_map.h"

#include <stdio.h>
#include <stdlib.h>

/* How large a map is drawn. */
typedef struct MapSize {
    int rows, columns; /* of the whole map */
    int tall, wide;    /* of a station */
    int height, width; /* between the centres of the outer stations */
} MapSize;

/* Five stations and the lines between them have to fit on each side. */
static MapSize choose_size(CellStyle style, int rows_below) {
    int rows = style.rows - rows_below, columns = style.columns;
    MapSize size = {.tall = 1, .wide = 5};
    if (rows >= 28 && columns >= 50)
        size.tall = 3;
    int room = rows - size.tall;
    size.height = room >= 45 ? 45 : room >= 30 ? room : room >= 25 ? 25 : room / 5 * 5;
    if (size.tall == 1)
        size.height = room >= 20 ? 20 : room >= 15 ? 15 : 10;
    size.width = (columns - size.wide) / 5 * 5;
    int most = size.height * 5 / 2;
    if (size.width > most)
        size.width = most / 5 * 5;
    if (size.width < 30)
        size.width = 30;
    size.rows = size.height + size.tall;
    size.columns = size.width + size.wide;
    return size;
}

static int scale(int position, int length) {
    return (position * length + 30) / 60;
}

static int row_of(const MapSize *size, const MapStation *station) {
    return size->tall / 2 + scale(station->y, size->height);
}

static int column_of(const MapSize *size, const MapStation *station) {
    return size->wide / 2 + scale(station->x, size->width);
}

/* `to` is not above `from`. A slanted line is dots, which keep away from the stations. */
static void draw_line(const MapSize *size, const MapStation *from, const MapStation *to,
                      bool slanted, CellBoard *board) {
    int row = row_of(size, from), column = column_of(size, from);
    int rows = row_of(size, to) - row, columns = column_of(size, to) - column;
    int steps = abs(rows) > abs(columns) ? abs(rows) : abs(columns);
    if (slanted != (rows != 0 && columns != 0))
        return;
    for (int i = 0; i <= steps; i++) {
        int at_row = row + (2 * i * rows + steps) / (2 * steps), at = column + i * columns / steps;
        if (slanted && (i % 3 != 0 || board->cells[at_row][at].spot != 0))
            continue;
        cells_put(board, at_row, at, slanted ? 0xB7 : rows ? 0x2502 : 0x2500, CELL_LINE);
    }
}

static void draw_lines(const CellMap *map, const MapSize *size, bool slanted, CellBoard *board) {
    for (size_t i = 0; i < map->line_count; i++)
        draw_line(size, &map->stations[map->lines[i].from], &map->stations[map->lines[i].to],
                  slanted, board);
}

static void draw_station(const MapSize *size, const MapStation *station, const MapPiece *piece,
                         bool numbers, CellBoard *board) {
    int row = row_of(size, station) - size->tall / 2;
    int column = column_of(size, station) - size->wide / 2, middle = row + size->tall / 2;
    int ink = piece->owner >= 0 ? CELL_PLAYER + piece->owner
              : piece->mark     ? CELL_SPECIAL
                                : CELL_LINE;
    if (size->tall == 3)
        cells_box(board, row, column, size->tall, size->wide,
                  station->is_corner ? CELL_SPECIAL : CELL_LINE);
    else if (numbers || piece->owner >= 0)
        for (int i = 0; i < size->wide; i++)
            cells_put(board, middle, column + i, ' ', CELL_TEXT);
    if (numbers)
        cells_write(board, size->tall == 3 ? row + 2 : middle,
                    size->tall == 3 ? column + 1 : column, station->name, CELL_FAINT);
    int at = size->tall == 3 ? column + 1 : column + 2;
    if (piece->owner < 0) {
        uint32_t empty = piece->mark ? piece->mark : station->is_corner ? 0x25CE : 0x25CB;
        if (size->tall == 1 || piece->mark || station->is_corner)
            cells_put(board, middle, column + 2 + (numbers && size->tall == 1), empty,
                      station->is_corner && !piece->mark ? CELL_SPECIAL : ink);
    } else {
        cells_put(board, middle, at, cells_shape(piece->owner), ink);
        cells_put(board, middle, at + 1, (uint32_t)('A' + piece->owner), ink);
        cells_put(board, middle, at + 2,
                  piece->count > 1 ? (uint32_t)('0' + piece->count) : (uint32_t)' ', ink);
    }
    cells_add_spot(board, station->name, row, column, size->tall, size->wide);
}

int cell_map_draw(const CellMap *map, const MapPiece pieces[], CellStyle style, int rows_below,
                  CellBoard *board) {
    MapSize size = choose_size(style, rows_below);
    draw_lines(map, &size, false, board);
    for (size_t i = 0; i < map->station_count; i++)
        draw_station(&size, &map->stations[i], &pieces[i], style.numbers, board);
    draw_lines(map, &size, true, board);
    return size.rows;
}

void cell_map_draw_sticks(CellBoard *board, int flat, int marked) {
    for (int stick = 0; stick < 4; stick++) {
        int column = 6 * stick;
        bool is_flat = stick < flat;
        cells_write(board, 0, column, is_flat ? "┌──┐" : "╭──╮", CELL_LINE);
        cells_write(board, 1, column, is_flat ? (stick < marked ? "│◆ │" : "│  │") : "│▒▒│",
                    is_flat ? CELL_TEXT : CELL_LINE);
        cells_write(board, 2, column, is_flat ? "└──┘" : "╰──╯", CELL_LINE);
    }
}
