/* The rule options. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/number.h"
#include "games/yut/yut.h"

/* --preset and --bias only set other options, so they have no value of their own. */
const OptionSpec yut_options[YUT_OPTION_COUNT] = {
    {.name = "preset",
     .argument = "NAME",
     .is_preset = true,
     .choices = "snu plain choice teams korean family",
     .help =
         "a common set of rules: snu (the defaults), plain (no back-do), choice (short cuts are "
         "optional), teams (2 v 2), korean (--bias 0.6 --catch-bonus weak), family (korean "
         "with --nak 0.05 --traps 18)",
     .help_ko = "흔히 쓰는 규칙: snu(기본 규칙), plain(빽도 없음), choice(지름길을 고를 수 "
                "있음), teams(2 대 2), korean(--bias 0.6 --catch-bonus weak), family(korean에 "
                "--nak 0.05 --traps 18)"},
    {.name = "players", .argument = "N", .help = "2 to 4 (2)", .help_ko = "사람 수, 2–4 (2)"},
    {.name = "pieces",
     .argument = "N",
     .help = "of each player, 1 to 4 (4)",
     .help_ko = "한 사람의 말, 1–4 (4)"},
    {.name = "animals",
     .argument = "LETTERS",
     .help = "one a player: p pig, d dog, s sheep, c cow, n none (nn)",
     .help_ko = "선수마다 하나: p 돼지, d 개, s 양, c 소, n 없음 (nn)"},
    {.name = "odds",
     .argument = "LIST",
     .help = "weights of back-do,do,gae,geol,yut,mo (1,3,6,4,1,1)",
     .help_ko = "빽도,도,개,걸,윷,모의 비율 (1,3,6,4,1,1)"},
    {.name = "bias",
     .argument = "F",
     .help = "odds of sticks that land flat side up with chance F, such as 0.6: yut F^4, mo "
             "(1-F)^4",
     .help_ko = "윷가락의 평평한 면이 위로 나올 확률 F, 예: 0.6(윷은 F^4, 모는 (1-F)^4)"},
    {.name = "back-do",
     .argument = "ON",
     .choices = "on off",
     .help = "on, or off: it counts as do (on)",
     .help_ko = "빽도: on 또는 off(도로 침) (on)"},
    {.name = "catch-bonus",
     .argument = "WHEN",
     .choices = "always weak never",
     .help = "a catch gives a throw: always; weak: unless it was made with yut or mo; never "
             "(always)",
     .help_ko = "잡으면 한 번 더: always(언제나), weak(윷·모로 잡으면 없음), never(없음) (always)"},
    {.name = "short-cut",
     .argument = "RULE",
     .choices = "must may",
     .help = "must, or may: at 5 and 10 the ring can be chosen (must)",
     .help_ko = "지름길: must(꼭), may(5와 10에서 고름) (must)"},
    {.name = "back-from-1",
     .argument = "ON",
     .choices = "on off",
     .help = "on: to 29; off: a back-do cannot be played on 1 (on)",
     .help_ko = "1에서 빽도: on이면 29로, off이면 쓸 수 없음 (on)"},
    {.name = "teams",
     .argument = "ON",
     .choices = "on off",
     .help = "on: 0 and 2 against 1 and 3 (off)",
     .help_ko = "on이면 0·2 대 1·3 (off)"},
    {.name = "nak",
     .argument = "P",
     .omits_default = true,
     .help = "the chance that a throw leaves the mat, 0 to 0.5: it gives nothing and ends the "
             "throw (0)",
     .help_ko = "낙: 윷가락이 판 밖으로 나갈 확률, 0–0.5; 그 던지기는 무효 (0)"},
    {.name = "nak-loses",
     .argument = "WHAT",
     .choices = "throw turn",
     .omits_default = true,
     .help = "a nak loses its throw, or the whole turn with everything left to play (throw)",
     .help_ko = "낙이면 잃는 것: throw(그 던지기), turn(전낙: 남은 것까지 차례 전부) (throw)"},
    {.name = "traps",
     .argument = "LIST",
     .omits_default = true,
     .help = "squares such as 18 or 7,18: a piece that stops there goes back to the start (none)",
     .help_ko = "함정(퐁당) 칸, 예: 18 또는 7,18; 거기 멈춘 말은 처음으로 돌아감 (none)"},
    {.name = "centre",
     .argument = "RULE",
     .choices = "must may",
     .omits_default = true,
     .help = "must, or may: from 22 a piece can also go on towards 23 (must)",
     .help_ko = "한가운데에서: must(지름길로만), may(23 쪽도 고를 수 있음) (must)"},
    {.name = "finish",
     .argument = "RULE",
     .choices = "pass reach short",
     .omits_default = true,
     .help = "home is: pass (beyond 29), reach (29 itself), short (as pass, but only with do or "
             "gae from 19, 28 and 29) (pass)",
     .help_ko = "나는 때: pass(29를 지나면), reach(29에 닿으면), short(19·28·29에서는 도와 "
                "개로만) (pass)"},
    {.name = "empty-back-do",
     .argument = "RULE",
     .choices = "skip home enter",
     .omits_default = true,
     .help = "a back-do with no piece on the board: skip (used up), home (a waiting piece is "
             "home), enter (it is put on 29) (skip)",
     .help_ko = "판에 말이 없을 때 빽도: skip(버림), home(빽도 날기: 말 하나가 남), enter(29에 "
                "놓음) (skip)"},
    {.name = "centre-stack",
     .argument = "ON",
     .choices = "on off",
     .omits_default = true,
     .help = "on: stopping on 22 takes a waiting piece along (off)",
     .help_ko = "자동 임신: on이면 22에 멈출 때 대기 중인 말 하나를 업음 (off)"},
    {.name = "marked",
     .argument = "N",
     .choices = "0 1 2",
     .omits_default = true,
     .help = "marked sticks, 0 to 2; 0 is --back-do off (1)",
     .help_ko = "표시된 윷가락의 수, 0–2; 0은 --back-do off와 같음 (1)"},
};

/* An option with a few words for values. The field holds the index of the word, and the first one
 * is the default. */
typedef struct Choice {
    const char *option;
    size_t field; /* its offset in YutRules */
    size_t count;
    const char *words[3];
} Choice;

static_assert(sizeof(bool) == 1, "a switch is a byte like any other choice");

static const Choice choices[] = {
    {"catch-bonus", offsetof(YutRules, catch_bonus), 3, {"always", "weak", "never"}},
    {"short-cut", offsetof(YutRules, short_cut_may), 2, {"must", "may"}},
    {"back-from-1", offsetof(YutRules, no_back_from_1), 2, {"on", "off"}},
    {"teams", offsetof(YutRules, teams), 2, {"off", "on"}},
    {"nak-loses", offsetof(YutRules, nak_loses_turn), 2, {"throw", "turn"}},
    {"centre", offsetof(YutRules, centre_may), 2, {"must", "may"}},
    {"finish", offsetof(YutRules, finish), 3, {"pass", "reach", "short"}},
    {"empty-back-do", offsetof(YutRules, empty_back_do), 3, {"skip", "home", "enter"}},
    {"centre-stack", offsetof(YutRules, centre_stack), 2, {"off", "on"}},
};

static const Choice *find_choice(const char *option) {
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (strcmp(choices[i].option, option) == 0)
            return &choices[i];
    return NULL;
}

Rules yut_rules_default(void) {
    YutRules yut = {.odds = {1, 3, 6, 4, 1, 1}, .players = 2, .pieces = 4, .marked = 1};
    memset(yut.animals, YUT_NO_ANIMAL, sizeof yut.animals);
    return yut_rules_pack(&yut);
}

static Status set_number(const char *what, const char *value, uint64_t low, uint64_t high,
                         uint8_t *number) {
    uint64_t parsed = 0;
    Status status = number_parse(what, value, low, high, &parsed);
    if (status_is_ok(&status))
        *number = (uint8_t)parsed;
    return status;
}

/* Finds the word and returns its index in `index`. */
static Status read_word(const char *option, const char *value, const char *const words[],
                        size_t count, size_t *index) {
    char expected[64];
    Text text = text_over(expected, sizeof expected);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *index = i;
            return status_ok();
        }
        phrase_add_separator(&text, i, count, LANG_EN);
        text_add(&text, words[i]);
    }
    return status_make(STATUS_USAGE, "--%s: expected %s, not %s", option, expected,
                       quote(value).text);
}

static Status set_choice(YutRules *yut, const Choice *choice, const char *value) {
    size_t index = 0;
    Status status = read_word(choice->option, value, choice->words, choice->count, &index);
    if (status_is_ok(&status))
        ((unsigned char *)yut)[choice->field] = (unsigned char)index;
    return status;
}

static Status set_back_do(YutRules *yut, const char *value) {
    static const char *const words[] = {"on", "off"};
    size_t off = 0;
    Status status = read_word("back-do", value, words, 2, &off);
    if (status_is_ok(&status))
        yut->marked = off ? 0 : yut->marked > 0 ? yut->marked : 1;
    return status;
}

static Status set_animals(YutRules *yut, const char *value) {
    size_t count = strlen(value);
    if (count < 1 || count > YUT_PLAYERS_MAX || strspn(value, yut_animal_letters) != count)
        return status_make(STATUS_USAGE,
                           "--animals: expected a letter of pdscn for each player, not %s",
                           quote(value).text);
    memset(yut->animals, YUT_NO_ANIMAL, sizeof yut->animals);
    for (size_t i = 0; i < count; i++)
        yut->animals[i] = (uint8_t)(strchr(yut_animal_letters, value[i]) - yut_animal_letters);
    return status_ok();
}

static Status set_odds(YutRules *yut, const char *value) {
    enum { WEIGHT_MAX = 1000000000 };
    uint64_t odds[YUT_RESULTS];
    const char *at = value;
    for (int i = 0; i < YUT_RESULTS; i++) {
        char digits[16];
        size_t length = strcspn(at, ",");
        bool last = i + 1 == YUT_RESULTS;
        bool fits = length < sizeof digits && (at[length] == '\0') == last;
        if (fits) {
            memcpy(digits, at, length);
            digits[length] = '\0';
        }
        if (!fits || !number_read(digits, &odds[i]) || odds[i] > WEIGHT_MAX)
            return status_make(STATUS_USAGE,
                               "--odds: expected six whole numbers such as 1,3,6,4,1,1, not %s",
                               quote(value).text);
        at += length + 1;
    }
    memcpy(yut->odds, odds, sizeof odds);
    return status_ok();
}

enum { DIGITS_MAX = 4 }; /* after the point, so that fourth powers fit */

/* Reads 0.DIGITS as a fraction over a power of ten. */
static bool read_decimal(const char *value, uint64_t *part, uint64_t *whole) {
    size_t digits = strlen(value) > 2 ? strspn(value + 2, "0123456789") : 0;
    if (strncmp(value, "0.", 2) != 0 || digits == 0 || digits > DIGITS_MAX ||
        value[2 + digits] != '\0')
        return false;
    *part = 0;
    *whole = 1;
    for (size_t i = 0; i < digits; i++) {
        *part = *part * 10 + (uint64_t)(value[2 + i] - '0');
        *whole *= 10;
    }
    return true;
}

static Status set_bias(YutRules *yut, const char *value) {
    uint64_t flat = 0, whole = 1;
    if (!read_decimal(value, &flat, &whole) || flat == 0)
        return status_make(STATUS_USAGE,
                           "--bias: expected a number between 0 and 1 with at most %d digits, such "
                           "as 0.6, not %s",
                           DIGITS_MAX, quote(value).text);
    uint64_t round = whole - flat;
    /* One step for each stick that lands flat side up; none is mo. Of the four ways to throw one
     * flat stick, the one with the marked stick is the back-do. */
    yut->odds[YUT_BACK_DO] = flat * round * round * round;
    yut->odds[YUT_DO] = 3 * flat * round * round * round;
    yut->odds[YUT_GAE] = 6 * flat * flat * round * round;
    yut->odds[YUT_GEOL] = 4 * flat * flat * flat * round;
    yut->odds[YUT_YUT] = flat * flat * flat * flat;
    yut->odds[YUT_MO] = round * round * round * round;
    return status_ok();
}

static Status set_nak(YutRules *yut, const char *value) {
    uint64_t part = 0, whole = 1;
    bool is_read = strcmp(value, "0") == 0 || read_decimal(value, &part, &whole);
    if (!is_read || 2 * part > whole)
        return status_make(STATUS_USAGE,
                           "--nak: expected a chance from 0 to 0.5 with at most %d digits, such as "
                           "0.05, not %s",
                           DIGITS_MAX, quote(value).text);
    yut->nak = (uint16_t)(part * (YUT_NAK_WHOLE / whole));
    return status_ok();
}

static Status refuse_traps(const char *value) {
    return status_make(STATUS_USAGE,
                       "--traps: expected none, or up to %d squares from 1 to 29, such as 7,18, "
                       "not %s",
                       YUT_TRAPS_MAX, quote(value).text);
}

static Status set_traps(YutRules *yut, const char *value) {
    uint32_t traps = 0;
    bool is_none = strcmp(value, "none") == 0;
    for (const char *at = value; at && !is_none;) {
        char digits[4];
        uint64_t square;
        size_t length = strcspn(at, ",");
        if (length >= sizeof digits)
            return refuse_traps(value);
        memcpy(digits, at, length);
        digits[length] = '\0';
        if (!number_read(digits, &square) || square < 1 || square > YUT_LAST)
            return refuse_traps(value);
        traps |= 1u << square;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    if (__builtin_popcount(traps) > YUT_TRAPS_MAX)
        return refuse_traps(value);
    yut->traps = traps;
    return status_ok();
}

static Status set_preset(YutRules *yut, const char *value) {
    enum { SNU, PLAIN, CHOICE, TEAMS, KOREAN, FAMILY };
    static const char *const names[] = {"snu", "plain", "choice", "teams", "korean", "family"};
    const size_t count = sizeof names / sizeof names[0];
    Rules standard = yut_rules_default();
    YutRules fresh = yut_rules(&standard);
    size_t preset = 0;
    while (preset < count && strcmp(value, names[preset]) != 0)
        preset++;
    if (preset == count)
        return options_unknown("preset", value, names, count,
                               "expected snu, plain, choice, teams, korean or family");
    if (preset == PLAIN)
        fresh.marked = 0;
    fresh.short_cut_may = preset == CHOICE;
    fresh.teams = preset == TEAMS;
    if (preset == TEAMS)
        fresh.players = 4;
    Status status = status_ok();
    if (preset == KOREAN || preset == FAMILY) {
        status = set_bias(&fresh, "0.6");
        fresh.catch_bonus = YUT_BONUS_WEAK;
    }
    if (preset == FAMILY) {
        status = set_nak(&fresh, "0.05");
        fresh.traps = 1u << 18;
    }
    *yut = fresh;
    return status;
}

/* --back-do comes before it. */
static Status set_marked(YutRules *yut, const char *value) {
    bool is_off = yut->marked == 0;
    Status status = set_number("--marked", value, 0, YUT_MARKED_MAX, &yut->marked);
    if (status_is_ok(&status) && is_off && yut->marked > 0)
        return status_make(STATUS_UNSUPPORTED,
                           "--marked %d contradicts --back-do off: a marked stick makes back-dos",
                           yut->marked);
    return status;
}

Status yut_rules_set(Rules *rules, const char *option, const char *value) {
    YutRules yut = yut_rules(rules);
    Status status;
    if (strcmp(option, "preset") == 0)
        status = set_preset(&yut, value);
    else if (strcmp(option, "players") == 0)
        status = set_number("--players", value, 2, YUT_PLAYERS_MAX, &yut.players);
    else if (strcmp(option, "pieces") == 0)
        status = set_number("--pieces", value, 1, YUT_PIECES_MAX, &yut.pieces);
    else if (strcmp(option, "animals") == 0)
        status = set_animals(&yut, value);
    else if (strcmp(option, "odds") == 0)
        status = set_odds(&yut, value);
    else if (strcmp(option, "bias") == 0)
        status = set_bias(&yut, value);
    else if (strcmp(option, "back-do") == 0)
        status = set_back_do(&yut, value);
    else if (strcmp(option, "marked") == 0)
        status = set_marked(&yut, value);
    else if (strcmp(option, "nak") == 0)
        status = set_nak(&yut, value);
    else if (strcmp(option, "traps") == 0)
        status = set_traps(&yut, value);
    else if (find_choice(option))
        status = set_choice(&yut, find_choice(option), value);
    else
        status = status_make(STATUS_USAGE, "yut has no rule option %s", quote(option).text);
    if (status_is_ok(&status))
        *rules = yut_rules_pack(&yut);
    return status;
}

static void add_nak(const YutRules *yut, Text *value) {
    int part = yut->nak, digits = DIGITS_MAX;
    while (digits > 0 && part % 10 == 0) {
        part /= 10;
        digits--;
    }
    if (digits == 0)
        text_add_char(value, '0');
    else
        text_addf(value, "0.%0*d", digits, part);
}

static void add_traps(const YutRules *yut, Text *value) {
    const char *separator = "";
    for (int square = 1; square <= YUT_LAST; square++)
        if (yut->traps >> square & 1) {
            text_addf(value, "%s%d", separator, square);
            separator = ",";
        }
    if (yut->traps == 0)
        text_add(value, "none");
}

void yut_rules_get(const Rules *rules, const char *option, Text *value) {
    YutRules yut = yut_rules(rules);
    const Choice *choice = find_choice(option);
    if (choice)
        text_add(value, choice->words[((const unsigned char *)&yut)[choice->field]]);
    else if (strcmp(option, "players") == 0)
        text_addf(value, "%d", yut.players);
    else if (strcmp(option, "pieces") == 0)
        text_addf(value, "%d", yut.pieces);
    else if (strcmp(option, "animals") == 0)
        for (int i = 0; i < yut.players; i++)
            text_add_char(value, yut_animal_letters[yut.animals[i]]);
    else if (strcmp(option, "odds") == 0)
        for (int i = 0; i < YUT_RESULTS; i++)
            text_addf(value, "%s%" PRIu64, i > 0 ? "," : "", yut.odds[i]);
    else if (strcmp(option, "back-do") == 0)
        text_add(value, yut.marked > 0 ? "on" : "off");
    else if (strcmp(option, "marked") == 0 && yut.marked > 0) /* else --back-do says it */
        text_addf(value, "%d", yut.marked);
    else if (strcmp(option, "nak") == 0)
        add_nak(&yut, value);
    else if (strcmp(option, "traps") == 0)
        add_traps(&yut, value);
}

/* Reads the players and pieces from the first field, and the animals from the fourth. Leaves the
 * rules unchanged if the text is not a position; parsing it will report the error. */
void yut_rules_infer(Rules *rules, const char *position) {
    static const char blanks[] = " \t_";
    YutRules yut = yut_rules(rules);
    size_t players = 1, pieces = 1;
    const char *at = position + strspn(position, blanks);
    for (; *at && !strchr(blanks, *at); at++) {
        if (*at == '/')
            players++;
        else if (*at == ',' && players == 1)
            pieces++;
    }
    if (players < 2 || players > YUT_PLAYERS_MAX || pieces > YUT_PIECES_MAX)
        return;
    yut.players = (uint8_t)players;
    yut.pieces = (uint8_t)pieces;
    for (int field = 1; field < 3; field++) { /* past TURN and LIST */
        at += strspn(at, blanks);
        at += strcspn(at, blanks);
    }
    at += strspn(at, blanks);
    char letters[YUT_PLAYERS_MAX + 1];
    size_t length = strcspn(at, blanks);
    if (length == players && strspn(at, yut_animal_letters) >= length) {
        memcpy(letters, at, length);
        letters[length] = '\0';
        set_animals(&yut, letters);
    }
    *rules = yut_rules_pack(&yut);
}

int yut_player_count(const Rules *rules) {
    return yut_rules(rules).players;
}

ValueInfo yut_value_info(const Rules *rules) {
    (void)rules;
    return (ValueInfo){.name = {{"chance of winning", "승률"}}};
}
