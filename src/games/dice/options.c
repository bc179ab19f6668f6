/* The rule options. */
#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "games/dice/dice.h"

const OptionSpec dice_options[DICE_OPTION_COUNT] = {
    {.name = "online",
     .help = "each throw is seen when it is made; else all before the first move",
     .help_ko = "던질 때마다 수를 알게 됨; 아니면 처음에 모두 던짐"},
    {.name = "throw-count",
     .argument = "N",
     .help = "how many throws, 1 to 12",
     .help_ko = "던지는 횟수, 1에서 12까지",
     .choices = "1 2 3 4 5 6 7 8 9 10 11 12"},
    {.name = "pieces",
     .argument = "N",
     .help = "how many pieces, 1 to 4",
     .help_ko = "말의 수, 1에서 4까지",
     .choices = "1 2 3 4"},
    {.name = "faces",
     .argument = "A,B,C,D,E",
     .help = "weights of the throws 1 to 5; 4,6,4,1,1 are those of four yut sticks",
     .help_ko = "1부터 5까지 나오는 비율; 4,6,4,1,1은 윷가락 네 개와 같음"}};

static Rules pack(const DiceRules *dice) {
    Rules rules = {{0}};
    memcpy(rules.bytes, dice, sizeof *dice);
    return rules;
}

Rules dice_rules_default(void) {
    static const DiceRules dice = {
        .pieces = DICE_PIECES, .throws = DICE_THROWS, .faces = {{0, 1, 1, 1, 1, 1}}};
    return pack(&dice);
}

static uint64_t common_factor(uint64_t a, uint64_t b) {
    return b == 0 ? a : common_factor(b, a % b);
}

/* Divides the weights by their common factor. */
static void reduce(DiceFaces *faces) {
    uint64_t factor = 0;
    for (int face = 1; face <= DICE_SIDES; face++)
        factor = common_factor(factor, faces->weights[face]);
    for (int face = 1; face <= DICE_SIDES && factor > 1; face++)
        faces->weights[face] = (uint16_t)(faces->weights[face] / factor);
}

static Status parse_faces(const char *text, DiceFaces *faces) {
    char storage[GAME_TEXT_BYTES];
    const char *at = text;
    int face = 0;
    bool is_bad = false;
    *faces = (DiceFaces){{0}};
    while (at && !is_bad) {
        uint64_t weight = 0;
        size_t length = strcspn(at, ",");
        snprintf(storage, sizeof storage, "%.*s", (int)length, at);
        is_bad = ++face > DICE_SIDES || length >= sizeof storage ||
                 !number_read(storage, &weight) || weight > DICE_WEIGHT_MAX;
        if (!is_bad)
            faces->weights[face] = (uint16_t)weight;
        at = at[length] ? at + length + 1 : NULL;
    }
    if (is_bad || face != DICE_SIDES)
        return status_make(STATUS_USAGE,
                           "--faces: expected five weights from 0 to %d, such as 4,6,4,1,1, not %s",
                           DICE_WEIGHT_MAX, quote(text).text);
    if (dice_faces_total(faces) == 0)
        return status_make(STATUS_USAGE, "--faces: at least one weight must be above 0");
    reduce(faces);
    return status_ok();
}

Status dice_rules_set(Rules *rules, const char *option, const char *value) {
    DiceRules dice = dice_rules(rules);
    uint64_t number = 0;
    Status status = status_ok();
    if (strcmp(option, "online") == 0) {
        dice.online = 1;
    } else if (strcmp(option, "throw-count") == 0) {
        status = number_parse("--throw-count", value, 1, DICE_THROWS_MAX, &number);
        dice.throws = (uint8_t)number;
    } else if (strcmp(option, "pieces") == 0) {
        status = number_parse("--pieces", value, 1, DICE_PIECES, &number);
        dice.pieces = (uint8_t)number;
    } else {
        status = parse_faces(value, &dice.faces);
    }
    if (status_is_ok(&status))
        *rules = pack(&dice);
    return status;
}

Status dice_rules_check(const Rules *rules) {
    DiceRules dice = dice_rules(rules);
    uint64_t total = dice_faces_total(&dice.faces), sequences = 1;
    for (int i = 0; i < dice.throws; i++) {
        sequences *= total;
        if (sequences > DICE_SEQUENCES_MAX)
            return status_make(STATUS_UNSUPPORTED,
                               "--faces: weights with a sum of %" PRIu64
                               " are too large for %d throws: values would not be exact",
                               total, dice.throws);
    }
    return status_ok();
}

void dice_rules_get(const Rules *rules, const char *option, Text *value) {
    DiceRules dice = dice_rules(rules);
    if (strcmp(option, "online") == 0)
        text_add(value, dice.online ? "on" : "");
    else if (strcmp(option, "throw-count") == 0)
        text_addf(value, "%d", dice.throws);
    else if (strcmp(option, "pieces") == 0)
        text_addf(value, "%d", dice.pieces);
    for (int face = 1; face <= DICE_SIDES && strcmp(option, "faces") == 0; face++)
        text_addf(value, "%s%d", face > 1 ? "," : "", dice.faces.weights[face]);
}

/* Several squares in the first field tell how many pieces there are. */
void dice_rules_infer(Rules *rules, const char *position) {
    DiceRules dice = dice_rules(rules);
    int commas = 0;
    position += strspn(position, " \t");
    for (size_t i = 0; i < strcspn(position, " \t"); i++)
        commas += position[i] == ',';
    if (commas > 0 && commas < DICE_PIECES)
        dice.pieces = (uint8_t)(commas + 1);
    *rules = pack(&dice);
}

int dice_player_count(const Rules *rules) {
    (void)rules;
    return 1;
}

ValueInfo dice_value_info(const Rules *rules) {
    static const ValueInfo score = {.name = {{"best score", "최고 점수"}}, .is_counted = true},
                           expected = {.name = {{"expected score", "기대 점수"}}};
    return dice_rules(rules).online ? expected : score;
}
