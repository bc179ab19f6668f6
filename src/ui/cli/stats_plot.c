#include "ui/cli/stats_plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum {
    WIDTH = 760,
    HEIGHT = 420,
    LEFT = 70, /* of the bars */
    RIGHT = 730,
    TOP = 70,
    BOTTOM = 350,
    BARS_MAX = 110,
    TICKS = 6,
    BYTES = 1 << 16
};

/* The games gathered into bars of `step` lengths each. */
typedef struct Bars {
    size_t first, step, count;
    uint64_t games[BARS_MAX];
    uint64_t highest;
    uint64_t left_out; /* the longest games, one in a thousand at most */
    size_t longest;
} Bars;

static Bars gather(const PlayoutStats *stats) {
    const uint64_t one_in = 1000;
    Bars bars = {.highest = 1};
    size_t last = PLAYOUT_LENGTH_MAX;
    while (bars.first < PLAYOUT_LENGTH_MAX && stats->length_of[bars.first] == 0)
        bars.first++;
    while (last > bars.first && bars.left_out + stats->length_of[last] <= stats->games / one_in) {
        if (bars.left_out == 0)
            bars.longest = last;
        bars.left_out += stats->length_of[last--];
    }
    bars.step = (last - bars.first) / BARS_MAX + 1;
    for (size_t i = bars.first; i <= last; i++) {
        size_t at = (i - bars.first) / bars.step;
        bars.games[at] += stats->length_of[i];
        bars.count = at + 1;
        if (bars.games[at] > bars.highest)
            bars.highest = bars.games[at];
    }
    return bars;
}

static void add_text(Text *text, double x, double y, int size, const char *anchor,
                     const char *words) {
    text_addf(text, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\">%s</text>\n",
              x, y, size, anchor, words);
}

/* A round step so that about TICKS of them reach `highest`. */
static uint64_t tick_step(uint64_t highest) {
    uint64_t step = 1;
    while (step * TICKS < highest) {
        if (step * 2 * TICKS >= highest)
            return step * 2;
        if (step * 5 * TICKS >= highest)
            return step * 5;
        step *= 10;
    }
    return step;
}

static void add_axes(Text *text, const Bars *bars, double scale) {
    char words[64];
    uint64_t step = tick_step(bars->highest);
    for (uint64_t games = 0; games <= bars->highest; games += step) {
        double y = BOTTOM - scale * (double)games;
        text_addf(text, "<path d=\"M%d %.1fH%d\" stroke=\"#ccc\"/>\n", LEFT, y, RIGHT);
        snprintf(words, sizeof words, "%" PRIu64, games);
        add_text(text, LEFT - 8, y + 5, 14, "end", words);
    }
    double width = (double)(RIGHT - LEFT) / (double)bars->count;
    step = tick_step(bars->count * bars->step);
    for (size_t i = 0; i < bars->count; i++) {
        size_t from = bars->first + i * bars->step, length = (from + step - 1) / step * step;
        if (length >= from + bars->step)
            continue;
        snprintf(words, sizeof words, "%zu", length);
        add_text(text, LEFT + ((double)i + 0.5) * width, BOTTOM + 20, 14, "middle", words);
    }
    add_text(text, (LEFT + RIGHT) / 2.0, BOTTOM + 48, 15, "middle", "moves in a game");
}

static void draw(Text *text, const Variant *variant, const PlayoutStats *stats) {
    Bars bars = gather(stats);
    char words[2 * GAME_TEXT_BYTES];
    double scale = (double)(BOTTOM - TOP) / (double)bars.highest;
    double width = (double)(RIGHT - LEFT) / (double)bars.count;
    text_addf(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
              "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
              WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    snprintf(words, sizeof words, "%s: %" PRIu64 " random games by length",
             variant->game->title.in[LANG_EN], stats->games);
    add_text(text, WIDTH / 2.0, 36, 20, "middle", words);
    snprintf(words, sizeof words, "%" PRIu64 " longer ones, of up to %zu moves, are left out",
             bars.left_out, bars.longest);
    if (bars.left_out > 0)
        add_text(text, RIGHT, TOP + 20, 14, "end", words);
    add_axes(text, &bars, scale);
    text_add(text, "<g fill=\"#2a6fb0\">\n");
    for (size_t i = 0; i < bars.count; i++) {
        double height = scale * (double)bars.games[i];
        text_addf(text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                  LEFT + (double)i * width, BOTTOM - height, width > 3 ? width - 1 : width, height);
    }
    text_add(text, "</g>\n</svg>\n");
}

Status stats_plot(const Variant *variant, const PlayoutStats *stats, const char *path) {
    char *bytes = malloc(BYTES);
    if (!bytes)
        return status_make(STATUS_FAILED, "out of memory");
    Text text = text_over(bytes, BYTES);
    draw(&text, variant, stats);
    Status status = file_replace(path, bytes, text.length);
    free(bytes);
    return status;
}
