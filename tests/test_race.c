/* The Yut race: published values, and a second solver written from the rules alone. */
#include <math.h>
#include <string.h>

#include "game/contract.h"
#include "games/race/race.h"
#include "testing.h"
#include "values/solve_now.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 28, .threads = 1};

static double value_of(const char *options, const char *position) {
    Variant variant;
    State state;
    Solver *solver;
    double values[GAME_PLAYERS_MAX];
    assert_ok(variant_parse(&race_game, options, &variant));
    assert_ok(race_game.text.parse_state(&variant.rules, position, &state));
    assert_ok(solve_now_open(&variant, &limits, &solver));
    assert_ok(solver->values(solver, &state, values));
    solver->free(solver);
    assert_true(fabs(values[0] + values[1] - 1) < 1e-12);
    return values[0];
}

static void published_values(void **state) {
    (void)state;
    static const struct {
        const char *options, *position;
        double value;
    } known[] = {
        {"", "0 0 0", 0.570139}, {"", "5 10 0", 0.406490},           {"", "10 5 0", 0.816130},
        {"", "0 5 0", 0.166281}, {"--front 0.5", "0 0 0", 0.572364}, {"", "50 3 0", 1},
        {"", "3 50 1", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(fabs(value_of(known[i].options, known[i].position) - known[i].value) < 5e-7);
}

/* --- the second solver --- */

enum { HOME = 29 };

/* One step on, for a piece that came to `square` by way of `origin`, where its move began. */
static int step(int square, int origin) {
    bool by_5 = origin == 5 || origin == 20 || origin == 21;
    switch (square) {
    case 5:
        return origin == 5 ? 20 : 6;
    case 10:
        return origin == 10 ? 24 : 11;
    case 20:
        return 21;
    case 21:
        return 26;
    case 26:
        return by_5 ? 22 : 27;
    case 22:
        return 23;
    case 23:
        return 15;
    case 24:
        return 25;
    case 25:
        return 26;
    case 27:
        return 28;
    case 28:
    case 19:
    case HOME:
        return HOME;
    default:
        return square + 1;
    }
}

static int walk(int square, int steps) {
    int origin = square;
    for (int i = 0; i < steps; i++)
        square = step(square, origin);
    return square;
}

static double memo[HOME][HOME];

/* The chance that whoever is about to throw wins, its piece on `mine`. */
static double plain_value(int mine, int other, double round_side) {
    double flat_side = 1 - round_side;
    double chance[6] = {0,
                        4 * pow(round_side, 3) * flat_side,
                        6 * pow(round_side, 2) * pow(flat_side, 2),
                        4 * round_side * pow(flat_side, 3),
                        pow(flat_side, 4),
                        pow(round_side, 4)};
    if (memo[mine][other] >= 0)
        return memo[mine][other];
    double value = 0;
    for (int steps = 1; steps <= 5; steps++) {
        int next = walk(mine, steps);
        if (next == HOME)
            value += chance[steps];
        else if (steps >= 4)
            value += chance[steps] * plain_value(next, other, round_side);
        else
            value += chance[steps] * (1 - plain_value(other, next, round_side));
    }
    return memo[mine][other] = value;
}

static void every_position_agrees_with_the_second_solver(void **state) {
    (void)state;
    static const struct {
        const char *options;
        double round_side;
    } sticks[] = {{"", 0.530125},
                  {"--front 0.5", 0.5},
                  {"--front 0.123456789", 0.123456789},
                  {"--front 0.9", 0.9}};
    for (size_t i = 0; i < sizeof sticks / sizeof sticks[0]; i++) {
        Variant variant;
        Solver *solver;
        assert_ok(variant_parse(&race_game, sticks[i].options, &variant));
        assert_ok(solve_now_open(&variant, &limits, &solver));
        for (int a = 0; a < HOME; a++)
            for (int b = 0; b < HOME; b++)
                memo[a][b] = -1;
        for (int a = 0; a < HOME; a++) {
            for (int b = 0; b < HOME; b++) {
                RaceState race = {.pieces = {(uint8_t)a, (uint8_t)b}, .turn = 0};
                State position = race_state_pack(&race);
                double values[GAME_PLAYERS_MAX];
                assert_ok(solver->values(solver, &position, values));
                assert_true(fabs(values[0] - plain_value(a, b, sticks[i].round_side)) < 1e-12);
            }
        }
        solver->free(solver);
    }
}

static void keeps_the_contract(void **state) {
    (void)state;
    static const char *const variants[] = {"", "--front 0.5", "--front 0.000000000000000001",
                                           "--front 0.999999999999999999"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant;
        int ended;
        assert_ok(variant_parse(&race_game, variants[i], &variant));
        assert_ok(contract_check(&variant, 3, 100, 1000, &ended));
        assert_int_equal(ended, 100);
    }
}

static void refuses_what_is_not_there(void **state) {
    (void)state;
    Variant variant = variant_default(&race_game);
    State position;
    static const struct {
        const char *text, *words;
    } bad[] = {{"29 0 0", "p1: expected a square from 0 to 28"},
               {"0 -1 0", "p2:"},
               {"0 x 0", "p2:"},
               {"0 0 2", "turn"},
               {"0 0", "P1 P2 TURN"},
               {"0 0 0 0", "P1 P2 TURN"},
               {"", "P1 P2 TURN"},
               {"50 0 1", "player 0 is home"},
               {"50 50 0", "player 1 is home"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(race_game.text.parse_state(&variant.rules, bad[i].text, &position),
                     STATUS_USAGE, bad[i].words);
    static const char *const fronts[] = {
        "0", "1", "0.0", "1.0", "-0.5", "0.5x", ".5", "0.", "0.1234567890123456789", "half"};
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++)
        assert_fails(race_game.rules.set(&variant.rules, "front", fronts[i]), STATUS_USAGE,
                     "between 0 and 1");
}

/* A throw reads in both languages; an error is in the language asked for. */
static void throws_are_read_in_both_languages(void **state) {
    (void)state;
    static const char *const words[LANG_COUNT][RACE_STEPS_MAX] = {
        {"do", "gae", "geol", "yut", "mo"}, {"도", "개", "걸", "윷", "모"}};
    Variant variant = variant_default(&race_game);
    State start = race_game.tree.start(&variant.rules);
    State end;
    Move move;
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        for (Move steps = 1; steps <= RACE_STEPS_MAX; steps++) {
            char bytes[GAME_TEXT_BYTES];
            Text text = text_over(bytes, sizeof bytes);
            assert_ok(race_game.text.parse_move(&variant.rules, &start, words[lang][steps - 1],
                                                LANG_EN, &move));
            assert_int_equal(move, steps);
            race_game.text.print_move(&variant.rules, &start, steps, (Lang)lang, &text);
            assert_string_equal(bytes, words[lang][steps - 1]);
        }
    }
    assert_fails(race_game.text.parse_move(&variant.rules, &start, "6", LANG_EN, &move),
                 STATUS_USAGE, "expected do, gae, geol, yut or mo, not '6'");
    assert_fails(race_game.text.parse_move(&variant.rules, &start, "6", LANG_KO, &move),
                 STATUS_USAGE, "도, 개, 걸, 윷, 모");
    assert_ok(race_game.text.parse_state(&variant.rules, "50 3 0", &end));
    assert_fails(race_game.text.parse_move(&variant.rules, &end, "do", LANG_KO, &move),
                 STATUS_USAGE, "끝난 경주");
}

/* `--front` is the round side: F^4 is mo, and the help says so. */
static void front_is_the_round_side(void **state) {
    (void)state;
    Variant variant;
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    assert_ok(variant_parse(&race_game, "--front 0.9", &variant));
    State start = race_game.tree.start(&variant.rules);
    assert_int_equal(race_game.tree.chances(&variant.rules, &start, chances, &whole), 5);
    /* The terms of (9 + 1)^4. */
    static const uint64_t expected[] = {2916, 486, 36, 1, 6561};
    assert_int_equal(whole, 10000);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(chances[i].weight, expected[i]);
    assert_non_null(strstr(race_game.rules.options[0].help, "round side up"));
    assert_non_null(strstr(race_game.rules.options[0].help_ko, "둥근 면"));
}

static void squares_keep_their_numbers(void **state) {
    (void)state;
    Variant variant = variant_default(&race_game);
    State position;
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    assert_ok(race_game.text.parse_state(&variant.rules, "26 3 1", &position));
    race_game.text.draw(&variant.rules, &position, (DrawStyle){.columns = 80}, &text);
    assert_non_null(strstr(bytes, "  12      25  21       B\n           A"));
    text = text_over(bytes, sizeof bytes);
    race_game.text.draw(&variant.rules, &position, (DrawStyle){.numbers = true, .columns = 80},
                        &text);
    assert_non_null(strstr(bytes, "   12        25   21        3B\n            26A"));
    assert_ok(race_game.text.parse_state(&variant.rules, "26 26 1", &position));
    text = text_over(bytes, sizeof bytes);
    race_game.text.draw(&variant.rules, &position, (DrawStyle){.numbers = true, .columns = 80},
                        &text);
    assert_non_null(strstr(bytes, "           26AB"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values),
        cmocka_unit_test(every_position_agrees_with_the_second_solver),
        cmocka_unit_test(keeps_the_contract),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(squares_keep_their_numbers),
        cmocka_unit_test(front_is_the_round_side),
        cmocka_unit_test(throws_are_read_in_both_languages),
    };
    return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
