/* The rule options. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "games/yut/yut.h"

/* --preset and --bias only set other options, so they have no value of their own. */
const OptionSpec yut_options[YUT_OPTION_COUNT] = {
    {.name = "preset",
     .argument = "NAME",
     .is_preset = true,
     .choices = "snu plain choice teams",
     .help =
         "a common set of rules: snu (the defaults), plain (no back-do), choice (short cuts are "
         "optional), teams (2 v 2)",
     .help_ko = "흔히 쓰는 규칙: snu(기본 규칙), plain(빽도 없음), choice(지름길을 고를 수 "
                "있음), teams(2 대 2)"},
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
     .choices = "always weak",
     .help = "always, or weak: a catch by yut or mo gives no extra throw (always)",
     .help_ko = "잡으면 한 번 더: always, 또는 weak(윷·모로 잡으면 없음) (always)"},
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
};

Rules yut_rules_default(void) {
    YutRules yut = {.odds = {1, 3, 6, 4, 1, 1}, .players = 2, .pieces = 4};
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

/* Sets a switch to one of two words; `no` is false. */
static Status set_choice(const char *option, const char *value, const char *no, const char *yes,
                         bool *chosen) {
    bool is_yes = strcmp(value, yes) == 0;
    if (!is_yes && strcmp(value, no) != 0)
        return status_make(STATUS_USAGE, "--%s: expected %s or %s, not %s", option, no, yes,
                           quote(value).text);
    *chosen = is_yes;
    return status_ok();
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

/* Reads 0.DIGITS as a fraction in lowest terms over at most 10^4, so that fourth powers fit. */
static Status set_bias(YutRules *yut, const char *value) {
    enum { DIGITS_MAX = 4 };
    uint64_t flat = 0, whole = 1;
    size_t digits = strlen(value) > 2 ? strspn(value + 2, "0123456789") : 0;
    bool good = strncmp(value, "0.", 2) == 0 && digits > 0 && value[2 + digits] == '\0' &&
                digits <= DIGITS_MAX;
    for (size_t i = 0; good && i < digits; i++) {
        flat = flat * 10 + (uint64_t)(value[2 + i] - '0');
        whole *= 10;
    }
    if (!good || flat == 0)
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

static Status set_preset(YutRules *yut, const char *value) {
    static const char *const names[] = {"snu", "plain", "choice", "teams"};
    YutRules fresh;
    Rules standard = yut_rules_default();
    fresh = yut_rules(&standard);
    if (strcmp(value, names[1]) == 0)
        fresh.no_back_do = true;
    else if (strcmp(value, names[2]) == 0)
        fresh.short_cut_may = true;
    else if (strcmp(value, names[3]) == 0) {
        fresh.teams = true;
        fresh.players = 4;
    } else if (strcmp(value, names[0]) != 0) {
        return options_unknown("preset", value, names, sizeof names / sizeof names[0],
                               "expected snu, plain, choice or teams");
    }
    *yut = fresh;
    return status_ok();
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
        status = set_choice(option, value, "on", "off", &yut.no_back_do);
    else if (strcmp(option, "catch-bonus") == 0)
        status = set_choice(option, value, "always", "weak", &yut.no_bonus_by_yut_mo);
    else if (strcmp(option, "short-cut") == 0)
        status = set_choice(option, value, "must", "may", &yut.short_cut_may);
    else if (strcmp(option, "back-from-1") == 0)
        status = set_choice(option, value, "on", "off", &yut.no_back_from_1);
    else if (strcmp(option, "teams") == 0)
        status = set_choice(option, value, "off", "on", &yut.teams);
    else
        status = status_make(STATUS_USAGE, "yut has no rule option %s", quote(option).text);
    if (status_is_ok(&status))
        *rules = yut_rules_pack(&yut);
    return status;
}

Status yut_rules_check(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    uint64_t ends = yut.odds[YUT_BACK_DO] + yut.odds[YUT_DO] + yut.odds[YUT_GAE];
    if (ends == 0)
        return status_make(STATUS_UNSUPPORTED,
                           "--odds: some throw other than geol, yut and mo must be possible, or a "
                           "turn might never end");
    if (yut.teams && yut.players != 4)
        return status_make(STATUS_UNSUPPORTED, "--teams: expected --players 4, not %d",
                           yut.players);
    /* A stack of both could leave the cow's route. */
    for (int i = 0; i < 2; i++)
        if (yut.teams && (yut.animals[i] == YUT_COW) != (yut.animals[i + 2] == YUT_COW))
            return status_make(STATUS_UNSUPPORTED,
                               "--teams: partners move together, so expected both or neither of "
                               "players %d and %d to be a cow",
                               i, i + 2);
    for (int i = yut.players; i < YUT_PLAYERS_MAX; i++)
        if (yut.animals[i] != YUT_NO_ANIMAL)
            return status_make(STATUS_USAGE, "--animals: more letters than players (%d)",
                               yut.players);
    return status_ok();
}

void yut_rules_get(const Rules *rules, const char *option, Text *value) {
    YutRules yut = yut_rules(rules);
    if (strcmp(option, "players") == 0)
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
        text_add(value, yut.no_back_do ? "off" : "on");
    else if (strcmp(option, "catch-bonus") == 0)
        text_add(value, yut.no_bonus_by_yut_mo ? "weak" : "always");
    else if (strcmp(option, "short-cut") == 0)
        text_add(value, yut.short_cut_may ? "may" : "must");
    else if (strcmp(option, "back-from-1") == 0)
        text_add(value, yut.no_back_from_1 ? "off" : "on");
    else if (strcmp(option, "teams") == 0)
        text_add(value, yut.teams ? "on" : "off");
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
    return (ValueInfo){.name = {{"chance of winning", "이길 확률"}}};
}
