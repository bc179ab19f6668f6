/* Draws the chart of a review.
 *
 *     1 |      _/\      x: steps; the last point is the end of the game
 *       |  __ /   \/    y: the value to each player, before each step
 *     0 |_/__A__________   A: a move that lost much
 */
#include "ui/cli/review_plot.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

enum {
    WIDTH = 760,
    HEIGHT = 420,
    LEFT = 70, /* the area of the lines */
    RIGHT = 730,
    TOP = 90,
    BOTTOM = 350,
    TICKS = 5,
    STEP_BYTES = 256, /* at most for a step: a point of each line, and a mark with its title */
    FRAME_BYTES = 1 << 14
};

typedef struct Chart {
    const Record *record;
    const Review *review;
    Lang lang;
    int lines; /* how many players have one */
    double low, high;
    Text text;
} Chart;

static const char *const colors[GAME_PLAYERS_MAX] = {"#2a6fb0", "#c0504d", "#4f8f3a", "#8064a2",
                                                     "#b07020", "#2a9090", "#a04080", "#606060"};

static const double *values_at(const Chart *chart, size_t index) {
    const Review *review = chart->review;
    return index < review->step_count ? review->steps[index].values : review->end;
}

static double x_of(const Chart *chart, size_t index) {
    size_t count = chart->review->step_count > 0 ? chart->review->step_count : 1;
    return LEFT + (double)(RIGHT - LEFT) * (double)index / (double)count;
}

static double y_of(const Chart *chart, double value) {
    return BOTTOM - (BOTTOM - TOP) * (value - chart->low) / (chart->high - chart->low);
}

/* The range of the values, at least from 0 to 1. */
static void find_range(Chart *chart) {
    chart->low = 0;
    chart->high = 1;
    for (size_t i = 0; i <= chart->review->step_count; i++) {
        for (int player = 0; player < chart->lines; player++) {
            double value = values_at(chart, i)[player];
            chart->low = value < chart->low ? value : chart->low;
            chart->high = value > chart->high ? value : chart->high;
        }
    }
}

static void add_text(Chart *chart, double x, double y, int size, const char *anchor,
                     const char *color, const char *words) {
    text_addf(&chart->text,
              "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s"
              "</text>\n",
              x, y, size, anchor, color, words);
}

static void add_axes(Chart *chart) {
    static const Phrase steps = {{"steps", "걸음"}};
    char words[64];
    for (int i = 0; i <= TICKS; i++) {
        double value = chart->low + (chart->high - chart->low) * i / TICKS;
        double y = y_of(chart, value);
        text_addf(&chart->text, "<path d=\"M%d %.1fH%d\" stroke=\"#ccc\"/>\n", LEFT, y, RIGHT);
        snprintf(words, sizeof words, chart->high > 1 ? "%.0f" : "%.1f", value);
        add_text(chart, LEFT - 8, y + 5, 14, "end", "#000", words);
    }
    size_t count = chart->review->step_count, every = count / 10 + 1;
    for (size_t i = 0; i <= count; i += every) {
        snprintf(words, sizeof words, "%zu", i);
        add_text(chart, x_of(chart, i), BOTTOM + 20, 14, "middle", "#000", words);
    }
    add_text(chart, (LEFT + RIGHT) / 2.0, BOTTOM + 48, 15, "middle", "#000", steps.in[chart->lang]);
}

/* The game, what the values are, and which line is whose. */
static void add_titles(Chart *chart) {
    const Variant *variant = &chart->record->variant;
    char bytes[GAME_TEXT_BYTES];
    Text words = text_over(bytes, sizeof bytes);
    text_addf(&words, "%s: %s", variant->game->identity.title.in[chart->lang],
              variant->game->rules.value_info(&variant->rules).name.in[chart->lang]);
    add_text(chart, WIDTH / 2.0, 36, 20, "middle", "#000", bytes);
    for (int i = 0; i < chart->lines; i++) {
        words = text_over(bytes, sizeof bytes);
        text_addf(&words, "%d: ", i);
        seat_print(&chart->record->seats[i], &words);
        add_text(chart, LEFT + (double)(RIGHT - LEFT) / chart->lines * i, 66, 15, "start",
                 colors[i], bytes);
    }
}

static void add_line(Chart *chart, int player) {
    text_addf(&chart->text, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
              colors[player]);
    for (size_t i = 0; i <= chart->review->step_count; i++)
        text_addf(&chart->text, "%s%.1f,%.1f", i > 0 ? " " : "", x_of(chart, i),
                  y_of(chart, values_at(chart, i)[player]));
    text_add(&chart->text, "\"/>\n");
}

/* A triangle below the line of the player, or of the only one, where a move lost much. */
static void add_mark(Chart *chart, size_t index) {
    const ReviewStep *step = &chart->review->steps[index];
    if (step->verdict < REVIEW_SMALL)
        return;
    double x = x_of(chart, index);
    double y = y_of(chart, step->values[chart->lines == 1 ? 0 : step->player]);
    const char *color = step->verdict == REVIEW_SMALL ? "#d0a000" : "#c00000";
    text_addf(&chart->text,
              "<path d=\"M%.1f %.1fl6 10h-12Z\" fill=\"%s\"><title>%zu: %s</title></path>\n", x,
              y + 3, color, index + 1, review_verdict_name(step->verdict));
}

static void draw_chart(Chart *chart) {
    text_addf(&chart->text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
              "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
              WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    add_titles(chart);
    add_axes(chart);
    for (int i = 0; i < chart->lines; i++)
        add_line(chart, i);
    for (size_t i = 0; i < chart->review->step_count; i++)
        add_mark(chart, i);
    text_add(&chart->text, "</svg>\n");
}

Status review_plot(const Record *record, const Review *review, Lang lang, const char *path) {
    const Variant *variant = &record->variant;
    int players = variant->game->rules.player_count(&variant->rules);
    size_t size = FRAME_BYTES + (review->step_count + 1) * STEP_BYTES;
    char *bytes = malloc(size);
    if (!bytes)
        return status_make(STATUS_FAILED, "out of memory");
    Chart chart = {.record = record,
                   .review = review,
                   .lang = lang,
                   .lines = players == 2 ? 1 : players,
                   .text = text_over(bytes, size)};
    find_range(&chart);
    draw_chart(&chart);
    Status status = file_replace(path, bytes, chart.text.length);
    free(bytes);
    return status;
}
