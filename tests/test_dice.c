/* Dice Yut's values: known answers, a plain search beside it, all inputs, best lines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dice_plain.h"
#include "dice_testing.h"
#include "games/dice/best_play.h"
#include "kernel/induction.h"
#include "values/evaluate.h"
#include "values/playout.h"
#include "values/principal_variation.h"

static Evaluation evaluation;

static void known_answers(void **state) {
    (void)state;
    static const struct {
        const char *throws;
        double score;
    } known[] = {{"1 2 3 4 1 2 3 4 1 2", 190}, {"1 1 1 1 1 1 1 1 1 1", 133},
                 {"5 1 2 3 4 5 5 3 2 4", 214}, {"5 5 5 5 5 5 5 5 5 5", 130},
                 {"4 1 4 4 4 4 3 2 2 4", 205}, {"5 4 5 2 2 2 5 3 1 4", 245},
                 {"5 5 5 5 5 2 2 2 2 2", 160}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(value_of("", known[i].throws) == known[i].score);
}

/* The best score of a new solver. */
static int best_of(const int throws[DICE_THROWS]) {
    Variant variant = variant_of("");
    DiceState dice = {.left = DICE_THROWS};
    for (int i = 0; i < DICE_THROWS; i++)
        dice.throws[i] = (uint8_t)throws[i];
    State state = dice_state_pack(&dice);
    Solver *solver = solver_of(&variant);
    double value;
    assert_ok(solver->values(solver, &state, &value));
    solver->free(solver);
    return (int)value;
}

static void draw_throws(Random *random, int throws[DICE_THROWS]) {
    for (int i = 0; i < DICE_THROWS; i++)
        throws[i] = 1 + (int)random_below(random, DICE_SIDES);
}

static void the_plain_search_agrees(void **state) {
    (void)state;
    Random random = random_from_seed(7, 0);
    int throws[DICE_THROWS];
    for (int i = 0; i < test_times(10000); i++) {
        PlainPiece pieces[4] = {{PLAIN_RING, 0}, {PLAIN_RING, 0}, {PLAIN_RING, 0}, {PLAIN_RING, 0}};
        draw_throws(&random, throws);
        int best = plain_best(throws, DICE_THROWS, pieces, true);
        assert_int_equal(best_of(throws), best);
        if (i % 500 == 0 && !getenv("QUICK")) /* really all 4^10 choices */
            assert_int_equal(plain_best(throws, DICE_THROWS, pieces, false), best);
    }
    for (int a = 1; a <= DICE_SIDES; a++) {
        for (int b = 1; b <= DICE_SIDES; b++) {
            PlainPiece pieces[4] = {
                {PLAIN_RING, 0}, {PLAIN_RING, 0}, {PLAIN_RING, 0}, {PLAIN_RING, 0}};
            for (int i = 0; i < DICE_THROWS; i++)
                throws[i] = i < DICE_THROWS / 2 ? a : b;
            assert_int_equal(best_of(throws),
                             plain_best(throws, DICE_THROWS, pieces, getenv("QUICK") != NULL));
        }
    }
}

static void the_board_is_that_of_the_rules(void **state) {
    (void)state;
    for (int square = 0; square < DICE_FINISH; square++) {
        /* The same square on the plain board: inner ones on the short cut where they stand first.
         */
        PlainPiece piece = {.way = -1};
        bool inside = square >= 20 && square < 31;
        for (int way = inside ? 1 : 0; way < PLAIN_WAYS && piece.way < 0; way++)
            for (int place = inside; place < PLAIN_LENGTH - 1 && piece.way < 0; place++)
                if (plain_ways[way][place] == dice_squares[square].points &&
                    (place > 0 || square == 0))
                    piece = (PlainPiece){way, place};
        assert_true(piece.way >= 0);
        for (int steps = 1; steps <= DICE_SIDES; steps++) {
            uint8_t to = dice_destination((uint8_t)square, steps);
            int number = plain_number(plain_move(piece, steps));
            assert_int_equal(to == DICE_FINISH ? -1 : dice_squares[to].points, number);
            assert_true(to > square);
        }
    }
    uint8_t found;
    for (int square = 0; square < DICE_SQUARES; square++) {
        assert_true(dice_find_square(dice_squares[square].name, &found));
        assert_int_equal(found, square); /* no two have one name */
    }
    assert_false(dice_find_square("16j", &found));
}

static uint64_t number_of(const int throws[DICE_THROWS]) {
    uint64_t number = 0;
    for (int i = 0; i < DICE_THROWS; i++)
        number = number * DICE_SIDES + (uint64_t)(throws[i] - 1);
    return number;
}

static void all_inputs_are_single_inputs(void **state) {
    (void)state;
    Rules rules = dice_rules_default();
    Random random = random_from_seed(8, 0);
    int16_t *scores;
    uint64_t count = dice_inputs.count(&rules), sum = 0;
    assert_int_equal(count, 9765625);
    assert_ok(dice_inputs.scores(&rules, &scores));
    for (int i = 0; i < test_times(20000); i++) {
        int throws[DICE_THROWS];
        char text[GAME_TEXT_BYTES], expected[GAME_TEXT_BYTES];
        Text printed = text_over(text, sizeof text), wanted = text_over(expected, sizeof expected);
        draw_throws(&random, throws);
        assert_int_equal(scores[number_of(throws)], best_of(throws));
        dice_inputs.print(&rules, number_of(throws), &printed);
        for (int j = 0; j < DICE_THROWS; j++)
            text_addf(&wanted, "%s%d", j > 0 ? " " : "", throws[j]);
        assert_string_equal(text, expected);
    }
    for (uint64_t i = 0; i < count; i++)
        sum += (uint64_t)scores[i];
    free(scores);
    assert_true(sum == 2097858958); /* the mean of docs/results.md */
    assert_true(value_of("", "0,0,0,0 0 ?,?,?,?,?,?,?,?,?,?") == (double)sum / (double)count);
}

/* What the online player makes of every input has the mean that it expects. */
static void online_inputs_have_the_expected_mean(void **state) {
    (void)state;
    Variant variant = variant_of("--online");
    int16_t *scores;
    uint64_t count = dice_inputs.count(&variant.rules), sum = 0;
    assert_ok(dice_inputs.scores(&variant.rules, &scores));
    for (uint64_t i = 0; i < count; i++)
        sum += (uint64_t)scores[i];
    free(scores);
    assert_true(value_of("--online", "0,0,0,0 0 10") == (double)sum / (double)count);
}

/* The same game over the interface alone: backward induction knows nothing of this game. */
static void induction_agrees(void **state) {
    (void)state;
    static const struct {
        const char *options, *text;
    } asked[] = {{"--online", "0,0,0,0 0 5"},
                 {"--online", "0,0,10,25 37 4"},
                 {"--online", "8,28,30,38 3 4 2"},
                 {"--online", "30i,35,40,F 0 5"},
                 {"--online", "36,38,40,F 0 0"},
                 {"", "0,0,0,0 0 ?,?,?,?,?"},
                 {"", "0,10,20,30 9 2,?,?,?,?"},
                 {"", "0,4,6,25 1 1,2,3,4,5"},
                 {"", "F,F,F,F 7 ?,?"},
                 {"", "6,4,2,0 7 1,1"}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        Variant variant = variant_of(asked[i].options);
        State at = position(&variant, asked[i].text);
        Solver *solver;
        double expected;
        assert_ok(induction_new(&variant, &limits, &solver));
        assert_ok(solver->values(solver, &at, &expected));
        solver->free(solver);
        assert_true(fabs(value_of(asked[i].options, asked[i].text) - expected) < 1e-10);
    }
}

/* How many lines bring `points` more, counted one by one. */
static uint64_t count_lines(const Variant *variant, const State *state, double points) {
    Move moves[DICE_PIECES];
    uint64_t lines = 0;
    if (dice_actor(&variant->rules, state) == GAME_END)
        return dice_state(state).score == points;
    size_t count = dice_moves(&variant->rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        dice_apply(&variant->rules, &next, moves[i]);
        lines += count_lines(variant, &next, points);
    }
    return lines;
}

static void best_lines_are_counted(void **state) {
    (void)state;
    static const char *const inputs[] = {"5 1 2 3 4 5 5 3 2 4", "1 1 1 1 1 1 1 1 1 1",
                                         "2 2 2 2 5 5 1 5 1 1", "4 5 3 1 1 2 1 1 1 1",
                                         "1 1 1 1 1 1 1 1 1 5", "3 3 3 3 1 1 4 4 4 4"};
    Variant variant = variant_of("");
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        State at = position(&variant, inputs[i]);
        Solver *solver = solver_of(&variant);
        PrincipalVariation lines;
        double value;
        assert_ok(solver->values(solver, &at, &value));
        assert_ok(principal_variation_find(&variant, solver, &at, &lines));
        solver->free(solver);
        assert_int_equal(lines.count, count_lines(&variant, &at, value));
        most = lines.count > most ? lines.count : most;
        for (size_t j = 0; j < lines.length; j++)
            assert_ok(variant_play(&variant, &at, lines.moves[j]));
        assert_int_equal(dice_actor(&variant.rules, &at), GAME_END);
        assert_true(dice_state(&at).score == value);
    }
    assert_true(most > 1);
}

/* Says the opposite of another solver. */
typedef struct Opposite {
    Solver base;
    Solver *other;
} Opposite;

static Status opposite_values(Solver *solver, const State *state, double values[]) {
    Solver *other = ((Opposite *)solver)->other;
    Status status = other->values(other, state, values);
    values[0] = -values[0];
    return status;
}

/* A line keeps the value, whether high or low values are good. */
static void lines_of_low_values(void **state) {
    (void)state;
    Variant variant = variant_of("");
    State at = position(&variant, "2 2 2 2 5 5 1 5 1 1");
    Opposite low = {.base = {.kind = VALUE_EXACT, .values = opposite_values},
                    .other = solver_of(&variant)};
    PrincipalVariation lines, expected;
    assert_ok(principal_variation_find(&variant, low.other, &at, &expected));
    assert_ok(principal_variation_find(&variant, &low.base, &at, &lines));
    assert_int_equal(lines.count, expected.count);
    assert_int_equal(lines.length, expected.length);
    assert_memory_equal(lines.moves, expected.moves, lines.length * sizeof lines.moves[0]);
    low.other->free(low.other);
}

static void no_line_where_chance_is_ahead(void **state) {
    (void)state;
    Variant variant = variant_of("--online");
    State at = position(&variant, "0,0,10,25 37 4 3");
    Solver *solver = solver_of(&variant);
    PrincipalVariation lines;
    assert_ok(principal_variation_find(&variant, solver, &at, &lines));
    assert_int_equal(lines.count, 0);
    at = position(&variant, "0,0,10,25 37 1 3"); /* the last throw is known */
    assert_ok(principal_variation_find(&variant, solver, &at, &lines));
    assert_int_equal(lines.count, 1);
    assert_int_equal(lines.length, 1);
    solver->free(solver);
}

/* A solver is asked for one input after the other, and for parts of them. */
static void a_solver_forgets_other_throws(void **state) {
    (void)state;
    Variant variant = variant_of("");
    Solver *solver = solver_of(&variant);
    Random random = random_from_seed(9, 0);
    for (int i = 0; i < test_times(300); i++) {
        int throws[DICE_THROWS];
        DiceState dice = {.left = DICE_THROWS};
        draw_throws(&random, throws);
        for (int j = 0; j < DICE_THROWS; j++)
            dice.throws[j] = (uint8_t)throws[j];
        State at = dice_state_pack(&dice);
        while (dice_actor(&variant.rules, &at) >= 0) {
            double value, fresh;
            Solver *other = solver_of(&variant);
            assert_ok(solver->values(solver, &at, &value));
            assert_ok(other->values(other, &at, &fresh));
            other->free(other);
            assert_true(value == fresh);
            Move moves[DICE_PIECES];
            size_t count = dice_moves(&variant.rules, &at, moves);
            dice_apply(&variant.rules, &at, moves[random_below(&random, count)]);
        }
    }
    solver->free(solver);
}

static void the_fraction_is_the_value(void **state) {
    (void)state;
    Variant variant = variant_of("--online");
    State at = position(&variant, "0,0,0,0 0 10");
    Solver *solver = solver_of(&variant);
    uint64_t numerator, denominator;
    assert_ok(solver->fraction(solver, &at, &numerator, &denominator));
    assert_true(numerator == 5 * (uint64_t)396703182 && denominator == 9765625);
    solver->free(solver);
}

static void little_memory_is_refused(void **state) {
    (void)state;
    Variant variant = variant_of("");
    SolveLimits little = {.memory_bytes = 1 << 20, .threads = 1};
    State at = dice_start(&variant.rules);
    Solver *solver;
    double value;
    assert_ok(solve_now_open(&variant, &little, &solver));
    assert_fails(solver->values(solver, &at, &value), STATUS_UNSUPPORTED, "MB");
    solver->free(solver);
}

/* With more throws, more placements are possible. */
static void more_throws_need_more_memory(void **state) {
    (void)state;
    Variant variant = variant_of("--throw-count 12");
    SolveLimits little = {.memory_bytes = (size_t)255 << 20, .threads = 1};
    State at = dice_start(&variant.rules);
    Solver *solver;
    double value;
    assert_ok(solve_now_open(&variant, &little, &solver));
    assert_fails(solver->values(solver, &at, &value), STATUS_UNSUPPORTED, "256 MB");
    solver->free(solver);
}

static void a_mean_can_be_stopped(void **state) {
    (void)state;
    StopFlag stop = true;
    SolveLimits stopped = {.memory_bytes = limits.memory_bytes, .threads = 1, .stop = &stop};
    const char *const options[] = {"", "--throw-count 12"};
    for (size_t i = 0; i < 2; i++) {
        Variant variant = variant_of(options[i]);
        State at = dice_start(&variant.rules);
        Solver *solver;
        double value;
        assert_ok(solve_now_open(&variant, &stopped, &solver));
        assert_fails(solver->values(solver, &at, &value), STATUS_STOPPED, "stopped");
        solver->free(solver);
    }
    stop = false;
}

/* --- the options --- */

enum { WAITING_MAX = DICE_PIECES };

static void options_agree_with_the_plain_solvers(void **state) {
    (void)state;
    Random random = random_from_seed(11, 0);
    for (int i = 0; i < test_times(60); i++) {
        char text[GAME_TEXT_BYTES], online[GAME_TEXT_BYTES + 16];
        int throws, pieces, weights[DICE_SIDES + 1] = {0}, made[DICE_THROWS_MAX];
        PlainPiece waiting[WAITING_MAX] = {{PLAIN_RING, 0}};
        draw_rules(&random, 5, text, &throws, &pieces, weights);
        snprintf(online, sizeof online, "%s --online", text);
        double mean = plain_mean(weights, made, 0, throws, waiting, pieces);
        double expected = plain_online(weights, throws, waiting, pieces);
        assert_true(fabs(start_value(text) - mean) < 1e-9);
        assert_true(fabs(start_value(online) - expected) < 1e-9);
        assert_true(mean >= expected - 1e-9);
    }
}

/* Eleven unknown throws do not fit into the rows, so the first is tried face by face. */
static void many_unknown_throws_are_split(void **state) {
    (void)state;
    static const int weights[DICE_SIDES + 1] = {0, 0, 1, 0, 0, 2};
    int made[DICE_THROWS_MAX];
    PlainPiece waiting[WAITING_MAX] = {{PLAIN_RING, 0}};
    double mean = plain_mean(weights, made, 0, 12, waiting, 2);
    assert_true(fabs(start_value("--throw-count 12 --pieces 2 --faces 0,1,0,0,2") - mean) < 1e-9);
}

static void twelve_known_throws(void **state) {
    (void)state;
    Random random = random_from_seed(12, 0);
    for (int i = 0; i < test_times(40); i++) {
        char options[GAME_TEXT_BYTES], text[GAME_TEXT_BYTES];
        Text words = text_over(text, sizeof text);
        int throws[DICE_THROWS_MAX], pieces = 1 + i % 3;
        PlainPiece waiting[WAITING_MAX] = {{PLAIN_RING, 0}};
        for (int j = 0; j < DICE_THROWS_MAX; j++) {
            throws[j] = 1 + (int)random_below(&random, DICE_SIDES);
            text_addf(&words, "%s%d", j > 0 ? " " : "", throws[j]);
        }
        snprintf(options, sizeof options, "--throw-count 12 --pieces %d", pieces);
        assert_true(value_of(options, text) ==
                    plain_best_of(throws, DICE_THROWS_MAX, waiting, pieces, true));
    }
}

static void perfect_games_reach_the_expected_score(void **state) {
    (void)state;
    Variant variant = variant_of("--online");
    PlayoutPlan plan = {.games = (uint64_t)test_times(20000), .seed = 3};
    const SolveLimits two_threads = {.threads = 2};
    Solver *solvers[2] = {solver_of(&variant), solver_of(&variant)};
    PlayoutStats *stats, *one;
    plan.solvers = solvers;
    plan.solver_count = 2;
    assert_ok(playout_run(&variant, &plan, &two_threads, &stats));
    plan.solver_count = 1;
    assert_ok(playout_run(&variant, &plan, &two_threads, &one));
    assert_memory_equal(one, stats, sizeof *stats);
    free(one);
    double games = (double)plan.games, mean = stats->payoffs[0] / games, counted = 0;
    for (int i = 0; i <= PLAYOUT_SCORE_MAX; i++)
        counted += (double)stats->score_of[i] * i;
    assert_true(counted == stats->payoffs[0] && stats->unscored == 0);
    /* Five times what chance makes of it: a deviation of 22 points a game. */
    assert_true(fabs(mean - value_of("--online", "0,0,0,0 0 10")) < 5 * 22 / sqrt(games));
    for (int i = 0; i < 2; i++)
        solvers[i]->free(solvers[i]);
    free(stats);
}

static void every_move_is_valued(void **state) {
    (void)state;
    Variant variant = variant_of("");
    State at = position(&variant, "0,10,13,25 0 1,1");
    Solver *solver = solver_of(&variant);
    assert_ok(evaluate_state(&variant, solver, &at, &evaluation));
    assert_int_equal(evaluation.move_count, 3); /* 10 to 13 is taken */
    assert_true(evaluation.values[0] == 65 && evaluation.moves[0].value == 65);
    solver->free(solver);
}

/* A throw is told as a throw, a move as a move. */
int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(the_board_is_that_of_the_rules),
        cmocka_unit_test(the_plain_search_agrees),
        cmocka_unit_test(all_inputs_are_single_inputs),
        cmocka_unit_test(online_inputs_have_the_expected_mean),
        cmocka_unit_test(induction_agrees),
        cmocka_unit_test(best_lines_are_counted),
        cmocka_unit_test(lines_of_low_values),
        cmocka_unit_test(no_line_where_chance_is_ahead),
        cmocka_unit_test(a_solver_forgets_other_throws),
        cmocka_unit_test(the_fraction_is_the_value),
        cmocka_unit_test(little_memory_is_refused),
        cmocka_unit_test(more_throws_need_more_memory),
        cmocka_unit_test(a_mean_can_be_stopped),
        cmocka_unit_test(options_agree_with_the_plain_solvers),
        cmocka_unit_test(many_unknown_throws_are_split),
        cmocka_unit_test(twelve_known_throws),
        cmocka_unit_test(perfect_games_reach_the_expected_score),
        cmocka_unit_test(every_move_is_valued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
