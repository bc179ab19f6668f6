/* Dice Yut over the game interface: the contract, options, positions, moves in words. */
#include <string.h>

#include "dice_testing.h"
#include "game/contract.h"

static void random_rules_keep_the_contract(void **state) {
    (void)state;
    Random random = random_from_seed(13, 0);
    for (int i = 0; i < 200; i++) {
        char text[GAME_TEXT_BYTES + 16];
        int throws, pieces, weights[DICE_SIDES + 1] = {0}, ended;
        draw_rules(&random, DICE_THROWS_MAX, text, &throws, &pieces, weights);
        if (i % 2 == 1)
            snprintf(text + strlen(text), sizeof text - strlen(text), " --online");
        Variant variant = variant_of(text);
        assert_ok(contract_check(&variant, (uint64_t)i, 5, 100, &ended));
        assert_int_equal(ended, 5);
    }
}

static void options_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *options, *words;
        StatusCode code;
    } bad[] = {{"--throw-count 0", "--throw-count", STATUS_USAGE},
               {"--throw-count 13", "--throw-count", STATUS_USAGE},
               {"--pieces 5", "--pieces", STATUS_USAGE},
               {"--pieces 0", "--pieces", STATUS_USAGE},
               {"--faces 1,1,1,1", "--faces: expected five weights", STATUS_USAGE},
               {"--faces 1,1,1,1,1,1", "--faces: expected five weights", STATUS_USAGE},
               {"--faces 1,1,1,1,1001", "from 0 to 1000", STATUS_USAGE},
               {"--faces 1,1,x,1,1", "--faces: expected five weights", STATUS_USAGE},
               {"--faces 0,0,0,0,0", "--faces: at least one", STATUS_USAGE},
               {"--faces 4,6,4,1,2 --throw-count 12", "a sum of 17", STATUS_UNSUPPORTED}};
    Variant variant;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(variant_parse(&dice_game, bad[i].options, &variant), bad[i].code,
                     bad[i].words);
    assert_ok(variant_parse(&dice_game, "--faces 40,60,40,10,10 --throw-count 12", &variant));
    int16_t *scores;
    variant = variant_of("--throw-count 11");
    assert_fails(dice_inputs.scores(&variant.rules, &scores), STATUS_UNSUPPORTED, "10 throws");
    variant = variant_of("--faces 1,1,1,1,2");
    assert_fails(dice_inputs.scores(&variant.rules, &scores), STATUS_UNSUPPORTED, "--faces");
}

/* The first field tells how many pieces there are; with one piece three words are a position. */
static void positions_with_fewer_pieces(void **state) {
    (void)state;
    Variant variant;
    State at;
    assert_ok(resolve_text(&dice_game, "", "0,10 5 4,1", &variant, &at));
    assert_int_equal(dice_rules(&variant.rules).pieces, 2);
    assert_int_equal(dice_state(&at).pieces[1], DICE_RING_10);
    assert_int_equal(dice_state(&at).pieces[2], DICE_FINISH);
    variant = variant_of("--pieces 1 --throw-count 3");
    at = position(&variant, "2 4 4");
    assert_int_equal(dice_state(&at).score, 4);
    assert_int_equal(dice_state(&at).left, 1);
    variant = variant_of("--faces 1,0,1,1,1");
    assert_fails(dice_parse_state(&variant.rules, "0,0,0,0 0 2,1", &at), STATUS_USAGE,
                 "2 never comes up");
    at = dice_start(&variant.rules);
    Move move;
    assert_fails(dice_parse_move(&variant.rules, &at, "2", LANG_KO, &move), STATUS_USAGE,
                 "나오지 않습니다");
}

static void keeps_the_contract(void **state) {
    (void)state;
    static const char *const options[] = {"", "--online"};
    for (size_t i = 0; i < 2; i++) {
        Variant variant = variant_of(options[i]);
        int ended;
        assert_ok(contract_check(&variant, 5, test_times(300), 100, &ended));
        assert_int_equal(ended, test_times(300));
    }
}

/* Games end early when nothing can move. */
static void ends_where_nothing_can_move(void **state) {
    (void)state;
    Variant variant = variant_of("");
    State at = position(&variant, "6,4,2,0 7 1,1"); /* 6 can go on */
    assert_int_equal(dice_actor(&variant.rules, &at), 0);
    /* Each is blocked by the next but the last, which goes to the finish. */
    at = position(&variant, "40,35,30i,25 7 1,5");
    Move moves[DICE_PIECES];
    assert_int_equal(dice_moves(&variant.rules, &at, moves), 1);
    at = position(&variant, "F,F,F,F 7 1,5");
    assert_int_equal(dice_actor(&variant.rules, &at), GAME_END);
    at = position(&variant, "0,2,4,6 7 -");
    assert_int_equal(dice_actor(&variant.rules, &at), GAME_END);
}

static void bad_positions_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *options, *text, *words;
    } bad[] = {{"", "", "ten throws"},
               {"", "1 2 3", "not 3"},
               {"", "1 2 3 4 5 1 2 3 4 5 1", "more than 10"},
               {"", "1 2 3 4 5 0 2 3 4 5", "from 1 to 5"},
               {"", "1 2 3 4 5 6 2 3 4 5", "from 1 to 5"},
               {"", "0,0,0 0 1", "four squares"},
               {"", "0,0,0,0,0 0 1", "four squares"},
               {"--pieces 1", "0,0 0 1", "expected one square, such as"},
               {"", "0,0,0,1 0 1", "no square '1'"},
               {"", "0,0,10,10 0 1", "two on 10"},
               {"", "0,0,25,25 0 1", "two on 25"},
               {"", "0,0,0,0 x 1", "score"},
               {"", "0,0,0,0 9999 1", "score"},
               {"", "0,0,0,0 0 ?,1", "still to be made"},
               {"", "0,0,0,0 0 1,", "throw"},
               {"", "0,0,0,0 0 1,1,1,1,1,1,1,1,1,1,1", "at most ten"},
               {"--online", "0,0,0,0 0 11", "throws left"},
               {"--online", "0,0,0,0 0 0 1", "none left"},
               {"--online", "0,0,0,0 0 3 6", "throw"},
               {"--online", "0,0,0,0 0", "PIECES SCORE THROWS"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Variant variant = variant_of(bad[i].options);
        State at;
        assert_fails(dice_parse_state(&variant.rules, bad[i].text, &at), STATUS_USAGE,
                     bad[i].words);
    }
    /* More known throws than are left: no text says that, but a caller's position may. */
    Variant variant = variant_of("");
    DiceState dice = {.left = 2, .throws = {1, 2, 3}};
    State at = dice_state_pack(&dice);
    assert_fails(dice_check(&variant.rules, &at), STATUS_USAGE, "expected numbers from 1 to 5");
}

static void bad_moves_are_refused_in_both_languages(void **state) {
    (void)state;
    static const struct {
        const char *text, *move, *english, *korean;
    } bad[] = {{"0,0,10,25 37 4,1", "2", "expected 0-8 or 25-F, not '2'",
                "다음 중 하나여야 합니다: 0-8, 25-F"},
               {"0,0,10,25 37 ?,?", "6", "a whole number from 1 to 5, not '6'",
                "1부터 5까지의 수여야 하는데 '6'입니다"},
               {"0,0,10,25 37 -", "0-8", "over", "끝난"}};
    Variant variant = variant_of("");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        State at = position(&variant, bad[i].text);
        Move move;
        assert_fails(dice_parse_move(&variant.rules, &at, bad[i].move, LANG_EN, &move),
                     STATUS_USAGE, bad[i].english);
        assert_fails(dice_parse_move(&variant.rules, &at, bad[i].move, LANG_KO, &move),
                     STATUS_USAGE, bad[i].korean);
    }
}

/* The names of the start and the finish, which moves and positions use, are shown on request. */
static void drawing_can_name_the_start_and_the_finish(void **state) {
    (void)state;
    Variant variant = variant_of("");
    State at = position(&variant, "0,0,10,F 37 4,1");
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    dice_draw(&variant.rules, &at, (DrawStyle){.columns = 80}, &text);
    assert_non_null(strstr(bytes, "[10]"));
    assert_non_null(strstr(bytes, "\nat the start 2, finished 1; score 37"));
    text = text_over(bytes, sizeof bytes);
    dice_draw(&variant.rules, &at, (DrawStyle){.numbers = true, .columns = 80}, &text);
    assert_non_null(strstr(bytes, "[10]"));
    assert_non_null(strstr(bytes, "\nat the start (0) 2, finished (F) 1; score 37"));
}

/* Rules that are a switch read back as they are printed. */
static void a_switch_reads_back(void **state) {
    (void)state;
    Variant variant = variant_of("--online");
    char bytes[GAME_TEXT_BYTES], value[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant_print(&variant, &text);
    assert_string_equal(bytes, "--online --throw-count 10 --pieces 4 --faces 1,1,1,1,1");
    text = text_over(bytes, sizeof bytes);
    variant_print_unusual(&variant, &text);
    assert_string_equal(bytes, "--online");
    assert_true(variant_is_unusual(&variant, "online", value));
    Variant usual = variant_of("");
    text = text_over(bytes, sizeof bytes);
    variant_print_unusual(&usual, &text);
    assert_string_equal(bytes, "");
    assert_false(variant_is_unusual(&usual, "online", value));
}

static void steps_in_words(void **state) {
    (void)state;
    Variant variant = variant_of("--online");
    State position = dice_start(&variant.rules);
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    dice_narrate(&variant.rules, &position, 3, LANG_EN, &text);
    assert_string_equal(bytes, "throw: 3");
    dice_apply(&variant.rules, &position, 3);
    Move moves[GAME_MOVES_MAX];
    assert_true(dice_moves(&variant.rules, &position, moves) > 0);
    text = text_over(bytes, sizeof bytes);
    dice_narrate(&variant.rules, &position, moves[0], LANG_EN, &text);
    assert_null(strstr(bytes, "throw: "));
    assert_non_null(strstr(bytes, "a piece"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rules_keep_the_contract),
        cmocka_unit_test(options_are_refused_by_name),
        cmocka_unit_test(positions_with_fewer_pieces),
        cmocka_unit_test(keeps_the_contract),
        cmocka_unit_test(ends_where_nothing_can_move),
        cmocka_unit_test(bad_positions_are_refused),
        cmocka_unit_test(bad_moves_are_refused_in_both_languages),
        cmocka_unit_test(drawing_can_name_the_start_and_the_finish),
        cmocka_unit_test(a_switch_reads_back),
        cmocka_unit_test(steps_in_words),
    };
    return cmocka_run_group_tests_name("dice_rules", tests, NULL, NULL);
}
