/* Estimates by looking ahead: in tune with themselves, and nearer to the truth than a bare guess.
 */
#include <math.h>
#include <string.h>

#include "game/estimate.h"
#include "games/box/box.h"
#include "games/yut/yut.h"
#include "kernel/lookahead.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/playout.h"
#include "values/solve_now.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 1};
static const LookaheadPlan one_turn = {.turns = 1};
static Evaluation evaluation;

static Variant variant_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&yut_game, options, &variant));
    return variant;
}

/* One step of a random game; a new game where one is over. */
static void step(const Variant *variant, State *state, Random *random) {
    const Rules *rules = &variant->rules;
    int actor = yut_actor(rules, state);
    if (actor == GAME_END) {
        *state = yut_start(rules);
    } else if (actor == GAME_CHANCE) {
        yut_apply(rules, state, variant_draw_chance(variant, state, random));
    } else {
        Move moves[GAME_MOVES_MAX];
        size_t count = yut_moves(rules, state, moves);
        yut_apply(rules, state, moves[random_below(random, count)]);
    }
}

/* What the state is worth by what may happen at it: the mean over the throws. */
static double mean_after(const Variant *variant, Solver *solver, const State *state, int player) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    size_t count = yut_chances(&variant->rules, state, chances, &whole);
    double mean = 0;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double values[GAME_PLAYERS_MAX];
        yut_apply(&variant->rules, &next, chances[i].move);
        assert_ok(solver->values(solver, &next, values));
        mean += (double)chances[i].weight / (double)whole * values[player];
    }
    return mean;
}

/* A position is worth its best move, or the mean over its throws; shares sum to one. */
static void estimates_agree_with_each_other(void **state) {
    (void)state;
    static const char *const variants[] = {"--pieces 3", "--pieces 4 --animals sd",
                                           "--players 3 --pieces 2", "--preset teams --pieces 1"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of(variants[i]);
        Random random = random_from_seed(5, i);
        State position = yut_start(&variant.rules);
        Solver *solver;
        assert_ok(lookahead_new(&variant, &one_turn, &limits, &solver));
        assert_int_equal(solver->kind, VALUE_ESTIMATE);
        for (int j = 0; j < test_times(150); j++) {
            assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
            int player = evaluation.player;
            double value = evaluation.values[player], sum = 0;
            if (evaluation.move_count > 0)
                assert_true(evaluation.moves[0].value == value);
            else if (yut_actor(&variant.rules, &position) == GAME_CHANCE)
                assert_true(fabs(mean_after(&variant, solver, &position, player) - value) < 1e-12);
            for (int k = 0; k < yut_player_count(&variant.rules); k++)
                sum += evaluation.values[k];
            assert_true(fabs(sum - (i == 3 ? 2 : 1)) < 1e-12); /* partners win together */
            step(&variant, &position, &random);
        }
        solver->free(solver);
    }
}

static void estimates_of_the_end_are_payoffs(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 3");
    State position;
    Solver *solver;
    double values[GAME_PLAYERS_MAX];
    assert_ok(yut_parse_state(&variant.rules, "19,100,100/0,0,0 0 gae", &position));
    assert_ok(lookahead_new(&variant, &one_turn, &limits, &solver));
    assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
    assert_true(evaluation.values[0] == 1 && evaluation.moves[0].value == 1);
    yut_apply(&variant.rules, &position, evaluation.moves[0].move);
    assert_int_equal(yut_actor(&variant.rules, &position), GAME_END);
    assert_ok(solver->values(solver, &position, values));
    assert_true(values[0] == 1 && values[1] == 0);
    solver->free(solver);
}

/* Against the solved game with two pieces each. */
static void looking_ahead_helps(void **state) {
    (void)state;
    enum { SAMPLES = 500 };
    if (getenv("QUICK"))
        skip(); /* it is about numbers, and solving two pieces takes long */
    Variant variant = variant_of("--pieces 2");
    Random random = random_from_seed(8, 0);
    State position = yut_start(&variant.rules);
    Solver *exact, *ahead;
    double guessed = 0, looked = 0;
    assert_ok(solve_now_open(&variant, &limits, &exact));
    assert_ok(lookahead_new(&variant, &one_turn, &limits, &ahead));
    assert_int_equal(exact->kind, VALUE_EXACT);
    for (int i = 0; i < SAMPLES; i++) {
        double truth[GAME_PLAYERS_MAX], guess[GAME_PLAYERS_MAX], look[GAME_PLAYERS_MAX];
        ahead->begin(ahead, &position);
        assert_ok(exact->values(exact, &position, truth));
        assert_ok(ahead->values(ahead, &position, look));
        yut_estimate(&variant.rules, &position, guess);
        guessed += pow(guess[0] - truth[0], 2);
        looked += pow(look[0] - truth[0], 2);
        step(&variant, &position, &random);
    }
    print_message("off by %.4f without, %.4f with a look ahead, root mean square\n",
                  sqrt(guessed / SAMPLES), sqrt(looked / SAMPLES));
    assert_true(looked < guessed && sqrt(looked / SAMPLES) < 0.02);
    exact->free(exact);
    ahead->free(ahead);
}

/* The leaf of a look ahead by two turns is a look ahead by one. */
static void two_turns_are_one_after_the_other(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 2");
    const Rules *rules = &variant.rules;
    const LookaheadPlan two_turns = {.turns = 2};
    Random random = random_from_seed(9, 0);
    State position = yut_start(rules);
    Solver *one, *two;
    int seen = 0;
    assert_ok(lookahead_new(&variant, &one_turn, &limits, &one));
    assert_ok(lookahead_new(&variant, &two_turns, &limits, &two));
    assert_string_not_equal(one->method, two->method);
    while (seen < test_times(100)) {
        YutState s = yut_state(&position);
        Move moves[GAME_MOVES_MAX];
        size_t count = yut_actor(rules, &position) >= 0 ? yut_moves(rules, &position, moves) : 0;
        if (count > 0)
            two->begin(two, &position);
        for (size_t i = 0; i < count; i++) {
            State next = position;
            double deep[GAME_PLAYERS_MAX], plain[GAME_PLAYERS_MAX];
            yut_apply(rules, &next, moves[i]);
            if (yut_actor(rules, &next) == GAME_END || yut_turn(rules, &next) == s.turn)
                continue;
            one->begin(one, &next);
            assert_ok(one->values(one, &next, plain));
            assert_ok(two->values(two, &next, deep));
            assert_true(plain[0] == deep[0] && plain[1] == deep[1]);
            seen++;
        }
        step(&variant, &position, &random);
    }
    one->free(one);
    two->free(two);
}

/* With no room to keep states, what is found is rougher, but it is found. */
static void little_memory_will_do(void **state) {
    (void)state;
    Variant variant = variant_of("--pieces 4");
    SolveLimits small = {.memory_bytes = 1 << 10, .threads = 1};
    State position = yut_start(&variant.rules);
    Solver *solver;
    assert_ok(lookahead_new(&variant, &one_turn, &small, &solver));
    assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
    assert_true(evaluation.values[0] > 0.4 && evaluation.values[0] < 0.7);
    solver->free(solver);
}

static void a_game_without_an_estimate_is_refused(void **state) {
    (void)state;
    Variant variant = variant_default(&box_game);
    Solver *solver;
    assert_fails(lookahead_new(&variant, &one_turn, &limits, &solver), STATUS_UNSUPPORTED, "box");
}

/* An estimate of the caller's: everybody has the same share. */
static void share_equally(void *context, const State *state, double values[]) {
    (void)state;
    const Variant *variant = context;
    int players = variant->game->rules.player_count(&variant->rules);
    for (int player = 0; player < players; player++)
        values[player] = 1.0 / players;
}

/* The caller may bring an estimate for a game that has none, and look as far ahead as can be. How
 * far such estimates are off is not known. */
static void the_caller_can_bring_an_estimate(void **state) {
    (void)state;
    Variant variant;
    Solver *solver;
    LookaheadPlan plan = {
        .turns = LOOKAHEAD_TURNS_MAX, .estimate = share_equally, .context = &variant};
    assert_ok(variant_parse(&box_game, "--tiles 4 --dice 1", &variant));
    State position = box_game.tree.start(&variant.rules);
    assert_ok(lookahead_new(&variant, &plan, &limits, &solver));
    assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
    assert_true(evaluation.values[0] > 0 && evaluation.values[0] < 1);
    assert_true(fabs(evaluation.values[0] + evaluation.values[1] - 1) < 1e-12);
    assert_true(isnan(evaluation.typical_error));
    solver->free(solver);
}

/* A game need not say how far its estimates are off. */
static void the_typical_error_may_be_unknown(void **state) {
    (void)state;
    GameEstimate estimate = {.values = yut_game.estimate->values};
    Game game = yut_game;
    game.estimate = &estimate;
    Variant variant = variant_of("--pieces 2");
    State position = yut_start(&variant.rules);
    Solver *solver;
    variant.game = &game;
    assert_ok(lookahead_new(&variant, &one_turn, &limits, &solver));
    assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
    assert_true(isnan(evaluation.typical_error));
    solver->free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_agree_with_each_other),
        cmocka_unit_test(estimates_of_the_end_are_payoffs),
        cmocka_unit_test(looking_ahead_helps),
        cmocka_unit_test(two_turns_are_one_after_the_other),
        cmocka_unit_test(little_memory_will_do),
        cmocka_unit_test(a_game_without_an_estimate_is_refused),
        cmocka_unit_test(the_caller_can_bring_an_estimate),
        cmocka_unit_test(the_typical_error_may_be_unknown),
    };
    return cmocka_run_group_tests_name("lookahead", tests, NULL, NULL);
}
