/* Positions and moves as text.
 *
 *     0,0,2,2/0,0,0,5 1 gae,yut          player 1 has gae and yut to play
 *     9,21/4,20 0 -                      player 0 is about to throw
 *     9,21/4,20 0 gae+                   player 0 has gae left and throws again first
 *
 * Each `+` is a throw that is owed before the list is played; a sheep may owe two. `-` is an empty
 * list with one throw owed. `_` may be written for a space.
 */
#include <stdio.h>

#include "base/number.h"
#include "games/yut/yut.h"

const char *const yut_result_names[YUT_RESULTS] = {"back-do", "do", "gae", "geol", "yut", "mo"};
const Phrase yut_result_words[YUT_RESULTS + 1] = {
    {{"back-do", "빽도"}}, {{"do", "도"}}, {{"gae", "개"}}, {{"geol", "걸"}},
    {{"yut", "윷"}},       {{"mo", "모"}}, {{"nak", "낙"}}};
/* The longer way: at 5 and 10, and at the centre. */
static const Phrase ring_word = {{"ring", "바깥길"}}, long_word = {{"long", "먼길"}};
const char yut_animal_letters[] = "pdscn";

bool yut_find_result(const char *name, YutResult *result) {
    for (int i = 0; i < YUT_RESULTS; i++) {
        if (strcmp(name, yut_result_names[i]) == 0) {
            *result = (YutResult)i;
            return true;
        }
    }
    return false;
}

/* Splits the text at the next `separator`: returns the part before it and moves past it. */
static char *cut(char **text, char separator) {
    char *word = *text;
    char *end = strchr(word, separator);
    if (end)
        *end++ = '\0';
    *text = end;
    return word;
}

static bool read_square(const char *text, uint8_t *square) {
    uint64_t number;
    if (!number_read(text, &number) || (number >= YUT_ARRIVED && number != YUT_ARRIVED_TEXT))
        return false;
    *square = (uint8_t)(number == YUT_ARRIVED_TEXT ? YUT_ARRIVED : number);
    return true;
}

static Status parse_pieces(const YutRules *rules, char *field, YutState *state) {
    int player = 0;
    for (char *rest = field; rest; player++) {
        char *group = cut(&rest, '/');
        int count = 0;
        for (char *at = group; at; count++) {
            const char *word = cut(&at, ',');
            uint8_t square;
            if (!read_square(word, &square))
                return status_make(STATUS_USAGE,
                                   "pieces of player %d: expected squares from 0 to 29, or 100, "
                                   "not %s",
                                   player, quote(word).text);
            if (player < YUT_PLAYERS_MAX && count < YUT_PIECES_MAX)
                state->pieces[player][count] = square;
        }
        if (count != rules->pieces)
            return status_make(STATUS_USAGE, "pieces of player %d: expected %d, not %d", player,
                               rules->pieces, count);
    }
    if (player != rules->players)
        return status_make(STATUS_USAGE, "pieces: expected those of %d players, not of %d",
                           rules->players, player);
    return status_ok();
}

static Status parse_list(char *field, YutState *state) {
    if (strcmp(field, "-") == 0) {
        state->throws = 1;
        return status_ok();
    }
    size_t length = strlen(field);
    for (; length > 0 && field[length - 1] == '+' && state->throws < 3; length--)
        state->throws++;
    field[length] = '\0';
    int previous = 0;
    for (char *at = *field ? field : NULL; at;) {
        const char *word = cut(&at, ',');
        YutResult result;
        if (!yut_find_result(word, &result))
            return status_make(STATUS_USAGE,
                               "list: expected back-do, do, gae, geol, yut or mo, not %s",
                               quote(word).text);
        if ((int)result < previous)
            return status_make(STATUS_USAGE,
                               "list: expected the order back-do, do, gae, geol, yut, "
                               "mo, but %s comes late",
                               quote(word).text);
        previous = (int)result;
        if (state->list[result] < UINT8_MAX)
            state->list[result]++;
    }
    return status_ok();
}

static bool has_animals(const YutRules *rules) {
    for (int i = 0; i < rules->players; i++)
        if (rules->animals[i] != YUT_NO_ANIMAL)
            return true;
    return false;
}

static Status parse_animals(const YutRules *rules, const char *field) {
    char expected[YUT_PLAYERS_MAX + 1] = "";
    for (int i = 0; i < rules->players; i++)
        expected[i] = yut_animal_letters[rules->animals[i]];
    if (strcmp(field, expected) != 0)
        return status_make(STATUS_USAGE, "animals: expected %s, not %s", expected,
                           quote(field).text);
    return status_ok();
}

Status yut_parse_state(const Rules *rules, const char *text, State *state) {
    enum { FIELDS = 4 };
    YutRules yut = yut_rules(rules);
    YutState s = {.turn = 0};
    char spaced[GAME_TEXT_BYTES], storage[GAME_TEXT_BYTES];
    char *fields[FIELDS];
    snprintf(spaced, sizeof spaced, "%s", text);
    for (char *at = spaced; *at; at++)
        if (*at == '_')
            *at = ' ';
    size_t count = strlen(text) < sizeof spaced
                       ? text_split(spaced, storage, sizeof storage, fields, FIELDS)
                       : 0;
    if (count < FIELDS - 1 || count > FIELDS)
        return status_make(STATUS_USAGE,
                           "expected PIECES/PIECES TURN LIST, such as '9,21/4,20 0 -', not %s",
                           quote(text).text);
    Status status = parse_pieces(&yut, fields[0], &s);
    if (!status_is_ok(&status))
        return status;
    uint64_t turn = 0;
    status = number_parse("turn", fields[1], 0, (uint64_t)yut.players - 1, &turn);
    if (!status_is_ok(&status))
        return status;
    s.turn = (uint8_t)turn;
    status = parse_list(fields[2], &s);
    if (status_is_ok(&status) && (count == FIELDS || has_animals(&yut)))
        status = parse_animals(&yut, count == FIELDS ? fields[3] : "");
    if (!status_is_ok(&status))
        return status;
    /* No throw is owed after the end of the game. */
    if (yut_winner(&yut, &s) >= 0 && strcmp(fields[2], "-") == 0)
        s.throws = 0;
    *state = yut_state_pack(&s);
    return yut_check(rules, state);
}

static void print_square(int square, Text *text) {
    text_addf(text, "%d", square == YUT_ARRIVED ? YUT_ARRIVED_TEXT : square);
}

void yut_print_state(const Rules *rules, const State *state, Text *text) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    for (int player = 0; player < yut.players; player++) {
        for (int i = 0; i < yut.pieces; i++) {
            if (i > 0 || player > 0)
                text_add_char(text, i > 0 ? ',' : '/');
            print_square(s.pieces[player][i], text);
        }
    }
    text_addf(text, " %d ", s.turn);
    int results = 0;
    for (int result = 0; result < YUT_RESULTS; result++)
        for (int i = 0; i < s.list[result]; i++)
            text_addf(text, "%s%s", results++ > 0 ? "," : "", yut_result_names[result]);
    if (results == 0 && s.throws < 2)
        text_add_char(text, '-');
    else
        for (int i = 0; i < s.throws; i++)
            text_add_char(text, '+');
    if (has_animals(&yut)) {
        text_add_char(text, ' ');
        for (int i = 0; i < yut.players; i++)
            text_add_char(text, yut_animal_letters[yut.animals[i]]);
    }
}

/* --- moves: `0:gae`, `5:geol:ring`, `22:do:long`; in Korean `0:개`, `5:걸:바깥길`, `22:도:먼길`
 * --- */

/* Finds the result, or a nak, by its name in any language. */
static bool find_result_word(const char *word, YutResult *result) {
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        for (int i = 0; i <= YUT_NAK; i++) {
            if (strcmp(word, yut_result_words[i].in[lang]) == 0) {
                *result = (YutResult)i;
                return true;
            }
        }
    }
    return false;
}

static bool is_word(const char *word, Phrase phrase) {
    for (int lang = 0; lang < LANG_COUNT; lang++)
        if (strcmp(word, phrase.in[lang]) == 0)
            return true;
    return false;
}

static void print_play(Move move, Lang lang, Text *text) {
    text_addf(text, "%d:%s", yut_move_square(move),
              yut_result_words[yut_move_result(move)].in[lang]);
    if (yut_move_detour(move))
        text_addf(text, ":%s",
                  (yut_move_square(move) == YUT_CENTRE ? long_word : ring_word).in[lang]);
}

/* Lists the results that are left to play. */
static void list_results(const YutState *state, Lang lang, Text *text) {
    size_t count = 0, shown = 0;
    for (int result = 0; result < YUT_RESULTS; result++)
        count += state->list[result] > 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        if (state->list[result] == 0)
            continue;
        phrase_add_separator(text, shown++, count, lang);
        text_add(text, yut_result_words[result].in[lang]);
    }
}

/* Lists the squares on which the result can be played. */
static void list_squares(const Move moves[], size_t move_count, YutResult result, Lang lang,
                         Text *text) {
    int squares[YUT_PIECES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < move_count; i++)
        if (yut_move_result(moves[i]) == result && !yut_move_detour(moves[i]))
            squares[count++] = yut_move_square(moves[i]);
    for (size_t i = 0; i < count; i++) {
        phrase_add_separator(text, i, count, lang);
        text_addf(text, "%d", squares[count - 1 - i]);
    }
}

/* A move as it was typed. */
typedef struct TypedMove {
    Move move;
    bool is_ring, is_long; /* the word for the longer way that was given, if any */
} TypedMove;

/* Why a move is not among the legal ones. */
static Phrase reason_against(const YutRules *rules, const YutState *state, const TypedMove *typed) {
    static const Phrase not_thrown = {{"move: {2} is not in the list; expected {4}",
                                       "{2}: 남은 결과가 아닙니다. 남은 결과: {4}"}};
    static const Phrase no_ring = {{"move: the ring cannot be chosen at {1} with {2}; expected {3}",
                                    "{1}에서 {2}: 바깥길을 고를 수 없습니다. 예: {3}"}};
    static const Phrase no_long = {
        {"move: the long way cannot be chosen at {1} with {2}; expected {3}",
         "{1}에서 {2}: 먼길을 고를 수 없습니다. 예: {3}"}};
    static const Phrase back_on_0 = {
        {"move: back-do is played on 0 only while no piece can go back; expected {5}",
         "빽도: 뒤로 갈 말이 없을 때만 0에 씁니다. 쓸 수 있는 칸: {5}"}};
    static const Phrase nobody = {{"move: player {0} has no piece on {1}; expected {5}",
                                   "{1}: 선수 {0}의 말이 없는 칸입니다. 말이 있는 칸: {5}"}};
    static const Phrase no_back = {{"move: back-do cannot be played on {1}; expected {5}",
                                    "{1}: 빽도를 쓸 수 없는 칸입니다. 쓸 수 있는 칸: {5}"}};
    static const Phrase too_far = {
        {"move: only do and gae can be played on {1}, not {2}; expected {5}",
         "{1}에서 {2}: 이 칸에서는 도와 개만 쓸 수 있습니다. 쓸 수 있는 칸: {5}"}};
    YutResult result = yut_move_result(typed->move);
    int square = yut_move_square(typed->move);
    if (state->list[result] == 0)
        return not_thrown;
    if (typed->is_ring || typed->is_long)
        return typed->is_ring ? no_ring : no_long;
    if (result == YUT_BACK_DO && square == 0)
        return back_on_0;
    if (!memchr(state->pieces[state->turn], square, rules->pieces))
        return nobody;
    return result == YUT_BACK_DO ? no_back : too_far;
}

/* Says why the move is not among the legal ones, and what is possible instead. */
static Status refuse_play(const Rules *rules, const YutState *state, const TypedMove *typed,
                          const Move legal[], size_t legal_count, Lang lang) {
    YutRules yut = yut_rules(rules);
    int square = yut_move_square(typed->move);
    YutResult result = yut_move_result(typed->move);
    char player[16], number[16], plain[32], results[64], squares[32];
    Text plain_text = text_over(plain, sizeof plain);
    Text results_text = text_over(results, sizeof results);
    Text squares_text = text_over(squares, sizeof squares);
    snprintf(player, sizeof player, "%d", state->turn);
    snprintf(number, sizeof number, "%d", square);
    print_play(yut_move_pack(square, result, false), lang, &plain_text);
    list_results(state, lang, &results_text);
    list_squares(legal, legal_count, result, lang, &squares_text);
    const char *const words[] = {player, number,  yut_result_words[result].in[lang],
                                 plain,  results, squares};
    return phrase_failure(STATUS_USAGE, reason_against(&yut, state, typed), lang, words);
}

static Status parse_throw(const Rules *rules, const State *state, const char *text, Lang lang,
                          Move *move) {
    static const Phrase expected = {
        {"throw: expected {0}, not {1}", "던진 결과 {1}: 다음 중 하나여야 합니다: {0}"}};
    Chance chances[GAME_CHANCES_MAX];
    uint64_t denominator;
    YutResult result;
    size_t count = yut_chances(rules, state, chances, &denominator);
    bool is_result = find_result_word(text, &result);
    char results[64];
    Text list = text_over(results, sizeof results);
    for (size_t i = 0; i < count; i++) {
        if (is_result && chances[i].move == (Move)result) {
            *move = (Move)result;
            return status_ok();
        }
        phrase_add_separator(&list, i, count, lang);
        text_add(&list, yut_result_words[chances[i].move].in[lang]);
    }
    return phrase_failure(STATUS_USAGE, expected, lang,
                          (const char *const[]){results, quote(text).text});
}

/* Reads SQUARE:RESULT, and `:ring` or `:long` after it; false if the text has another form. */
static bool read_play(const char *text, TypedMove *typed) {
    char storage[48];
    if (strlen(text) >= sizeof storage)
        return false;
    snprintf(storage, sizeof storage, "%s", text);
    char *rest = storage;
    uint8_t square;
    YutResult result;
    const char *where = cut(&rest, ':');
    const char *what = rest ? cut(&rest, ':') : "";
    typed->is_ring = rest && is_word(rest, ring_word);
    typed->is_long = rest && is_word(rest, long_word);
    if ((rest && !typed->is_ring && !typed->is_long) || !read_square(where, &square) ||
        square == YUT_ARRIVED || !find_result_word(what, &result) || result == YUT_NAK)
        return false;
    typed->move = yut_move_pack(square, result, rest != NULL);
    return true;
}

/* Whether the word for the longer way, if there is one, fits the square. */
static bool fits_square(const TypedMove *typed) {
    bool is_centre = yut_move_square(typed->move) == YUT_CENTRE;
    return is_centre ? !typed->is_ring : !typed->is_long;
}

Status yut_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                      Move *move) {
    static const Phrase over = {{"the game is over", "이미 끝난 게임입니다"}};
    static const Phrase expected = {{"move: expected POSITION:RESULT, such as {0}, not {1}",
                                     "{1}: '칸:결과'로 적어야 합니다. 예: {0}"}};
    int actor = yut_actor(rules, state);
    if (actor == GAME_END)
        return phrase_failure(STATUS_USAGE, over, lang, NULL);
    if (actor == GAME_CHANCE)
        return parse_throw(rules, state, text, lang, move);
    YutState s = yut_state(state);
    Move legal[GAME_MOVES_MAX];
    TypedMove typed;
    size_t count = yut_moves(rules, state, legal);
    if (!read_play(text, &typed)) {
        char example[32];
        Text example_text = text_over(example, sizeof example);
        print_play(legal[0], lang, &example_text);
        return phrase_failure(STATUS_USAGE, expected, lang,
                              (const char *const[]){example, quote(text).text});
    }
    for (size_t i = 0; i < count && fits_square(&typed); i++) {
        if (legal[i] == typed.move) {
            *move = typed.move;
            return status_ok();
        }
    }
    return refuse_play(rules, &s, &typed, legal, count, lang);
}

void yut_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text) {
    if (yut_actor(rules, state) == GAME_CHANCE)
        text_add(text, yut_result_words[move].in[lang]);
    else
        print_play(move, lang, text);
}
