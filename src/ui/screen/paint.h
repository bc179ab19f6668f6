/* Paints frames on the terminal: only the cells that changed, in one write.
 *
 *     canvas (wanted) + shown (what is on the screen) -> cursor moves, colors and characters
 *
 * A painter belongs to the main thread, like the terminal.
 */
#ifndef MALPAN_UI_SCREEN_PAINT_H
#define MALPAN_UI_SCREEN_PAINT_H

#include "base/text.h"
#include "ui/screen/canvas.h"

typedef enum ColorMode { COLOR_NONE, COLOR_16, COLOR_256 } ColorMode;

enum { PAINT_LOOK_BYTES = 80 };

typedef struct Painter {
    Canvas shown; /* what is on the screen */
    ColorMode mode;
    bool is_light;                                         /* a light background */
    char looks[INK_COUNT][GROUND_COUNT][PAINT_LOOK_BYTES]; /* the commands; "" until needed */
    bool is_stale;                                         /* nothing is known about the screen */
    char *bytes;                                           /* of the frame, reused */
    size_t capacity;
} Painter;

/* The colors of the terminal, by terminfo and the environment. */
ColorMode paint_find_mode(bool color);

/* Whether the environment says that the background is light. */
bool paint_is_light(void);

/* Shows the canvas. False if the terminal is gone or memory ran out. */
bool paint_frame(Painter *painter, const Canvas *canvas);

void paint_free(Painter *painter);

#endif
