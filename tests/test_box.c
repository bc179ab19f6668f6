/* The rules of Shut the Box, each by name. */
#include <stdio.h>
#include <string.h>

#include "game/contract.h"
#include "games/box/box.h"
#include "testing.h"

static Variant variant_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&box_game, options, &variant));
    return variant;
}

static State state_of(const Variant *variant, const char *text) {
    State state;
    assert_ok(box_parse_state(&variant->rules, text, &state));
    return state;
}

/* After the move or roll, the position reads like this. */
static void assert_leads(const char *options, const char *from, const char *move, const char *to) {
    Variant variant = variant_of(options);
    State state = state_of(&variant, from);
    Move parsed;
    assert_ok(box_parse_move(&variant.rules, &state, move, LANG_EN, &parsed));
    assert_ok(variant_play(&variant, &state, parsed));
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    box_print_state(&variant.rules, &state, &text);
    assert_string_equal(bytes, to);
}

static void assert_pays(const char *options, const char *position, const double expected[]) {
    Variant variant = variant_of(options);
    State state = state_of(&variant, position);
    double payoffs[GAME_PLAYERS_MAX] = {0};
    assert_int_equal(box_actor(&variant.rules, &state), GAME_END);
    box_payoff(&variant.rules, &state, payoffs);
    for (int i = 0; i < box_player_count(&variant.rules); i++)
        assert_true(payoffs[i] == expected[i]);
}

static void a_roll_that_fits_waits_for_a_move(void **state) {
    (void)state;
    assert_leads("", "123456789 0 - -", "12", "123456789 0 - 12");
    assert_leads("", "13456789 1 17 12", "3+9", "145678 1 17 -");
}

static void a_roll_that_does_not_fit_ends_the_turn(void **state) {
    (void)state;
    assert_leads("", "13456789 0 - -", "2", "123456789 1 43 -");
    assert_leads("", "8 1 8 -", "7", "8 2 8,8 -");
    assert_leads("--players 3", "18 1 20 -", "2", "123456789 2 20,9 -");
    assert_leads("--players 1", "18 0 - -", "2", "18 1 9 -");
}

static void closing_everything_wins_at_once(void **state) {
    (void)state;
    assert_leads("", "123 0 - 6", "1+2+3", "- 0 - -");
    assert_pays("", "- 0 - -", (const double[GAME_PLAYERS_MAX]){1, 0});
    assert_pays("--players 3", "- 1 1 -", (const double[GAME_PLAYERS_MAX]){0, 1, 0});
}

static void the_lowest_score_wins_and_ties_share(void **state) {
    (void)state;
    assert_pays("", "89 2 16,17 -", (const double[GAME_PLAYERS_MAX]){1, 0});
    assert_pays("", "89 2 17,17 -", (const double[GAME_PLAYERS_MAX]){0.5, 0.5});
    assert_pays("--players 4", "89 4 17,17,18,17 -",
                (const double[GAME_PLAYERS_MAX]){1.0 / 3, 1.0 / 3, 0, 1.0 / 3});
}

static void the_last_player_stops_when_it_has_beaten_all(void **state) {
    (void)state;
    assert_pays("", "12345689 1 41 -", (const double[GAME_PLAYERS_MAX]){0, 1});
    /* Nobody else stops: player 1 of 3 with 3 against 41 goes on. */
    Variant three = variant_of("--players 3");
    State going = state_of(&three, "12 1 41 -");
    assert_int_equal(box_actor(&three.rules, &going), GAME_CHANCE);
    /* A tie is not a win yet. */
    Variant two = variant_of("");
    State tie = state_of(&two, "12345689 1 38 -");
    assert_int_equal(box_actor(&two.rules, &tie), GAME_CHANCE);
}

static void one_die_by_each_rule(void **state) {
    (void)state;
    BoxRules rules = {
        .tiles = 9, .dice = 2, .sides = 6, .one_die = BOX_ONE_DIE_SUM, .one_die_limit = 6};
    assert_int_equal(box_dice(&rules, 0x20), 1);  /* 6 */
    assert_int_equal(box_dice(&rules, 0x21), 2);  /* 1+6 */
    assert_int_equal(box_dice(&rules, 0x07), 1);  /* 1+2+3 */
    assert_int_equal(box_dice(&rules, 0x100), 2); /* 9 */
    rules.one_die = BOX_ONE_DIE_TOP;
    assert_int_equal(box_dice(&rules, 0x3F), 1); /* 1 to 6 */
    assert_int_equal(box_dice(&rules, 0x40), 2); /* 7 */
    rules.one_die_limit = 300;
    assert_int_equal(box_dice(&rules, 0x1FF), 1);
    rules.one_die = BOX_ONE_DIE_NEVER;
    assert_int_equal(box_dice(&rules, 0x1), 2);
}

static void dice_have_the_right_odds(void **state) {
    (void)state;
    BoxRules rules = {.dice = 3, .sides = 6};
    uint64_t weights[BOX_ROLL_MAX + 1];
    static const uint64_t three[] = {1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1};
    assert_int_equal(box_roll_weights(&rules, 3, weights), 216);
    for (int i = 0; i <= BOX_ROLL_MAX; i++)
        assert_int_equal(weights[i], i >= 3 && i <= 18 ? three[i - 3] : 0);
}

/* Moves come greatest first, compared from the largest tile down. */
static void moves_are_all_there_in_order(void **state) {
    (void)state;
    Variant variant = variant_of("");
    State position = state_of(&variant, "123456789 0 - 12");
    static const char *const expected[] = {"3+9",   "1+2+9",   "4+8",   "1+3+8",
                                           "5+7",   "1+4+7",   "2+3+7", "1+5+6",
                                           "2+4+6", "1+2+3+6", "3+4+5", "1+2+4+5"};
    Move moves[GAME_MOVES_MAX];
    size_t count = box_moves(&variant.rules, &position, moves);
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < count; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        box_print_move(&variant.rules, &position, moves[i], LANG_EN, &text);
        assert_string_equal(bytes, expected[i]);
    }
}

/* The same list by trying every subset, for every open set and roll. */
static void moves_agree_with_every_subset(void **state) {
    (void)state;
    Variant variant = variant_of("");
    for (TileSet open = 1; open < 512; open++) {
        for (int roll = 1; roll <= 12; roll++) {
            BoxState s = {.open = open, .roll = (uint8_t)roll};
            State packed = box_state_pack(&s);
            Move moves[GAME_MOVES_MAX];
            size_t count = box_moves(&variant.rules, &packed, moves);
            size_t expected = 0;
            for (TileSet set = 511; set > 0; set--) {
                if ((set & ~open) || box_sum(set) != roll)
                    continue;
                assert_true(expected < count && moves[expected] == set);
                expected++;
            }
            assert_int_equal(count, expected);
            assert_int_equal(box_sums(open) >> roll & 1, count > 0);
        }
    }
}

static void a_player_alone_is_paid_by_its_aim(void **state) {
    (void)state;
    BoxRules rules = {.tiles = 12, .aim = BOX_AIM_SHUT};
    TileSet set = 0xC05; /* 1, 3, 11, 12 */
    assert_true(box_solo_payoff(&rules, set) == 0);
    assert_true(box_solo_payoff(&rules, 0) == 1);
    rules.aim = BOX_AIM_SCORE;
    assert_true(box_solo_payoff(&rules, set) == 27);
    rules.aim = BOX_AIM_DIGITS;
    assert_true(box_solo_payoff(&rules, set) == 131112);
    assert_true(box_solo_payoff(&rules, 0) == 0);
}

static void positions_name_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *options, *text, *words;
    } bad[] = {
        {"", "", "OPEN PLAYER SCORES ROLL"},
        {"", "123 0 -", "OPEN PLAYER SCORES ROLL"},
        {"", "123 0 - - -", "OPEN PLAYER SCORES ROLL"},
        {"", "321 0 - -", "open tiles: expected increasing"},
        {"", "112 0 - -", "open tiles: expected increasing"},
        {"", "102 0 - -", "open tiles: expected tiles from 1 to 9, not '0'"},
        {"", "12a 0 - -", "not 'a'"},
        {"", "1,2 0 - -", "not ','"},
        {"", "123 3 - -", "player: expected a whole number from 0 to 2"},
        {"", "123 x - -", "player:"},
        {"", "123 1 - -", "scores: expected 1 (one for each"},
        {"", "123 0 5 -", "scores: expected 0"},
        {"", "123 1 46 -", "scores: expected a whole number from 1 to 45"},
        {"", "123 1 0 -", "scores:"},
        {"", "123 1 5,6 -", "scores: expected 1"},
        {"", "123 1 5, -", "scores:"},
        {"", "123456789 0 - 1", "roll: the dice with 6 sides show 2 to 12, not 1"},
        {"", "123456789 0 - 13", "roll: expected a whole number from 1 to 12"},
        {"", "123 0 - 7", "roll: one die with 6 sides shows 1 to 6, not 7"},
        {"", "13456789 0 - 2", "roll: no set of the open tiles sums to 2"},
        {"", "12 1 17 3", "roll: the game is over"},
        {"", "- 0 - 3", "roll: the game is over"},
        {"", "12 2 17,4 -", "last player's open tiles sum to 3, not 4"},
        {"", "12 2 17,3 -", "player: expected 1, which stopped"},
        {"--tiles 12", "123 0 - -", "separated by commas, not '123'"},
        {"--tiles 12", "1,2,13 0 - -", "expected tiles from 1 to 12"},
        {"--tiles 12", "1,,2 0 - -", "not ''"},
        {"--tiles 12", "1,2, 0 - -", "not ''"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Variant variant = variant_of(bad[i].options);
        State position;
        assert_fails(box_parse_state(&variant.rules, bad[i].text, &position), STATUS_USAGE,
                     bad[i].words);
    }
    char long_text[10001];
    memset(long_text, '1', 10000);
    long_text[10000] = '\0';
    Variant variant = variant_of("");
    State position;
    assert_fails(box_parse_state(&variant.rules, long_text, &position), STATUS_USAGE, "...'");
}

static void moves_name_what_is_wrong(void **state) {
    (void)state;
    Variant variant = variant_of("");
    State rolled = state_of(&variant, "13456789 1 17 12");
    State waiting = state_of(&variant, "13456789 1 17 -");
    State over = state_of(&variant, "12 1 17 -");
    Move move;
    assert_fails(box_parse_move(&variant.rules, &rolled, "3+8", LANG_EN, &move), STATUS_USAGE,
                 "sum to 12, but '3+8' sums to 11");
    assert_fails(box_parse_move(&variant.rules, &rolled, "2+3+7", LANG_EN, &move), STATUS_USAGE,
                 "tile 2 of '2+3+7' is closed; open tiles: 13456789");
    assert_fails(box_parse_move(&variant.rules, &rolled, "9+3", LANG_EN, &move), STATUS_USAGE,
                 "increasing");
    assert_fails(box_parse_move(&variant.rules, &rolled, "12", LANG_EN, &move), STATUS_USAGE,
                 "from 1 to 9");
    assert_fails(box_parse_move(&variant.rules, &waiting, "1", LANG_EN, &move), STATUS_USAGE,
                 "roll: expected a whole number from 2 to 12");
    assert_fails(box_parse_move(&variant.rules, &over, "1", LANG_EN, &move), STATUS_USAGE, "over");
    static const struct {
        const char *position, *move, *words;
    } korean[] = {
        {"13456789 1 17 12", "3+8", "합이 12이어야 하는데 11입니다"},
        {"13456789 1 17 12", "2+3+7", "숫자판 2은(는) 닫혀 있습니다. 열린 숫자판: 13456789"},
        {"13456789 1 17 12", "9+3", "작은 숫자판부터"},
        {"13456789 1 17 12", "12", "1부터 9까지"},
        {"13456789 1 17 12", "", "비어 있습니다"},
        {"13456789 1 17 -", "1", "2부터 12까지의 수여야 하는데 '1'입니다"},
        {"12 1 17 -", "1", "끝난 게임"}};
    for (size_t i = 0; i < sizeof korean / sizeof korean[0]; i++) {
        State position = state_of(&variant, korean[i].position);
        assert_fails(box_parse_move(&variant.rules, &position, korean[i].move, LANG_KO, &move),
                     STATUS_USAGE, korean[i].words);
    }
}

/* --- the formats --- */

static void shutting_may_score_0(void **state) {
    (void)state;
    const char *off = "--shut-wins off";
    assert_leads(off, "123 0 - 6", "1+2+3", "123456789 1 0 -");
    assert_leads(off, "123 1 0 6", "1+2+3", "- 2 0,0 -");
    assert_pays(off, "- 2 0,0 -", (const double[GAME_PLAYERS_MAX]){0.5, 0.5});
    /* The last player has beaten 5 and stops. */
    assert_pays(off, "- 1 5 -", (const double[GAME_PLAYERS_MAX]){0, 1});
    assert_leads("--shut-wins off --players 3", "12 1 7 3", "1+2", "123456789 2 7,0 -");
}

static void an_opening_2_loses(void **state) {
    (void)state;
    assert_leads("--two-to-go on", "123456789 0 - -", "2", "123456789 1 45 -");
    assert_leads("--two-to-go on", "23456789 0 - -", "2", "23456789 0 - 2");
    assert_leads("", "123456789 0 - -", "2", "123456789 0 - 2");
    Variant variant = variant_of("--two-to-go on");
    State at;
    assert_fails(box_parse_state(&variant.rules, "123456789 0 - 2", &at), STATUS_USAGE,
                 "an opening 2 loses");
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    at = box_start(&variant.rules);
    box_narrate(&variant.rules, &at, 2, LANG_EN, &text);
    assert_string_equal(bytes, "player 0 rolls 2: an opening 2 loses, score 45");
}

static void totals_add_up_over_rounds(void **state) {
    (void)state;
    assert_leads("--rounds 3", "8 1 8 - 2 20,31", "7", "123456789 0 - - 3 28,39");
    assert_leads("--rounds 3", "8 1 9 - 3 20,31", "7", "8 2 9,8 - 3 20,31");
    assert_pays("--rounds 3", "8 2 9,8 - 3 20,31", (const double[GAME_PLAYERS_MAX]){1, 0});
    assert_pays("--rounds 2", "8 2 9,8 - 2 20,21", (const double[GAME_PLAYERS_MAX]){0.5, 0.5});
    /* Nobody stops early. */
    Variant variant = variant_of("--rounds 2");
    State going = state_of(&variant, "1 1 41 - 2 20,0");
    assert_int_equal(box_actor(&variant.rules, &going), GAME_CHANCE);
}

static void who_reaches_the_limit_is_out(void **state) {
    (void)state;
    assert_leads("--limit 45", "8 1 8 - - 20,31", "7", "123456789 0 - - - 28,39");
    assert_leads("--limit 45", "8 1 8 - - 20,37", "7", "8 2 8,8 - - 20,37");
    assert_pays("--limit 45", "8 2 8,8 - - 20,37", (const double[GAME_PLAYERS_MAX]){1, 0});
    /* Player 1 still finishes the round, and both may be out: the lower total wins. */
    assert_leads("--limit 45", "18 0 - - - 40,44", "2", "123456789 1 9 - - 40,44");
    assert_pays("--limit 45", "8 2 9,8 - - 40,44", (const double[GAME_PLAYERS_MAX]){1, 0});
    assert_pays("--limit 45", "- 0 - - - 40,4", (const double[GAME_PLAYERS_MAX]){1, 0});
}

static void no_limit_is_the_ordinary_game(void **state) {
    (void)state;
    Variant variant = variant_of("--limit 0"), ordinary = variant_of("");
    assert_memory_equal(&variant.rules, &ordinary.rules, sizeof variant.rules);
}

static void positions_of_rounds_name_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *options, *text, *words;
    } bad[] = {
        {"--rounds 3", "123456789 0 - -", "ROUND TOTALS"},
        {"", "123456789 0 - - 1 0,0", "OPEN PLAYER SCORES ROLL"},
        {"--rounds 3", "123456789 0 - - 4 0,0", "round"},
        {"--rounds 3", "123456789 0 - - 1 0,1", "totals: expected at most 0"},
        {"--rounds 3", "123456789 0 - - 2 0,46", "totals: expected at most 45"},
        {"--rounds 3", "123456789 0 - - 2 7", "totals: expected 2, one for each player, not 1"},
        {"--rounds 3", "8 2 8,8 - 2 20,31", "the next round begins"},
        {"--limit 45", "123456789 0 - - 1 0,0", "round: expected -"},
        {"--limit 45", "123456789 0 - - - 45,0", "totals: expected at most 44"},
        {"--shut-wins off", "- 0 - -", "ends the turn with 0 points"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Variant variant = variant_of(bad[i].options);
        State at;
        assert_fails(box_parse_state(&variant.rules, bad[i].text, &at), STATUS_USAGE, bad[i].words);
    }
}

/* --- more than two players --- */

static void who_is_out_is_passed_over(void **state) {
    (void)state;
    const char *three = "--players 3 --limit 45";
    assert_leads(three, "8 1 8 - - 20,37,10", "7", "123456789 2 8,8 - - 20,37,10");
    assert_leads(three, "8 2 8,8 - - 20,37,10", "7", "123456789 0 - - - 28,45,18");
    assert_leads(three, "8 0 - - - 28,45,18", "7", "123456789 2 8,x - - 28,45,18");
    assert_leads(three, "8 2 8,x - - 28,45,18", "7", "123456789 0 - - - 36,45,26");
    assert_leads(three, "8 1 x - - 45,20,18", "7", "123456789 2 x,8 - - 45,20,18");
    assert_leads(three, "8 2 x,8 - - 45,20,18", "7", "123456789 1 x - - 45,28,26");
    /* The last one in wins. Those who go out together have lost to each other by their totals, and
     * to nobody who was out before. */
    assert_pays(three, "8 3 8,x,8 - - 38,45,18", (const double[GAME_PLAYERS_MAX]){0, 0, 1});
    assert_pays(three, "8 3 8,x,8 - - 40,45,41", (const double[GAME_PLAYERS_MAX]){1, 0, 0});
    assert_pays(three, "8 3 8,x,8 - - 40,45,40", (const double[GAME_PLAYERS_MAX]){0.5, 0, 0.5});
    assert_pays(three, "- 2 8,x - - 40,45,40", (const double[GAME_PLAYERS_MAX]){0, 0, 1});
    assert_pays("--players 3 --rounds 2", "8 3 7,9,8 - 2 10,10,9",
                (const double[GAME_PLAYERS_MAX]){0.5, 0, 0.5});
}

static void positions_of_more_players_name_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {{"8 2 8,8 - - 28,45,18", "scores: player 1 is out: expected x"},
               {"8 2 8,x - - 28,44,18", "scores: player 1 is not out"},
               {"8 1 8 - - 28,45,18", "player: 1 is out"},
               {"8 0 - - - 45,45,18", "at least two players with fewer than 45"},
               {"8 0 - - - 90,20,18", "totals: expected at most 89"},
               {"8 0 - - - 20,18", "totals: expected 3, one for each player, not 2"},
               {"8 3 8,x,8 - - 28,45,18", "the next round begins"},
               {"7 3 8,8,x - - 38,40,45", "the last player's open tiles sum to 7, not 8"}};
    Variant variant = variant_of("--players 3 --limit 45");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        State at;
        assert_fails(box_parse_state(&variant.rules, bad[i].text, &at), STATUS_USAGE, bad[i].words);
    }
}

/* Plays a random game and compares the values of both solvers where a player chooses. */
static double compare_in_game(const Variant *variant, Solver *exact, Solver *estimate,
                              Random *random, int *count) {
    double sum = 0, values[GAME_PLAYERS_MAX], estimates[GAME_PLAYERS_MAX];
    int players = box_player_count(&variant->rules);
    State at = box_start(&variant->rules);
    while (box_actor(&variant->rules, &at) != GAME_END) {
        Move moves[GAME_MOVES_MAX];
        if (box_actor(&variant->rules, &at) == GAME_CHANCE) {
            box_apply(&variant->rules, &at, variant_draw_chance(variant, &at, random));
            continue;
        }
        double whole = 0;
        assert_ok(exact->values(exact, &at, values));
        assert_ok(estimate->values(estimate, &at, estimates));
        for (int i = 0; i < players; i++) {
            sum += fabs(values[i] - estimates[i]) / players;
            whole += estimates[i];
        }
        assert_true(fabs(whole - 1) < 1e-12);
        ++*count;
        size_t legal = box_moves(&variant->rules, &at, moves);
        box_apply(&variant->rules, &at, moves[random_below(random, legal)]);
    }
    return sum;
}

static void estimates_are_close_to_exact_values(void **state) {
    (void)state;
    static const char *const options[] = {"--limit 45",
                                          "--rounds 5",
                                          "--rounds 3 --shut-wins off --two-to-go on",
                                          "--players 3 --tiles 5 --limit 20 --dice 1",
                                          "--players 3 --tiles 4 --rounds 3",
                                          "--players 4 --tiles 4 --dice 1 --limit 7"};
    const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        Variant variant = variant_of(options[i]);
        Random random = random_from_seed(7, i);
        Solver *exact, *estimate;
        double sum = 0;
        int count = 0;
        assert_ok(box_solver_new(&variant.rules, &limits, &exact));
        assert_ok(box_many_estimator_new(&variant.rules, &limits, &estimate));
        assert_true(exact->kind == VALUE_EXACT && estimate->kind == VALUE_ESTIMATE);
        for (int game = 0; game < 20; game++)
            sum += compare_in_game(&variant, exact, estimate, &random, &count);
        if (sum > 0.002 * count)
            fail_msg("%s: %.4f off on average", options[i], sum / count);
        exact->free(exact);
        estimate->free(estimate);
    }
}

static void many_players_are_estimated(void **state) {
    (void)state;
    Variant variant = variant_of("--players 5 --limit 100"), single = variant_of("--players 5");
    SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 1};
    Solver *solver;
    assert_fails(box_solver_check(&variant.rules), STATUS_UNSUPPORTED, "would take too long");
    assert_fails(box_solver_new(&variant.rules, &limits, &solver), STATUS_UNSUPPORTED, "5 players");
    assert_fails(box_many_estimator_new(&single.rules, &limits, &solver), STATUS_UNSUPPORTED,
                 "a single round");
    limits.memory_bytes = 1000;
    assert_fails(box_many_estimator_new(&variant.rules, &limits, &solver), STATUS_UNSUPPORTED,
                 "memory");
}

static void random_formats_keep_the_contract(void **state) {
    (void)state;
    skip_if_threads_only();
    Random random = random_from_seed(14, 0);
    for (int i = 0; i < 200; i++) {
        char text[GAME_TEXT_BYTES];
        int limit = (int)random_below(&random, 2) * (int)(1 + random_below(&random, 60));
        int rounds = 1 + (int)random_below(&random, 4), ended;
        snprintf(text, sizeof text,
                 "--tiles %d --players %d --shut-wins %s --two-to-go %s --limit %d --rounds %d",
                 1 + (int)random_below(&random, 12), 2 + (int)random_below(&random, 4),
                 random_below(&random, 2) ? "on" : "off", random_below(&random, 2) ? "on" : "off",
                 limit, rounds);
        Variant variant = variant_of(text);
        assert_ok(contract_check(&variant, (uint64_t)i, 5, 2000, &ended));
        assert_int_equal(ended, 5);
    }
}

static void draws_the_box(void **state) {
    (void)state;
    Variant variant = variant_of("");
    State position = state_of(&variant, "13456789 1 17 12");
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    box_draw(&variant.rules, &position, (DrawStyle){.ascii = true, .columns = 80}, &text);
    assert_string_equal(bytes, "+-+   +-++-++-++-++-++-++-+\n"
                               "|1| . |3||4||5||6||7||8||9|\n"
                               "+-+   +-++-++-++-++-++-++-+\n"
                               "player 1 rolled 12; open tiles sum to 43; scores so far: 17\n");
    Variant wide = variant_of("--tiles 12");
    State full = box_start(&wide.rules);
    text = text_over(bytes, sizeof bytes);
    box_draw(&wide.rules, &full, (DrawStyle){.columns = 20}, &text);
    for (char *line = strtok(bytes, "\n"); line && *line != 'p'; line = strtok(NULL, "\n"))
        assert_true(text_columns(line) <= 20);
}

/* The last move of a game, and what is said then. */
static void assert_end(const char *options, const char *from, const char *move, const char *words) {
    Variant variant = variant_of(options);
    State state = state_of(&variant, from);
    Move last;
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    assert_ok(box_parse_move(&variant.rules, &state, move, LANG_EN, &last));
    assert_ok(variant_play(&variant, &state, last));
    assert_int_equal(box_actor(&variant.rules, &state), GAME_END);
    box_narrate_end(&variant.rules, &state, LANG_EN, &text);
    assert_string_equal(bytes, words);
}

static void the_end_is_told(void **state) {
    (void)state;
    assert_end("--players 1", "9 0 - 9", "9", "The box is shut.");
    assert_end("--players 1", "1 0 - -", "5", "Score 1.");
    assert_end("--players 1 --aim digits", "134 0 - -", "6", "Score 134.");
    assert_end("", "13 1 3 3", "3", "Player 1 wins.");
    assert_end("", "12 1 3 -", "5", "A tie between players 0, 1.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_roll_that_fits_waits_for_a_move),
        cmocka_unit_test(a_roll_that_does_not_fit_ends_the_turn),
        cmocka_unit_test(closing_everything_wins_at_once),
        cmocka_unit_test(the_lowest_score_wins_and_ties_share),
        cmocka_unit_test(the_last_player_stops_when_it_has_beaten_all),
        cmocka_unit_test(one_die_by_each_rule),
        cmocka_unit_test(dice_have_the_right_odds),
        cmocka_unit_test(moves_are_all_there_in_order),
        cmocka_unit_test(moves_agree_with_every_subset),
        cmocka_unit_test(a_player_alone_is_paid_by_its_aim),
        cmocka_unit_test(positions_name_what_is_wrong),
        cmocka_unit_test(moves_name_what_is_wrong),
        cmocka_unit_test(draws_the_box),
        cmocka_unit_test(shutting_may_score_0),
        cmocka_unit_test(an_opening_2_loses),
        cmocka_unit_test(totals_add_up_over_rounds),
        cmocka_unit_test(who_reaches_the_limit_is_out),
        cmocka_unit_test(no_limit_is_the_ordinary_game),
        cmocka_unit_test(positions_of_rounds_name_what_is_wrong),
        cmocka_unit_test(who_is_out_is_passed_over),
        cmocka_unit_test(positions_of_more_players_name_what_is_wrong),
        cmocka_unit_test(estimates_are_close_to_exact_values),
        cmocka_unit_test(many_players_are_estimated),
        cmocka_unit_test(random_formats_keep_the_contract),
        cmocka_unit_test(the_end_is_told),
    };
    return cmocka_run_group_tests_name("box", tests, NULL, NULL);
}
