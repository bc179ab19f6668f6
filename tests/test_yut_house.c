/* The house rules of Yut, each by name; which combinations are refused; and random combinations
 * through the contract. */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "game/contract.h"
#include "yut_testing.h"

/* --- catches --- */

static void a_catch_never_gives_a_throw(void **state) {
    (void)state;
    const char *never = "--pieces 2 --catch-bonus never";
    assert_leads(never, "0,0/0,3 0 geol", "0:geol", "0,3/0,0 1 -");
    assert_leads(never, "0,0/0,4 0 do,yut", "0:yut", "0,4/0,0 0 do");
    assert_leads(never, "0,0/0,3 0 gae,geol", "0:geol", "0,3/0,0 0 gae");
    assert_leads("--pieces 2 --catch-bonus never --animals sn", "0,0/0,3 0 geol sn", "0:geol",
                 "0,3/0,0 1 - sn");
    assert_leads("--pieces 2 --catch-bonus weak --animals sn", "0,0/0,3 0 geol sn", "0:geol",
                 "0,3/0,0 0 ++ sn");
    assert_leads("--pieces 2 --catch-bonus weak --animals sn", "0,0/0,4 0 yut sn", "0:yut",
                 "0,4/0,0 1 - sn");
    /* A dog throws again after geol, but geol is neither yut nor mo. */
    assert_leads("--pieces 2 --catch-bonus weak --animals dn", "0,0/0,3 0 geol dn", "0:geol",
                 "0,3/0,0 0 - dn");
    assert_leads("--pieces 2 --catch-bonus never --animals np", "0,0/0,3 0 gae,geol np", "0:geol",
                 "0,3/0,0 1 - np");
}

/* --- nak --- */

static void a_nak_ends_the_throw(void **state) {
    (void)state;
    const char *nak = "--pieces 2 --nak 0.05";
    assert_leads(nak, "0,0/0,0 0 -", "nak", "0,0/0,0 1 -");
    assert_leads(nak, "0,0/0,0 0 -", "yut mo nak", "0,0/0,0 0 yut,mo");
    assert_leads(nak, "0,0/0,2 0 do,gae", "0:gae nak", "0,2/0,0 0 do");
    assert_leads(nak, "0,0/0,2 0 gae", "0:gae nak", "0,2/0,0 1 -");
    /* A sheep still has its second throw. */
    assert_leads("--pieces 2 --nak 0.05 --animals sn", "0,0/0,2 0 gae sn", "0:gae nak",
                 "0,2/0,0 0 - sn");
    assert_refused("--pieces 2", "0,0/0,0 0 -", "nak", "expected back-do, do");
}

static void a_nak_may_lose_the_turn(void **state) {
    (void)state;
    const char *nak = "--pieces 2 --nak 0.05 --nak-loses turn";
    assert_leads(nak, "0,0/0,0 0 -", "nak", "0,0/0,0 1 -");
    assert_leads(nak, "0,0/0,0 0 -", "yut mo nak", "0,0/0,0 1 -");
    assert_leads(nak, "0,0/0,2 0 do,gae", "0:gae nak", "0,2/0,0 1 -");
    assert_leads("--pieces 2 --nak 0.05 --nak-loses turn --animals sn", "0,0/0,2 0 gae sn",
                 "0:gae nak", "0,2/0,0 1 - sn");
}

static void assert_weights(const char *options, const uint64_t expected[YUT_RESULTS + 1]) {
    Variant variant = variant_of(options);
    YutRules rules = yut_rules(&variant.rules);
    uint64_t weights[YUT_RESULTS + 1], sum = 0;
    uint64_t whole = yut_weights(&rules, weights);
    for (int i = 0; i <= YUT_NAK; i++) {
        assert_int_equal(weights[i], expected[i]);
        sum += weights[i];
    }
    assert_int_equal(sum, whole);
}

static void chances_stay_exact(void **state) {
    (void)state;
    assert_weights("", (const uint64_t[]){1, 3, 6, 4, 1, 1, 0});
    assert_weights("--nak 0.05", (const uint64_t[]){19, 57, 114, 76, 19, 19, 16});
    assert_weights("--nak 0.5000", (const uint64_t[]){1, 3, 6, 4, 1, 1, 16});
    assert_weights("--nak 0", (const uint64_t[]){1, 3, 6, 4, 1, 1, 0});
    assert_weights("--marked 2", (const uint64_t[]){2, 2, 6, 4, 1, 1, 0});
    assert_weights("--marked 0", (const uint64_t[]){0, 4, 6, 4, 1, 1, 0});
    assert_weights("--marked 2 --back-do on", (const uint64_t[]){2, 2, 6, 4, 1, 1, 0});
    assert_weights("--marked 2 --bias 0.6", (const uint64_t[]){768, 768, 3456, 3456, 1296, 256, 0});
    /* In lowest terms the odds of 0.6 are 24, 72, 216, 216, 81 and 16 of 625. One throw in twenty
     * is a nak, so they are multiplied by 19. */
    assert_weights("--preset family", (const uint64_t[]){456, 1368, 4104, 4104, 1539, 304, 625});
}

/* --- traps --- */

static void a_trap_sends_back_to_the_start(void **state) {
    (void)state;
    const char *traps = "--pieces 3 --traps 4,18";
    assert_leads(traps, "0,16,16/0,0,0 0 gae", "16:gae", "0,0,0/0,0,0 1 -");
    assert_leads(traps, "0,16,16/0,0,0 0 do,gae", "16:gae", "0,0,0/0,0,0 0 do");
    assert_leads(traps, "0,16,17/0,0,0 0 geol", "16:geol", "0,17,19/0,0,0 1 -"); /* passing */
    assert_leads(traps, "0,0,19/0,0,0 0 back-do", "19:back-do", "0,0,0/0,0,0 1 -");
    assert_leads(traps, "0,0,0/0,0,0 0 do,yut", "0:yut", "0,0,0/0,0,0 0 do");
}

/* No piece stays on a trap, so nothing can be caught there. If one stood there all the same, it
 * would be caught first, with the throw. */
static void a_catch_on_a_trap_comes_first(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 2 --traps 18");
    YutRules rules = yut_rules(&variant.rules);
    YutState s = {.pieces = {{0, 16}, {0, 18}}, .list = {[YUT_GAE] = 1}};
    State read;
    assert_fails(yut_parse_state(&variant.rules, "0,16/0,18 0 gae", &read), STATUS_USAGE,
                 "player 1: 18 is a trap");
    yut_play(&rules, &s, yut_move_pack(16, YUT_GAE, false));
    assert_int_equal(s.pieces[0][1], 0);
    assert_int_equal(s.pieces[1][1], 0);
    assert_int_equal(s.turn, 0);
    assert_int_equal(s.throws, 1);
}

/* A piece that would be put on a trap, or taken along to one, goes back to the start like any
 * other.
 */
static void traps_come_before_what_else_a_square_does(void **state) {
    (void)state;
    assert_leads("--pieces 3 --traps 22 --centre-stack on", "0,0,21/0,0,0 0 do", "21:do",
                 "0,0,0/0,0,0 1 -");
    assert_leads("--pieces 2 --traps 29 --empty-back-do enter", "0,0/0,0 0 back-do,do", "0:back-do",
                 "0,0/0,0 0 do");
}

static void traps_are_drawn_and_told(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 2 --traps 7,18");
    State position = state_of(&variant, "0,16/0,0 0 gae");
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    yut_draw(&variant.rules, &position, (DrawStyle){.numbers = true}, &text);
    assert_non_null(strstr(bytes, "[18*]"));
    assert_non_null(strstr(bytes, "[ 7*]"));
    assert_non_null(strstr(bytes, "* trap (7,18): a piece that stops there goes back"));
    text = text_over(bytes, sizeof bytes);
    yut_draw(&variant.rules, &position, (DrawStyle){.lang = LANG_KO}, &text);
    assert_non_null(strstr(bytes, "[*]"));
    assert_non_null(strstr(bytes, "* 함정(7,18)"));
    text = text_over(bytes, sizeof bytes);
    yut_narrate(&variant.rules, &position, yut_move_pack(16, YUT_GAE, false), LANG_EN, &text);
    assert_string_equal(bytes, "player 0: 16 with gae to 18, a trap: back to the start");
    text = text_over(bytes, sizeof bytes);
    yut_trace(&variant.rules, &position, yut_move_pack(16, YUT_GAE, false), &text);
    assert_string_equal(bytes, "16 17 18 0");
}

/* --- the centre --- */

static void the_centre_may_offer_both_ways(void **state) {
    (void)state;
    const char *may = "--pieces 2 --centre may";
    assert_leads(may, "0,22/0,0 0 gae", "22:gae", "0,28/0,0 1 -");
    assert_leads(may, "0,22/0,0 0 gae", "22:gae:long", "0,24/0,0 1 -");
    assert_leads(may, "0,22/0,0 0 mo", "22:모:먼길", "0,17/0,0 1 -");
    assert_leads(may, "0,22/0,0 0 back-do", "22:back-do", "0,21/0,0 1 -");
    assert_refused(may, "0,22/0,0 0 back-do", "22:back-do:long", "the long way cannot be chosen");
    assert_refused(may, "0,22/0,0 0 gae", "22:gae:ring", "the ring cannot be chosen");
    assert_refused(may, "0,5/0,0 0 gae", "5:gae:ring", "the ring cannot be chosen");
    assert_refused("--pieces 2", "0,22/0,0 0 gae", "22:gae:long", "the long way cannot be chosen");
    assert_refused("--pieces 2 --short-cut may", "0,5/0,0 0 gae", "5:gae:long",
                   "the long way cannot be chosen");
    assert_refused("--pieces 2 --centre may --animals cn", "0,22/0,0 0 gae cn", "22:gae:long",
                   "the long way cannot be chosen");
}

static void the_centre_may_stack(void **state) {
    (void)state;
    const char *stack = "--pieces 3 --centre-stack on";
    assert_leads(stack, "0,0,21/0,0,0 0 do", "21:do", "0,22,22/0,0,0 1 -");
    assert_leads(stack, "0,22,22/0,0,0 0 back-do", "22:back-do", "0,21,21/0,0,0 1 -");
    assert_leads(stack, "0,27,27/0,0,0 0 back-do", "27:back-do", "22,22,22/0,0,0 1 -");
    assert_leads(stack, "20,21,100/0,0,0 0 do", "21:do", "20,22,100/0,0,0 1 -");
    assert_leads(stack, "0,0,21/0,0,22 0 do", "21:do", "0,22,22/0,0,0 0 -");
    assert_leads(stack, "0,0,20/0,0,0 0 geol", "20:geol", "0,0,23/0,0,0 1 -"); /* passing */
    /* In teams, the waiting piece is the player's own. */
    assert_leads("--preset teams --pieces 2 --centre-stack on", "0,21/0,0/0,21/0,0 2 do", "21:do",
                 "0,22/0,0/22,22/0,0 3 -");
}

/* --- the finish --- */

static void reaching_29_may_be_home(void **state) {
    (void)state;
    const char *reach = "--pieces 2 --finish reach";
    assert_leads(reach, "0,28/0,0 0 do", "28:do", "0,100/0,0 1 -");
    assert_leads(reach, "0,15/0,0 0 mo", "15:mo", "0,100/0,0 1 -");
    assert_leads(reach, "0,19/0,0 0 mo", "19:mo", "0,100/0,0 1 -");
    assert_leads(reach, "0,1/0,0 0 back-do", "1:back-do", "0,100/0,0 1 -");
    assert_leads(reach, "1,100/0,0 0 back-do", "1:back-do", "100,100/0,0 0 -");
    assert_leads("--pieces 2 --finish reach --back-from-1 off", "0,1/0,0 0 back-do", "0:back-do",
                 "0,1/0,0 1 -");
    assert_leads("--pieces 2 --finish reach --empty-back-do enter", "0,0/0,0 0 back-do",
                 "0:back-do", "0,100/0,0 1 -");
    Variant variant = variant_of(reach);
    State position;
    assert_fails(yut_parse_state(&variant.rules, "0,29/0,0 0 do", &position), STATUS_USAGE,
                 "29 is home");
}

static void the_finish_may_need_a_short_throw(void **state) {
    (void)state;
    const char *brief = "--pieces 2 --finish short";
    assert_leads(brief, "0,19/0,0 0 do", "19:do", "0,29/0,0 1 -");
    assert_leads(brief, "0,19/0,0 0 gae", "19:gae", "0,100/0,0 1 -");
    assert_leads(brief, "0,28/0,0 0 gae", "28:gae", "0,100/0,0 1 -");
    assert_leads(brief, "0,29/0,0 0 gae", "29:gae", "0,100/0,0 1 -");
    assert_leads(brief, "0,18/0,0 0 mo", "18:mo", "0,100/0,0 1 -");
    assert_leads(brief, "0,27/0,0 0 yut", "27:yut", "0,100/0,0 1 -");
    assert_refused(brief, "0,19/0,0 0 geol", "19:geol", "only do and gae can be played on 19");
    assert_leads(brief, "0,19/0,0 0 geol", "0:geol", "3,19/0,0 1 -");
    /* With nothing else to play it on, it is used up. */
    assert_leads(brief, "19,100/0,0 0 geol", "0:geol", "19,100/0,0 1 -");
    assert_leads(brief, "28,29/0,0 0 do,mo", "0:mo", "28,29/0,0 0 do");
    assert_leads(brief, "28,29/0,0 0 do,mo", "28:do", "29,29/0,0 0 mo");
    assert_refused(brief, "18,29/0,0 0 mo", "0:mo", "no piece on 0");
    Variant variant = variant_of(brief);
    State position = state_of(&variant, "19,100/0,0 0 geol");
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    yut_narrate(&variant.rules, &position, yut_move_pack(0, YUT_GEOL, false), LANG_EN, &text);
    assert_string_equal(bytes, "player 0 has no piece that can play geol: it is used up");
}

/* --- a back-do with nothing on the board --- */

static void an_empty_back_do_may_bring_home(void **state) {
    (void)state;
    const char *home = "--pieces 2 --empty-back-do home";
    assert_leads(home, "0,0/0,0 0 back-do", "0:back-do", "0,100/0,0 1 -");
    assert_leads(home, "0,100/0,0 0 back-do", "0:back-do", "100,100/0,0 0 -");
    assert_leads(home, "0,2/0,0 0 back-do", "2:back-do", "0,1/0,0 1 -");
    assert_refused(home, "0,2/0,0 0 back-do", "0:back-do", "only while no piece");
    /* A piece on 1 is on the board, even where it cannot go back. */
    assert_leads("--pieces 2 --empty-back-do home --back-from-1 off", "0,1/0,0 0 back-do",
                 "0:back-do", "0,1/0,0 1 -");
}

static void an_empty_back_do_may_enter(void **state) {
    (void)state;
    const char *enter = "--pieces 2 --empty-back-do enter";
    assert_leads(enter, "0,0/0,0 0 back-do", "0:back-do", "0,29/0,0 1 -");
    assert_leads(enter, "0,0/0,29 0 back-do", "0:back-do", "0,29/0,0 0 -");
    assert_leads(enter, "0,100/0,0 0 back-do", "0:back-do", "29,100/0,0 1 -");
}

/* --- presets and combinations --- */

static void assert_rules(const char *options, const char *expected) {
    Variant variant = variant_of(options);
    char bytes[GAME_RULES_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant_print_unusual(&variant, &text);
    assert_string_equal(bytes, expected);
}

static void presets_set_what_they_name(void **state) {
    (void)state;
    assert_rules("--preset snu", "");
    assert_rules("--preset korean", "--odds 384,1152,3456,3456,1296,256 --catch-bonus weak");
    assert_rules("--preset family", "--odds 384,1152,3456,3456,1296,256 --catch-bonus weak "
                                    "--nak 0.05 --traps 18");
    assert_rules("--nak 0 --catch-bonus always --preset family",
                 "--odds 384,1152,3456,3456,1296,256 --traps 18");
    assert_rules("--traps none --preset family --marked 2",
                 "--odds 384,1152,3456,3456,1296,256 --catch-bonus weak --nak 0.05 --marked 2");
    assert_rules("--preset plain", "--back-do off");
    assert_rules("--marked 0", "--back-do off");
    assert_rules("--preset plain --back-do on --marked 2", "--marked 2");
    assert_rules("--traps 18,7,18 --nak 0.1230", "--nak 0.123 --traps 7,18");
}

/* Tables and records from before these options existed name the rules in this way. */
static void the_text_of_older_rules_is_unchanged(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 3");
    char bytes[GAME_RULES_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant_print_for_table(&variant, &text);
    assert_string_equal(bytes,
                        "--players 2 --pieces 3 --animals nn --odds 1,3,6,4,1,1 --back-do on "
                        "--catch-bonus always --short-cut must --back-from-1 on --teams off");
}

static void senseless_combinations_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *options;
        StatusCode code;
        const char *words;
    } refused[] = {
        {"--nak 0.51", STATUS_USAGE, "--nak: expected a chance from 0 to 0.5"},
        {"--nak 1", STATUS_USAGE, "--nak: expected"},
        {"--nak 0.00001", STATUS_USAGE, "at most 4 digits"},
        {"--nak-loses all", STATUS_USAGE, "--nak-loses: expected throw or turn, not 'all'"},
        {"--traps 0", STATUS_USAGE, "--traps: expected none, or up to 8 squares from 1 to 29"},
        {"--traps 30", STATUS_USAGE, "--traps: expected"},
        {"--traps 1,,2", STATUS_USAGE, "--traps: expected"},
        {"--traps 6,7,8,9,11,12,13,14,16", STATUS_USAGE, "up to 8 squares"},
        {"--centre maybe", STATUS_USAGE, "--centre: expected must or may, not 'maybe'"},
        {"--finish soon", STATUS_USAGE, "--finish: expected pass, reach or short, not 'soon'"},
        {"--catch-bonus no", STATUS_USAGE, "--catch-bonus: expected always, weak or never"},
        {"--empty-back-do x", STATUS_USAGE, "--empty-back-do: expected skip, home or enter"},
        {"--centre-stack 1", STATUS_USAGE, "--centre-stack: expected off or on"},
        {"--marked 3", STATUS_USAGE, "--marked: expected"},
        {"--traps 1,2,3,4,5", STATUS_UNSUPPORTED, "no piece of player 0 could ever come home"},
        {"--traps 1,2,3,5 --odds 1,1,1,1,0,1 --back-do off", STATUS_UNSUPPORTED, "ever come home"},
        {"--odds 1,0,0,0,0,0", STATUS_UNSUPPORTED, "no piece of player 0 could ever come home"},
        {"--odds 0,1,0,0,0,0 --traps 29", STATUS_UNSUPPORTED, "ever come home"},
        {"--odds 0,1,0,0,0,1 --traps 29", STATUS_OK, ""},
        {"--traps 18,29 --finish short --marked 0", STATUS_OK, ""},
        {"--traps 19,29 --finish short --odds 1,1,0,0,0,0", STATUS_UNSUPPORTED,
         "the game would never end"},
        {"--traps 22 --centre-stack on", STATUS_OK, ""},
        {"--traps 29 --finish reach", STATUS_UNSUPPORTED, "29 cannot be a trap"},
        {"--traps 29 --empty-back-do enter", STATUS_OK, ""},
        {"--marked 2 --odds 2,1,1,1,1,1", STATUS_UNSUPPORTED, "less do than back-do"},
        {"--marked 2 --back-do off", STATUS_UNSUPPORTED, "--marked 2 contradicts --back-do off"},
        {"--preset plain --marked 1", STATUS_UNSUPPORTED, "contradicts --back-do off"},
        {"--marked 0 --back-do off", STATUS_OK, ""},
        {"--bias 0.1233 --nak 0.1233", STATUS_UNSUPPORTED, "too many digits"},
        {"--bias 0.1233 --nak 0.05", STATUS_OK, ""},
        {"--traps 1,2,3,4 --animals cn", STATUS_OK, ""},
        {"--traps 20,21,22,23,24 --animals nc", STATUS_OK, ""}, /* by a back-do from 1 */
        {"--traps 20,21,22,23,24 --animals nc --back-do off", STATUS_UNSUPPORTED,
         "no piece of player 1 could ever come home"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        Variant variant;
        Status status = variant_parse(&yut_game, refused[i].options, &variant);
        if (status.code != refused[i].code || !strstr(status.message, refused[i].words))
            fail_msg("%s: '%s' (%d)", refused[i].options, status.message, status.code);
    }
}

/* --- random combinations --- */

typedef struct RandomOption {
    const char *name;
    const char *values[5]; /* "" leaves the option out */
} RandomOption;

static void add_random_options(Random *random, Text *text) {
    static const RandomOption options[] = {
        {"players", {"2", "2", "3", "4", "2"}},
        {"pieces", {"1", "2", "3", "4", "2"}},
        {"odds", {"", "", "1,1,1,1,1,1", "1,3,6,4,3,3", "0,1,2,3,1,1"}},
        {"bias", {"", "", "", "0.6", "0.4"}},
        {"back-do", {"", "", "", "", "off"}},
        {"catch-bonus", {"", "weak", "never", "weak", "always"}},
        {"short-cut", {"", "may", "must", "", "may"}},
        {"back-from-1", {"", "off", "on", "", "off"}},
        {"nak", {"", "0.05", "0.5", "0.1234", "0"}},
        {"nak-loses", {"", "turn", "throw", "", "turn"}},
        {"traps", {"", "18", "22,7", "5,10,29", "1,2,3,19"}},
        {"centre", {"", "may", "must", "", "may"}},
        {"finish", {"", "reach", "short", "pass", "short"}},
        {"empty-back-do", {"", "home", "enter", "skip", "home"}},
        {"centre-stack", {"", "on", "off", "", "on"}},
        {"marked", {"", "", "", "2", "1"}},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *value = options[i].values[random_below(random, 5)];
        if (value[0])
            text_addf(text, "--%s %s ", options[i].name, value);
    }
    if (random_below(random, 2) == 0)
        text_addf(text, "--animals %c%c", yut_animal_letters[random_below(random, 5)],
                  yut_animal_letters[random_below(random, 5)]);
}

static void random_combinations_keep_the_contract(void **state) {
    (void)state;
    enum { COMBINATIONS = 200 };
    Random random = random_from_seed(22, 0);
    int checked = 0, refused = 0;
    while (checked < COMBINATIONS) {
        char options[2 * GAME_TEXT_BYTES], printed[GAME_RULES_TEXT_BYTES];
        Text text = text_over(options, sizeof options);
        Variant variant, again;
        int ended;
        add_random_options(&random, &text);
        Status status = variant_parse(&yut_game, options, &variant);
        if (!status_is_ok(&status)) {
            assert_int_equal(status.code, STATUS_UNSUPPORTED);
            refused++;
            continue;
        }
        text = text_over(printed, sizeof printed);
        variant_print(&variant, &text);
        assert_false(text.truncated);
        assert_ok(variant_parse(&yut_game, printed, &again));
        assert_true(variant_equals(&variant, &again));
        status = contract_check(&variant, (uint64_t)checked, 1, 100000, &ended);
        if (!status_is_ok(&status) || ended != 1)
            fail_msg("%s: %s", options, status_is_ok(&status) ? "no end" : status.message);
        checked++;
    }
    assert_true(refused > 0);
    print_message("%d combinations checked, %d refused\n", checked, refused);
}

static uint64_t memory_for(const char *options, int pieces) {
    const SolveLimits limits = {.memory_bytes = SIZE_MAX / 2, .threads = 2};
    char text[GAME_TEXT_BYTES];
    uint64_t memory, disk;
    snprintf(text, sizeof text, "%s --pieces %d", options, pieces);
    Variant variant = variant_of(text);
    assert_ok(yut_stored.check(&variant.rules));
    assert_ok(
        yut_stored.needs(&variant.rules, pieces == 4 ? 1e-4 : 1e-6, &limits, 1, &memory, &disk));
    return memory;
}

static void assert_little_more_memory(const char *options, int pieces) {
    uint64_t usual = memory_for("", pieces), memory = memory_for(options, pieces);
    if (3 * memory > 4 * usual)
        fail_msg("%s, %d pieces: %.0f MB, not %.0f", options, pieces, (double)memory / (1 << 20),
                 (double)usual / (1 << 20));
}

/* The cost of the stored solution with three and four pieces: at most 4/3 of the default rules'
 * memory, by every option. */
static void tables_take_little_more_memory(void **state) {
    (void)state;
    static const char *const options[] = {"--catch-bonus weak",
                                          "--catch-bonus never",
                                          "--nak 0.5",
                                          "--nak 0.05 --nak-loses turn",
                                          "--traps 18",
                                          "--centre may --short-cut may",
                                          "--finish reach",
                                          "--finish short",
                                          "--empty-back-do home",
                                          "--centre-stack on",
                                          "--marked 2",
                                          "--preset korean",
                                          "--preset family"};
    for (int pieces = 3; pieces <= 4; pieces++)
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
            assert_little_more_memory(options[i], pieces);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_catch_never_gives_a_throw),
        cmocka_unit_test(a_nak_ends_the_throw),
        cmocka_unit_test(a_nak_may_lose_the_turn),
        cmocka_unit_test(chances_stay_exact),
        cmocka_unit_test(a_trap_sends_back_to_the_start),
        cmocka_unit_test(a_catch_on_a_trap_comes_first),
        cmocka_unit_test(traps_come_before_what_else_a_square_does),
        cmocka_unit_test(traps_are_drawn_and_told),
        cmocka_unit_test(the_centre_may_offer_both_ways),
        cmocka_unit_test(the_centre_may_stack),
        cmocka_unit_test(reaching_29_may_be_home),
        cmocka_unit_test(the_finish_may_need_a_short_throw),
        cmocka_unit_test(an_empty_back_do_may_bring_home),
        cmocka_unit_test(an_empty_back_do_may_enter),
        cmocka_unit_test(presets_set_what_they_name),
        cmocka_unit_test(the_text_of_older_rules_is_unchanged),
        cmocka_unit_test(senseless_combinations_are_refused),
        cmocka_unit_test(random_combinations_keep_the_contract),
        cmocka_unit_test(tables_take_little_more_memory),
    };
    return cmocka_run_group_tests_name("yut_house", tests, NULL, NULL);
}
