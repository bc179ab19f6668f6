/* Draws the box and describes moves in words.
 *
 *     ╭─╮╭─╮╭─╮   ╭─╮╭─╮   ╭─╮╭─╮
 *     │1││2││3│ · │5││6│ · │8││9│
 *     ╰─╯╰─╯╰─╯   ╰─╯╰─╯   ╰─╯╰─╯
 *     player 1, rolled 11, open 34; scores 17
 */
#include <stdio.h>

#include "games/box/box.h"

/* One row of a drawn tile, open or closed. */
typedef struct TileRow {
    const char *left, *middle, *right, *closed;
} TileRow;

enum { TILE_ROWS = 3 };

static const TileRow unicode_rows[TILE_ROWS] = {
    {"╭", "─", "╮", " "}, {"│", NULL, "│", "·"}, {"╰", "─", "╯", " "}};
static const TileRow ascii_rows[TILE_ROWS] = {
    {"+", "-", "+", " "}, {"|", NULL, "|", "."}, {"+", "-", "+", " "}};

static void draw_tile(const TileRow *row, int tile, bool open, bool color, Text *text) {
    char number[16];
    int width = snprintf(number, sizeof number, "%d", tile);
    if (!open) {
        text_add_right(text, row->closed, width / 2 + 2);
        text_add_left(text, "", width - width / 2);
        return;
    }
    if (color)
        text_add(text, "\x1b[32m");
    text_add(text, row->left);
    if (row->middle) {
        for (int i = 0; i < width; i++)
            text_add(text, row->middle);
    } else {
        text_add(text, number);
    }
    text_add(text, row->right);
    if (color)
        text_add(text, "\x1b[0m");
}

static void draw_status(const BoxRules *rules, const Rules *packed, const State *state, Lang lang,
                        Text *text) {
    static const Phrase to_roll = {{"player {0} to roll; open tiles sum to {1}",
                                    "선수 {0} 차례, 던지기 전; 열린 숫자판의 합 {1}"}};
    static const Phrase rolled = {{"player {0} rolled {2}; open tiles sum to {1}",
                                   "선수 {0} 차례, 주사위 {2}; 열린 숫자판의 합 {1}"}};
    static const Phrase over = {{"the game is over", "끝난 게임"}};
    static const Phrase scores = {{"; scores so far:", "; 지금까지 점수:"}};
    BoxState s = box_state(state);
    static const Phrase totals = {{"; totals:", "; 모두 합쳐:"}};
    static const Phrase out = {{" (out)", " (탈락)"}};
    static const Phrase of_rounds = {{"; round {3} of {4}", "; {4}판 중 {3}판째"}};
    char player[16], sum[16], roll[16], round[16], rounds[16];
    snprintf(player, sizeof player, "%d", s.player);
    snprintf(sum, sizeof sum, "%d", box_sum(s.open));
    snprintf(roll, sizeof roll, "%d", s.roll);
    snprintf(round, sizeof round, "%d", s.round + 1);
    snprintf(rounds, sizeof rounds, "%d", rules->rounds);
    const char *const words[] = {player, sum, roll, round, rounds};
    int actor = box_actor(packed, state);
    phrase_add(text, actor == GAME_END ? over : s.roll > 0 ? rolled : to_roll, lang, words);
    if (s.player > 0)
        phrase_add(text, scores, lang, words);
    for (int i = 0; i < s.player && i < rules->players; i++) {
        if (box_is_in(rules, s.totals[i]))
            text_addf(text, " %d", s.scores[i]);
        else
            text_add(text, " x");
    }
    if (!box_is_single(rules)) {
        phrase_add(text, totals, lang, words);
        for (int i = 0; i < rules->players; i++) {
            text_addf(text, " %d", s.totals[i] + s.scores[i]);
            if (!box_is_in(rules, s.totals[i]))
                phrase_add(text, out, lang, words);
        }
        if (rules->rounds > 0)
            phrase_add(text, of_rounds, lang, words);
    }
    text_add_char(text, '\n');
}

void box_draw(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    const TileRow *rows = style.ascii ? ascii_rows : unicode_rows;
    int first = 1;
    while (first <= box.tiles) {
        /* Fit as many tiles side by side as possible. */
        int last = first, columns = 0;
        for (; last <= box.tiles; last++) {
            int width = last > 9 ? 4 : 3;
            if (last > first && columns + width > style.columns)
                break;
            columns += width;
        }
        for (int row = 0; row < TILE_ROWS; row++) {
            for (int tile = first; tile < last; tile++)
                draw_tile(&rows[row], tile, s.open >> (tile - 1) & 1, style.color, text);
            text_add_char(text, '\n');
        }
        first = last;
    }
    draw_status(&box, rules, state, style.lang, text);
}

void box_narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text) {
    static const Phrase rolls = {{"player {0} rolls {1}", "선수 {0}: 주사위 {1}"}};
    static const Phrase stuck = {
        {": nothing fits, score {2}", " — 닫을 수 있는 숫자판 없음, 점수 {2}"}};
    static const Phrase lost = {{": an opening 2 loses, score {2}", " — 첫 주사위 2, 점수 {2}"}};
    static const Phrase closes = {{"player {0} closes {1}", "선수 {0}: {1} 닫음"}};
    static const Phrase shuts = {{" and shuts the box", " — 상자를 모두 닫음"}};
    BoxState s = box_state(before);
    char player[16], what[GAME_TEXT_BYTES], score[16];
    snprintf(player, sizeof player, "%d", s.player);
    Text what_text = text_over(what, sizeof what);
    box_print_move(rules, before, move, lang, &what_text);
    snprintf(score, sizeof score, "%d", box_sum(s.open));
    const char *const words[] = {player, what, score};
    if (s.roll == 0) {
        phrase_add(text, rolls, lang, words);
        BoxRules box = box_rules(rules);
        if (box_is_stuck(&box, s.open, (int)move))
            phrase_add(text, box_sums(s.open) >> move & 1 ? lost : stuck, lang, words);
    } else {
        phrase_add(text, closes, lang, words);
        if (s.open == move)
            phrase_add(text, shuts, lang, words);
    }
}

void box_narrate_end(const Rules *rules, const State *end, Lang lang, Text *text) {
    static const Phrase solo_shut = {{"The box is shut.", "상자를 모두 닫았습니다."}};
    static const Phrase solo_score = {{"Score {0}.", "점수 {0}."}};
    static const Phrase wins = {{"Player {0} wins.", "선수 {0} 승리."}};
    static const Phrase tie = {{"A tie between players {0}.", "무승부: 선수 {0}."}};
    BoxRules box = box_rules(rules);
    BoxState s = box_state(end);
    char names[GAME_TEXT_BYTES];
    Text list = text_over(names, sizeof names);
    const char *const words[] = {names};
    if (box.players == 1) {
        text_addf(&list, "%.0f",
                  box.aim == BOX_AIM_DIGITS ? box_solo_payoff(&box, s.open) : box_sum(s.open));
        phrase_add(text, s.open == 0 ? solo_shut : solo_score, lang, words);
        return;
    }
    double payoffs[GAME_PLAYERS_MAX];
    int winners = 0;
    box_payoff(rules, end, payoffs);
    for (int i = 0; i < box.players; i++)
        if (payoffs[i] > 0)
            text_addf(&list, "%s%d", winners++ > 0 ? ", " : "", i);
    phrase_add(text, winners > 1 ? tie : wins, lang, words);
}
