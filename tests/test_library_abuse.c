/* The public library with arguments that nobody should pass: NULL, closed handles, buffers that are
 * too small, ten megabytes of text, positions of other rules. Every call has to return an error, or
 * what the header says, and to leave the results alone.
 */
#include <math.h>
#include <string.h>

#include "library_testing.h"

enum { LONG_TEXT_BYTES = 10 << 20 };

/* Everything that takes a game, given NULL in its place; a closed handle is NULL. */
static void no_game(void **state) {
    (void)state;
    MalpanGame *none = open_game("box", "");
    malpan_close(&none);
    malpan_close(&none);
    malpan_close(NULL);
    MalpanPosition position = {{0}};
    MalpanMove move;
    MalpanRandom random;
    MalpanSolver *solver;
    MalpanPlayer *player;
    MalpanRecord *record;
    MalpanTraits traits;
    MalpanNeeds needs;
    MalpanTableInfo info;
    double values[MALPAN_PLAYERS_MAX];
    char text[16] = "x";
    malpan_random_seed(&random, 1, 1);
    assert_string_equal(malpan_name(none), "");
    assert_int_equal(malpan_player_count(none), 0);
    assert_int_equal(malpan_move_bound(none), 0);
    assert_int_equal(malpan_rules(none, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(malpan_option(none, "tiles", text, sizeof text), 0);
    assert_int_equal(malpan_print(none, &position, text, sizeof text), 0);
    assert_int_equal(malpan_print_move(none, &position, 0, MALPAN_EN, text, sizeof text), 0);
    assert_int_equal(malpan_draw(none, &position, NULL, text, sizeof text), 0);
    assert_int_equal(malpan_narrate(none, &position, 0, MALPAN_EN, text, sizeof text), 0);
    assert_int_equal(malpan_narrate_end(none, &position, MALPAN_EN, text, sizeof text), 0);
    assert_int_equal(malpan_print_value(none, 0.5, 0, MALPAN_EN, text, sizeof text), 0);
    assert_int_equal(malpan_table_path(none, "/tmp", text, sizeof text), 0);
    assert_int_equal(malpan_actor(none, &position), MALPAN_INVALID);
    assert_int_equal(malpan_turn(none, &position), MALPAN_INVALID);
    assert_int_equal(malpan_moves(none, &position, &move, 1), 0);
    assert_int_equal(malpan_chances(none, &position, NULL, 0, NULL), 0);
    assert_int_equal(malpan_apply_listed(none, &position, 0), MALPAN_USAGE);
    assert_refused(malpan_traits(none, &traits, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_start(none, &position, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_parse(none, "", &position, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_apply(none, &position, 0, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_payoffs(none, &position, values, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_parse_move(none, &position, "", 0, &move, &error), MALPAN_USAGE,
                   "a game");
    assert_refused(malpan_draw_chance(none, &position, &random, &move, &error), MALPAN_USAGE,
                   "a game");
    assert_refused(malpan_estimate(none, &position, values, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_solver_open(none, 0, NULL, &solver, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_player_open(none, "random", NULL, &player, &error), MALPAN_USAGE,
                   "a game");
    assert_refused(malpan_record_open(none, NULL, 0, NULL, &record, &error), MALPAN_USAGE,
                   "a game");
    assert_true(!solver && !player && !record);
    assert_refused(malpan_needs(none, NULL, &needs, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_solve(none, 0, NULL, &info, &error), MALPAN_USAGE, "a game");
    assert_refused(malpan_verify(none, 1, 0, NULL, &info, &error), MALPAN_USAGE, "a game");
}

/* Other handles, closed. */
static void no_object(void **state) {
    (void)state;
    MalpanGame *game = open_game("box", "");
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_EXACT, NULL);
    MalpanPosition position;
    MalpanValue value;
    MalpanMove move;
    MalpanRandom random;
    MalpanPlayer *player;
    MalpanRecord *record;
    MalpanReview *review;
    MalpanReviewStep step;
    MalpanReviewTotals totals;
    size_t count;
    uint64_t a, b;
    double number;
    malpan_random_seed(&random, 1, 1);
    assert_done(malpan_start(game, &position, &error));
    assert_done(malpan_player_open(game, "random", NULL, &player, &error));
    assert_done(malpan_record_open(game, NULL, 0, NULL, &record, &error));
    assert_done(malpan_review_open(record, solver, &review, &error));
    for (int i = 0; i < 2; i++) { /* once open, once closed */
        malpan_review_close(&review);
        malpan_record_close(&record);
        malpan_player_close(&player);
        malpan_solver_close(&solver);
        assert_true(!solver && !player && !record && !review);
    }
    malpan_solver_close(NULL);
    malpan_player_close(NULL);
    malpan_record_close(NULL);
    malpan_review_close(NULL);
    malpan_stop_close(NULL);
    malpan_stop_request(NULL);
    malpan_stop_clear(NULL);
    assert_int_equal(malpan_stop_requested(NULL), 0);
    MalpanStop *stop = malpan_stop_open();
    malpan_stop_close(&stop);
    malpan_stop_close(&stop);
    malpan_stop_request(stop); /* closed */
    assert_int_equal(malpan_stop_requested(stop), 0);
    assert_string_equal(malpan_solver_method(solver), "");
    assert_refused(malpan_value(solver, &position, &value, &error), MALPAN_USAGE, "a solver");
    assert_refused(malpan_evaluate(solver, &position, &value, NULL, 0, &count, &error),
                   MALPAN_USAGE, "a solver");
    assert_refused(malpan_best_line(solver, &position, &move, 1, &count, &error), MALPAN_USAGE,
                   "a solver");
    assert_refused(malpan_fraction(solver, &position, &a, &b, &error), MALPAN_USAGE, "a solver");
    assert_refused(malpan_values(solver, &position, 1, &number, NULL, &error), MALPAN_USAGE,
                   "a solver");
    assert_refused(malpan_player_choose(player, &position, &random, &move, &error), MALPAN_USAGE,
                   "a player");
    assert_refused(malpan_record_add(record, 0, &error), MALPAN_USAGE, "a record");
    assert_refused(malpan_record_cut(record, 0, &error), MALPAN_USAGE, "a record");
    assert_refused(malpan_record_position(record, 0, &position, &error), MALPAN_USAGE, "a record");
    assert_refused(malpan_record_move(record, 0, &move, &error), MALPAN_USAGE, "a record");
    assert_refused(malpan_record_random(record, &random, &error), MALPAN_USAGE, "a record");
    assert_refused(malpan_review_open(record, solver, &review, &error), MALPAN_USAGE, "a record");
    assert_refused(malpan_review_step(review, 0, &step, &error), MALPAN_USAGE, "a review");
    assert_refused(malpan_review_totals(review, 0, &totals, &error), MALPAN_USAGE, "a review");
    assert_int_equal(malpan_record_length(record), 0);
    assert_int_equal(malpan_record_print(record, NULL, 0), 0);
    assert_null(malpan_record_game(record));
    malpan_close(&game);
}

/* NULL for what is read and for results, with the object in place. */
static void no_argument(void **state) {
    (void)state;
    MalpanGame *game = open_game("box", "");
    MalpanSolver *solver = open_solver(game, MALPAN_POLICY_EXACT, NULL);
    MalpanPosition position;
    MalpanValue value;
    MalpanMove move;
    MalpanRandom random;
    MalpanRecord *record;
    MalpanPlayer *player;
    MalpanReview *review;
    uint64_t number;
    malpan_random_seed(&random, 1, 1);
    malpan_random_seed(NULL, 1, 1);
    assert_true(malpan_random_next(NULL) == 0 && malpan_random_below(NULL, 5) == 0);
    assert_true(malpan_random_below(&random, 0) == 0);
    assert_done(malpan_start(game, &position, &error));
    assert_null(malpan_open(NULL, NULL, NULL, NULL));
    assert_refused(malpan_game_info("box", NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_option_info("box", 0, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_example_info("box", 0, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_player_info(0, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_traits(game, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_start(game, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_parse(game, NULL, &position, &error), MALPAN_USAGE, "the text");
    assert_refused(malpan_parse(game, "x", NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_parse_move(game, &position, NULL, 0, &move, &error), MALPAN_USAGE,
                   "the text");
    assert_refused(malpan_parse_move(game, &position, "7", 0, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_apply(game, NULL, 0, &error), MALPAN_USAGE, "a position");
    assert_refused(malpan_payoffs(game, &position, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_draw_chance(game, &position, NULL, &move, &error), MALPAN_USAGE,
                   "a generator");
    assert_refused(malpan_draw_chance(game, &position, &random, NULL, &error), MALPAN_USAGE,
                   "room");
    assert_refused(malpan_estimate(game, &position, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_solver_open(game, 0, NULL, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_value(solver, NULL, &value, &error), MALPAN_USAGE, "a position");
    assert_refused(malpan_value(solver, &position, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_evaluate(solver, &position, NULL, NULL, 0, NULL, &error), MALPAN_USAGE,
                   "room");
    assert_done(malpan_evaluate(solver, &position, &value, NULL, 9, NULL, &error));
    assert_refused(malpan_best_line(solver, &position, &move, 1, NULL, &error), MALPAN_USAGE,
                   "room");
    size_t count;
    assert_refused(malpan_best_line(solver, &position, NULL, 1, &count, &error), MALPAN_USAGE,
                   "room");
    assert_refused(malpan_fraction(solver, &position, &number, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_values(solver, NULL, 1, &value.error, NULL, &error), MALPAN_USAGE,
                   "positions");
    assert_refused(malpan_values(solver, &position, 1, NULL, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_player_open(game, NULL, NULL, &player, &error), MALPAN_USAGE, "name");
    assert_refused(malpan_player_open(game, "random", NULL, NULL, &error), MALPAN_USAGE, "room");
    assert_done(malpan_player_open(game, "random", NULL, &player, &error));
    assert_refused(malpan_player_choose(player, &position, NULL, &move, &error), MALPAN_USAGE,
                   "a generator");
    assert_refused(malpan_player_choose(player, &position, &random, NULL, &error), MALPAN_USAGE,
                   "room");
    assert_refused(malpan_record_open(game, NULL, 0, NULL, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_record_parse(NULL, &record, &error), MALPAN_USAGE, "the text");
    assert_refused(malpan_record_parse("", NULL, &error), MALPAN_USAGE, "room");
    assert_done(malpan_record_open(game, NULL, 0, NULL, &record, &error));
    assert_refused(malpan_record_position(record, 0, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_record_random(record, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_review_open(record, NULL, &review, &error), MALPAN_USAGE, "a solver");
    assert_refused(malpan_review_open(record, solver, NULL, &error), MALPAN_USAGE, "room");
    assert_done(malpan_review_open(record, solver, &review, &error));
    assert_refused(malpan_review_totals(review, 0, NULL, &error), MALPAN_USAGE, "room");
    assert_refused(malpan_review_step(review, 0, NULL, &error), MALPAN_USAGE, "room");
    assert_int_equal(malpan_option(game, NULL, NULL, 0), 0);
    assert_int_equal(malpan_table_path(game, NULL, NULL, 0), 0);
    assert_true(malpan_hash(NULL) == 0 && malpan_compare(NULL, NULL) == 0);
    assert_true(malpan_compare(NULL, &position) < 0 && malpan_compare(&position, NULL) > 0);
    assert_true(!malpan_equals(NULL, &position));
    malpan_review_close(&review);
    malpan_record_close(&record);
    malpan_player_close(&player);
    malpan_solver_close(&solver);
    malpan_close(&game);
}

/* Texts are cut where the buffer ends, and their whole length is returned. */
static void small_buffers(void **state) {
    (void)state;
    MalpanGame *game = open_game("box", "");
    MalpanPosition position;
    char whole[MALPAN_DRAW_BYTES], text[MALPAN_DRAW_BYTES];
    assert_done(malpan_start(game, &position, &error));
    size_t length = malpan_draw(game, &position, NULL, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        memset(text, 'x', sizeof text);
        assert_int_equal(malpan_draw(game, &position, NULL, capacity ? text : NULL, capacity),
                         length);
        if (capacity == 0)
            continue;
        assert_memory_equal(text, whole, capacity - 1);
        assert_int_equal(text[capacity - 1], '\0');
        assert_int_equal(text[capacity], 'x');
    }
    assert_int_equal(malpan_print(game, &position, text, 1), strlen("123456789 0 - -"));
    assert_string_equal(text, "");
    MalpanMove moves[2] = {0, 77};
    position = parse(game, "123456789 0 - 12");
    assert_true(malpan_moves(game, &position, moves, 1) > 1);
    assert_int_equal(moves[1], 77);
    assert_true(malpan_moves(game, &position, NULL, 0) > 1);
    MalpanChance chances[2] = {{0}, {.move = 77}};
    position = parse(game, "123456789 0 - -");
    assert_true(malpan_chances(game, &position, chances, 1, NULL) > 1);
    assert_int_equal(chances[1].move, 77);
    malpan_close(&game);
}

/* Ten megabytes are refused by everything that reads text, with one line. */
static void long_texts(void **state) {
    (void)state;
    char *text = malloc(LONG_TEXT_BYTES);
    assert_non_null(text);
    for (size_t i = 0; i < LONG_TEXT_BYTES; i++)
        text[i] = "1,2/ -x\n"[i % 8];
    text[LONG_TEXT_BYTES - 1] = '\0';
    for (size_t i = 0; malpan_game_name(i); i++) {
        MalpanGame *game = open_game(malpan_game_name(i), ""), *other;
        MalpanPosition position;
        MalpanMove move;
        MalpanPlayer *player;
        MalpanRecord *record;
        MalpanSolver *solver;
        MalpanLimits limits = {.tables = text};
        char out[8];
        other = malpan_open(malpan_game_name(i), text, NULL, NULL);
        assert_null(other);
        other = malpan_open(malpan_game_name(i), NULL, text, NULL);
        assert_null(other);
        assert_done(malpan_start(game, &position, &error));
        assert_refused(malpan_parse(game, text, &position, &error), MALPAN_USAGE, "");
        assert_refused(malpan_parse_move(game, &position, text, 0, &move, &error), MALPAN_USAGE,
                       "");
        assert_refused(malpan_player_open(game, text, NULL, &player, &error), MALPAN_USAGE, "");
        assert_refused(malpan_record_open(game, text, 0, NULL, &record, &error), MALPAN_USAGE, "");
        assert_refused(malpan_solver_open(game, 0, &limits, &solver, &error), MALPAN_USAGE,
                       "too long");
        assert_int_equal(malpan_option(game, text, out, sizeof out), 0);
        assert_int_equal(malpan_table_path(game, text, out, sizeof out), 0);
        malpan_close(&game);
    }
    MalpanRecord *record;
    MalpanGameInfo info;
    assert_refused(malpan_record_parse(text, &record, &error), MALPAN_USAGE, "line 1");
    assert_refused(malpan_game_info(text, &info, &error), MALPAN_USAGE, "");
    assert_null(malpan_open(text, NULL, NULL, NULL));
    free(text);
}

/* Positions of other rules, or never set, are refused and left as they are. */
static void foreign_positions(void **state) {
    (void)state;
    MalpanGame *box = open_game("box", ""), *yut = open_game("yut", ""),
               *tiles = open_game("box", "--tiles 8");
    MalpanSolver *solver = open_solver(box, MALPAN_POLICY_EXACT, NULL);
    MalpanPosition never = {{0}}, foreign[3];
    MalpanValue value;
    assert_done(malpan_start(yut, &foreign[0], &error));
    assert_done(malpan_start(tiles, &foreign[1], &error));
    foreign[2] = never;
    for (int i = 0; i < 3; i++) {
        MalpanPosition before = foreign[i];
        assert_int_equal(malpan_actor(box, &foreign[i]), MALPAN_INVALID);
        assert_refused(malpan_apply(box, &foreign[i], 1, &error), MALPAN_USAGE, "other rules");
        assert_refused(malpan_value(solver, &foreign[i], &value, &error), MALPAN_USAGE,
                       "other rules");
        assert_int_equal(malpan_print(box, &foreign[i], NULL, 0), 0);
        assert_true(malpan_equals(&before, &foreign[i]));
    }
    malpan_solver_close(&solver);
    malpan_close(&tiles);
    malpan_close(&yut);
    malpan_close(&box);
}

/* A position with one wrong bit is refused before any game reads it. */
static void damaged_positions(void **state) {
    (void)state;
    for (size_t i = 0; malpan_game_name(i); i++) {
        MalpanGame *game = open_game(malpan_game_name(i), "");
        MalpanPosition position;
        MalpanChance chances[MALPAN_CHANCES_MAX];
        assert_done(malpan_start(game, &position, &error));
        for (size_t bit = 0; bit < 8 * sizeof position; bit++) {
            MalpanPosition damaged = position;
            damaged.opaque[bit / 64] ^= UINT64_C(1) << bit % 64;
            assert_int_equal(malpan_actor(game, &damaged), MALPAN_INVALID);
            assert_int_equal(malpan_print(game, &damaged, NULL, 0), 0);
            assert_int_equal(malpan_draw(game, &damaged, NULL, NULL, 0), 0);
            assert_int_equal(malpan_moves(game, &damaged, NULL, 0), 0);
            assert_int_equal(malpan_chances(game, &damaged, chances, MALPAN_CHANCES_MAX, NULL), 0);
            assert_int_equal(malpan_apply_listed(game, &damaged, 1), MALPAN_USAGE);
            assert_refused(malpan_apply(game, &damaged, 1, &error), MALPAN_USAGE, "damaged");
        }
        malpan_close(&game);
    }
}

/* Numbers outside of their ranges. */
static void strange_numbers(void **state) {
    (void)state;
    MalpanGame *game = open_game("yut", "--pieces 1"), *valley = open_game("valley", "");
    MalpanSolver *solver;
    MalpanTableInfo info;
    MalpanPosition position;
    char text[MALPAN_TEXT_BYTES];
    assert_refused(malpan_solver_open(game, 3, NULL, &solver, &error), MALPAN_USAGE, "policy");
    assert_string_equal(malpan_version(), MALPAN_VERSION);
    assert_string_equal(malpan_code_name(-1), "unknown");
    assert_string_equal(malpan_code_name(1 << 30), "unknown");
    assert_refused(malpan_solver_open(game, -1, NULL, &solver, &error), MALPAN_USAGE, "policy");
    const MalpanLimits bad[] = {{.threads = -1},
                                {.seconds = -1},
                                {.seconds = NAN},
                                {.seconds = INFINITY},
                                {.threads = 1 << 30}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_refused(malpan_solver_open(game, 0, &bad[i], &solver, &error), MALPAN_USAGE, "");
    const MalpanLimits tables = {.tables = "/tmp"};
    assert_refused(malpan_solve(game, NAN, &tables, &info, &error), MALPAN_USAGE, "bound");
    assert_refused(malpan_solve(game, -1, &tables, &info, &error), MALPAN_USAGE, "bound");
    assert_refused(malpan_solve(valley, 0.1, &tables, &info, &error), MALPAN_USAGE, "exact");
    assert_refused(malpan_solve(game, 0, NULL, &info, &error), MALPAN_USAGE, "folder");
    const double values[] = {NAN, INFINITY, -INFINITY, -1, 2, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (int kind = -1; kind < 4; kind++)
            assert_true(malpan_print_value(valley, values[i], kind, 99, text, sizeof text) > 0);
    assert_done(malpan_start(game, &position, &error));
    const MalpanStyle style = {.columns = -5, .lang = 77, .color = 9};
    assert_true(malpan_draw(game, &position, &style, NULL, 0) > 0);
    malpan_close(&valley);
    malpan_close(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_game),           cmocka_unit_test(no_object),
        cmocka_unit_test(no_argument),       cmocka_unit_test(small_buffers),
        cmocka_unit_test(long_texts),        cmocka_unit_test(foreign_positions),
        cmocka_unit_test(damaged_positions), cmocka_unit_test(strange_numbers),
    };
    return cmocka_run_group_tests_name("library abuse", tests, NULL, NULL);
}
