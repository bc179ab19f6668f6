/* Draws the board as SVG. A square is a circle with two numbers: the worth of a piece there and, in
 * small print, the number of the square. The colour also shows the worth: darker is more. */
#include <math.h>

#include "games/yut/facts/facts.h"

enum {
    WIDTH = 760,
    HEIGHT = 860,
    LEFT = 80, /* of the board */
    TOP = 130,
    STEP = 60, /* spacing of the 11 x 11 grid that the squares are on */
    RADIUS = 27,
    NODE_RADIUS = 32, /* squares where routes branch or end */
    BAR_TOP = 800,
    BAR_PARTS = 20
};

/* On colours darker than this, white text is easier to read than black. */
#define DARK 0.74

/* Row and column of each square. */
static const uint8_t rows[YUT_ARRIVED] = {0,  8,  6,  4,  2,  0, 0, 0, 0, 0, 0, 2, 4, 6, 8,
                                          10, 10, 10, 10, 10, 1, 3, 5, 7, 9, 1, 3, 7, 9, 10};
static const uint8_t columns[YUT_ARRIVED] = {0, 10, 10, 10, 10, 10, 8, 6, 4, 2, 0, 0, 0, 0, 0,
                                             0, 2,  4,  6,  8,  9,  7, 5, 3, 1, 1, 3, 7, 9, 10};

static int x_of(int square) {
    return LEFT + STEP * columns[square];
}

static int y_of(int square) {
    return TOP + STEP * rows[square];
}

/* Adds a colour from white to dark blue as `part` goes from 0 to 1, and to dark orange for losses,
 * as it goes to -1. */
static void add_color(double part, Text *text) {
    static const int gain[3] = {16, 72, 140}, loss[3] = {160, 72, 0};
    const int *end = part < 0 ? loss : gain;
    double depth = fabs(part) > 1 ? 1 : fabs(part);
    text_add_char(text, '#');
    for (int i = 0; i < 3; i++)
        text_addf(text, "%02x", (unsigned)lround(255 + depth * (end[i] - 255)));
}

static void add_text(int x, int y, int size, const char *anchor, const char *words, Text *text) {
    text_addf(text, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y,
              size, anchor, words);
}

static void add_way(int from, int to, Text *text) {
    text_addf(text, "<path d=\"M%d %dL%d %d\"/>\n", x_of(from), y_of(from), x_of(to), y_of(to));
}

static void add_ways(Text *text) {
    text_add(text, "<g stroke=\"#888\" stroke-width=\"3\">\n");
    add_way(29, 5, text);
    add_way(5, 10, text);
    add_way(10, 15, text);
    add_way(15, 29, text);
    add_way(5, 15, text);
    add_way(10, 29, text);
    text_add(text, "</g>\n");
}

static void add_square(int square, double worth, double most, Text *text) {
    bool node = square == 22 || square == 29 || (square % 5 == 0 && square <= 15);
    int x = x_of(square), y = y_of(square);
    bool dark = fabs(worth) > DARK * most;
    text_addf(text, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" stroke=\"#333\" stroke-width=\"2\" ", x,
              y, node ? NODE_RADIUS : RADIUS);
    text_add(text, "fill=\"");
    add_color(worth / most, text);
    text_addf(text, "\"/>\n<g fill=\"%s\">", dark ? "#fff" : "#000");
    char words[32];
    Text number = text_over(words, sizeof words);
    text_addf(&number, "%.1f", 100 * worth);
    add_text(x, y + 3, 17, "middle", words, text);
    number = text_over(words, sizeof words);
    text_addf(&number, "%d", square);
    add_text(x, y + 18, 12, "middle", words, text);
    text_add(text, "</g>\n");
}

/* Adds the colour scale. */
static void add_legend(double most, Text *text) {
    const int from = LEFT, width = 300, height = 18;
    for (int i = 0; i < BAR_PARTS; i++) {
        text_addf(text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"",
                  from + i * width / BAR_PARTS, BAR_TOP, width / BAR_PARTS, height);
        add_color((i + 0.5) / BAR_PARTS, text);
        text_add(text, "\"/>\n");
    }
    text_addf(text,
              "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
              "stroke=\"#333\"/>\n",
              from, BAR_TOP, width, height);
    char words[32];
    Text number = text_over(words, sizeof words);
    text_addf(&number, "%.1f", 100 * most);
    add_text(from, BAR_TOP + 36, 15, "middle", "0", text);
    add_text(from + width, BAR_TOP + 36, 15, "middle", words, text);
    add_text(from + width + 40, BAR_TOP + 15, 15, "start", "large: hundredths of the games", text);
    add_text(from + width + 40, BAR_TOP + 36, 15, "start", "small: the square's number", text);
}

static void add_title(const Facts *facts, Text *text) {
    int pieces = yut_rules(&facts->variant.rules).pieces;
    char words[96];
    Text title = text_over(words, sizeof words);
    text_addf(&title, "What a piece on each square is worth (Yut, %d piece%s each)", pieces,
              pieces > 1 ? "s" : "");
    add_text(WIDTH / 2, 36, 22, "middle", words, text);
    add_text(WIDTH / 2, 62, 15, "middle",
             "added to the chance of winning, all other pieces not on the board yet,", text);
    add_text(WIDTH / 2, 82, 15, "middle", "who throws next drawn by lot", text);
    if (pieces == 1)
        return;
    title = text_over(words, sizeof words);
    text_addf(&title, "a piece that is home: %.1f", 100 * facts->worth[YUT_ARRIVED]);
    add_text(x_of(29) + 30, y_of(29) + 54, 15, "end", words, text);
}

void facts_plot(const Facts *facts, Text *text) {
    double most = 0;
    for (int square = 1; square < YUT_ARRIVED; square++)
        most = fabs(facts->worth[square]) > most ? fabs(facts->worth[square]) : most;
    if (most <= 0)
        most = 1;
    text_addf(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
              "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
              WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    add_title(facts, text);
    add_ways(text);
    for (int square = 1; square < YUT_ARRIVED; square++)
        add_square(square, facts->worth[square], most, text);
    add_text(x_of(15) - 30, y_of(29) + 54, 15, "start", "29 is the last square before home", text);
    add_legend(most, text);
    text_add(text, "</svg>\n");
}
