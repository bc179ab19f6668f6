/* Positions and moves as text.
 *
 *     0,0,2,2/0,0,0,5 1 gae,yut          player 1 has gae and yut to play
 *     9,21/4,20 0 -                      player 0 is about to throw
 *     9,21/4,20 0 gae+                   player 0 has gae left and throws again first
 *
 * A `+` stands for each throw that is owed before the list is played; a sheep may owe two. Where
 * nothing has been thrown yet, `-` stands for a single `+`. `_` may stand for a space.
 */
#include <stdio.h>

#include "base/number.h"
#include "games/yut/yut.h"

const char *const yut_result_names[YUT_RESULTS] = {"back-do", "do", "gae", "geol", "yut", "mo"};
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

/* Cuts the text at the next `separator`: returns what is before it, and moves past it. */
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
    /* After the end there is nothing to throw. */
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

/* Says why the move is not among the legal ones. */
static Status why_not(const Rules *rules, const YutState *state, int square, YutResult result,
                      bool ring) {
    YutRules yut = yut_rules(rules);
    const uint8_t *pieces = state->pieces[state->turn];
    bool there = memchr(pieces, square, yut.pieces) != NULL;
    if (state->list[result] == 0)
        return status_make(STATUS_USAGE, "move: %s is not in the list", yut_result_names[result]);
    if (ring)
        return status_make(STATUS_USAGE, "move: the ring cannot be chosen at %d", square);
    if (result == YUT_BACK_DO && square == 0)
        return status_make(STATUS_USAGE,
                           "move: back-do is played on 0 only while no piece can go back");
    if (!there)
        return status_make(STATUS_USAGE, "move: player %d has no piece on %d", state->turn, square);
    return status_make(STATUS_USAGE, "move: back-do cannot be played on %d", square);
}

Status yut_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                      Move *move) {
    (void)lang;
    YutState s = yut_state(state);
    int actor = yut_actor(rules, state);
    YutResult result;
    if (actor == GAME_END)
        return status_make(STATUS_USAGE, "the game is over");
    if (actor == GAME_CHANCE) {
        Chance chances[GAME_CHANCES_MAX];
        uint64_t denominator;
        size_t count = yut_chances(rules, state, chances, &denominator);
        if (yut_find_result(text, &result)) {
            *move = (Move)result;
            for (size_t i = 0; i < count; i++)
                if (chances[i].move == *move)
                    return status_ok();
        }
        return status_make(STATUS_USAGE, "throw: expected a result such as gae, not %s",
                           quote(text).text);
    }
    char storage[32] = "";
    uint8_t square = 0;
    char *rest = storage;
    bool fits = strlen(text) < sizeof storage;
    if (fits)
        snprintf(storage, sizeof storage, "%s", text);
    const char *where = cut(&rest, ':');
    const char *what = rest ? cut(&rest, ':') : "";
    bool ring = rest && strcmp(rest, "ring") == 0;
    if (!fits || (rest && !ring) || !read_square(where, &square) || square == YUT_ARRIVED ||
        !yut_find_result(what, &result))
        return status_make(STATUS_USAGE, "move: expected POSITION:RESULT, such as 0:gae, not %s",
                           quote(text).text);
    Move wanted = yut_move_pack(square, result, ring);
    Move moves[GAME_MOVES_MAX];
    size_t count = yut_moves(rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == wanted) {
            *move = wanted;
            return status_ok();
        }
    }
    return why_not(rules, &s, square, result, ring);
}

void yut_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text) {
    (void)lang;
    if (yut_actor(rules, state) == GAME_CHANCE) {
        text_add(text, yut_result_names[move]);
        return;
    }
    text_addf(text, "%d:%s%s", yut_move_square(move), yut_result_names[yut_move_result(move)],
              yut_move_ring(move) ? ":ring" : "");
}
