/* The rule options. */
#include <stdio.h>

#include "base/number.h"
#include "games/box/box.h"

const OptionSpec box_options[BOX_OPTION_COUNT] = {
    {.name = "tiles",
     .argument = "N",
     .help = "tiles 1 to N, N from 1 to 24 (9)",
     .help_ko = "숫자판의 수, 1–24 (9)"},
    {.name = "dice",
     .argument = "N",
     .help = "how many dice; dice times sides at most 48 (2)",
     .help_ko = "주사위의 수; 수 곱하기 면은 48까지 (2)"},
    {.name = "sides",
     .argument = "N",
     .help = "sides of a die (6)",
     .help_ko = "주사위의 면 수 (6)"},
    {.name = "one-die",
     .argument = "RULE",
     .suggestions = "never sum<=6 top<=6",
     .help = "one die when: never, sum<=N (open tiles), top<=N (largest open tile) (sum<=6)",
     .help_ko = "주사위 하나를 쓸 때: never, sum<=N(열린 숫자판의 합), top<=N(가장 큰 열린 숫자판) "
                "(sum<=6)"},
    {.name = "players", .argument = "N", .help = "1 to 8 (2)", .help_ko = "사람 수, 1–8 (2)"},
    {.name = "aim",
     .argument = "AIM",
     .choices = "shut score digits",
     .help = "one player's: shut (chance), score (lowest sum), digits (lowest number) (shut)",
     .help_ko = "혼자일 때의 목표: shut(닫을 확률), score(낮은 합), digits(낮은 숫자) (shut)"},
    {.name = "shut-wins",
     .argument = "ON",
     .choices = "on off",
     .help = "on: shutting the box wins at once; off: it scores 0 (on)",
     .help_ko = "상자를 다 닫으면: on이면 바로 승리, off이면 0점 (on)"},
    {.name = "two-to-go",
     .argument = "ON",
     .choices = "on off",
     .help = "on: an opening roll of 2 loses: the turn ends with every tile open (off)",
     .help_ko = "첫 주사위가 2일 때: on이면 모든 숫자판을 연 채 차례를 잃음 (off)"},
    {.name = "limit",
     .argument = "N",
     .help = "who reaches N points in all, such as 45 or 100, is out; 0: no limit (0)",
     .help_ko = "모두 N점(45점이나 100점)이 되면 탈락; 0이면 없음 (0)"},
    {.name = "rounds",
     .argument = "N",
     .help = "the lowest total of 1 to 20 rounds wins; 0: as many as --limit takes (1)",
     .help_ko = "1–20판의 합이 가장 낮은 사람이 승리; 0이면 한 사람이 남을 때까지 (1)"},
};

static const char *const aim_names[] = {
    [BOX_AIM_SHUT] = "shut", [BOX_AIM_SCORE] = "score", [BOX_AIM_DIGITS] = "digits"};

Rules box_rules_default(void) {
    BoxRules box = {.tiles = 9,
                    .dice = 2,
                    .sides = 6,
                    .players = 2,
                    .one_die = BOX_ONE_DIE_SUM,
                    .one_die_limit = 6,
                    .aim = BOX_AIM_SHUT,
                    .rounds = 1};
    return box_rules_pack(&box);
}

static Status set_number(const char *option, const char *value, int low, int high, int *number) {
    char what[32];
    snprintf(what, sizeof what, "--%s", option);
    uint64_t parsed = 0;
    Status status = number_parse(what, value, (uint64_t)low, (uint64_t)high, &parsed);
    if (status_is_ok(&status))
        *number = (int)parsed;
    return status;
}

static Status set_one_die(BoxRules *box, const char *value) {
    enum { LIMIT_MAX = BOX_TILES_MAX * (BOX_TILES_MAX + 1) / 2, PREFIX = 5 };
    uint64_t limit = 0;
    if (strcmp(value, "never") == 0) {
        box->one_die = BOX_ONE_DIE_NEVER;
        box->one_die_limit = 0;
        return status_ok();
    }
    bool sum = strncmp(value, "sum<=", PREFIX) == 0;
    bool top = strncmp(value, "top<=", PREFIX) == 0;
    if (!(sum || top) || !number_read(value + PREFIX, &limit) || limit > LIMIT_MAX)
        return status_make(STATUS_USAGE,
                           "--one-die: expected never, sum<=N or top<=N (such as sum<=6), not %s",
                           quote(value).text);
    box->one_die = sum ? BOX_ONE_DIE_SUM : BOX_ONE_DIE_TOP;
    box->one_die_limit = (int)limit;
    return status_ok();
}

static Status set_aim(BoxRules *box, const char *value) {
    for (size_t i = 0; i < sizeof aim_names / sizeof aim_names[0]; i++) {
        if (strcmp(value, aim_names[i]) == 0) {
            box->aim = (BoxAim)i;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE, "--aim: expected shut, score or digits, not %s",
                       quote(value).text);
}

static Status set_switch(const char *option, const char *value, bool *is_on) {
    if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
        return status_make(STATUS_USAGE, "--%s: expected on or off, not %s", option,
                           quote(value).text);
    *is_on = strcmp(value, "on") == 0;
    return status_ok();
}

/* The field of a numeric option and its range; NULL for other options. */
static int *number_of(BoxRules *box, const char *option, int *low, int *high) {
    *low = 0;
    *high = BOX_LIMIT_MAX;
    if (strcmp(option, "limit") == 0)
        return &box->limit;
    *high = BOX_ROUNDS_MAX;
    if (strcmp(option, "rounds") == 0)
        return &box->rounds;
    *low = 1;
    *high = BOX_ROLL_MAX;
    if (strcmp(option, "dice") == 0)
        return &box->dice;
    if (strcmp(option, "sides") == 0)
        return &box->sides;
    *high = BOX_TILES_MAX;
    if (strcmp(option, "tiles") == 0)
        return &box->tiles;
    *high = BOX_PLAYERS_MAX;
    if (strcmp(option, "players") == 0)
        return &box->players;
    return NULL;
}

Status box_rules_set(Rules *rules, const char *option, const char *value) {
    BoxRules box = box_rules(rules);
    int low, high;
    int *number = number_of(&box, option, &low, &high);
    Status status;
    if (number) {
        status = set_number(option, value, low, high, number);
        if (number == &box.limit) /* --rounds is set after it */
            box.rounds = box.limit > 0 ? 0 : 1;
    } else if (strcmp(option, "shut-wins") == 0) {
        bool wins = true;
        status = set_switch(option, value, &wins);
        box.shut_scores_0 = !wins;
    } else if (strcmp(option, "two-to-go") == 0)
        status = set_switch(option, value, &box.two_to_go);
    else if (strcmp(option, "one-die") == 0)
        status = set_one_die(&box, value);
    else if (strcmp(option, "aim") == 0)
        status = set_aim(&box, value);
    else
        status = status_make(STATUS_USAGE, "box has no rule option %s", quote(option).text);
    if (status_is_ok(&status))
        *rules = box_rules_pack(&box);
    return status;
}

/* Games of several rounds: for several players, and with an end. */
static Status check_rounds(const BoxRules *box) {
    if (box->rounds == 0 && box->limit == 0)
        return status_make(STATUS_UNSUPPORTED, "--rounds 0 needs --limit: the game has no end");
    if (box_is_single(box))
        return status_ok();
    if (box->players == 1)
        return status_make(STATUS_UNSUPPORTED, "--%s is for several players",
                           box->limit > 0 ? "limit" : "rounds");
    if (box->rounds == 0 && box->shut_scores_0)
        return status_make(STATUS_UNSUPPORTED,
                           "--limit with --shut-wins off needs --rounds N: while everybody shuts "
                           "the box, the game has no end");
    return status_ok();
}

Status box_rules_check(const Rules *rules) {
    BoxRules box = box_rules(rules);
    if (box.dice * box.sides > BOX_ROLL_MAX)
        return status_make(STATUS_UNSUPPORTED,
                           "%d dice with %d sides: rolls above %d are not supported", box.dice,
                           box.sides, BOX_ROLL_MAX);
    if (box.players > 1 && box.aim != BOX_AIM_SHUT)
        return status_make(STATUS_UNSUPPORTED,
                           "--aim %s is for one player (add --players 1); several play to win",
                           aim_names[box.aim]);
    if (box.players == 1 && box.shut_scores_0)
        return status_make(STATUS_UNSUPPORTED, "--shut-wins off is for several players");
    return check_rounds(&box);
}

void box_rules_get(const Rules *rules, const char *option, Text *value) {
    BoxRules box = box_rules(rules);
    int low, high;
    int *number = number_of(&box, option, &low, &high);
    if (number)
        text_addf(value, "%d", *number);
    else if (strcmp(option, "shut-wins") == 0)
        text_add(value, box.shut_scores_0 ? "off" : "on");
    else if (strcmp(option, "two-to-go") == 0)
        text_add(value, box.two_to_go ? "on" : "off");
    else if (strcmp(option, "aim") == 0)
        text_add(value, aim_names[box.aim]);
    else if (box.one_die == BOX_ONE_DIE_NEVER)
        text_add(value, "never");
    else
        text_addf(value, "%s<=%d", box.one_die == BOX_ONE_DIE_SUM ? "sum" : "top",
                  box.one_die_limit);
}

int box_player_count(const Rules *rules) {
    return box_rules(rules).players;
}

ValueInfo box_value_info(const Rules *rules) {
    static const ValueInfo winning = {.name = {{"chance of winning", "승률"}}};
    static const ValueInfo solo[] = {
        [BOX_AIM_SHUT] = {.name = {{"chance of shutting the box", "상자를 닫을 확률"}}},
        [BOX_AIM_SCORE] = {.name = {{"expected score", "기대 점수"}}, .lower_is_better = true},
        [BOX_AIM_DIGITS] = {.name = {{"expected number", "기대 숫자"}}, .lower_is_better = true},
    };
    BoxRules box = box_rules(rules);
    return box.players > 1 ? winning : solo[box.aim];
}
