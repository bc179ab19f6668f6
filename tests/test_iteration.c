/* Value iteration over the common interface: against Yut's own solver, against backward induction,
 * on games with values known by hand, and where it cannot know. */
#include "kernel/iteration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/box/box.h"
#include "games/yut/solve/fixpoint.h"
#include "kernel/induction.h"
#include "testing.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 1};

static Solver *open_iteration(const Variant *variant, int chances_max, double residual) {
    Solver *solver;
    IterationPlan plan = {
        .lowest = 0, .highest = 1, .chances_max = chances_max, .residual = residual};
    assert_ok(iteration_new(variant, &limits, &plan, &solver));
    return solver;
}

/* --- Yut with one piece each --- */

static State yut_position(int turn, int own, int other) {
    YutState yut = {.turn = (uint8_t)turn, .throws = 1};
    yut.pieces[turn][0] = (uint8_t)own;
    yut.pieces[1 - turn][0] = (uint8_t)other;
    return yut_state_pack(&yut);
}

/* How far apart the bounds are at most, and how far from halfway the table is. */
typedef struct Distance {
    int compared;
    double gap, table;
} Distance;

/* Every position about to throw, whoever throws: the table is within the proven bounds. */
static Distance compare_with_table(const char *options, int chances_max, double residual) {
    Variant variant;
    Fixpoint fixpoint;
    assert_ok(variant_parse(&yut_game, options, &variant));
    YutRules rules = yut_rules(&variant.rules);
    const double finest = 5e-7; /* of what 30 bits can prove */
    double error = fmax(residual * 100, finest);
    assert_ok(fixpoint_open(&rules, error, &limits, NULL, &fixpoint));
    Solver *solver = open_iteration(&variant, chances_max, residual);
    Distance most = {0, 0, 0};
    for (int i = 0; i < 2 * YUT_ARRIVED * YUT_ARRIVED; i++) {
        int turn = i % 2, own = i / 2 % YUT_ARRIVED, other = i / 2 / YUT_ARRIVED;
        State position = yut_position(turn, own, other);
        Status status = yut_check(&variant.rules, &position);
        if (!status_is_ok(&status))
            continue; /* both on one square, or a cow off its route */
        const int32_t *grid = sweep_values(&fixpoint.sweep, fixpoint.sweep.sides == 2 ? turn : 0);
        size_t place = sweep_index(&fixpoint.sweep, (uint32_t)own, (uint32_t)other);
        double mine = (double)grid[place] / SWEEP_ONE;
        double first = turn == 0 ? mine : 1 - mine;
        IterationBounds bounds;
        assert_ok(iteration_bounds(solver, &position, &bounds));
        if (first < bounds.lower - fixpoint.error || first > bounds.upper + fixpoint.error)
            fail_msg("%s: player %d on %d, the other on %d: %.9f is not from %.9f to %.9f", options,
                     turn, own, other, first, bounds.lower, bounds.upper);
        most.compared++;
        most.gap = fmax(most.gap, bounds.upper - bounds.lower);
        most.table = fmax(most.table, fabs(first - (bounds.lower + bounds.upper) / 2));
    }
    print_message("%s: bounds at most %.2g apart, the table at most %.2g from halfway\n", options,
                  most.gap, most.table);
    assert_true(solver->error == most.gap / 2);
    solver->free(solver);
    fixpoint_close(&fixpoint);
    return most;
}

static void yut_with_one_piece(void **state) {
    (void)state;
    bool quick = getenv("QUICK") != NULL; /* under the sanitizers */
    Distance most = compare_with_table("--pieces 1", quick ? 3 : 9, quick ? 1e-4 : 1e-9);
    assert_int_equal(most.compared, 2 * 871);
    if (!quick)
        assert_true(most.gap < 1e-6 && most.table < 1e-6);
}

static void yut_with_one_piece_and_other_rules(void **state) {
    (void)state;
    static const char *const options[] = {"--animals ps",
                                          "--catch-bonus weak --finish short",
                                          "--nak 0.2 --nak-loses turn --traps 7,18",
                                          "--animals cn",
                                          "--preset plain",
                                          "--short-cut may --back-from-1 off",
                                          "--catch-bonus never --finish reach --centre may"};
    bool quick = getenv("QUICK") != NULL;
    for (size_t i = 0; i < (quick ? 1 : sizeof options / sizeof options[0]); i++) {
        char with_one[GAME_TEXT_BYTES];
        snprintf(with_one, sizeof with_one, "%s --pieces 1", options[i]);
        Distance most = compare_with_table(with_one, quick ? 3 : 5, 1e-5);
        assert_true(most.compared > 600 && most.table < (quick ? 0.01 : 3e-4));
    }
}

/* The more throws are followed, the narrower the bounds; what was narrower lies within. */
static void more_throws_give_narrower_bounds(void **state) {
    (void)state;
    Variant variant;
    assert_ok(variant_parse(&yut_game, "--pieces 1", &variant));
    State start = yut_start(&variant.rules);
    IterationBounds old = {0, 1};
    for (int chances_max = 1; chances_max <= 3; chances_max++) {
        Solver *solver = open_iteration(&variant, chances_max, 1e-6);
        IterationBounds bounds;
        assert_ok(iteration_bounds(solver, &start, &bounds));
        assert_true(bounds.lower > old.lower && bounds.upper < old.upper);
        assert_true(bounds.lower < bounds.upper);
        old = bounds;
        solver->free(solver);
    }
    assert_true(old.upper - old.lower < 0.1);
}

/* --- games without cycles --- */

static void box_agrees_with_induction(void **state) {
    (void)state;
    static const struct {
        const char *options;
        double highest;
    } variants[] = {{"--tiles 5 --dice 1", 1},
                    {"--tiles 7 --players 1", 1},
                    {"--tiles 6 --players 1 --aim score", 21},
                    {"--tiles 9 --players 1 --aim score", 45}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant;
        Solver *plain, *solver;
        double expected[GAME_PLAYERS_MAX], found[GAME_PLAYERS_MAX];
        IterationPlan plan = {.highest = variants[i].highest, .chances_max = 3};
        assert_ok(variant_parse(&box_game, variants[i].options, &variant));
        assert_ok(induction_new(&variant, &limits, &plain));
        assert_ok(iteration_new(&variant, &limits, &plan, &solver));
        State start = box_start(&variant.rules);
        assert_ok(plain->values(plain, &start, expected));
        assert_ok(solver->values(solver, &start, found));
        for (int p = 0; p < box_player_count(&variant.rules); p++)
            assert_true(fabs(found[p] - expected[p]) <= solver->error + plain->error);
        assert_true(solver->error < 1e-10);
        plain->free(plain);
        solver->free(solver);
    }
}

/* --- small games of our own: a place on a line, 0 to 8 --- */

enum { LINE_END = 8 };

static State line_start(const Rules *rules) {
    (void)rules;
    return (State){{LINE_END / 2}};
}

static int line_players(const Rules *rules) {
    (void)rules;
    return 2;
}

static ValueInfo line_value_info(const Rules *rules) {
    (void)rules;
    return (ValueInfo){.lower_is_better = false};
}

static int line_actor(const Rules *rules, const State *state) {
    (void)rules;
    return state->bytes[0] == 0 || state->bytes[0] == LINE_END ? GAME_END : GAME_CHANCE;
}

static size_t line_chances(const Rules *rules, const State *state, Chance chances[],
                           uint64_t *denominator) {
    (void)rules, (void)state;
    chances[0] = (Chance){.move = 0, .weight = 1};
    chances[1] = (Chance){.move = 1, .weight = 2};
    *denominator = 3;
    return 2;
}

static size_t line_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules, (void)state;
    moves[0] = 0;
    moves[1] = 1;
    return 2;
}

static void line_apply(const Rules *rules, State *state, Move move) {
    (void)rules;
    state->bytes[0] = (unsigned char)(state->bytes[0] + (move ? 1 : -1));
}

/* The first player wins at the end of the line, the other at 0. */
static void line_payoff(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules;
    payoffs[0] = state->bytes[0] == LINE_END;
    payoffs[1] = 1 - payoffs[0];
}

static Variant line_variant(const Game *game) {
    return (Variant){.game = game};
}

/* A walk on a line: chance alone, up with 2/3. From k it comes to n before 0 with chance
 * (1 - q^k) / (1 - q^n), where q = 1/2. */
static const Game walk = {
    .identity = {.name = "walk"},
    .rules = {.player_count = line_players, .value_info = line_value_info},
    .tree = {.has_cycles = true,
             .start = line_start,
             .actor = line_actor,
             .moves = line_moves,
             .chances = line_chances,
             .apply = line_apply,
             .payoff = line_payoff},
    .text = {},
};

static void a_walk_has_its_known_chances(void **state) {
    (void)state;
    Variant variant = line_variant(&walk);
    Solver *solver = open_iteration(&variant, 1000, 1e-12);
    for (int k = 0; k <= LINE_END; k++) {
        State position = {{(unsigned char)k}};
        double values[GAME_PLAYERS_MAX];
        double expected = (1 - pow(0.5, k)) / (1 - pow(0.5, LINE_END));
        assert_ok(solver->values(solver, &position, values));
        assert_true(fabs(values[0] - expected) <= solver->error);
        assert_true(fabs(values[0] + values[1] - 1) < 1e-15);
    }
    assert_true(solver->error < 1e-10);
    solver->free(solver);
}

/* What is cut off is not guessed at: from the middle, two steps lead nowhere. */
static void what_is_cut_off_stays_open(void **state) {
    (void)state;
    Variant variant = line_variant(&walk);
    Solver *solver = open_iteration(&variant, 2, 0);
    IterationBounds bounds;
    State middle = line_start(&variant.rules), last = {{LINE_END - 1}};
    assert_ok(iteration_bounds(solver, &middle, &bounds));
    assert_true(bounds.lower == 0 && bounds.upper == 1);
    /* Asked for a state near the end, it looks further, and 2/3 is certain. */
    assert_ok(iteration_bounds(solver, &last, &bounds));
    assert_true(bounds.lower > 2.0 / 3 - 1e-12 && bounds.upper > bounds.lower + 0.01);
    solver->free(solver);
}

static int ours(const Rules *rules, const State *state) {
    return line_actor(rules, state) == GAME_END ? GAME_END : 0;
}

static int theirs(const Rules *rules, const State *state) {
    return line_actor(rules, state) == GAME_END ? GAME_END : 1;
}

/* Whoever moves goes where it likes, and need not come to an end: the one who can wins, but what
 * endless play is worth, nobody said. At turns, they walk to and fro for ever. */
static int by_turns(const Rules *rules, const State *state) {
    return line_actor(rules, state) == GAME_END ? GAME_END : state->bytes[0] % 2;
}

static void endless_play_leaves_the_bounds_apart(void **state) {
    (void)state;
    Game game = walk;
    Variant variant = line_variant(&game);
    State start = line_start(&variant.rules);
    IterationBounds bounds;
    game.tree.actor = ours;
    Solver *solver = open_iteration(&variant, 2, 0);
    assert_ok(iteration_bounds(solver, &start, &bounds));
    assert_true(bounds.lower == 1 && bounds.upper == 1);
    solver->free(solver);
    game.tree.actor = theirs;
    solver = open_iteration(&variant, 2, 0);
    assert_ok(iteration_bounds(solver, &start, &bounds));
    assert_true(bounds.lower == 0 && bounds.upper == 0);
    solver->free(solver);
    game.tree.actor = by_turns;
    solver = open_iteration(&variant, 2, 0);
    assert_ok(iteration_bounds(solver, &start, &bounds));
    assert_true(bounds.lower == 0 && bounds.upper == 1);
    assert_true(solver->error == 0.5);
    solver->free(solver);
}

/* --- what it cannot do --- */

static int three(const Rules *rules) {
    (void)rules;
    return 3;
}

static void both_win(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules;
    payoffs[0] = 1;
    payoffs[1] = state->bytes[0] == 0;
}

static void what_it_is_not_for_is_refused(void **state) {
    (void)state;
    Game game = walk;
    Variant variant = line_variant(&game);
    State start = line_start(&variant.rules);
    Solver *solver;
    IterationBounds bounds;
    IterationPlan plan = {.lowest = 0, .highest = 0.5, .chances_max = 100};
    assert_ok(iteration_new(&variant, &limits, &plan, &solver));
    assert_fails(iteration_bounds(solver, &start, &bounds), STATUS_UNSUPPORTED,
                 "a payoff of 1 is not from 0 to 0.5");
    solver->free(solver);
    game.tree.payoff = both_win;
    solver = open_iteration(&variant, 100, 0);
    assert_fails(iteration_bounds(solver, &start, &bounds), STATUS_UNSUPPORTED,
                 "not a constant-sum game");
    assert_fails(iteration_bounds(solver, &start, &bounds), STATUS_UNSUPPORTED,
                 "not a constant-sum game");
    solver->free(solver);
    game.rules.player_count = three;
    assert_fails(iteration_new(&variant, &limits, &plan, &solver), STATUS_UNSUPPORTED,
                 "one or two players");
}

/* With too little memory the bounds are wide, and true. */
static void little_memory_gives_wide_bounds(void **state) {
    (void)state;
    Variant variant;
    Solver *solver;
    IterationBounds bounds;
    IterationPlan plan = {.highest = 1, .chances_max = 3, .residual = 1e-6};
    assert_ok(variant_parse(&box_game, "--tiles 12 --players 1", &variant));
    State start = box_start(&variant.rules);
    double values[GAME_PLAYERS_MAX], gap = 1;
    assert_ok(box_solver_new(&variant.rules, &limits, &solver));
    assert_ok(solver->values(solver, &start, values));
    solver->free(solver);
    for (size_t kb = 400; kb <= 102400; kb *= 16) {
        SolveLimits little = {.memory_bytes = kb << 10, .threads = 1};
        assert_ok(iteration_new(&variant, &little, &plan, &solver));
        assert_ok(iteration_bounds(solver, &start, &bounds));
        assert_true(bounds.lower <= values[0] && values[0] <= bounds.upper);
        assert_true(bounds.upper - bounds.lower <= gap);
        gap = bounds.upper - bounds.lower;
        solver->free(solver);
    }
    assert_true(gap < 1e-9);
    SolveLimits none = {.memory_bytes = 1000, .threads = 1};
    assert_ok(iteration_new(&variant, &none, &plan, &solver));
    assert_fails(iteration_bounds(solver, &start, &bounds), STATUS_UNSUPPORTED, "memory limit");
    solver->free(solver);
}

static void it_can_be_stopped_and_go_on(void **state) {
    (void)state;
    StopFlag stop = true;
    SolveLimits with_stop = limits;
    with_stop.stop = &stop;
    Variant variant = line_variant(&walk);
    IterationPlan plan = {.highest = 1, .chances_max = 100, .residual = 1e-9};
    State start = line_start(&variant.rules);
    IterationBounds bounds;
    Solver *solver;
    assert_ok(iteration_new(&variant, &with_stop, &plan, &solver));
    assert_fails(iteration_bounds(solver, &start, &bounds), STATUS_STOPPED, "stopped");
    stop = false;
    assert_ok(iteration_bounds(solver, &start, &bounds));
    double expected = (1 - pow(0.5, 4)) / (1 - pow(0.5, LINE_END));
    assert_true(bounds.lower <= expected && expected <= bounds.upper);
    assert_true(bounds.upper - bounds.lower < 1e-6);
    solver->free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yut_with_one_piece),
        cmocka_unit_test(yut_with_one_piece_and_other_rules),
        cmocka_unit_test(more_throws_give_narrower_bounds),
        cmocka_unit_test(box_agrees_with_induction),
        cmocka_unit_test(a_walk_has_its_known_chances),
        cmocka_unit_test(what_is_cut_off_stays_open),
        cmocka_unit_test(endless_play_leaves_the_bounds_apart),
        cmocka_unit_test(what_it_is_not_for_is_refused),
        cmocka_unit_test(little_memory_gives_wide_bounds),
        cmocka_unit_test(it_can_be_stopped_and_go_on),
    };
    return cmocka_run_group_tests_name("iteration", tests, NULL, NULL);
}
