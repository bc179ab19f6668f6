#include "ui/screen/canvas.h"

#include <stdlib.h>
#include <string.h>

bool canvas_resize(Canvas *canvas, int rows, int columns) {
    Cell *cells = malloc((size_t)rows * (size_t)columns * sizeof *cells);
    if (!cells)
        return false;
    free(canvas->cells);
    canvas->cells = cells;
    canvas->rows = rows;
    canvas->columns = columns;
    canvas_clear(canvas);
    return true;
}

void canvas_free(Canvas *canvas) {
    free(canvas->cells);
    *canvas = (Canvas){.cells = NULL};
}

void canvas_clear(Canvas *canvas) {
    for (int i = 0; i < canvas->rows * canvas->columns; i++)
        canvas->cells[i] = (Cell){.glyph = ' '};
}

Cell *canvas_at(Canvas *canvas, int row, int column) {
    bool inside = row >= 0 && row < canvas->rows && column >= 0 && column < canvas->columns;
    return inside ? &canvas->cells[row * canvas->columns + column] : NULL;
}

/* The ASCII character that stands for a drawing character; other characters stay. */
static uint32_t to_ascii(uint32_t glyph) {
    static const struct {
        uint16_t glyph;
        char ascii;
    } replaced[] = {{0x00B7, '.'}, {0x2026, '~'}, {0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'},
                    {0x2193, 'v'}, {0x00D7, 'x'}, {0x2014, '-'}, {0x03A3, '='}, {0x2502, '|'},
                    {0x25A0, '#'}, {0x25A1, 'O'}, {0x25B2, '^'}, {0x25B3, 'A'}, {0x25B6, '>'},
                    {0x25C6, '*'}, {0x25C7, '+'}, {0x25CB, 'o'}, {0x25CE, '@'}, {0x25CF, '*'},
                    {0x2713, 'x'}, {0x00B1, '+'}};
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++)
        if (replaced[i].glyph == glyph)
            return (uint32_t)replaced[i].ascii;
    if (glyph >= 0x2580 && glyph <= 0x259F) /* blocks, by how much of the cell they fill */
        return glyph == 0x2591 || glyph == 0x2592                       ? ':'
               : (glyph >= 0x2581 && glyph <= 0x2583) || glyph > 0x258C ? '.'
                                                                        : '#';
    if (glyph >= 0x2500 && glyph <= 0x257F)
        return glyph == 0x2500 ? '-' : '+';
    return glyph;
}

void canvas_put(Canvas *canvas, int row, int column, uint32_t glyph, int ink, int ground) {
    Cell *cell = canvas_at(canvas, row, column);
    if (!cell)
        return;
    /* Half a wide character cannot stay. */
    if (cell->glyph == 0 && glyph != 0 && column > 0)
        cell[-1].glyph = ' ';
    if (column + 1 < canvas->columns && cell[1].glyph == 0 && glyph != 0)
        cell[1].glyph = ' ';
    cell->glyph = canvas->ascii ? to_ascii(glyph) : glyph;
    cell->ink = (uint8_t)ink;
    cell->ground = (uint8_t)ground;
}

int canvas_write(Canvas *canvas, int row, int column, int columns, const char *text, int ink,
                 int ground) {
    int end = column + columns < canvas->columns ? column + columns : canvas->columns;
    bool is_cut = text_columns(text) > end - column;
    while (*text && column < end) {
        uint32_t glyph;
        text += text_decode(text, &glyph);
        if (glyph == TEXT_NOT_UTF8 || glyph < 0x20 || (glyph >= 0x7F && glyph < 0xA0))
            glyph = '?';
        int width = text_columns_of(glyph);
        if (is_cut && column + width >= end) {
            for (; column < end; column++)
                canvas_put(canvas, row, column, column + 1 == end ? 0x2026 : ' ', ink, ground);
            break;
        }
        if (width == 0)
            continue;
        canvas_put(canvas, row, column, glyph, ink, ground);
        if (width == 2)
            canvas_put(canvas, row, column + 1, 0, ink, ground);
        column += width;
    }
    return column;
}

void canvas_fill(Canvas *canvas, Area area, int ground) {
    for (int row = area.row; row < area.row + area.rows; row++)
        for (int column = area.column; column < area.column + area.columns; column++)
            canvas_put(canvas, row, column, ' ', INK_TEXT, ground);
}

Area canvas_frame(Canvas *canvas, Area area, const char *title) {
    int bottom = area.row + area.rows - 1, right = area.column + area.columns - 1;
    canvas_fill(canvas, area, GROUND_NONE);
    for (int column = area.column; column <= right; column++) {
        canvas_put(canvas, area.row, column, 0x2500, INK_FRAME, GROUND_NONE);
        canvas_put(canvas, bottom, column, 0x2500, INK_FRAME, GROUND_NONE);
    }
    for (int row = area.row; row <= bottom; row++) {
        canvas_put(canvas, row, area.column, 0x2502, INK_FRAME, GROUND_NONE);
        canvas_put(canvas, row, right, 0x2502, INK_FRAME, GROUND_NONE);
    }
    canvas_put(canvas, area.row, area.column, 0x256D, INK_FRAME, GROUND_NONE);
    canvas_put(canvas, area.row, right, 0x256E, INK_FRAME, GROUND_NONE);
    canvas_put(canvas, bottom, area.column, 0x2570, INK_FRAME, GROUND_NONE);
    canvas_put(canvas, bottom, right, 0x256F, INK_FRAME, GROUND_NONE);
    if (title && *title) {
        int column =
            canvas_write(canvas, area.row, area.column + 2, 1, " ", INK_TITLE, GROUND_NONE);
        column =
            canvas_write(canvas, area.row, column, area.columns - 5, title, INK_TITLE, GROUND_NONE);
        canvas_write(canvas, area.row, column, 1, " ", INK_TITLE, GROUND_NONE);
    }
    return (Area){area.row + 1, area.column + 2, area.rows - 2, area.columns - 4};
}

/* How many bytes of the text fit into a line of so many columns: up to a space or newline, if there
 * is one. */
static size_t line_length(const char *text, int columns) {
    size_t length = 0, last_space = 0;
    int used = 0;
    while (text[length] && text[length] != '\n') {
        uint32_t glyph;
        size_t bytes = text_decode(text + length, &glyph);
        if (glyph == ' ')
            last_space = length;
        used += text_columns_of(glyph);
        if (used > columns)
            return last_space > 0 ? last_space : length > 0 ? length : bytes;
        length += bytes;
    }
    return length;
}

int canvas_wrap(Canvas *canvas, Area area, const char *text, int ink) {
    int row = 0;
    while (*text && row < area.rows) {
        char line[512];
        size_t length = line_length(text, area.columns);
        size_t copied = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, text, copied);
        line[copied] = '\0';
        canvas_write(canvas, area.row + row++, area.column, area.columns, line, ink, GROUND_NONE);
        text += length;
        text += *text == ' ' || *text == '\n';
    }
    return row;
}

void canvas_bar(Canvas *canvas, int row, int column, int columns, double part, int ink) {
    double clipped = part < 0 ? 0 : part > 1 ? 1 : part;
    int eighths = (int)(clipped * columns * 8 + 0.5);
    for (int i = 0; i < columns; i++) {
        int filled = eighths - 8 * i;
        uint32_t glyph = filled >= 8 ? 0x2588 : filled > 0 ? (uint32_t)(0x2590 - filled) : 0xB7;
        canvas_put(canvas, row, column + i, glyph, filled > 0 ? ink : INK_FAINT, GROUND_NONE);
    }
}
