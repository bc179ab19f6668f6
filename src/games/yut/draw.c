/* Draws the board and describes moves in words.
 *
 *     [ ] - [ ] - [ ] - [B] - [ ] - [ ]        [A] a piece of player 0
 *      | [ ]                     [ ] |         A×2 two of them, stacked
 *     ...
 *
 * and with the numbers of the squares:
 *
 *     [10 ]-[ 9 ]-[ 8 ]-[ 7B]-[ 6 ]-[ 5 ]
 *       | [25 ]               [20 ] |
 *     ...
 *
 * A trap is [*], or [18*].
 */
#include <stdio.h>

#include "games/yut/yut.h"

enum { CELL_BYTES = 24, SQUARES_DRAWN = 29, ROWS = 11 };

/* A drawn board; a cell begins with `[` and ends with `]`. */
typedef struct Grid {
    const char *rows[ROWS];
} Grid;

static const Grid plain_grid = {{
    "[ ] - [ ] - [ ] - [ ] - [ ] - [ ]",
    " | [ ]                     [ ] |",
    "[ ]    .                 .    [ ]",
    " |       [ ]         [ ]       |",
    "[ ]          .     .          [ ]",
    " |             [ ]             |",
    "[ ]          .     .          [ ]",
    " |       [ ]         [ ]       |",
    "[ ]    .                 .    [ ]",
    " | [ ]                     [ ] |",
    "[ ] - [ ] - [ ] - [ ] - [ ] - [ ]",
}};

static const Grid numbered_grid = {{
    "[   ]-[   ]-[   ]-[   ]-[   ]-[   ]",
    "  | [   ]                 [   ] |",
    "[   ]    .               .    [   ]",
    "  |       [   ]     [   ]       |",
    "[   ]          .   .          [   ]",
    "  |            [   ]            |",
    "[   ]          .   .          [   ]",
    "  |       [   ]     [   ]       |",
    "[   ]    .               .    [   ]",
    "  | [   ]                 [   ] |",
    "[   ]-[   ]-[   ]-[   ]-[   ]-[   ]",
}};

/* The squares in the order in which they appear in the rows. */
static const uint8_t squares[SQUARES_DRAWN] = {10, 9,  8,  7,  6,  5,  25, 20, 11, 4,
                                               26, 21, 12, 3,  22, 13, 2,  23, 27, 14,
                                               1,  24, 28, 15, 16, 17, 18, 19, 29};

const char *yut_player_color(int player) {
    static const char *const colors[YUT_PLAYERS_MAX] = {"\x1b[31m", "\x1b[94m", "\x1b[32m",
                                                        "\x1b[33m"};
    return colors[player];
}

static void draw_grid(const Grid *grid, const char *const cells[YUT_SQUARES],
                      const char *after_last, Text *text) {
    size_t drawn = 0;
    for (int row = 0; row < ROWS; row++) {
        for (const char *at = grid->rows[row]; *at; at++) {
            if (*at != '[') {
                text_add_char(text, *at);
                continue;
            }
            text_add(text, cells[squares[drawn++]]);
            at = strchr(at, ']');
        }
        text_add(text, row + 1 < ROWS ? "\n" : after_last);
    }
    text_add_char(text, '\n');
}

void yut_draw_grid(const char *const cells[YUT_SQUARES], const char *after_last, Text *text) {
    draw_grid(&plain_grid, cells, after_last, text);
}

static void add_colored(const char *words, int player, bool color, Text *text) {
    if (color)
        text_add(text, yut_player_color(player));
    text_add(text, words);
    if (color)
        text_add(text, "\x1b[0m");
}

/* Draws a square in three columns: empty, one piece, or a stack. Partners may share a stack. With
 * its number, a square takes five columns. */
static void draw_cell(const YutRules *rules, const YutState *state, int square, DrawStyle style,
                      Text *cell) {
    int owner = -1, count = 0;
    for (int player = 0; player < rules->players; player++) {
        for (int i = 0; i < rules->pieces; i++) {
            if (state->pieces[player][i] != square)
                continue;
            count++;
            if (owner < 0)
                owner = player;
        }
    }
    char number[8] = "", words[24];
    char empty = rules->traps >> square & 1 ? '*' : ' ';
    char letter = (char)(owner < 0 ? empty : 'A' + owner);
    if (style.numbers)
        snprintf(number, sizeof number, "%2d", square);
    if (count > 1)
        snprintf(words, sizeof words, "%s%c%s%d", number, letter, style.ascii ? "x" : "×", count);
    else
        snprintf(words, sizeof words, "[%s%c]", number, letter);
    add_colored(words, owner < 0 ? 0 : owner, style.color && count > 0, cell);
}

static void add_list(const YutState *state, Lang lang, Text *text) {
    int shown = 0;
    for (int result = 0; result < YUT_RESULTS; result++)
        for (int i = 0; i < state->list[result]; i++)
            text_addf(text, "%s%s", shown++ > 0 ? " " : "", yut_result_words[result].in[lang]);
}

/* Adds a line for each player: its letter, and how many pieces wait and are home. */
static void draw_players(const YutRules *yut, const YutState *state, DrawStyle style, Text *text) {
    static const Phrase player_line = {
        {"{0} player {1}: {2} at the start, {3} home{4}", "{0} 선수 {1}: 대기 {2}, 났음 {3}{4}"}};
    static const Phrase numbered_line = {{"{0} player {1}: {2} at the start (0), {3} home{4}",
                                          "{0} 선수 {1}: 대기(0) {2}, 났음 {3}{4}"}};
    static const Phrase animals[] = {{{", pig", ", 돼지"}},
                                     {{", dog", ", 개"}},
                                     {{", sheep", ", 양"}},
                                     {{", cow", ", 소"}},
                                     {{"", ""}}};
    for (int player = 0; player < yut->players; player++) {
        char letter[16], number[16], waiting[16], home[16];
        Text letter_text = text_over(letter, sizeof letter);
        add_colored((const char[]){(char)('A' + player), '\0'}, player, style.color, &letter_text);
        snprintf(number, sizeof number, "%d", player);
        snprintf(waiting, sizeof waiting, "%d", yut_count_on(yut, state, player, 0));
        snprintf(home, sizeof home, "%d", yut_count_on(yut, state, player, YUT_ARRIVED));
        const char *const words[] = {letter, number, waiting, home,
                                     animals[yut->animals[player]].in[style.lang]};
        phrase_add(text, style.numbers ? numbered_line : player_line, style.lang, words);
        text_add_char(text, '\n');
    }
}

/* Adds the legend of the traps, if there are any. */
static void draw_traps(const Rules *rules, Lang lang, Text *text) {
    static const Phrase legend = {{"* trap ({0}): a piece that stops there goes back to the start",
                                   "* 함정({0}): 여기 멈춘 말은 처음으로 돌아갑니다"}};
    char traps[GAME_TEXT_BYTES];
    Text list = text_over(traps, sizeof traps);
    if (yut_rules(rules).traps == 0)
        return;
    yut_rules_get(rules, "traps", &list);
    phrase_add(text, legend, lang, (const char *const[]){traps});
    text_add_char(text, '\n');
}

/* Adds whose turn it is, and what is left to play. */
static void draw_turn(const Rules *rules, const State *state, Lang lang, Text *text) {
    static const Phrase throws = {{"player {0} to throw", "선수 {0} 차례, 던지기"}};
    static const Phrase plays = {{"player {0} to play: {1}", "선수 {0} 차례: {1}"}};
    static const Phrase with = {{"; still to play: {1}", "; 남은 결과: {1}"}};
    static const Phrase over = {{"the game is over", "끝난 게임"}};
    YutState s = yut_state(state);
    char turn[16], list[GAME_TEXT_BYTES];
    Text list_text = text_over(list, sizeof list);
    snprintf(turn, sizeof turn, "%d", s.turn);
    add_list(&s, lang, &list_text);
    const char *const words[] = {turn, list};
    int actor = yut_actor(rules, state);
    phrase_add(text, actor == GAME_END ? over : actor == GAME_CHANCE ? throws : plays, lang, words);
    if (actor == GAME_CHANCE && list_text.length > 0)
        phrase_add(text, with, lang, words);
    text_add_char(text, '\n');
}

void yut_draw(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    char cell_bytes[YUT_SQUARES][CELL_BYTES];
    const char *cells[YUT_SQUARES];
    for (int square = 0; square < YUT_SQUARES; square++) {
        Text cell = text_over(cell_bytes[square], CELL_BYTES);
        draw_cell(&yut, &s, square, style, &cell);
        cells[square] = cell_bytes[square];
    }
    if (style.numbers)
        draw_grid(&numbered_grid, cells, "", text);
    else
        draw_grid(&plain_grid, cells, " <- 29", text);
    draw_players(&yut, &s, style, text);
    draw_traps(rules, style.lang, text);
    draw_turn(rules, state, style.lang, text);
}

/* Describes a throw. */
static void narrate_throw(const YutRules *rules, const YutState *before, YutResult result,
                          Lang lang, Text *text) {
    static const Phrase throws = {{"player {0} throws {1}", "선수 {0}: {1}"}};
    static const Phrase misses = {{"player {0}'s sticks leave the mat: {1}", "선수 {0}: {1}!"}};
    static const Phrase loses = {{", and the turn is lost", " 차례를 잃습니다"}};
    char player[16];
    snprintf(player, sizeof player, "%d", before->turn);
    const char *const words[] = {player, yut_result_words[result].in[lang]};
    phrase_add(text, result == YUT_NAK ? misses : throws, lang, words);
    if (result == YUT_NAK && rules->nak_loses_turn)
        phrase_add(text, loses, lang, words);
}

void yut_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text) {
    static const Phrase no_piece = {{"player {0} has no piece to move back: back-do is used up",
                                     "선수 {0}: 뒤로 갈 말이 없어 빽도를 씁니다"}};
    static const Phrase used_up = {{"player {0} has no piece that can play {3}: it is used up",
                                    "선수 {0}: {3}, 쓸 수 있는 말이 없어 버립니다"}};
    static const Phrase goes = {{"player {0}: {1} with {3} to {2}", "선수 {0}: {3}, {1} → {2}"}};
    static const Phrase arrives = {{"player {0}: {1} with {3}, home", "선수 {0}: {3}, {1} → 났음"}};
    static const Phrase stacks = {{", stacked", ", 업기"}};
    static const Phrase catches = {{", catching {4}", ", {4} 잡기"}};
    static const Phrase joins = {{", taking a waiting piece along", ", 대기 중인 말 하나를 업음"}};
    static const Phrase is_trapped = {{", a trap: back to the start", ", 함정에 빠져 처음으로"}};
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(before);
    if (yut_actor(rules, before) == GAME_CHANCE) {
        narrate_throw(&yut, &s, (YutResult)move, lang, text);
        return;
    }
    char player[16], from[16], to[16], caught[32];
    YutOutcome outcome = yut_outcome(&yut, &s, move);
    YutResult result = yut_move_result(move);
    snprintf(player, sizeof player, "%d", s.turn);
    snprintf(from, sizeof from, "%d", yut_move_square(move));
    snprintf(to, sizeof to, "%d", outcome.destination);
    snprintf(caught, sizeof caught, "%d", outcome.caught);
    const char *const words[] = {player, from, to, yut_result_words[result].in[lang], caught};
    if (outcome.moved == 0)
        phrase_add(text, result == YUT_BACK_DO ? no_piece : used_up, lang, words);
    else
        phrase_add(text, outcome.destination == YUT_ARRIVED ? arrives : goes, lang, words);
    if (outcome.stacked)
        phrase_add(text, stacks, lang, words);
    if (outcome.joined)
        phrase_add(text, joins, lang, words);
    if (outcome.caught > 0)
        phrase_add(text, catches, lang, words);
    if (outcome.trapped)
        phrase_add(text, is_trapped, lang, words);
}

/* Adds a square in position notation: 100 for home. */
static void add_square(int square, Text *text) {
    text_addf(text, "%d", square == YUT_ARRIVED ? YUT_ARRIVED_TEXT : square);
}

void yut_trace(const Rules *rules, const State *before, Move move, Text *text) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(before);
    if (yut_actor(rules, before) == GAME_CHANCE)
        return;
    YutOutcome outcome = yut_outcome(&yut, &s, move);
    YutResult result = yut_move_result(move);
    int square = yut_move_square(move), at = square;
    add_square(square, text);
    if (outcome.moved == 0)
        return;
    for (int steps = result == YUT_BACK_DO ? YUT_BACK_DO : YUT_DO; steps <= (int)result; steps++) {
        int next = yut_stop(&yut, s.turn, square, (YutResult)steps, yut_move_detour(move));
        if (next == at)
            break; /* home already */
        text_add_char(text, ' ');
        add_square(next, text);
        at = next;
    }
    if (outcome.trapped)
        text_add(text, " 0");
}

void yut_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text) {
    static const Phrase wins = {{"Player {0} wins.", "선수 {0} 승리."}};
    static const Phrase pair_wins = {{"Players {0} and {1} win.", "선수 {0}, {1} 승리."}};
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(end);
    char first[16], second[16];
    int winner = yut_winner(&yut, &s);
    snprintf(first, sizeof first, "%d", winner);
    snprintf(second, sizeof second, "%d", winner + 2);
    const char *const words[] = {first, second};
    phrase_add(text, yut.teams ? pair_wins : wins, lang, words);
}
