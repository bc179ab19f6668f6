/* The board as text, and moves in words.
 *
 *         a   b   c   d   e
 *       ┌───┬───┬───┬───┬───┐
 *     5 │ s │ s │ k │ s │ s │ 5
 *       ├───┼───┼───┼───┼───┤
 */
#include "games/valley/valley.h"

/* The glyphs of a line between two ranks: its left end, its crossings with files, its right end. */
typedef struct Ruler {
    const char *left, *middle, *right;
} Ruler;

typedef struct BoardGlyphs {
    Ruler top, between, bottom;
    const char *across, *upright, *valley;
} BoardGlyphs;

static const BoardGlyphs unicode_glyphs = {
    {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}, "───", "│", "◇"};
static const BoardGlyphs ascii_glyphs = {
    {"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}, "---", "|", "*"};

static const Phrase colours[2] = {{{"white", "백"}}, {{"black", "흑"}}};
static const Phrase capital_colours[2] = {{{"White", "백"}}, {{"Black", "흑"}}};

static void draw_files(Text *text) {
    text_add(text, "    ");
    for (int file = 0; file < VALLEY_WIDTH; file++)
        text_addf(text, "%c%s", 'a' + file, file + 1 < VALLEY_WIDTH ? "   " : "\n");
}

static void draw_ruler(const BoardGlyphs *glyphs, const Ruler *ruler, Text *text) {
    text_addf(text, "  %s", ruler->left);
    for (int file = 0; file < VALLEY_WIDTH; file++)
        text_addf(text, "%s%s", glyphs->across,
                  file + 1 < VALLEY_WIDTH ? ruler->middle : ruler->right);
    text_add_char(text, '\n');
}

static void draw_square(const BoardGlyphs *glyphs, const ValleyBoard *board, uint32_t square,
                        bool color, Text *text) {
    static const char *const paints[2] = {"\x1b[1;33m", "\x1b[1;94m"};
    for (int colour = 0; colour < 2; colour++) {
        bool king = board->kings[colour] == square;
        if (!king && !(board->soldiers[colour] & valley_bit(square)))
            continue;
        char letter = king ? 'K' : 'S';
        text_addf(text, " %s%c%s ", color ? paints[colour] : "",
                  colour == VALLEY_WHITE ? letter : letter + ('a' - 'A'), color ? "\x1b[0m" : "");
        return;
    }
    text_addf(text, " %s ", square == VALLEY_CENTRE ? glyphs->valley : " ");
}

void valley_draw(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    static const Phrase to_move = {{"{0} to move, ply {1}", "{0} 차례, {1}수째"}};
    static const Phrase over = {{"the game is over", "끝난 게임"}};
    const BoardGlyphs *glyphs = style.ascii ? &ascii_glyphs : &unicode_glyphs;
    ValleyState valley = valley_state(state);
    draw_files(text);
    draw_ruler(glyphs, &glyphs->top, text);
    for (uint32_t rank = VALLEY_WIDTH; rank-- > 0;) {
        text_addf(text, "%u %s", rank + 1, glyphs->upright);
        for (uint32_t file = 0; file < VALLEY_WIDTH; file++) {
            draw_square(glyphs, &valley.board, VALLEY_WIDTH * rank + file, style.color, text);
            text_add(text, glyphs->upright);
        }
        text_addf(text, " %u\n", rank + 1);
        draw_ruler(glyphs, rank > 0 ? &glyphs->between : &glyphs->bottom, text);
    }
    draw_files(text);
    char ply[16];
    Text number = text_over(ply, sizeof ply);
    text_addf(&number, "%u", valley.ply);
    phrase_add(text, valley_actor(rules, state) == GAME_END ? over : to_move, style.lang,
               (const char *const[]){colours[valley.turn].in[style.lang], ply});
    text_add_char(text, '\n');
}

void valley_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text) {
    static const Phrase pieces[2] = {{{"soldier", "병사"}}, {{"king", "왕"}}};
    static const Phrase goes = {{"{0}: {1} {2} to {3}", "{0}: {1} {2} → {3}"}};
    ValleyState valley = valley_state(before);
    char squares[16];
    Text squares_text = text_over(squares, sizeof squares);
    valley_print_move(rules, before, move, LANG_EN, &squares_text);
    char from[3] = {squares[0], squares[1], '\0'};
    bool king = valley.board.kings[valley.turn] == valley_move_from(move);
    phrase_add(text, goes, lang,
               (const char *const[]){colours[valley.turn].in[lang], pieces[king].in[lang], from,
                                     squares + 2});
}

void valley_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text) {
    static const Phrase how[VALLEY_ENDING_COUNT] = {
        {{"{0} wins: its king is in the valley.", "{0} 승리: 왕이 골짜기에 닿았습니다."}},
        {{"{0} wins: {1}'s king is walled in.", "{0} 승리: {1}의 왕이 갇혔습니다."}},
        {{"{0} wins: {1} walled in its own king.", "{0} 승리: {1}이 자기 왕을 가두었습니다."}}};
    double payoffs[2];
    valley_payoff(rules, end, payoffs);
    int winner = payoffs[0] > payoffs[1] ? VALLEY_WHITE : VALLEY_BLACK;
    phrase_add(
        text, how[valley_ending(rules, end)], lang,
        (const char *const[]){capital_colours[winner].in[lang], colours[1 - winner].in[lang]});
}
