/* Positions and moves as text: `13456789 1 17 12`, `3+9`. With more than nine tiles, tiles are
 * separated by commas: `1,2,10,12`. In a game of several rounds two fields follow: the round, from
 * 1
 * (`-` if their number is not limited), and the totals before it: `13456789 1 17 12 2 20,31`. In
 * the place of its score, a player who is out has an `x`. */
#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "games/box/box.h"

void box_print_tiles(const BoxRules *rules, TileSet set, Text *text) {
    const char *between = rules->tiles > 9 ? "," : "";
    if (set == 0)
        text_add_char(text, '-');
    for (TileSet rest = set; rest; rest &= rest - 1)
        text_addf(text, "%s%d", rest == set ? "" : between, __builtin_ctz(rest) + 1);
}

static const Phrase open_field = {{"open tiles", "열린 숫자판"}}, move_field = {{"move", "수"}};

/* Adds one tile to the set; tiles must come in increasing order. */
static Status add_tile(const BoxRules *rules, Phrase field, const char *digits, Lang lang,
                       TileSet *set) {
    static const Phrase range = {{"{0}: expected tiles from 1 to {1}, not {2}",
                                  "{0}: 1부터 {1}까지의 숫자판이어야 하는데 {2}입니다"}};
    static const Phrase separated = {
        {"{0}: expected tiles from 1 to {1} separated by commas, not {2}",
         "{0}: 1부터 {1}까지의 숫자판을 쉼표로 나누어 적어야 하는데 {2}입니다"}};
    static const Phrase order = {{"{0}: expected increasing tiles, but {2} is not",
                                  "{0}: 작은 숫자판부터 적어야 하는데 {2}은(는) 아닙니다"}};
    char last[16];
    snprintf(last, sizeof last, "%d", rules->tiles);
    Quoted quoted = quote(digits);
    const char *const words[] = {field.in[lang], last, quoted.text};
    uint64_t tile;
    if (!number_read(digits, &tile) || tile < 1 || tile > (uint64_t)rules->tiles)
        return phrase_failure(STATUS_USAGE, rules->tiles > 9 ? separated : range, lang, words);
    TileSet bit = 1u << (tile - 1);
    if (*set >= bit)
        return phrase_failure(STATUS_USAGE, order, lang, words);
    *set |= bit;
    return status_ok();
}

/* Reads tiles separated by `separator`, or consecutive single digits if it is 0. */
static Status parse_tiles(const BoxRules *rules, Phrase field, char separator, const char *text,
                          Lang lang, TileSet *set) {
    static const Phrase nothing = {
        {"{0}: expected tiles, found nothing", "{0}: 숫자판을 적어야 하는데 비어 있습니다"}};
    *set = 0;
    if (*text == '\0')
        return phrase_failure(STATUS_USAGE, nothing, lang, (const char *const[]){field.in[lang]});
    while (true) {
        char digits[GAME_TEXT_BYTES];
        size_t length = separator ? (size_t)(strchrnul(text, separator) - text) : 1;
        if (length >= sizeof digits)
            length = sizeof digits - 1;
        memcpy(digits, text, length);
        digits[length] = '\0';
        Status status = add_tile(rules, field, digits, lang, set);
        if (!status_is_ok(&status))
            return status;
        text += length;
        if (*text == '\0')
            return status_ok();
        if (separator)
            text++;
    }
}

Status box_parse_tiles(const BoxRules *rules, const char *text, TileSet *set) {
    return parse_tiles(rules, open_field, rules->tiles > 9 ? ',' : '\0', text, LANG_EN, set);
}

/* `outs` receives bit p for every player p that is said to be out. */
static Status parse_scores(const BoxRules *rules, char *field, BoxState *state, unsigned *outs) {
    uint64_t total = (uint64_t)box_sum(box_all_tiles(rules));
    int count = 0;
    *outs = 0;
    if (strcmp(field, "-") != 0) {
        for (char *at = field; at; count++) {
            char *comma = strchr(at, ',');
            if (comma)
                *comma = '\0';
            uint64_t score = 0;
            bool is_out = strcmp(at, "x") == 0 && rules->limit > 0;
            Status status =
                is_out ? status_ok()
                       : number_parse("scores", at, rules->shut_scores_0 ? 0 : 1, total, &score);
            if (!status_is_ok(&status))
                return status;
            if (count < state->player) {
                state->scores[count] = (uint16_t)score;
                *outs |= (unsigned)is_out << count;
            }
            at = comma ? comma + 1 : NULL;
        }
    }
    if (count != state->player)
        return status_make(STATUS_USAGE,
                           "scores: expected %d (one for each player before player %d), not %d",
                           state->player, state->player, count);
    return status_ok();
}

/* Whether the players that are said to be out are those that are. */
static Status check_outs(const BoxRules *rules, const BoxState *state, unsigned outs) {
    for (int i = 0; i < state->player; i++)
        if ((outs >> i & 1) == box_is_in(rules, state->totals[i]))
            return status_make(STATUS_USAGE,
                               outs >> i & 1 ? "scores: player %d is not out: expected a score"
                                             : "scores: player %d is out: expected x",
                               i);
    return status_ok();
}

/* Parses the round and the totals. */
static Status parse_rounds(const BoxRules *rules, const char *round_text, char *totals,
                           BoxState *state) {
    uint64_t round = 1;
    int count = 0;
    Status status = status_ok();
    if (rules->rounds > 0)
        status = number_parse("round", round_text, 1, (uint64_t)rules->rounds, &round);
    else if (strcmp(round_text, "-") != 0)
        status = status_make(STATUS_USAGE, "round: expected -, as their number is not limited");
    for (char *at = totals; at && status_is_ok(&status); count++) {
        char *comma = strchr(at, ',');
        uint64_t number = 0;
        if (comma)
            *comma = '\0';
        status = number_parse("totals", at, 0, UINT16_MAX, &number);
        if (count < rules->players)
            state->totals[count] = (uint16_t)number;
        at = comma ? comma + 1 : NULL;
    }
    if (status_is_ok(&status) && count != rules->players)
        status = status_make(STATUS_USAGE, "totals: expected %d, one for each player, not %d",
                             rules->players, count);
    state->round = (uint16_t)(round - 1);
    return status;
}

Status box_parse_state(const Rules *rules, const char *text, State *state) {
    enum { FIELDS = 4, FIELDS_MAX = 6 };
    BoxRules box = box_rules(rules);
    bool is_single = box_is_single(&box);
    BoxState s = {.open = 0};
    char storage[GAME_TEXT_BYTES];
    char *fields[FIELDS_MAX];
    size_t count = text_split(text, storage, sizeof storage, fields, FIELDS_MAX);
    if (count != (is_single ? FIELDS : FIELDS_MAX))
        return status_make(
            STATUS_USAGE, "expected OPEN PLAYER SCORES ROLL%s, such as '123456789 0 - -%s', not %s",
            is_single ? "" : " ROUND TOTALS",
            is_single         ? ""
            : box.rounds == 0 ? " - 20,31"
                              : " 2 20,31",
            quote(text).text);

    if (strcmp(fields[0], "-") != 0) {
        Status status = box_parse_tiles(&box, fields[0], &s.open);
        if (!status_is_ok(&status))
            return status;
    }
    uint64_t player = 0;
    Status status = number_parse("player", fields[1], 0, (uint64_t)box.players, &player);
    if (!status_is_ok(&status))
        return status;
    s.player = (uint8_t)player;
    unsigned outs;
    status = parse_scores(&box, fields[2], &s, &outs);
    if (!status_is_ok(&status))
        return status;
    if (strcmp(fields[3], "-") != 0) {
        uint64_t roll = 0;
        status = number_parse("roll", fields[3], 1, box_roll_max(&box, box.dice), &roll);
        if (!status_is_ok(&status))
            return status;
        s.roll = (uint8_t)roll;
    }
    if (!is_single)
        status = parse_rounds(&box, fields[FIELDS], fields[FIELDS + 1], &s);
    if (status_is_ok(&status))
        status = check_outs(&box, &s, outs);
    if (!status_is_ok(&status))
        return status;
    *state = box_state_pack(&s);
    return box_check(rules, state);
}

void box_print_state(const Rules *rules, const State *state, Text *text) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    box_print_tiles(&box, s.open, text);
    text_addf(text, " %d ", s.player);
    if (s.player == 0)
        text_add_char(text, '-');
    for (int i = 0; i < s.player; i++) {
        text_add(text, i > 0 ? "," : "");
        if (box_is_in(&box, s.totals[i]))
            text_addf(text, "%d", s.scores[i]);
        else
            text_add_char(text, 'x');
    }
    if (s.roll > 0)
        text_addf(text, " %d", s.roll);
    else
        text_add(text, " -");
    if (box_is_single(&box))
        return;
    if (box.rounds > 0)
        text_addf(text, " %d", s.round + 1);
    else
        text_add(text, " -");
    for (int i = 0; i < box.players; i++)
        text_addf(text, "%c%d", i > 0 ? ',' : ' ', s.totals[i]);
}

static Status parse_roll(const BoxRules *rules, const BoxState *state, const char *text, Lang lang,
                         Move *move) {
    static const Phrase expected = {{"roll: expected a whole number from {0} to {1}, not {2}",
                                     "주사위: {0}부터 {1}까지의 수여야 하는데 {2}입니다"}};
    int dice = box_dice(rules, state->open);
    uint64_t highest = box_roll_max(rules, dice);
    uint64_t roll;
    if (number_read(text, &roll) && roll >= (uint64_t)dice && roll <= highest) {
        *move = (Move)roll;
        return status_ok();
    }
    char low[16], high[24];
    snprintf(low, sizeof low, "%d", dice);
    snprintf(high, sizeof high, "%" PRIu64, highest);
    return phrase_failure(STATUS_USAGE, expected, lang,
                          (const char *const[]){low, high, quote(text).text});
}

Status box_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                      Move *move) {
    static const Phrase over = {{"the game is over", "이미 끝난 게임입니다"}};
    static const Phrase closed = {{"move: tile {0} of {1} is closed; open tiles: {2}",
                                   "수 {1}: 숫자판 {0}은(는) 닫혀 있습니다. 열린 숫자판: {2}"}};
    static const Phrase wrong_sum = {{"move: expected tiles that sum to {3}, but {1} sums to {4}",
                                      "수 {1}: 숫자판의 합이 {3}이어야 하는데 {4}입니다"}};
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    int actor = box_actor(rules, state);
    if (actor == GAME_END)
        return phrase_failure(STATUS_USAGE, over, lang, NULL);
    if (actor == GAME_CHANCE)
        return parse_roll(&box, &s, text, lang, move);
    TileSet set;
    Status status = parse_tiles(&box, move_field, '+', text, lang, &set);
    if (!status_is_ok(&status))
        return status;
    if (!(set & ~s.open) && box_sum(set) == s.roll) {
        *move = set;
        return status_ok();
    }
    char tile[16], open[GAME_TEXT_BYTES], roll[16], sum[16];
    Text open_text = text_over(open, sizeof open);
    Quoted quoted = quote(text);
    snprintf(tile, sizeof tile, "%d", set & ~s.open ? __builtin_ctz(set & ~s.open) + 1 : 0);
    box_print_tiles(&box, s.open, &open_text);
    snprintf(roll, sizeof roll, "%d", s.roll);
    snprintf(sum, sizeof sum, "%d", box_sum(set));
    const char *const words[] = {tile, quoted.text, open, roll, sum};
    return phrase_failure(STATUS_USAGE, set & ~s.open ? closed : wrong_sum, lang, words);
}

void box_print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text) {
    (void)lang;
    if (box_actor(rules, state) == GAME_CHANCE) {
        text_add_number(text, move);
        return;
    }
    for (TileSet rest = move; rest; rest &= rest - 1)
        text_addf(text, "%s%d", rest == move ? "" : "+", __builtin_ctz(rest) + 1);
}
