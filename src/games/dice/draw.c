/* Draws the board and describes moves in words. */
#include <stdio.h>

#include "games/dice/dice.h"

enum { ROWS = 9, CELLS_MAX = 6 };

/* A square and the column where it begins. */
typedef struct Cell {
    int column;
    const char *square; /* NULL: no more in this row */
} Cell;

static const Cell board[ROWS][CELLS_MAX] = {
    {{0, "20"}, {6, "18"}, {12, "16"}, {18, "14"}, {24, "12"}, {30, "10"}},
    {{0, "22"}, {6, "22i"}, {24, "13"}, {30, "8"}},
    {{0, "24"}, {10, "24i"}, {20, "16i"}, {30, "6"}},
    {{17, "19"}},
    {{15, "25"}},
    {{12, "26i"}, {19, "30i"}},
    {{0, "26"}, {9, "27"}, {30, "4"}},
    {{0, "28"}, {6, "28i"}, {23, "35"}, {30, "2"}},
    {{0, "30"}, {6, "32"}, {12, "34"}, {18, "36"}, {24, "38"}, {30, "40"}},
};

static int count_on(const DiceState *dice, uint8_t square) {
    int count = 0;
    for (int i = 0; i < DICE_PIECES; i++)
        count += dice->pieces[i] == square;
    return count;
}

/* Draws a square, in brackets if a piece is on it. Returns its width in columns. */
static int draw_cell(const DiceState *dice, const char *name, bool color, Text *text) {
    uint8_t square = DICE_START;
    char words[16];
    dice_find_square(name, &square);
    bool taken = count_on(dice, square) > 0;
    int columns = snprintf(words, sizeof words, taken ? "[%s]" : " %s", name);
    if (taken && color)
        text_add(text, "\x1b[1;32m");
    text_add(text, words);
    if (taken && color)
        text_add(text, "\x1b[0m");
    return columns;
}

/* Adds "4, then 1 2"; "?" stands for a throw that has not been made. */
static void add_throws(const DiceState *dice, Lang lang, Text *text) {
    static const Phrase then = {{", then", ", 다음은"}};
    for (int i = 0; i < dice->left && (i == 0 || dice->throws[i] || dice->throws[i - 1]); i++) {
        if (i == 1)
            text_add(text, then.in[lang]);
        text_addf(text, "%s%c", i > 0 ? " " : "", dice->throws[i] ? '0' + dice->throws[i] : '?');
    }
}

static void draw_status(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    static const Phrase where = {
        {"at the start {0}, finished {1}; score {2}", "출발 전 {0}, 도착 {1}; 점수 {2}"}};
    static const Phrase where_numbered = {{"at the start (0) {0}, finished (F) {1}; score {2}",
                                           "출발 전(0) {0}, 도착(F) {1}; 점수 {2}"}};
    static const Phrase to_throw = {{"; throws left: {3}", "; 남은 던지기: {3}"}};
    static const Phrase thrown = {{"; throw {4}", "; 던진 수 {4}"}};
    static const Phrase more = {{", then {5} more", ", 다음에 {5}번 더"}};
    static const Phrase over = {{"; the game is over", "; 끝난 게임"}};
    Lang lang = style.lang;
    DiceState dice = dice_state(state);
    char waiting[16], finished[16], score[16], throws[16], rest[16], list[GAME_TEXT_BYTES];
    Text list_text = text_over(list, sizeof list);
    snprintf(waiting, sizeof waiting, "%d", count_on(&dice, DICE_START));
    int absent = DICE_PIECES - dice_rules(rules).pieces;
    snprintf(finished, sizeof finished, "%d", count_on(&dice, DICE_FINISH) - absent);
    snprintf(score, sizeof score, "%d", dice.score);
    snprintf(throws, sizeof throws, "%d", dice.left);
    snprintf(rest, sizeof rest, "%d", dice.left - 1);
    const char *const words[] = {waiting, finished, score, throws, list, rest};
    bool has_more = dice_rules(rules).online && dice.left > 1;
    if (has_more)
        dice.left = 1; /* only the present throw is known */
    add_throws(&dice, lang, &list_text);
    phrase_add(text, style.numbers ? where_numbered : where, lang, words);
    if (dice_actor(rules, state) == GAME_END)
        phrase_add(text, over, lang, words);
    else if (dice.throws[0] == 0)
        phrase_add(text, to_throw, lang, words);
    else
        phrase_add(text, thrown, lang, words);
    if (has_more && dice.throws[0] > 0 && dice_actor(rules, state) != GAME_END)
        phrase_add(text, more, lang, words);
    text_add_char(text, '\n');
}

void dice_draw(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    DiceState dice = dice_state(state);
    for (int row = 0; row < ROWS; row++) {
        int column = 0;
        for (int i = 0; i < CELLS_MAX && board[row][i].square; i++) {
            text_add_left(text, "", board[row][i].column - column);
            column =
                board[row][i].column + draw_cell(&dice, board[row][i].square, style.color, text);
        }
        text_add_char(text, '\n');
    }
    draw_status(rules, state, style, text);
}

/* Describes one move; `piece` is the name of the piece. */
static void describe_move(const DiceState *dice, uint8_t from, const char *piece, Lang lang,
                          Text *text) {
    static const Phrase enters = {{"throw {0}: {1} from the start to {3}", "{0}: {1} 출발 → {3}"}};
    static const Phrase goes = {{"throw {0}: {1} from {2} to {3}", "{0}: {1} {2} → {3}"}};
    static const Phrase finishes = {
        {"throw {0}: {1} from {2} to the finish", "{0}: {1} {2} → 도착"}};
    static const Phrase score = {{", {4} points, {5} in all", ", {4}점, 모두 {5}점"}};
    uint8_t to = dice_destination(from, dice->throws[0]);
    char throw[16], points[16], sum[16];
    snprintf(throw, sizeof throw, "%d", dice->throws[0]);
    snprintf(points, sizeof points, "%d", dice_squares[to].points);
    snprintf(sum, sizeof sum, "%d", dice->score + dice_squares[to].points);
    const char *const words[] = {throw,  piece, dice_squares[from].name, dice_squares[to].name,
                                 points, sum};
    phrase_add(text,
               to == DICE_FINISH    ? finishes
               : from == DICE_START ? enters
                                    : goes,
               lang, words);
    phrase_add(text, score, lang, words);
}

void dice_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text) {
    static const Phrase a_piece = {{"a piece", "말"}}, thrown = {{"throw: {0}", "던지기: {0}"}};
    DiceState dice = dice_state(before);
    char throw[16];
    snprintf(throw, sizeof throw, "%u", (unsigned)move);
    if (dice_actor(rules, before) == GAME_CHANCE)
        phrase_add(text, thrown, lang, (const char *const[]){throw});
    else
        describe_move(&dice, (uint8_t)move, a_piece.in[lang], lang, text);
}

void dice_narrate_line(const Rules *rules, const State *first, const Move moves[], size_t count,
                       Lang lang, Text *text) {
    DiceState dice = dice_state(first);
    State state = *first;
    uint8_t at[DICE_PIECES] = {0}; /* squares of the pieces A to D; those furthest on came first */
    int piece = 0, pieces = dice_rules(rules).pieces;
    for (int i = 0; i < pieces; i++)
        at[i] = dice.pieces[pieces - 1 - i];
    for (size_t i = 0; i < count; i++) {
        dice = dice_state(&state);
        for (piece = 0; piece + 1 < pieces && at[piece] != moves[i];)
            piece++;
        at[piece] = dice_destination(at[piece], dice.throws[0]);
        dice_apply(rules, &state, moves[i]);
    }
    char letter[] = {(char)('A' + piece), '\0'};
    describe_move(&dice, (uint8_t)moves[count - 1], letter, lang, text);
}

void dice_trace(const Rules *rules, const State *before, Move move, Text *text) {
    if (dice_actor(rules, before) == GAME_CHANCE)
        return;
    uint8_t from = (uint8_t)move, at = from;
    text_add(text, dice_squares[from].name);
    for (int steps = 1; steps <= dice_state(before).throws[0] && at != DICE_FINISH; steps++) {
        at = dice_destination(from, steps);
        text_addf(text, " %s", dice_squares[at].name);
    }
}

void dice_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text) {
    static const Phrase score = {{"Score {0}.", "점수 {0}."}};
    (void)rules;
    char number[16];
    snprintf(number, sizeof number, "%d", dice_state(end).score);
    phrase_add(text, score, lang, (const char *const[]){number});
}
