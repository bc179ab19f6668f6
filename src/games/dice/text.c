/* Positions and moves as text.
 *
 *     0,0,10,25 37 4,1,?     the puzzle: pieces, score, throws left; ? is not thrown yet
 *     1 2 3 4 1 2 3 4 1 2    the start of the puzzle, given by its ten throws
 *     0,0,10,25 37 4         online: the last field is the number of throws left
 *     0,0,10,25 37 4 3       online, and the present throw is 3
 *
 * A move names the square that a piece leaves and the one where it stops: 10-16i. The first square
 * is enough.
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

static Status parse_pieces(const char *text, uint8_t pieces[DICE_PIECES]) {
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
        if (count < DICE_PIECES)
            pieces[count] = square;
        count++;
    }
    if (count != DICE_PIECES)
        return status_make(STATUS_USAGE, "pieces: expected four squares, such as 0,0,10,25, not %s",
                           quote(text).text);
    qsort(pieces, DICE_PIECES, 1, by_square);
    return status_ok();
}

static Status parse_throw(const char *text, uint8_t *throw) {
    uint64_t number = 0;
    Status status = number_parse("throw", text, 1, DICE_SIDES, &number);
    *throw = (uint8_t)number;
    return status;
}

Status dice_parse_throws(char *const words[], size_t count, uint8_t throws[DICE_THROWS]) {
    if (count != DICE_THROWS)
        return status_make(STATUS_USAGE, "expected ten throws, numbers from 1 to 5, not %s%zu",
                           count > DICE_THROWS ? "more than " : "",
                           count > DICE_THROWS ? (size_t)DICE_THROWS : count);
    for (size_t i = 0; i < DICE_THROWS; i++) {
        Status status = parse_throw(words[i], &throws[i]);
        if (!status_is_ok(&status))
            return status;
    }
    return status_ok();
}

/* Parses the throws left: `4,1,?`, or `-` for none. */
static Status parse_known(const char *text, DiceState *dice) {
    char word[GAME_TEXT_BYTES];
    const char *at = text;
    if (strcmp(text, "-") == 0)
        return status_ok();
    while (next_item(&at, word)) {
        if (dice->left == DICE_THROWS)
            return status_make(STATUS_USAGE, "throws: expected at most ten");
        uint8_t *throw = &dice->throws[dice->left];
        Status status = strcmp(word, "?") == 0 ? status_ok() : parse_throw(word, throw);
        if (!status_is_ok(&status))
            return status;
        dice->left++;
    }
    return status_ok();
}

/* Parses the number of throws left and, unless NULL, the present throw. */
static Status parse_online(const char *left_text, const char *throw_text, DiceState *dice) {
    uint64_t left = 0;
    Status status = number_parse("throws left", left_text, 0, DICE_THROWS, &left);
    dice->left = (uint8_t)left;
    if (status_is_ok(&status) && throw_text && left == 0)
        return status_make(STATUS_USAGE, "throw: there is none left");
    return status_is_ok(&status) && throw_text ? parse_throw(throw_text, &dice->throws[0]) : status;
}

Status dice_parse_state(const Rules *rules, const char *text, State *state) {
    enum { FIELDS = 3 };
    DiceState dice = {.left = 0};
    bool online = dice_rules(rules).online;
    char storage[GAME_TEXT_BYTES];
    char *words[DICE_THROWS];
    uint64_t score = 0;
    Status status;
    size_t count = text_split(text, storage, sizeof storage, words, DICE_THROWS);
    bool is_throws = count > 0 && count <= DICE_THROWS && !strchr(words[0], ',');
    if (!online && (is_throws || count > FIELDS)) {
        dice.left = DICE_THROWS;
        status = dice_parse_throws(words, count, dice.throws);
    } else if (count != FIELDS && !(online && count == FIELDS + 1)) {
        return status_make(STATUS_USAGE, "expected %s, not %s",
                           online ? "PIECES SCORE THROWS [THROW], such as '0,0,10,25 37 4 3'"
                                  : "ten throws, or PIECES SCORE THROWS such as "
                                    "'0,0,10,25 37 4,1,2'",
                           quote(text).text);
    } else {
        status = parse_pieces(words[0], dice.pieces);
        if (status_is_ok(&status))
            status = number_parse("score", words[1], 0, DICE_SCORE_MAX, &score);
        dice.score = (uint16_t)score;
        if (status_is_ok(&status))
            status = online ? parse_online(words[2], count > FIELDS ? words[FIELDS] : NULL, &dice)
                            : parse_known(words[2], &dice);
    }
    if (!status_is_ok(&status))
        return status;
    *state = dice_state_pack(&dice);
    return dice_check(rules, state);
}

void dice_print_state(const Rules *rules, const State *state, Text *text) {
    DiceState dice = dice_state(state);
    for (int i = 0; i < DICE_PIECES; i++)
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
    static const Phrase bad_move = {
        {"move: expected {1}, not {0}", "수 {0}: 다음 중 하나여야 합니다: {1}"}};
    int actor = dice_actor(rules, state);
    Quoted quoted = quote(text);
    if (actor == GAME_END)
        return phrase_failure(STATUS_USAGE, over, lang, NULL);
    if (actor == GAME_CHANCE) {
        uint8_t throw;
        Status status = parse_throw(text, &throw);
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
