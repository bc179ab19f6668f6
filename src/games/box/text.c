/* Positions and moves as text: `13456789 1 17 12`, `3+9`. With more than nine tiles, tiles are
 * separated by commas: `1,2,10,12`. */
#include "base/number.h"
#include "games/box/box.h"

void box_print_tiles(const BoxRules *rules, TileSet set, Text *text) {
    const char *between = rules->tiles > 9 ? "," : "";
    if (set == 0)
        text_add_char(text, '-');
    for (TileSet rest = set; rest; rest &= rest - 1)
        text_addf(text, "%s%d", rest == set ? "" : between, __builtin_ctz(rest) + 1);
}

/* Adds one tile to the set; tiles must come in increasing order. */
static Status add_tile(const BoxRules *rules, const char *field, const char *digits, TileSet *set) {
    uint64_t tile;
    if (!number_read(digits, &tile) || tile < 1 || tile > (uint64_t)rules->tiles)
        return status_make(STATUS_USAGE, "%s: expected tiles from 1 to %d%s, not %s", field,
                           rules->tiles, rules->tiles > 9 ? " separated by commas" : "",
                           quote(digits).text);
    TileSet bit = 1u << (tile - 1);
    if (*set >= bit)
        return status_make(STATUS_USAGE, "%s: expected increasing tiles, but %s is not", field,
                           quote(digits).text);
    *set |= bit;
    return status_ok();
}

/* Reads tiles separated by `separator`, or single digits one after the other where it is 0. */
static Status parse_tiles(const BoxRules *rules, const char *field, char separator,
                          const char *text, TileSet *set) {
    *set = 0;
    if (*text == '\0')
        return status_make(STATUS_USAGE, "%s: expected tiles, found nothing", field);
    while (true) {
        char digits[GAME_TEXT_BYTES];
        size_t length = separator ? (size_t)(strchrnul(text, separator) - text) : 1;
        if (length >= sizeof digits)
            length = sizeof digits - 1;
        memcpy(digits, text, length);
        digits[length] = '\0';
        Status status = add_tile(rules, field, digits, set);
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
    return parse_tiles(rules, "open tiles", rules->tiles > 9 ? ',' : '\0', text, set);
}

static Status parse_scores(const BoxRules *rules, char *field, BoxState *state) {
    uint64_t total = (uint64_t)box_sum(box_all_tiles(rules));
    int count = 0;
    if (strcmp(field, "-") != 0) {
        for (char *at = field; at; count++) {
            char *comma = strchr(at, ',');
            if (comma)
                *comma = '\0';
            uint64_t score = 0;
            Status status = number_parse("scores", at, 1, total, &score);
            if (!status_is_ok(&status))
                return status;
            if (count < state->player)
                state->scores[count] = (uint16_t)score;
            at = comma ? comma + 1 : NULL;
        }
    }
    if (count != state->player)
        return status_make(STATUS_USAGE,
                           "scores: expected %d (one for each player before player %d), not %d",
                           state->player, state->player, count);
    return status_ok();
}

Status box_parse_state(const Rules *rules, const char *text, State *state) {
    enum { FIELDS = 4 };
    BoxRules box = box_rules(rules);
    BoxState s = {.open = 0};
    char storage[GAME_TEXT_BYTES];
    char *fields[FIELDS];
    size_t count = text_split(text, storage, sizeof storage, fields, FIELDS);
    if (count != FIELDS)
        return status_make(STATUS_USAGE,
                           "expected OPEN PLAYER SCORES ROLL, such as '123456789 0 - -', not %s",
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
    status = parse_scores(&box, fields[2], &s);
    if (!status_is_ok(&status))
        return status;
    if (strcmp(fields[3], "-") != 0) {
        uint64_t roll = 0;
        status = number_parse("roll", fields[3], 1, box_roll_max(&box, box.dice), &roll);
        if (!status_is_ok(&status))
            return status;
        s.roll = (uint8_t)roll;
    }
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
    for (int i = 0; i < s.player; i++)
        text_addf(text, "%s%d", i > 0 ? "," : "", s.scores[i]);
    if (s.roll > 0)
        text_addf(text, " %d", s.roll);
    else
        text_add(text, " -");
}

Status box_parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                      Move *move) {
    (void)lang;
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    int actor = box_actor(rules, state);
    if (actor == GAME_END)
        return status_make(STATUS_USAGE, "the game is over");
    if (actor == GAME_CHANCE) {
        int dice = box_dice(&box, s.open);
        uint64_t roll = 0;
        Status status = number_parse("roll", text, (uint64_t)dice, box_roll_max(&box, dice), &roll);
        if (status_is_ok(&status))
            *move = (Move)roll;
        return status;
    }
    TileSet set;
    Status status = parse_tiles(&box, "move", '+', text, &set);
    if (!status_is_ok(&status))
        return status;
    if (set & ~s.open)
        return status_make(STATUS_USAGE, "move: tile %d of %s is closed",
                           __builtin_ctz(set & ~s.open) + 1, quote(text).text);
    if (box_sum(set) != s.roll)
        return status_make(STATUS_USAGE, "move: expected tiles that sum to %d, but %s sums to %d",
                           s.roll, quote(text).text, box_sum(set));
    *move = set;
    return status_ok();
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
