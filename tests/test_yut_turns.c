/* Yut in the middle of a turn: results in hand and throws to come, valued by a search over the
 * values of a fixed point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "games/yut/solve/solver.h"
#include "games/yut/solve/turn_map.h"
#include "values/evaluate.h"
#include "values/solve_now.h"
#include "yut_solved.h"

static void pending_results_are_valued(void **state) {
    (void)state;
    Variant variant;
    Solver *solver;
    State position;
    static Evaluation evaluation;
    assert_ok(variant_parse(&yut_game, "--pieces 1", &variant));
    assert_ok(solve_now_open(&variant, &limits, &solver));
    assert_ok(yut_parse_state(&variant.rules, "28/3 0 do,geol", &position));
    assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
    assert_int_equal(evaluation.move_count, 2); /* either order brings the piece home */
    assert_true(evaluation.moves[0].value == 1 && evaluation.moves[1].value == 1);
    assert_ok(yut_parse_state(&variant.rules, "3/5 0 do,gae", &position));
    assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
    /* gae catches, and gives a throw; do first would pass over the prey. */
    assert_int_equal(yut_move_result(evaluation.moves[0].move), YUT_GAE);
    assert_true(evaluation.moves[0].value > evaluation.moves[1].value + 0.1);
    /* Before the throw: the mean of after it. */
    assert_ok(yut_parse_state(&variant.rules, "10/3 1 -", &position));
    double before[GAME_PLAYERS_MAX], after[GAME_PLAYERS_MAX], mean = 0;
    assert_ok(solver->values(solver, &position, before));
    for (Move result = 0; result < YUT_RESULTS; result++) {
        State next = position;
        yut_apply(&variant.rules, &next, result);
        assert_ok(solver->values(solver, &next, after));
        mean += after[1] * chance[result];
    }
    assert_true(fabs(mean - before[1]) < 1e-6);
    assert_true(fabs(before[0] + before[1] - 1) < 1e-12);
    solver->free(solver);
}

/* Different states for different numbers. */
static TurnState turn_state(int i) {
    TurnState state = {.own = (uint16_t)(i % 400), .turn = (uint8_t)(i % 2), .throws = 1};
    state.other = (uint16_t)(i / 400 % 9);
    state.list = (uint64_t)(1 + i / 3600 / YUT_RESULTS) * turn_list_of(i / 3600 % YUT_RESULTS);
    return state;
}

static void the_map_of_a_turn_finds_what_was_put(void **state) {
    (void)state;
    enum { COUNT = 60000 };
    TurnMap map;
    TurnValue found;
    turn_map_init(&map, (size_t)1 << 24);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) {
            TurnState key = turn_state(i);
            TurnValue value = {.value = i + round, .error = 1e-9 * i, .extras = round};
            assert_int_equal(turn_map_find(&map, &key, &found), round == 1);
            assert_true(round != 1 || (found.value == i && found.extras == 0));
            assert_true(turn_map_put(&map, &key, &value));
            assert_true(turn_map_find(&map, &key, &found));
            assert_true(found.value == i + round && found.extras == round);
            /* Errors are rounded up. */
            assert_true(found.error >= value.error && found.error <= value.error * (1 + 1e-6));
        }
        assert_int_equal(map.count, COUNT);
        if (round == 1)
            turn_map_clear(&map);
    }
    turn_map_free(&map);
    /* No more than there is room for. */
    turn_map_init(&map, (size_t)1 << 20);
    int put = 0;
    for (bool good = true; good && put < COUNT; put++) {
        TurnState key = turn_state(put);
        good = turn_map_put(&map, &key, &(TurnValue){.value = put});
    }
    assert_in_range(put, 10000, COUNT - 1);
    turn_map_free(&map);
}

static Status ask_fixpoint(const YutStarts *starts, const YutState *s, double *value) {
    const Fixpoint *fixpoint = starts->source;
    const Placements *placements = &fixpoint->sweep.placements;
    *value = table_value(fixpoint, fixpoint->sweep.sides == 2 ? s->turn : 0,
                         placement_rank(placements, s->pieces[s->turn]),
                         placement_rank(placements, s->pieces[1 - s->turn]));
    return status_ok();
}

static void leave_fixpoint(YutStarts *starts) {
    (void)starts;
}

/* A turn is followed as far as what may be left open asks for, and no further off than that. */
static void a_turn_is_followed_as_far_as_asked(void **state) {
    (void)state;
    static const char *const texts[] = {"9,21/4,20 0 yut+", "0,0/4,9 0 -", "6,7/8,9 0 yut,mo",
                                        "0,0/0,0 0 gae,mo,mo", "3,11/5,15 1 do+"};
    static const double open[] = {1e-2, 1e-5, 1e-9};
    enum { TEXTS = sizeof texts / sizeof texts[0], OPEN = sizeof open / sizeof open[0] };
    Checker checker = {.yut = rules_of("--pieces 2")};
    checker.rules = yut_rules_pack(&checker.yut);
    Fixpoint fixpoint;
    /* After a catch with nothing pending, one looks a value up and the other goes on: the same, as
     * far as the equations hold. */
    bool quick = getenv("QUICK") != NULL;
    double residual = quick ? 1e-6 : 1e-8;
    assert_ok(fixpoint_open(&checker.yut, quick ? 1e-3 : 1e-6, &limits, NULL, &fixpoint));
    checker.fixpoint = &fixpoint;
    for (int k = 0; k < OPEN; k++) {
        Solver *solver;
        double off = 0;
        YutStarts starts = {.source = &fixpoint, .value = ask_fixpoint, .close = leave_fixpoint};
        assert_ok(yut_solver_over(&checker.rules, starts, "test", open[k], &limits, &solver));
        assert_true(solver->error == 0);
        for (int i = 0; i < (quick ? 2 : TEXTS); i++) {
            State position;
            double values[GAME_PLAYERS_MAX];
            assert_ok(yut_parse_state(&checker.rules, texts[i], &position));
            int player = yut_turn(&checker.rules, &position);
            if (yut_actor(&checker.rules, &position) == GAME_CHANCE)
                yut_apply(&checker.rules, &position, YUT_MO);
            state_map_init(&checker.map, (size_t)1 << 28);
            double plainly = turn_value(&checker, &position, player, quick ? 8 : 11);
            state_map_free(&checker.map);
            assert_ok(solver->values(solver, &position, values));
            assert_true(fabs(values[0] + values[1] - 1) < 1e-12);
            off = fmax(off, fabs(values[player] - plainly));
        }
        assert_true(solver->error == open[k] && off <= open[k] + residual);
        assert_true(k > 0 || off > 1e-7); /* no further than it has to */
        solver->free(solver);
    }
    free(checker.values);
    fixpoint_close(&fixpoint);
}

/* A solver over the values of the fixed point, which stays the caller's. */
static Solver *open_over(const Fixpoint *fixpoint, double tolerance, size_t memory_bytes) {
    Rules rules = yut_rules_pack(&fixpoint->sweep.rules);
    YutStarts starts = {.source = (void *)fixpoint, .value = ask_fixpoint, .close = leave_fixpoint};
    SolveLimits with = {.memory_bytes = memory_bytes, .threads = 1};
    Solver *solver;
    assert_ok(yut_solver_over(&rules, starts, "test", tolerance, &with, &solver));
    return solver;
}

/* With little memory turns are searched less deep. The values still come, and say how far off they
 * may be. */
static void little_memory_costs_precision(void **state) {
    (void)state;
    static const char *const texts[] = {"9,21/4,20 0 yut+", "4,5/0,1 1 yut+", "0,0/5,8 0 gae,mo+"};
    static const size_t memory[] = {(size_t)1 << 21, (size_t)1 << 18, (size_t)1 << 12};
    enum { TEXTS = sizeof texts / sizeof texts[0], MEMORY = sizeof memory / sizeof memory[0] };
    const double tolerance = 1e-7;
    YutRules yut = rules_of("--pieces 2");
    Rules rules = yut_rules_pack(&yut);
    Fixpoint fixpoint;
    assert_ok(fixpoint_open(&yut, 1e-3, &limits, NULL, &fixpoint));
    for (int i = 0; i < TEXTS; i++) {
        State position;
        double fine[GAME_PLAYERS_MAX], coarse[GAME_PLAYERS_MAX], widening = 0;
        assert_ok(yut_parse_state(&rules, texts[i], &position));
        Solver *solver = open_over(&fixpoint, tolerance, (size_t)1 << 30);
        assert_ok(solver->values(solver, &position, fine));
        assert_true(solver->error == tolerance && solver->widening == 0);
        solver->free(solver);
        for (int k = 0; k < MEMORY; k++) {
            solver = open_over(&fixpoint, tolerance, memory[k]);
            for (int again = 0; again < 2; again++) {
                solver->widening = 0;
                assert_ok(solver->values(solver, &position, coarse));
                double off = fabs(coarse[0] - fine[0]);
                assert_true(off <= tolerance + solver->error + solver->widening);
                assert_true(solver->widening >= widening && solver->widening <= 0.5);
            }
            widening = solver->widening;
            assert_true(k == 0 || widening > 0);
            solver->free(solver);
        }
        assert_true(widening > 0.1); /* 4 KB are not enough for anything */
    }
    fixpoint_close(&fixpoint);
}

/* Questions along a game, to a solver that remembers and to a fresh one for each. */
static void remembered_values_are_those_of_a_fresh_solver(void **state) {
    (void)state;
    const double tolerance = 1e-6;
    int games = getenv("QUICK") ? 2 : 12, compared = 0;
    YutRules yut = rules_of("--pieces 2");
    Rules rules = yut_rules_pack(&yut);
    Variant variant = {.game = &yut_game, .rules = rules};
    Fixpoint fixpoint;
    assert_ok(fixpoint_open(&yut, 1e-3, &limits, NULL, &fixpoint));
    Solver *old = open_over(&fixpoint, tolerance, (size_t)1 << 28);
    for (int game = 0; game < games; game++) {
        Random random = random_from_seed(31, (uint64_t)game);
        State position = yut_start(&rules);
        for (int actor; (actor = yut_actor(&rules, &position)) != GAME_END;) {
            double remembered[GAME_PLAYERS_MAX], fresh[GAME_PLAYERS_MAX];
            Solver *new = open_over(&fixpoint, tolerance, (size_t)1 << 28);
            assert_ok(old->values(old, &position, remembered));
            assert_ok(new->values(new, &position, fresh));
            assert_true(fabs(remembered[0] - fresh[0]) <= 2 * tolerance);
            assert_true(old->widening == 0 && new->widening == 0);
            new->free(new);
            compared++;
            Move moves[GAME_MOVES_MAX];
            Move move = actor == GAME_CHANCE
                            ? variant_draw_chance(&variant, &position, &random)
                            : moves[random_below(&random, yut_moves(&rules, &position, moves))];
            yut_apply(&rules, &position, move);
        }
    }
    assert_true(compared > 20 * games);
    old->free(old);
    fixpoint_close(&fixpoint);
}

static Status ask_nobody(const YutStarts *starts, const YutState *s, double *value) {
    (void)starts, (void)s;
    *value = 0.5;
    return status_ok();
}

/* Whatever the odds and however little may be left open, it comes to an end. */
static void a_turn_that_hardly_ends_is_given_up(void **state) {
    (void)state;
    static const char *const variants[] = {"--pieces 1 --odds 1,1,1,1,4,4",
                                           "--pieces 1 --odds 1,1,1,1,30,30", "--pieces 1"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        YutRules yut = rules_of(variants[i]);
        Rules rules = yut_rules_pack(&yut);
        YutStarts starts = {.value = ask_nobody, .close = leave_fixpoint};
        Solver *solver;
        State position;
        double values[GAME_PLAYERS_MAX];
        assert_ok(yut_solver_over(&rules, starts, "test", i == 2 ? 0 : 1e-9, &limits, &solver));
        assert_ok(yut_parse_state(&rules, "3/8 0 geol+", &position));
        assert_ok(solver->values(solver, &position, values));
        assert_true(values[0] >= 0 && values[0] <= 1);
        assert_true(solver->error + solver->widening > 0 && solver->widening < 0.5);
        solver->free(solver);
    }
}

/* A dog often throws again, so that more of its turn is cut off: the bound covers that. */
static void the_bound_covers_pending_throws(void **state) {
    (void)state;
    static const char *const texts[] = {"3/8 0 geol+ dn", "3/8 0 do,geol+ dn", "0/4 0 mo+ dn"};
    Checker checker = {.yut = rules_of("--pieces 1 --animals dn")};
    checker.rules = yut_rules_pack(&checker.yut);
    Fixpoint fixpoint;
    assert_ok(fixpoint_open(&checker.yut, 1e-2, &limits, NULL, &fixpoint));
    checker.fixpoint = &fixpoint;
    static const double tolerances[] = {1e-1, 1e-2, 1e-3, 1e-4};
    for (size_t j = 0; j < sizeof tolerances / sizeof tolerances[0]; j++)
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            double tolerance = tolerances[j];
            State position;
            double values[GAME_PLAYERS_MAX];
            Solver *solver = open_over(&fixpoint, tolerance, (size_t)1 << 28);
            assert_ok(yut_parse_state(&checker.rules, texts[i], &position));
            assert_ok(solver->values(solver, &position, values));
            state_map_init(&checker.map, (size_t)1 << 28);
            double plainly = turn_value(&checker, &position, 0, 14);
            state_map_free(&checker.map);
            assert_true(solver->widening == 0);
            assert_true(fabs(values[0] - plainly) <= tolerance + 1e-5);
            solver->free(solver);
        }
    free(checker.values);
    fixpoint_close(&fixpoint);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_results_are_valued),
        cmocka_unit_test(the_map_of_a_turn_finds_what_was_put),
        cmocka_unit_test(a_turn_is_followed_as_far_as_asked),
        cmocka_unit_test(little_memory_costs_precision),
        cmocka_unit_test(remembered_values_are_those_of_a_fresh_solver),
        cmocka_unit_test(a_turn_that_hardly_ends_is_given_up),
        cmocka_unit_test(the_bound_covers_pending_throws),
    };
    return cmocka_run_group_tests_name("yut_turns", tests, NULL, NULL);
}
