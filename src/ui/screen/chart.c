#include "ui/screen/chart.h"

#include <math.h>

/* The least and the greatest value; shares of winning always reach from 0 to 1. */
static bool find_range(const double values[], size_t count, double *low, double *high) {
    bool found = false, is_share = true;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        *low = found && *low < values[i] ? *low : values[i];
        *high = found && *high > values[i] ? *high : values[i];
        is_share = is_share && values[i] >= 0 && values[i] <= 1;
        found = true;
    }
    if (found && is_share) {
        *low = 0;
        *high = 1;
    } else if (found && *high - *low < 1e-9) {
        *low -= 1;
    }
    return found;
}

static void draw_column(Canvas *canvas, Area area, int column, int eighths, int ink) {
    for (int i = 0; i < area.rows; i++) {
        int filled = eighths - 8 * i;
        uint32_t glyph = filled >= 8 ? 0x2588 : filled > 0 ? (uint32_t)(0x2580 + filled) : ' ';
        canvas_put(canvas, area.row + area.rows - 1 - i, column, glyph, ink, GROUND_NONE);
    }
}

void chart_draw(Canvas *canvas, Area area, const double values[], size_t count, size_t here) {
    double low = 0, high = 1;
    if (area.columns < 2 || !find_range(values, count, &low, &high))
        return;
    size_t columns = (size_t)area.columns;
    for (size_t column = 0; column < columns && column < count; column++) {
        size_t i = count <= columns ? column : column * (count - 1) / (columns - 1);
        size_t next = count <= columns ? i + 1 : (column + 1) * (count - 1) / (columns - 1);
        if (isnan(values[i]))
            continue;
        int eighths = (int)((values[i] - low) / (high - low) * 8 * area.rows + 0.5);
        bool is_here = i == here || (here > i && here < next);
        draw_column(canvas, area, area.column + (int)column, eighths > 0 ? eighths : 1,
                    is_here ? INK_ACCENT : INK_PLAYER);
    }
}
