/* Dice Yut: known answers, a plain search beside it, all inputs, and the game interface. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dice_plain.h"
#include "game/contract.h"
#include "games/dice/best_play.h"
#include "kernel/induction.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/playout.h"
#include "values/principal_variation.h"
#include "values/solve_now.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 28, .threads = 1};
static Evaluation evaluation;

static Variant variant_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&dice_game, options, &variant));
    return variant;
}

static State position(const Variant *variant, const char *text) {
    State state;
    assert_ok(dice_parse_state(&variant->rules, text, &state));
    return state;
}

static Solver *solver_of(const Variant *variant) {
    Solver *solver;
    assert_ok(solve_now_open(variant, &limits, &solver));
    return solver;
}

static double value_of(const char *options, const char *text) {
    Variant variant = variant_of(options);
    State state = position(&variant, text);
    Solver *solver = solver_of(&variant);
    double value;
    assert_ok(solver->values(solver, &state, &value));
    solver->free(solver);
    return value;
}

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

/* Draws rules; weights are small, and some are 0. */
static void draw_rules(Random *random, int throws_max, char text[GAME_TEXT_BYTES], int *throws,
                       int *pieces, int weights[DICE_SIDES + 1]) {
    int sum = 0;
    *throws = 1 + (int)random_below(random, (uint64_t)throws_max);
    *pieces = 1 + (int)random_below(random, DICE_PIECES);
    while (sum == 0 || sum > 16) {
        sum = 0;
        for (int face = 1; face <= DICE_SIDES; face++)
            sum += weights[face] = (int)random_below(random, 7);
    }
    snprintf(text, GAME_TEXT_BYTES, "--throw-count %d --pieces %d --faces %d,%d,%d,%d,%d", *throws,
             *pieces, weights[1], weights[2], weights[3], weights[4], weights[5]);
}

static double start_value(const char *options) {
    Variant variant = variant_of(options);
    State start = dice_start(&variant.rules);
    Solver *solver = solver_of(&variant);
    double value;
    assert_ok(solver->values(solver, &start, &value));
    solver->free(solver);
    return value;
}

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
        cmocka_unit_test(steps_in_words),
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
        cmocka_unit_test(random_rules_keep_the_contract),
        cmocka_unit_test(options_are_refused_by_name),
        cmocka_unit_test(positions_with_fewer_pieces),
        cmocka_unit_test(keeps_the_contract),
        cmocka_unit_test(ends_where_nothing_can_move),
        cmocka_unit_test(drawing_can_name_the_start_and_the_finish),
        cmocka_unit_test(bad_positions_are_refused),
        cmocka_unit_test(bad_moves_are_refused_in_both_languages),
        cmocka_unit_test(a_switch_reads_back),
        cmocka_unit_test(perfect_games_reach_the_expected_score),
        cmocka_unit_test(every_move_is_valued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
