/* The race as an implementation of the Game interface. */
#include "games/race/race.h"
#include "game/move_ids.h"
#include "game/paths.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/fraction.h"
#include "base/number.h"

/* --- the board --- */

enum { ROUTE_MAX = 21 };

typedef struct Route {
    int length;
    uint8_t squares[ROUTE_MAX]; /* the last one is home */
} Route;

int race_destination(int square, int steps) {
    static const Route ring = {
        21, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, RACE_HOME}};
    static const Route from_5 = {12, {5, 20, 21, 26, 22, 23, 15, 16, 17, 18, 19, RACE_HOME}};
    static const Route from_10 = {7, {10, 24, 25, 26, 27, 28, RACE_HOME}};
    static const Route from_26 = {4, {26, 27, 28, RACE_HOME}};
    /* The first route that contains the square applies. Routes that begin at a turn come first, and
     * the centre before the short cuts that pass over it. */
    static const Route *const routes[] = {&from_26, &from_10, &from_5, &ring};
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        for (int place = 0; place < routes[i]->length - 1; place++) {
            bool shared = i == 2 && place >= 6; /* 15 to 19 are also on the ring */
            if (routes[i]->squares[place] == square && !shared)
                return place + steps < routes[i]->length ? routes[i]->squares[place + steps]
                                                         : RACE_HOME;
        }
    }
    return RACE_HOME;
}

/* --- the rules --- */

static const OptionSpec options[] = {
    {.name = "front",
     .argument = "F",
     .help = "chance that a stick lands round side up, between 0 and 1 (0.530125)",
     .help_ko = "윷가락의 둥근 면이 위로 나올 확률, 0과 1 사이(0.530125)"}};

static RaceRules race_rules(const Rules *rules) {
    RaceRules race;
    memcpy(&race, rules->bytes, sizeof race);
    return race;
}

static Rules race_rules_pack(const RaceRules *race) {
    Rules rules = {{0}};
    memcpy(rules.bytes, race, sizeof *race);
    return rules;
}

static Rules rules_default(void) {
    RaceRules race = {.round = 530125, .digits = 6};
    return race_rules_pack(&race);
}

static Status rules_set(Rules *rules, const char *option, const char *value) {
    enum { DIGITS_MAX = 18 };
    (void)option; /* there is only one option */
    RaceRules race = {.digits = strlen(value) > 2 ? strlen(value) - 2 : 0};
    bool good = strncmp(value, "0.", 2) == 0 && race.digits >= 1 && race.digits <= DIGITS_MAX &&
                number_read(value + 2, &race.round) && race.round > 0;
    if (!good)
        return status_make(STATUS_USAGE,
                           "--front: expected a number between 0 and 1, such as 0.530125, not %s",
                           quote(value).text);
    while (race.round % 10 == 0) {
        race.round /= 10;
        race.digits--;
    }
    *rules = race_rules_pack(&race);
    return status_ok();
}

static Status rules_check(const Rules *rules) {
    (void)rules;
    return status_ok();
}

static void rules_get(const Rules *rules, const char *option, Text *value) {
    (void)option;
    RaceRules race = race_rules(rules);
    text_addf(value, "0.%0*" PRIu64, (int)race.digits, race.round);
}

static int player_count(const Rules *rules) {
    (void)rules;
    return 2;
}

static ValueInfo value_info(const Rules *rules) {
    (void)rules;
    return (ValueInfo){.name = {{"chance of winning", "승률"}}};
}

/* Computes the weights of do, gae, geol, yut and mo and returns their sum. They are exact if the
 * fourth power of the denominator fits into 64 bits (0.530125 is 4241/8000); otherwise they are
 * rounded to units of 2^-62, below the resolution of a double. */
static uint64_t throw_weights(const Rules *rules, uint64_t weights[RACE_STEPS_MAX]) {
    enum { EXACT_MAX = 65535, SCALE_BITS = 62 };
    static const uint64_t ways[RACE_STEPS_MAX] = {4, 6, 4, 1, 1};
    static const int rounds[RACE_STEPS_MAX] = {3, 2, 1, 0, 4}; /* sticks round side up */
    RaceRules race = race_rules(rules);
    uint64_t whole = 1;
    for (uint64_t i = 0; i < race.digits; i++)
        whole *= 10;
    uint64_t common = fraction_divisor(race.round, whole);
    uint64_t round_side = race.round / common;
    whole /= common;
    uint64_t flat_side = whole - round_side;
    if (whole <= EXACT_MAX) {
        for (int i = 0; i < RACE_STEPS_MAX; i++) {
            weights[i] = ways[i];
            for (int stick = 0; stick < 4; stick++)
                weights[i] *= stick < rounds[i] ? round_side : flat_side;
        }
        return whole * whole * whole * whole;
    }
    uint64_t sum = 0;
    int largest = 0;
    long double f = (long double)round_side / (long double)whole;
    for (int i = 0; i < RACE_STEPS_MAX; i++) {
        long double chance = (long double)ways[i];
        for (int stick = 0; stick < 4; stick++)
            chance *= stick < rounds[i] ? f : 1 - f;
        weights[i] = (uint64_t)(ldexpl(chance, SCALE_BITS) + 0.5L);
        if (weights[i] > weights[largest])
            largest = i;
        sum += weights[i];
    }
    weights[largest] += ((uint64_t)1 << SCALE_BITS) - sum; /* modulo 2^64: may be negative */
    return (uint64_t)1 << SCALE_BITS;
}

/* --- the tree --- */

static State start(const Rules *rules) {
    (void)rules;
    return (State){{0}};
}

static int actor(const Rules *rules, const State *state) {
    (void)rules;
    RaceState race = race_state(state);
    bool over = race.pieces[0] == RACE_HOME || race.pieces[1] == RACE_HOME;
    return over ? GAME_END : GAME_CHANCE;
}

static int turn(const Rules *rules, const State *state) {
    (void)rules;
    return race_state(state).turn;
}

static size_t moves(const Rules *rules, const State *state, Move list[]) {
    (void)rules, (void)state, (void)list;
    return 0;
}

static size_t chances(const Rules *rules, const State *state, Chance list[],
                      uint64_t *denominator) {
    (void)state;
    uint64_t weights[RACE_STEPS_MAX];
    size_t count = 0;
    *denominator = throw_weights(rules, weights);
    for (Move steps = 1; steps <= RACE_STEPS_MAX; steps++)
        if (weights[steps - 1] > 0)
            list[count++] = (Chance){.move = steps, .weight = weights[steps - 1]};
    return count;
}

static void apply(const Rules *rules, State *state, Move steps) {
    (void)rules;
    RaceState race = race_state(state);
    uint8_t *piece = &race.pieces[race.turn];
    *piece = (uint8_t)race_destination(*piece, (int)steps);
    bool keeps_turn = steps >= 4; /* yut, mo */
    if (*piece != RACE_HOME && !keeps_turn)
        race.turn = (uint8_t)(1 - race.turn);
    *state = race_state_pack(&race);
}

static void payoff(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules;
    RaceState race = race_state(state);
    payoffs[0] = race.pieces[0] == RACE_HOME ? 1 : 0;
    payoffs[1] = 1 - payoffs[0];
}

static Status check(const Rules *rules, const State *state) {
    (void)rules;
    RaceState race = race_state(state);
    for (int i = 0; i < 2; i++)
        if (race.pieces[i] > RACE_HOME)
            return status_make(STATUS_USAGE, "piece of player %d: no such square", i);
    if (race.turn > 1)
        return status_make(STATUS_USAGE, "turn: expected 0 or 1");
    if (race.pieces[1 - race.turn] == RACE_HOME)
        return status_make(STATUS_USAGE, "turn: expected %d: player %d is home, so it threw last",
                           1 - race.turn, 1 - race.turn);
    return status_ok();
}

/* --- text --- */

static const Phrase throw_words[RACE_STEPS_MAX] = {
    {{"do", "도"}}, {{"gae", "개"}}, {{"geol", "걸"}}, {{"yut", "윷"}}, {{"mo", "모"}}};

Status race_parse_square(const char *what, const char *text, uint8_t *square) {
    uint64_t number = 0;
    Status status = number_parse(what, text, 0, RACE_SQUARES - 1, &number);
    if (status_is_ok(&status))
        *square = (uint8_t)number;
    return status;
}

static Status parse_piece(const char *what, const char *text, uint8_t *square) {
    uint64_t number;
    if (number_read(text, &number) && number == RACE_HOME_TEXT) {
        *square = RACE_HOME;
        return status_ok();
    }
    Status status = race_parse_square(what, text, square);
    if (status_is_ok(&status))
        return status;
    return status_make(STATUS_USAGE, "%s: expected a square from 0 to 28, or 50 for home, not %s",
                       what, quote(text).text);
}

static Status parse_state(const Rules *rules, const char *text, State *state) {
    enum { FIELDS = 3 };
    RaceState race = {.turn = 0};
    char storage[GAME_TEXT_BYTES];
    char *fields[FIELDS];
    if (text_split(text, storage, sizeof storage, fields, FIELDS) != FIELDS)
        return status_make(STATUS_USAGE, "expected P1 P2 TURN, such as '5 10 0', not %s",
                           quote(text).text);
    Status status = parse_piece("p1", fields[0], &race.pieces[0]);
    if (status_is_ok(&status))
        status = parse_piece("p2", fields[1], &race.pieces[1]);
    uint64_t whose = 0;
    if (status_is_ok(&status))
        status = number_parse("turn", fields[2], 0, 1, &whose);
    if (!status_is_ok(&status))
        return status;
    race.turn = (uint8_t)whose;
    *state = race_state_pack(&race);
    return check(rules, state);
}

static void print_state(const Rules *rules, const State *state, Text *text) {
    (void)rules;
    RaceState race = race_state(state);
    for (int i = 0; i < 2; i++)
        text_addf(text, "%d ", race.pieces[i] == RACE_HOME ? RACE_HOME_TEXT : race.pieces[i]);
    text_addf(text, "%d", race.turn);
}

static Status parse_move(const Rules *rules, const State *state, const char *text, Lang lang,
                         Move *move) {
    static const Phrase over = {{"the race is over", "이미 끝난 경주입니다"}};
    static const Phrase expected = {{"throw: expected do, gae, geol, yut or mo, not {0}",
                                     "던진 결과 {0}: 다음 중 하나여야 합니다: 도, 개, 걸, 윷, 모"}};
    if (actor(rules, state) == GAME_END)
        return phrase_failure(STATUS_USAGE, over, lang, NULL);
    for (Move steps = 1; steps <= RACE_STEPS_MAX; steps++) {
        for (int word_lang = 0; word_lang < LANG_COUNT; word_lang++) {
            if (strcmp(text, throw_words[steps - 1].in[word_lang]) == 0) {
                *move = steps;
                return status_ok();
            }
        }
    }
    return phrase_failure(STATUS_USAGE, expected, lang, (const char *const[]){quote(text).text});
}

static void print_move(const Rules *rules, const State *state, Move move, Lang lang, Text *text) {
    (void)rules, (void)state;
    text_add(text, throw_words[move - 1].in[lang]);
}

/* --- drawing and words --- */

enum { LINES = 7, COLUMNS = 6 };

static void draw(const Rules *rules, const State *state, DrawStyle style, Text *text) {
    static const int board[LINES][COLUMNS] = {
        {10, 9, 8, 7, 6, 5},      {11, 24, -1, -1, 20, 4}, {12, -1, 25, 21, -1, 3},
        {-1, -1, 26, -1, -1, -1}, {13, -1, 22, 27, -1, 2}, {14, 23, -1, -1, 28, 1},
        {15, 16, 17, 18, 19, 0},
    };
    static const Phrase to_throw = {{"player {0} to throw", "선수 {0} 차례"}};
    static const Phrase over = {{"the race is over", "끝난 경주"}};
    RaceState race = race_state(state);
    for (int line = 0; line < LINES; line++) {
        for (int column = 0; column < COLUMNS; column++) {
            int square = board[line][column];
            bool a = race.pieces[0] == square, b = race.pieces[1] == square;
            char number[16] = "", words[16];
            if (square >= 0)
                snprintf(number, sizeof number, "%d", square);
            snprintf(words, sizeof words, "%s", number);
            if (a || b)
                snprintf(words, sizeof words, "%.*s%s%s", style.numbers ? 2 : 0, number,
                         a ? "A" : "", b ? "B" : "");
            if (style.color && (a || b))
                text_addf(text, "\x1b[%dm", a && b ? 1 : a ? 31 : 94);
            text_add_right(text, words, style.numbers ? 5 : 4);
            if (style.color && (a || b))
                text_add(text, "\x1b[0m");
        }
        text_add_char(text, '\n');
    }
    char player[16];
    snprintf(player, sizeof player, "%d", race.turn);
    phrase_add(text, actor(rules, state) == GAME_END ? over : to_throw, style.lang,
               (const char *const[]){player});
    text_add_char(text, '\n');
}

static void narrate(const Rules *rules, const State *before, Move move, Lang lang, Text *text) {
    static const Phrase goes = {{"player {0} throws {1}: {2} to {3}", "선수 {0}: {1}, {2} → {3}"}};
    static const Phrase home = {{"player {0} throws {1}: home", "선수 {0}: {1}, 났음"}};
    (void)rules;
    RaceState race = race_state(before);
    int from = race.pieces[race.turn];
    int to = race_destination(from, (int)move);
    char player[16], from_text[16], to_text[16];
    snprintf(player, sizeof player, "%d", race.turn);
    snprintf(from_text, sizeof from_text, "%d", from);
    snprintf(to_text, sizeof to_text, "%d", to);
    const char *const words[] = {player, throw_words[move - 1].in[lang], from_text, to_text};
    phrase_add(text, to == RACE_HOME ? home : goes, lang, words);
}

static void trace(const Rules *rules, const State *before, Move move, Text *text) {
    (void)rules;
    RaceState race = race_state(before);
    int from = race.pieces[race.turn], at = from;
    text_addf(text, "%d", from);
    for (int steps = 1; steps <= (int)move && at != RACE_HOME; steps++) {
        at = race_destination(from, steps);
        text_addf(text, " %d", at == RACE_HOME ? RACE_HOME_TEXT : at);
    }
}

static void narrate_end(const Rules *rules, const State *end, Lang lang, Text *text) {
    static const Phrase wins = {{"Player {0} wins.", "선수 {0} 승리."}};
    (void)rules;
    char player[16];
    snprintf(player, sizeof player, "%d", race_state(end).turn);
    phrase_add(text, wins, lang, (const char *const[]){player});
}

static const GameExample examples[] = {
    {{{"the race from the start: the first player's chance", "처음부터: 먼저 던지는 쪽의 승률"}},
     "",
     "0 0 0"},
    {{{"on 5 against 10, both about to turn off", "5와 10, 둘 다 지름길 앞"}}, "", "5 10 0"},
    {{{"with fair sticks", "공평한 윷"}}, "--front 0.5", "0 0 0"},
};

static const GamePaths paths = {.trace = trace};

/* There are only throws. */
static uint32_t bound_moves(const Rules *rules) {
    (void)rules;
    return RACE_STEPS_MAX + 1;
}

static const GameMoveIds move_ids = {.bound = bound_moves};

const Game race_game = {
    .identity = {.name = "race",
                 .title = {{"The Yut race", "윷 경주"}},
                 .about = {{"one piece each, no catching: who is home first?",
                            "말 하나씩, 잡기 없이 먼저 나기"}},
                 .examples = examples,
                 .example_count = sizeof examples / sizeof examples[0]},
    .rules = {.options = options,
              .option_count = sizeof options / sizeof options[0],
              .defaults = rules_default,
              .set = rules_set,
              .check = rules_check,
              .get = rules_get,
              .player_count = player_count,
              .value_info = value_info},
    .tree = {.start = start,
             .actor = actor,
             .turn = turn,
             .moves = moves,
             .chances = chances,
             .apply = apply,
             .payoff = payoff,
             .check = check},
    .text = {.position_shape = "P1 P2 TURN",
             .parse_state = parse_state,
             .print_state = print_state,
             .parse_move = parse_move,
             .print_move = print_move,
             .draw = draw,
             .narrate = narrate,
             .narrate_end = narrate_end},
    .move_ids = &move_ids,
    .cells = &race_cells,
    .paths = &paths,
};
