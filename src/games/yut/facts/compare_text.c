/* A comparison of rules as a table, as JSON and as a chart. */
#include "games/yut/facts/compare.h"

#include <math.h>

/* --- table --- */

enum { COLUMN = 14 };

/* Prints a figure and its margin, COLUMN columns wide. */
static void print_share(const Share *share, int digits, double unit, Text *text) {
    text_addf(text, " %6.*f ± %4.*f", digits, unit * share->mean, digits, unit * share->margin);
}

void compare_print(const Comparisons *all, Text *text) {
    size_t widest = strlen("rules");
    for (size_t i = 0; i < all->count; i++)
        widest = strlen(all->of[i].name) > widest ? strlen(all->of[i].name) : widest;
    text_addf(text, "%-*s  first player%*s%*s", (int)widest, "rules", COLUMN, "turns", COLUMN,
              "catches");
    for (int i = 0; i < COMPARE_PLAYERS; i++)
        text_addf(text, "%*s", COLUMN, compare_players[i]);
    text_add_char(text, '\n');
    for (size_t i = 0; i < all->count; i++) {
        const Comparison *one = &all->of[i];
        text_addf(text, "%-*s  %12.6f", (int)widest, one->name, one->start);
        print_share(&one->turns, 2, 1, text);
        print_share(&one->catches, 2, 1, text);
        for (int player = 0; player < COMPARE_PLAYERS; player++)
            print_share(&one->lost[player], 1, 100, text);
        text_add_char(text, '\n');
    }
    text_add(text,
             "\nfirst player: its chance between perfect players. turns, catches: in a game of "
             "perfect\nplayers. random, greedy, expectimax: what they lose against a perfect "
             "player, in points\nof a hundred games. ±: with 95 % confidence.\n");
}

/* --- JSON --- */

static void json_share(const char *separator, const char *name, const Share *share, Text *text) {
    text_addf(text, "%s\"%s\":{\"mean\":%.9g,\"margin\":%.9g}", separator, name, share->mean,
              share->margin);
}

void compare_print_json(const Comparisons *all, Text *text) {
    text_add(text, "{\"game\":\"yut\",\"sets\":[");
    for (size_t i = 0; i < all->count; i++) {
        const Comparison *one = &all->of[i];
        text_addf(text, "%s{\"name\":\"%s\",\"rules\":\"", i > 0 ? "," : "", one->name);
        variant_print(&one->variant, text);
        text_addf(text, "\",\"start\":%.17g,\"error\":%.9g", one->start, one->error);
        json_share(",", "turns", &one->turns, text);
        json_share(",", "catches", &one->catches, text);
        text_add(text, ",\"lost\":{");
        for (int player = 0; player < COMPARE_PLAYERS; player++)
            json_share(player > 0 ? "," : "", compare_players[player], &one->lost[player], text);
        text_add(text, "}}");
    }
    text_add(text, "]}\n");
}

/* --- chart --- */

enum {
    WIDTH = 760,
    LEFT = 200, /* of the bars */
    BAR_WIDTH = 480,
    TOP = 90,
    ROW = 84, /* of a set of rules */
    BAR = 16
};

static const char *const colors[COMPARE_PLAYERS + 1] = {"#10488c", "#a04800", "#4a7c2f", "#7a4a9c"};

static void add_label(int x, int y, int size, const char *anchor, const char *words, Text *text) {
    text_addf(text, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y,
              size, anchor, words);
}

/* Adds a bar for a part of half the games, with its number. Losses of less than nothing are 0. */
static void add_bar(int y, double part, const char *color, Text *text) {
    char words[16];
    Text number = text_over(words, sizeof words);
    int width = (int)lround(BAR_WIDTH * 2 * (part > 0 ? part : 0));
    text_addf(text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", LEFT, y,
              width, BAR - 2, color);
    text_addf(&number, "%.1f", 100 * part);
    add_label(LEFT + width + 6, y + BAR - 4, 12, "start", words, text);
}

static void add_set(const Comparison *one, int y, Text *text) {
    add_label(LEFT - 10, y + ROW / 2, 15, "end", one->name, text);
    add_bar(y, one->start - 0.5, colors[0], text);
    for (int player = 0; player < COMPARE_PLAYERS; player++)
        add_bar(y + (player + 1) * BAR, one->lost[player].mean, colors[player + 1], text);
}

void compare_plot(const Comparisons *all, Text *text) {
    static const char *const names[COMPARE_PLAYERS + 1] = {
        "advantage of the first player", "random loses", "greedy loses", "expectimax loses"};
    int height = TOP + (int)all->count * ROW + 20;
    text_addf(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
              "font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
              "fill=\"#fff\"/>\n",
              WIDTH, height);
    add_label(WIDTH / 2, 32, 20, "middle", "House rules of Yut: luck and skill", text);
    add_label(WIDTH / 2, 54, 13, "middle",
              "in points of a hundred games, between or against perfect "
              "players",
              text);
    for (int i = 0; i <= COMPARE_PLAYERS; i++) {
        text_addf(text, "<rect x=\"%d\" y=\"66\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                  60 + 190 * i - (i > 1 ? 60 * (i - 1) : 0), colors[i]);
        add_label(78 + 190 * i - (i > 1 ? 60 * (i - 1) : 0), 77, 13, "start", names[i], text);
    }
    for (size_t i = 0; i < all->count; i++)
        add_set(&all->of[i], TOP + (int)i * ROW, text);
    text_add(text, "</svg>\n");
}
