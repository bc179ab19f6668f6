/* A chart of a value over the steps of a game, in block characters. Pure but for the canvas. */
#ifndef MALPAN_UI_SCREEN_CHART_H
#define MALPAN_UI_SCREEN_CHART_H

#include <stddef.h>

#include "ui/screen/canvas.h"

/* Draws `count` values as columns of blocks, from the least to the greatest; values that are not
 * numbers leave a gap. More values than columns are thinned out. `here` is marked; SIZE_MAX for
 * none. */
void chart_draw(Canvas *canvas, Area area, const double values[], size_t count, size_t here);

#endif
