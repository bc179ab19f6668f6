/* Positions and moves as text.
 *
 *     0,0,10,25 37 4,1,?     the puzzle: pieces, score, throws left; ? is not thrown yet
 *     1 2 3 4 1 2 3 4 1 2    the start of the puzzle, given by its throws
 *     0,0,10,25 37 4         online: the last field is the number of throws left
 *     0,0,10,25 37 4 3       online, and the present throw is 3
 *
 * A move names the square that a piece leaves and the one where it stops: 10-16i. The first square
 * is enough. With one piece, three words are always pieces, score and throws.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "games/dice/dice.h"

static int by_square(const void *a, const void *b) {
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* Copies the text up to the next comma into `word` and moves past it. False at the end. */
static bool next_item(const char **at, char word[GAME_TEXT_BYTES]) {
    if (!*at)
        return false;
    size_t length = strcspn(*at, ",");
    snprintf(word, GAME_TEXT_BYTES, "%.*s", (int)length, *at);
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

const char *dice_number_word(int number) {
    static const char *const words[DICE_THROWS_MAX + 1] = {
        "no",    "one",   "two",  "three", "four",   "five",  "six",
        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    return words[number];
}

/* Parses the squares of `wanted` pieces; the others stand on the finish. */
static Status parse_pieces(const char *text, int wanted, uint8_t pieces[DICE_PIECES]) {
    static const char *const shapes[DICE_PIECES + 1] = {"", "25", "10,25", "0,10,25", "0,0,10,25"};
    char word[GAME_TEXT_BYTES];
    const char *at = text;
    int count = 0;
    while (next_item(&at, word)) {
        uint8_t square;
        if (!dice_find_square(word, &square))
            return status_make(STATUS_USAGE,
                               "pieces: no square %s; expected 0 for the start, 2 to 40 of the "
                               "ring, 13 16i 19 22i 24i 28i 27 26i 25 30i 35 inside, F for the "
                               "finish",
                               quote(word).text);
        if (count < wanted)
            pieces[count] = square;
        count++;
    }
    if (count != wanted)
        return status_make(STATUS_USAGE, "pieces: expected %s square%s, such as %s, not %s",
                           dice_number_word(wanted), wanted > 1 ? "s" : "", shapes[wanted],
                           quote(text).text);
    for (int i = wanted; i < DICE_PIECES; i++)
        pieces[i] = DICE_FINISH;
    qsort(pieces, DICE_PIECES, 1, by_square);
    return status_ok();
}

static Status parse_throw(const char *text, uint8_t *throw) {
    uint64_t number = 0;
    Status status = number_parse("throw", text, 1, DICE_SIDES, &number);
    *throw = (uint8_t)number;
    return status;
}

Status dice_parse_throws(char *const words[], size_t count, int wanted,
                         uint8_t throws[DICE_THROWS_MAX]) {
    size_t number = (size_t)wanted;
    if (count != number)
        return status_make(STATUS_USAGE, "expected %s throw%s, numbers from 1 to 5, not %s%zu",
                           dice_number_word(wanted), wanted > 1 ? "s" : "",
                           count > number ? "more than " : "", count > number ? number : count);
    for (size_t i = 0; i < number; i++) {
        Status status = parse_throw(words[i], &throws[i]);
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

/* Parses the throws left: `4,1,?`, or `-` for none. */
static Status parse_known(const char *text, int throws_max, DiceState *dice) {
    char word[GAME_TEXT_BYTES];
    const char *at = text;
    if (strcmp(text, "-") == 0)
        return status_ok();
    while (next_item(&at, word)) {
        if (dice->left == throws_max)
            return status_make(STATUS_USAGE, "throws: expected at most %s",
                               dice_number_word(throws_max));
        uint8_t *throw = &dice->throws[dice->left];
        Status status = strcmp(word, "?") == 0 ? status_ok() : parse_throw(word, throw);
        if (!status_is_ok(&status))
            return status;
        dice->left++;
    }
    return status_ok();
}

/* Parses the number of throws left and, unless NULL, the present throw. */
static Status parse_online(const char *left_text, const char *throw_text, uint64_t throws_max,
                           DiceState *dice) {
    uint64_t left = 0;
    Status status = number_parse("throws left", left_text, 0, throws_max, &left);
    dice->left = (uint8_t)left;
    if (status_is_ok(&status) && throw_text && left == 0)
        return status_make(STATUS_USAGE, "throw: there is none left");
    return status_is_ok(&status) && throw_text ? parse_throw(throw_text, &dice->throws[0]) : status;
}

Status dice_parse_state(const Rules *rules, const char *text, State *state) {
    enum { FIELDS = 3, WORDS_MAX = DICE_THROWS_MAX };
    DiceState dice = {.left = 0};
    DiceRules all = dice_rules(rules);
    bool online = all.online;
    char storage[GAME_TEXT_BYTES];
    char *words[WORDS_MAX];
    uint64_t score = 0;
    Status status;
    size_t count = text_split(text, storage, sizeof storage, words, WORDS_MAX);
    bool is_throws = count > 0 && count <= WORDS_MAX && !strchr(words[0], ',') &&
                     !(all.pieces == 1 && count == FIELDS);
    if (!online && (is_throws || count > FIELDS)) {
        State start = dice_start(rules);
        dice = dice_state(&start);
        status = dice_parse_throws(words, count, all.throws, dice.throws);
    } else if (count != FIELDS && !(online && count == FIELDS + 1)) {
        return online ? status_make(STATUS_USAGE,
                                    "expected PIECES SCORE THROWS [THROW], such as "
                                    "'0,0,10,25 37 4 3', not %s",
                                    quote(text).text)
                      : status_make(STATUS_USAGE,
                                    "expected %s throws, or PIECES SCORE THROWS such as "
                                    "'0,0,10,25 37 4,1,2', not %s",
                                    dice_number_word(all.throws), quote(text).text);
    } else {
        status = parse_pieces(words[0], all.pieces, dice.pieces);
        if (status_is_ok(&status))
            status = number_parse("score", words[1], 0, DICE_SCORE_MAX, &score);
        dice.score = (uint16_t)score;
        if (status_is_ok(&status))
            status = online ? parse_online(words[2], count > FIELDS ? words[FIELDS] : NULL,
                                           all.throws, &dice)
                            : parse_known(words[2], all.throws, &dice);
    }
    if (!status_is_ok(&status))
        return status;
    *state = dice_state_pack(&dice);
    return dice_check(rules, state);
}

void dice_print_state(const Rules *rules, const State *state, Text *text) {
    DiceState dice = dice_state(state);
    for (int i = 0; i < dice_rules(rules).pieces; i++)
        text_addf(text, "%s%s", i > 0 ? "," : "", dice_squares[dice.pieces[i]].name);
    text_addf(text, " %d ", dice.score);
    if (dice_rules(rules).online) {
        text_addf(text, "%d", dice.left);
        if (dice.throws[0] > 0)
            text_addf(text, " %d", dice.throws[0]);
        return;
    }
    if (dice.left == 0)
        text_add(text, "-");
    for (int i = 0; i < dice.left; i++)
        text_addf(text, "%s%c", i > 0 ? "," : "", dice.throws[i] ? '0' + dice.throws[i] : '?');
}

Status dice_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                       Move *move) {
    static const Phrase over = {{"the game is over", "이미 끝난 게임입니다"}};
    static const Phrase bad_throw = {{"throw: expected a whole number from 1 to 5, not {0}",
                                      "던진 수: 1부터 5까지의 수여야 하는데 {0}입니다"}};
    static const Phrase never = {{"throw: {0} never comes up: its weight is 0",
                                  "던진 수: {0}은(는) 비율이 0이라 나오지 않습니다"}};
    static const Phrase bad_move = {
        {"move: expected {1}, not {0}", "수 {0}: 다음 중 하나여야 합니다: {1}"}};
    int actor = dice_actor(rules, state);
    Quoted quoted = quote(text);
    if (actor == GAME_END)
        return phrase_failure(STATUS_USAGE, over, lang, NULL);
    if (actor == GAME_CHANCE) {
        uint8_t throw;
        Status status = parse_throw(text, &throw);
        if (status_is_ok(&status) && dice_rules(rules).faces.weights[throw] == 0)
            return phrase_failure(STATUS_USAGE, never, lang, (const char *const[]){quoted.text});
        *move = throw;
        return status_is_ok(&status) ? status
                                     : phrase_failure(STATUS_USAGE, bad_throw, lang,
                                                      (const char *const[]){quoted.text});
    }
    DiceState dice = dice_state(state);
    char from[GAME_TEXT_BYTES], to[GAME_TEXT_BYTES];
    size_t length = strcspn(text, "-");
    snprintf(from, sizeof from, "%.*s", (int)length, text);
    snprintf(to, sizeof to, "%s", text[length] ? text + length + 1 : "");
    Move moves[DICE_PIECES];
    size_t count = dice_moves(rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        uint8_t end = dice_destination((uint8_t)moves[i], dice.throws[0]);
        if (strcmp(from, dice_squares[moves[i]].name) == 0 &&
            (!text[length] || strcmp(to, dice_squares[end].name) == 0)) {
            *move = moves[i];
            return status_ok();
        }
    }
    char list[GAME_TEXT_BYTES];
    Text list_text = text_over(list, sizeof list);
    for (size_t i = 0; i < count; i++) {
        phrase_add_separator(&list_text, i, count, lang);
        dice_print_move(rules, state, moves[i], lang, &list_text);
    }
    return phrase_failure(STATUS_USAGE, bad_move, lang, (const char *const[]){quoted.text, list});
}

void dice_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text) {
    (void)lang;
    DiceState dice = dice_state(state);
    if (dice_actor(rules, state) == GAME_CHANCE)
        text_addf(text, "%u", (unsigned)move);
    else
        text_addf(text, "%s-%s", dice_squares[move].name,
                  dice_squares[dice_destination((uint8_t)move, dice.throws[0])].name);
}
