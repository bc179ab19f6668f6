#include "ui/screen/paint.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/screen/tty.h"

enum { CELL_BYTES_MAX = 160, NO_COLOR = -1 };

/* How an ink or a ground looks. */
typedef struct Look {
    int16_t dark, light;                /* of 256 colors, on a dark and on a light background */
    int8_t basic;                       /* of 16 */
    bool bold, underline, reverse, dim; /* without colors */
} Look;

static const Look inks[INK_COUNT] = {[INK_TEXT] = {NO_COLOR, NO_COLOR, NO_COLOR, .dim = false},
                                     [INK_FAINT] = {245, 242, 8, .dim = true},
                                     [INK_FRAME] = {240, 248, 8, .dim = false},
                                     [INK_TITLE] = {NO_COLOR, NO_COLOR, NO_COLOR, .bold = true},
                                     [INK_ACCENT] = {221, 130, 3, .bold = true},
                                     [INK_GOOD] = {114, 28, 2, .bold = true},
                                     [INK_BAD] = {209, 160, 1, .bold = true},
                                     [INK_PLAYER] = {203, 160, 1, .bold = true},
                                     [INK_PLAYER + 1] = {75, 26, 4, .bold = true},
                                     [INK_PLAYER + 2] = {114, 28, 2, .bold = true},
                                     [INK_PLAYER + 3] = {221, 94, 3, .bold = true},
                                     [INK_PLAYER + 4] = {176, 90, 5, .bold = true},
                                     [INK_PLAYER + 5] = {80, 30, 6, .bold = true},
                                     [INK_PLAYER + 6] = {215, 166, 3, .bold = true},
                                     [INK_PLAYER + 7] = {147, 61, 4, .bold = true}};

static const Look grounds[GROUND_COUNT] = {
    [GROUND_NONE] = {NO_COLOR, NO_COLOR, NO_COLOR, .dim = false},
    [GROUND_CURSOR] = {NO_COLOR, NO_COLOR, NO_COLOR, .reverse = true},
    [GROUND_SELECTED] = {24, 153, 4, .reverse = true},
    [GROUND_TARGET] = {22, 157, 2, .bold = true, .underline = true},
    [GROUND_PATH] = {238, 252, NO_COLOR, .underline = true},
    [GROUND_LAST] = {52, 224, NO_COLOR, .bold = true},
    [GROUND_BAR] = {236, 254, NO_COLOR, .reverse = true}};

/* A terminal of more than 256 colors takes the numbers from 8 on for red, green and blue. */
static int color_count(void) {
    int colors = tty_number("colors");
    return colors > 256 ? 8 : colors;
}

ColorMode paint_find_mode(bool color) {
    int colors = color_count();
    if (!color || colors < 8)
        return COLOR_NONE;
    return colors == 256 ? COLOR_256 : COLOR_16;
}

/* $COLORFGBG is `foreground;background`, or has a field between them; 7 and 15 are white. */
bool paint_is_light(void) {
    uint64_t number;
    const char *value = getenv("COLORFGBG");
    const char *last = value ? strrchr(value, ';') : NULL;
    return last && number_read(last + 1, &number) && (number == 7 || number == 15);
}

static int color_of(const Painter *painter, const Look *look) {
    return painter->mode == COLOR_16 ? look->basic : painter->is_light ? look->light : look->dark;
}

/* On a terminal of eight colors, eight to fifteen are bold. */
static void add_ink_color(int color, Text *text) {
    if (color >= 8 && color < 16 && color_count() < 16) {
        tty_add_command(text, color == 8 ? "dim" : "bold", 0, 0);
        color -= 8;
        if (color == 0)
            return;
    }
    tty_add_command(text, "setaf", color, 0);
}

/* Adds the commands that switch to the look of a cell, from whatever was before. */
static void add_look_commands(const Painter *painter, const Cell *cell, Text *text) {
    const Look *ink = &inks[cell->ink], *ground = &grounds[cell->ground];
    bool plain = painter->mode == COLOR_NONE;
    tty_add_command(text, "sgr0", 0, 0);
    int ink_color = color_of(painter, ink), ground_color = color_of(painter, ground);
    /* Only a few grounds have basic colors of their own; the others show as without colors. */
    bool attributes = plain || (ground_color == NO_COLOR && cell->ground != GROUND_NONE);
    if (!plain && ground_color != NO_COLOR && painter->mode == COLOR_16)
        ink_color = 7; /* readable on every one of them */
    if (ink->bold || (attributes && ground->bold))
        tty_add_command(text, "bold", 0, 0);
    if (attributes && ground->underline)
        tty_add_command(text, "smul", 0, 0);
    if (attributes && ground->reverse)
        tty_add_command(text, "rev", 0, 0);
    if (plain && ink->dim && !ground->reverse)
        tty_add_command(text, "dim", 0, 0);
    if (plain)
        return;
    if (ink_color != NO_COLOR)
        add_ink_color(ink_color, text);
    if (ground_color != NO_COLOR)
        tty_add_command(text, "setab", ground_color, 0);
}

static void add_look(Painter *painter, const Cell *cell, Text *text) {
    char *known = painter->looks[cell->ink][cell->ground];
    if (!*known) {
        Text commands = text_over(known, PAINT_LOOK_BYTES);
        add_look_commands(painter, cell, &commands);
    }
    text_add(text, known);
}

static bool same_cell(const Cell *a, const Cell *b) {
    return a->glyph == b->glyph && a->ink == b->ink && a->ground == b->ground;
}

/* Makes room for a frame in which every cell changes. */
static bool reserve(Painter *painter, const Canvas *canvas) {
    size_t wanted = (size_t)canvas->rows * (size_t)canvas->columns * CELL_BYTES_MAX + 1024;
    if (painter->capacity >= wanted)
        return true;
    char *bytes = realloc(painter->bytes, wanted);
    if (!bytes)
        return false;
    painter->bytes = bytes;
    painter->capacity = wanted;
    return true;
}

/* Whether a cell has to be written: it changed, or the other half of its character did. */
static bool has_changed(const Painter *painter, const Canvas *canvas, int at) {
    const Cell *wanted = &canvas->cells[at], *shown = &painter->shown.cells[at];
    if (!same_cell(wanted, shown))
        return true;
    bool wide = at % canvas->columns + 1 < canvas->columns && wanted[1].glyph == 0;
    return wide && !same_cell(wanted + 1, shown + 1);
}

static void add_changes(Painter *painter, const Canvas *canvas, Text *text) {
    const Cell *look = NULL;
    for (int row = 0; row < canvas->rows; row++) {
        int cursor = -1; /* the column of the cursor in this row; -1: it is elsewhere */
        for (int column = 0; column < canvas->columns; column++) {
            int at = row * canvas->columns + column;
            const Cell *cell = &canvas->cells[at];
            if (cell->glyph == 0 || !has_changed(painter, canvas, at))
                continue;
            if (cursor != column)
                tty_add_move(text, row, column);
            if (!look || look->ink != cell->ink || look->ground != cell->ground)
                add_look(painter, cell, text);
            look = cell;
            text_add_code_point(text, cell->glyph);
            cursor = column + text_columns_of(cell->glyph);
        }
    }
    if (look)
        tty_add_command(text, "sgr0", 0, 0);
}

bool paint_frame(Painter *painter, const Canvas *canvas) {
    if (!reserve(painter, canvas))
        return false;
    Text text = text_over(painter->bytes, painter->capacity);
    if (painter->is_stale || painter->shown.rows != canvas->rows ||
        painter->shown.columns != canvas->columns) {
        if (!canvas_resize(&painter->shown, canvas->rows, canvas->columns))
            return false;
        tty_add_command(&text, "sgr0", 0, 0);
        tty_add_command(&text, "clear", 0, 0);
        painter->is_stale = false;
    }
    add_changes(painter, canvas, &text);
    size_t cells = (size_t)canvas->rows * (size_t)canvas->columns;
    memcpy(painter->shown.cells, canvas->cells, cells * sizeof *canvas->cells);
    return text.length == 0 || tty_write(text.bytes, text.length);
}

void paint_free(Painter *painter) {
    canvas_free(&painter->shown);
    free(painter->bytes);
    *painter = (Painter){.bytes = NULL};
}
