/* The public library: every part of it does what the header says. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "library_testing.h"

/* --- games and positions --- */

static void games_and_options_are_described(void **state) {
    (void)state;
    bool has_box = false;
    for (size_t i = 0; malpan_game_name(i); i++) {
        MalpanGameInfo info;
        MalpanOptionInfo option;
        MalpanExampleInfo example;
        const char *name = malpan_game_name(i);
        has_box = has_box || strcmp(name, "box") == 0;
        assert_done(malpan_game_info(name, &info, &error));
        assert_string_equal(info.name, name);
        assert_true(info.title[MALPAN_KO][0] && info.about[MALPAN_EN][0] && info.position_shape[0]);
        for (size_t j = 0; j < info.option_count; j++) {
            assert_done(malpan_option_info(name, j, &option, &error));
            assert_true(option.name[0] && option.help[MALPAN_EN][0] && option.help[MALPAN_KO][0]);
        }
        assert_refused(malpan_option_info(name, info.option_count, &option, &error), MALPAN_USAGE,
                       "has no option");
        for (size_t j = 0; j < info.example_count; j++) {
            assert_done(malpan_example_info(name, j, &example, &error));
            MalpanGame *game = malpan_open(name, example.options, example.position, NULL);
            assert_non_null(game);
            parse(game, example.position);
            malpan_close(&game);
        }
        assert_refused(malpan_example_info(name, info.example_count, &example, &error),
                       MALPAN_USAGE, "has no example");
    }
    assert_true(has_box);
    assert_null(malpan_game_name(1000));
    assert_string_equal(malpan_version(), MALPAN_VERSION);
    assert_int_equal(MALPAN_VERSION_NUMBER / 10000, MALPAN_VERSION_MAJOR);
    assert_string_equal(malpan_code_name(MALPAN_STOPPED), "stopped");
    assert_string_equal(malpan_code_name(99), "unknown");
    assert_string_equal(malpan_code_name(-1), "unknown");
}

static void rules_are_told(void **state) {
    (void)state;
    char text[MALPAN_TEXT_BYTES];
    MalpanTraits traits;
    MalpanGame *game = open_game("box", "--tiles 12 --players 3");
    assert_string_equal(malpan_name(game), "box");
    assert_int_equal(malpan_player_count(game), 3);
    malpan_option(game, "tiles", text, sizeof text);
    assert_string_equal(text, "12");
    assert_int_equal(malpan_option(game, "pieces", text, sizeof text), 0);
    size_t length = malpan_rules(game, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_non_null(strstr(text, "--tiles 12"));
    assert_done(malpan_traits(game, &traits, &error));
    assert_true(traits.has_chance && !traits.has_cycles && !traits.has_outcomes);
    assert_true(!traits.has_table && !traits.is_counted && !traits.lower_is_better);
    malpan_close(&game);
    assert_null(game);
    game = open_game("valley", "");
    assert_done(malpan_traits(game, &traits, &error));
    assert_true(!traits.has_chance && traits.has_cycles && traits.has_outcomes && traits.has_table);
    malpan_close(&game);
}

/* Plays a random game and checks at every position that the functions agree. */
static void walk(const MalpanGame *game, uint64_t seed) {
    static MalpanMove moves[MALPAN_MOVES_MAX];
    MalpanChance chances[MALPAN_CHANCES_MAX];
    MalpanPosition position, copy;
    MalpanRandom random;
    char text[MALPAN_DRAW_BYTES];
    malpan_random_seed(&random, seed, 0);
    assert_done(malpan_start(game, &position, &error));
    for (int steps = 0; malpan_actor(game, &position) != MALPAN_END && steps < 200; steps++) {
        MalpanMove move;
        uint64_t denominator = 0, sum = 0;
        size_t count = malpan_moves(game, &position, moves, MALPAN_MOVES_MAX);
        size_t events = malpan_chances(game, &position, chances, MALPAN_CHANCES_MAX, &denominator);
        assert_true((count > 0) != (events > 0));
        for (size_t i = 0; i < count; i++)
            assert_true(moves[i] < malpan_move_bound(game));
        assert_int_equal(malpan_actor(game, &position) == MALPAN_CHANCE, events > 0);
        for (size_t i = 0; i < events; i++)
            sum += chances[i].weight;
        assert_true(sum == denominator);
        if (events > 0)
            assert_done(malpan_draw_chance(game, &position, &random, &move, &error));
        else
            move = moves[malpan_random_below(&random, count)];
        assert_in_range(malpan_print_move(game, &position, move, MALPAN_EN, text, sizeof text), 1,
                        MALPAN_TEXT_BYTES);
        MalpanMove read;
        assert_done(malpan_parse_move(game, &position, text, MALPAN_EN, &read, &error));
        assert_int_equal(read, move);
        assert_true(malpan_narrate(game, &position, move, MALPAN_KO, text, sizeof text) > 0);
        assert_true(malpan_draw(game, &position, NULL, text, sizeof text) < sizeof text);
        assert_true(malpan_print(game, &position, text, sizeof text) < MALPAN_TEXT_BYTES);
        copy = parse(game, text);
        assert_true(malpan_equals(&copy, &position));
        assert_true(malpan_hash(&copy) == malpan_hash(&position));
        assert_int_equal(malpan_compare(&copy, &position), 0);
        assert_int_equal(malpan_narrate_end(game, &position, MALPAN_EN, text, sizeof text), 0);
        assert_done(malpan_apply(game, &position, move, &error));
        assert_int_equal(malpan_apply_listed(game, &copy, move), MALPAN_OK);
        assert_true(malpan_equals(&copy, &position));
    }
    if (malpan_actor(game, &position) != MALPAN_END)
        return;
    double payoffs[MALPAN_PLAYERS_MAX];
    assert_done(malpan_payoffs(game, &position, payoffs, &error));
    assert_true(malpan_narrate_end(game, &position, MALPAN_EN, text, sizeof text) > 0);
    assert_int_equal(malpan_moves(game, &position, moves, MALPAN_MOVES_MAX), 0);
    assert_int_equal(malpan_apply_listed(game, &position, 0), MALPAN_USAGE);
}

static void every_game_can_be_played(void **state) {
    (void)state;
    for (size_t i = 0; malpan_game_name(i); i++) {
        MalpanGame *game = open_game(malpan_game_name(i), "");
        for (uint64_t seed = 0; seed < (uint64_t)test_times(30); seed++)
            walk(game, seed);
        malpan_close(&game);
    }
}

static void moves_have_no_values_to_wait_for(void **state) {
    (void)state;
    MalpanGame *game = open_game("yut", ""); /* four pieces: nothing is solved */
    MalpanPosition throwing = parse(game, "0,0,0,0/0,0,0,0 0 -");
    MalpanPosition moving = parse(game, "0,0,0,0/0,0,0,0 0 do");
    MalpanMove moves[1];
    assert_int_equal(malpan_moves(game, &throwing, moves, 1), 0);
    assert_int_equal(malpan_moves(game, &moving, moves, 1), 1);
    assert_int_equal(malpan_actor(game, &throwing), MALPAN_CHANCE);
    assert_int_equal(malpan_turn(game, &throwing), 0);
    assert_refused(malpan_apply(game, &moving, 4000000000U, &error), MALPAN_USAGE, "");
    double values[2];
    assert_done(malpan_estimate(game, &throwing, values, &error));
    assert_true(values[0] > 0.2 && values[0] < 0.8);
    malpan_close(&game);
}

/* --- values --- */

static void values_and_moves(void **state) {
    (void)state;
    MalpanGame *game = open_game("box", NULL);
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_EXACT, NULL);
    MalpanPosition start, position = parse(game, "13456789 1 17 12");
    MalpanValue value;
    MalpanMoveValue moves[2];
    size_t count;
    assert_true(malpan_solver_method(solver)[0] != '\0');
    assert_done(malpan_start(game, &start, &error));
    assert_done(malpan_value(solver, &start, &value, &error));
    assert_true(fabs(value.values[0] - 0.502810) < 5e-7 && value.player == 0);
    assert_true(value.kind == MALPAN_EXACT && value.error < 1e-9);
    assert_int_equal(value.outcome, MALPAN_NO_OUTCOME);
    assert_done(malpan_evaluate(solver, &position, &value, moves, 2, &count, &error));
    assert_true(fabs(value.values[0] + value.values[1] - 1) < 1e-12 && value.player == 1);
    assert_int_equal(count, 7);
    char text[MALPAN_TEXT_BYTES];
    malpan_print_move(game, &position, moves[1].move, MALPAN_EN, text, sizeof text);
    assert_string_equal(text, "4+8");
    assert_true(moves[0].value == value.values[1] && moves[0].kind == MALPAN_EXACT);
    malpan_print_value(game, moves[0].value, moves[0].kind, MALPAN_EN, text, sizeof text);
    assert_string_equal(text, "0.678841");
    assert_done(malpan_evaluate(solver, &start, &value, moves, 2, &count, &error));
    assert_int_equal(count, 0);
    MalpanPosition end = parse(game, "12 1 17 -");
    assert_int_equal(malpan_actor(game, &end), MALPAN_END);
    assert_done(malpan_value(solver, &end, &value, &error));
    double payoffs[2];
    assert_done(malpan_payoffs(game, &end, payoffs, &error));
    assert_true(value.values[0] == payoffs[0] && value.values[1] == payoffs[1]);
    assert_refused(malpan_payoffs(game, &start, payoffs, &error), MALPAN_USAGE, "not over");
    malpan_close(&game); /* the solver does not need it */
    assert_done(malpan_value(solver, &start, &value, &error));
    malpan_solver_close(&solver);
    assert_null(solver);
}

static void outcomes_and_lines(void **state) {
    (void)state;
    char text[MALPAN_TEXT_BYTES];
    MalpanGame *game = open_game("valley", NULL);
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_PROOF, NULL);
    MalpanPosition position;
    MalpanValue value;
    MalpanMove line[20];
    size_t length;
    assert_done(malpan_start(game, &position, &error));
    assert_done(malpan_value(solver, &position, &value, &error));
    assert_true(fabs(value.values[0] - 0.9991) < 1e-12);
    assert_int_equal(value.kind, MALPAN_PROVEN);
    assert_int_equal(value.outcome, MALPAN_WIN);
    assert_int_equal(value.plies, 9);
    malpan_print_value(game, value.values[0], value.kind, MALPAN_EN, text, sizeof text);
    assert_string_equal(text, "win 9");
    malpan_print_value(game, 0.25, MALPAN_ESTIMATE, MALPAN_EN, text, sizeof text);
    assert_string_equal(text, "~0.250");
    assert_done(malpan_best_line(solver, &position, line, 1, &length, &error));
    assert_int_equal(length, 1);
    malpan_solver_close(&solver);
    malpan_close(&game);
}

/* A line of Dice Yut without chance: it reaches the score that was promised. */
static void lines_keep_their_promise(void **state) {
    (void)state;
    MalpanGame *game = open_game("dice", NULL);
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_EXACT, NULL);
    MalpanGameInfo info;
    MalpanExampleInfo example;
    MalpanValue value;
    MalpanMove line[64];
    size_t length;
    assert_done(malpan_game_info("dice", &info, &error));
    assert_done(malpan_example_info("dice", 0, &example, &error));
    MalpanPosition position = parse(game, example.position);
    assert_done(malpan_value(solver, &position, &value, &error));
    assert_done(malpan_best_line(solver, &position, line, 64, &length, &error));
    for (size_t i = 0; i < length; i++)
        assert_done(malpan_apply(game, &position, line[i], &error));
    double payoff;
    if (malpan_actor(game, &position) == MALPAN_END) {
        assert_done(malpan_payoffs(game, &position, &payoff, &error));
        assert_true(payoff == value.values[0]);
    } else {
        assert_int_equal(malpan_actor(game, &position), MALPAN_CHANCE);
    }
    uint64_t numerator, denominator;
    position = parse(game, example.position);
    assert_done(malpan_fraction(solver, &position, &numerator, &denominator, &error));
    assert_true(fabs((double)numerator / (double)denominator - value.values[0]) < 1e-9);
    malpan_solver_close(&solver);
    malpan_close(&game);
}

/* Where neither side can win, a line goes on until a position has occurred before. */
static void endless_lines_end_with_a_repetition(void **state) {
    (void)state;
    enum { MOST = 200 };
    static char texts[MOST + 1][MALPAN_TEXT_BYTES];
    MalpanGame *game = open_game("valley", "--soldiers 1 --start retrieve");
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_EXACT, NULL);
    MalpanPosition position;
    MalpanMove line[MOST];
    size_t length;
    assert_done(malpan_start(game, &position, &error));
    assert_done(malpan_best_line(solver, &position, line, MOST, &length, &error));
    assert_in_range(length, 2, MOST - 1);
    for (size_t i = 0; i <= length; i++) {
        bool repeats = false;
        malpan_print(game, &position, texts[i], sizeof texts[i]);
        *strrchr(texts[i], ' ') = '\0'; /* the number of the ply */
        for (size_t j = 1; j < i; j++)  /* only in the first position a soldier has to move */
            repeats = repeats || strcmp(texts[j], texts[i]) == 0;
        assert_int_equal(repeats, i == length);
        if (i < length)
            assert_done(malpan_apply(game, &position, line[i], &error));
    }
    malpan_solver_close(&solver);
    malpan_close(&game);
}

static void estimates_are_marked_or_refused(void **state) {
    (void)state;
    MalpanGame *game = open_game("yut", "--players 3 --pieces 4");
    MalpanSolver *solver;
    MalpanValue value;
    MalpanPosition start;
    MalpanError reason;
    assert_int_not_equal(malpan_solver_open(game, MALPAN_POLICY_PROOF, NULL, &solver, &reason),
                         MALPAN_OK);
    assert_null(solver);
    assert_true(reason.message[0] != '\0');
    solver = open_solver(game, MALPAN_POLICY_ANY, NULL);
    assert_done(malpan_start(game, &start, &error));
    assert_done(malpan_value(solver, &start, &value, &error));
    assert_int_equal(value.kind, MALPAN_ESTIMATE);
    assert_true(isinf(value.error));
    assert_true(value.typical_error > 0.001 && value.typical_error < 0.1);
    unsigned char kind;
    double number;
    assert_done(malpan_values(solver, &start, 1, &number, &kind, &error));
    assert_int_equal(kind, MALPAN_ESTIMATE);
    assert_true(number == value.values[value.player]);
    malpan_solver_close(&solver);
    malpan_close(&game);
}

/* How far off, where that was measured; an exact value has none. */
static void estimates_have_a_typical_error(void **state) {
    (void)state;
    MalpanGame *game = open_game("yut", "--pieces 4");
    MalpanSolver *estimator = open_solver(game, MALPAN_POLICY_ANY, NULL);
    MalpanPosition start;
    MalpanValue estimate;
    assert_done(malpan_start(game, &start, &error));
    assert_done(malpan_value(estimator, &start, &estimate, &error));
    assert_int_equal(estimate.kind, MALPAN_ESTIMATE);
    assert_true(estimate.typical_error > 0.0001 && estimate.typical_error < 0.05);
    malpan_solver_close(&estimator);
    malpan_close(&game);
    game = open_game("yut", "--pieces 1");
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_ANY, NULL);
    MalpanPosition position = parse(game, "3/9 0 -");
    MalpanValue value;
    assert_done(malpan_value(solver, &position, &value, &error));
    assert_int_equal(value.kind, MALPAN_EXACT);
    assert_true(isnan(value.typical_error) && value.error < 1e-3);
    malpan_solver_close(&solver);
    malpan_close(&game);
}

/* Many values at once are the values one by one, on any number of threads. */
static void batches_are_values(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static MalpanPosition positions[COUNT];
    static double values[2][COUNT];
    static unsigned char kinds[COUNT];
    MalpanGame *game = open_game("box", NULL);
    MalpanRandom random;
    malpan_random_seed(&random, 1, 0);
    assert_done(malpan_start(game, &positions[0], &error));
    for (size_t i = 1; i < COUNT; i++) {
        static MalpanMove moves[MALPAN_MOVES_MAX];
        MalpanMove move;
        positions[i] = positions[i - 1];
        if (malpan_actor(game, &positions[i]) == MALPAN_END)
            assert_done(malpan_start(game, &positions[i], &error));
        if (malpan_draw_chance(game, &positions[i], &random, &move, NULL) != MALPAN_OK)
            move = moves[malpan_random_below(
                &random, malpan_moves(game, &positions[i], moves, MALPAN_MOVES_MAX))];
        assert_done(malpan_apply(game, &positions[i], move, &error));
    }
    for (int threads = 1; threads <= 2; threads++) {
        MalpanSolver *solver;
        MalpanLimits limits = {.threads = 2 * threads - 1};
        assert_done(malpan_solver_open(game, MALPAN_POLICY_EXACT, &limits, &solver, &error));
        assert_done(malpan_values(solver, positions, COUNT, values[threads - 1], kinds, &error));
        for (size_t i = 0; i < COUNT; i += 97) {
            MalpanValue value;
            assert_done(malpan_value(solver, &positions[i], &value, &error));
            assert_true(value.values[value.player] == values[threads - 1][i]);
            assert_int_equal(kinds[i], value.kind);
        }
        MalpanPosition kept = positions[4321];
        memset(&positions[4321], 0, sizeof positions[4321]);
        assert_refused(malpan_values(solver, positions, COUNT, values[threads - 1], NULL, &error),
                       MALPAN_USAGE, "position 4321: ");
        positions[4321] = kept;
        assert_done(malpan_values(solver, positions, COUNT, values[threads - 1], NULL, &error));
        assert_done(malpan_values(solver, NULL, 0, NULL, NULL, &error));
        malpan_solver_close(&solver);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    malpan_close(&game);
}

/* --- players, records, reviews --- */

static void players_play(void **state) {
    (void)state;
    MalpanPlayerInfo info;
    MalpanGame *game = open_game("yut", "--pieces 1");
    MalpanPosition position = parse(game, "0/0 0 do");
    MalpanRandom random;
    size_t kinds = 0;
    malpan_random_seed(&random, 5, 0);
    while (malpan_player_info(kinds, &info, NULL) == MALPAN_OK) {
        MalpanPlayer *player;
        MalpanMove move;
        MalpanLimits limits = {.seconds = 0.05};
        int code = malpan_player_open(game, info.name, &limits, &player, NULL);
        if (code == MALPAN_OK) {
            assert_done(malpan_player_choose(player, &position, &random, &move, &error));
            MalpanPosition next = position;
            assert_done(malpan_apply(game, &next, move, &error));
        }
        assert_int_equal(player == NULL, code != MALPAN_OK);
        malpan_player_close(&player);
        kinds++;
    }
    assert_true(kinds >= 5);
    MalpanPlayer *player;
    assert_refused(malpan_player_open(game, "you", NULL, &player, &error), MALPAN_USAGE,
                   "not a computer player");
    assert_refused(malpan_player_open(game, "perfekt", NULL, &player, &error), MALPAN_USAGE,
                   "perfect");
    assert_done(malpan_player_open(game, "perfect", NULL, &player, &error));
    malpan_close(&game);
    MalpanMove move;
    MalpanPosition throwing = position;
    assert_done(malpan_player_choose(player, &position, &random, &move, &error));
    game = open_game("yut", "--pieces 1");
    assert_done(malpan_start(game, &throwing, &error));
    assert_refused(malpan_player_choose(player, &throwing, &random, &move, &error), MALPAN_USAGE,
                   "nobody chooses");
    malpan_player_close(&player);
    malpan_close(&game);
}

/* A game played by chance and a random player, written, read, cut and reviewed. */
static void records_and_reviews(void **state) {
    (void)state;
    MalpanGame *game = open_game("box", "--tiles 6");
    MalpanRecord *record, *copy;
    MalpanPosition position;
    MalpanMove move;
    MalpanRandom random;
    MalpanPlayer *player;
    assert_done(malpan_player_open(game, "random", NULL, &player, &error));
    assert_done(malpan_record_open(game, "random random", 7, NULL, &record, &error));
    for (;;) {
        size_t length = malpan_record_length(record);
        assert_done(malpan_record_position(record, length, &position, &error));
        if (malpan_actor(game, &position) == MALPAN_END)
            break;
        assert_done(malpan_record_random(record, &random, &error));
        if (malpan_actor(game, &position) == MALPAN_CHANCE)
            assert_done(malpan_draw_chance(game, &position, &random, &move, &error));
        else
            assert_done(malpan_player_choose(player, &position, &random, &move, &error));
        assert_done(malpan_record_add(record, move, &error));
        assert_done(malpan_record_move(record, length, &move, &error));
    }
    size_t bytes = malpan_record_print(record, NULL, 0) + 1;
    char *text = malloc(bytes), *again = malloc(bytes);
    assert_true(text && again);
    assert_int_equal(malpan_record_print(record, text, bytes), bytes - 1);
    assert_done(malpan_record_parse(text, &copy, &error));
    malpan_record_print(copy, again, bytes);
    assert_string_equal(again, text);
    MalpanGame *played = malpan_record_game(copy);
    assert_int_equal(malpan_player_count(played), 2);
    assert_int_equal(malpan_actor(played, &position), MALPAN_END);

    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_EXACT, NULL);
    MalpanReview *review;
    assert_done(malpan_review_open(record, solver, &review, &error));
    double sum = 0;
    for (size_t i = 0; i < malpan_record_length(record); i++) {
        MalpanReviewStep step;
        assert_done(malpan_review_step(review, i, &step, &error));
        assert_true(step.is_chance ? step.loss == 0 : step.loss >= -1e-12);
        if (step.player == 0 && !step.is_chance)
            sum -= step.loss;
    }
    MalpanReviewTotals totals;
    assert_done(malpan_review_totals(review, 0, &totals, &error));
    assert_true(fabs(totals.start + totals.luck + totals.skill + totals.others - totals.end) <
                1e-9);
    assert_true(fabs(totals.skill - sum) < 1e-9 && totals.skill < 0);
    assert_refused(malpan_review_totals(review, 2, &totals, &error), MALPAN_USAGE, "player 2");
    MalpanReviewStep step;
    assert_refused(malpan_review_step(review, 10000, &step, &error), MALPAN_USAGE, "step 10000");
    malpan_review_close(&review);

    assert_done(malpan_record_cut(copy, 3, &error));
    assert_int_equal(malpan_record_length(copy), 3);
    assert_refused(malpan_record_position(copy, 4, &position, &error), MALPAN_USAGE, "number 4");
    assert_refused(malpan_record_move(copy, 3, &move, &error), MALPAN_USAGE, "number 3");
    assert_refused(malpan_record_add(copy, 4000000000U, &error), MALPAN_USAGE, "");
    MalpanRecord *none;
    assert_refused(malpan_record_open(game, "random", 7, NULL, &none, &error), MALPAN_USAGE,
                   "expected 2 names");
    assert_null(none);
    assert_refused(malpan_record_parse("malpan-record 1\n", &none, &error), MALPAN_USAGE, "line 2");
    MalpanGame *other = open_game("box", "--tiles 7");
    MalpanSolver *foreign = open_solver(other, MALPAN_POLICY_EXACT, NULL);
    assert_refused(malpan_review_open(record, foreign, &review, &error), MALPAN_USAGE,
                   "other rules");
    malpan_solver_close(&foreign);
    malpan_close(&other);
    malpan_solver_close(&solver);
    malpan_player_close(&player);
    malpan_record_close(&record);
    malpan_record_close(&copy);
    malpan_close(&played);
    malpan_close(&game);
    free(text);
    free(again);
}

/* --- tables --- */

/* Turns the byte in the middle of the file around. */
static void damage(const char *path) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long middle = ftell(file) / 2;
    assert_int_equal(fseek(file, middle, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, middle, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 255, file), byte ^ 255);
    assert_int_equal(fclose(file), 0);
}

/* Solved, used, verified, and refused when it is damaged. */
static void tables_are_made_and_used(void **state) {
    (void)state;
    char folder[] = "/tmp/malpan-tables-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    MalpanGame *game = open_game("yut", "--pieces 1");
    assert_true(malpan_table_path(game, folder, path, sizeof path) < sizeof path);
    assert_non_null(strstr(path, "/yut-pieces-1.table"));
    MalpanNeeds needs;
    MalpanTableInfo info;
    MalpanLimits limits = {.tables = folder, .threads = 2};
    assert_done(malpan_needs(game, &limits, &needs, &error));
    assert_true(needs.memory_bytes > 0 && needs.disk_bytes > 0 && needs.error > 0);
    assert_refused(malpan_verify(game, 10, 1, &limits, &info, &error), MALPAN_TABLE, "");
    assert_done(malpan_solve(game, 0, &limits, &info, &error));
    assert_true(!info.existed && info.positions > 100 && info.error <= needs.error);
    uint64_t checksum = info.checksum;
    assert_done(malpan_solve(game, 0, &limits, &info, &error));
    assert_true(info.existed && info.checksum == checksum);
    assert_done(malpan_verify(game, 0, 1, &limits, &info, &error));
    assert_true(info.is_proven && info.checked > info.positions / 2);
    assert_done(malpan_verify(game, 20, 1, &limits, &info, &error));
    assert_true(!info.is_proven);

    MalpanPosition position = parse(game, "9/13 0 -");
    MalpanValue now, looked_up;
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_EXACT, NULL);
    MalpanSolver *probing = open_solver(game, MALPAN_POLICY_EXACT, folder);
    assert_done(malpan_value(solver, &position, &now, &error));
    assert_done(malpan_value(probing, &position, &looked_up, &error));
    assert_true(fabs(now.values[0] - looked_up.values[0]) < 1e-6);
    malpan_solver_close(&solver);
    malpan_solver_close(&probing);
    damage(path);
    assert_refused(malpan_solver_open(game, MALPAN_POLICY_ANY, &limits, &solver, &error) ==
                           MALPAN_OK
                       ? malpan_value(solver, &position, &now, &error)
                       : error.code,
                   MALPAN_TABLE, "damaged");
    malpan_solver_close(&solver);
    assert_refused(malpan_verify(game, 10, 1, &limits, &info, &error), MALPAN_TABLE, "damaged");
    malpan_close(&game);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);

    game = open_game("yut", "--pieces 3 --animals sd");
    assert_refused(malpan_solver_open(game, MALPAN_POLICY_EXACT, &limits, &solver, &error),
                   MALPAN_TABLE, "malpan solve yut --pieces 3 --animals sd");
    limits.memory_bytes = 1000;
    assert_int_equal(malpan_solve(game, 0, &limits, &info, NULL), MALPAN_UNSUPPORTED);
    malpan_close(&game);
    game = open_game("box", "");
    assert_refused(malpan_solve(game, 0, &limits, &info, &error), MALPAN_UNSUPPORTED, "needs no");
    malpan_close(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_and_options_are_described),
        cmocka_unit_test(rules_are_told),
        cmocka_unit_test(every_game_can_be_played),
        cmocka_unit_test(moves_have_no_values_to_wait_for),
        cmocka_unit_test(values_and_moves),
        cmocka_unit_test(outcomes_and_lines),
        cmocka_unit_test(lines_keep_their_promise),
        cmocka_unit_test(endless_lines_end_with_a_repetition),
        cmocka_unit_test(estimates_are_marked_or_refused),
        cmocka_unit_test(estimates_have_a_typical_error),
        cmocka_unit_test(batches_are_values),
        cmocka_unit_test(players_play),
        cmocka_unit_test(records_and_reviews),
        cmocka_unit_test(tables_are_made_and_used),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
