/* Yut with one piece each, for two to four players: a turn against the rules themselves, the solved
 * game against the solver of two players, and what must hold of any right values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "games/yut/solve/single_fixpoint.h"
#include "games/yut/solve/single_lines.h"
#include "kernel/state_map.h"
#include "values/evaluate.h"
#include "values/policy.h"
#include "values/solve_now.h"
#include "yut_testing.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

/* --- a turn by the Game interface alone --- */

enum { EXTRAS = 7 };

typedef struct Plain {
    Variant variant;
    const SingleGame *game; /* for the values of starts */
    int me;
    StateMap map;
    double (*values)[GAME_PLAYERS_MAX + 1]; /* of a state: each player's, or the two bounds */
    size_t capacity;
} Plain;

/* Reads a start from the values, as seen by the mover `me`. */
static void read_start(const Plain *plain, const State *state, double values[]) {
    YutState yut = yut_state(state);
    SingleState single = single_state(plain->game, &yut);
    const double *start =
        plain->game->values + single_index(plain->game, &single) * plain->game->parts;
    if (plain->game->aim == SINGLE_SIDES) {
        for (int i = 0; i < plain->game->players; i++)
            values[(yut.turn + i) % plain->game->players] = start[i];
        return;
    }
    bool ours = yut_same_side(&plain->game->rules, yut.turn, plain->me);
    values[SINGLE_UPPER] = ours ? start[SINGLE_UPPER] : 1 - start[SINGLE_LOWER];
    values[SINGLE_LOWER] = ours ? start[SINGLE_LOWER] : 1 - start[SINGLE_UPPER];
}

static void plain_value(Plain *plain, const State *state, int extras, bool is_root,
                        double values[]);

static void plain_throw(Plain *plain, const State *state, int extras, double values[]) {
    const Rules *rules = &plain->variant.rules;
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    size_t count = plain->variant.game->tree.chances(rules, state, chances, &whole);
    memset(values, 0, GAME_PLAYERS_MAX * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        double chance = (double)chances[i].weight / (double)whole, one[GAME_PLAYERS_MAX + 1];
        bool again = yut_throws_again(&plain->game->rules, plain->me, (YutResult)chances[i].move);
        State next = *state;
        plain->variant.game->tree.apply(rules, &next, chances[i].move);
        if (again && extras == 0) { /* beyond: won, or between lost and won */
            bool is_sides = plain->game->aim == SINGLE_SIDES;
            values[is_sides ? plain->me : SINGLE_UPPER] += chance;
            continue;
        }
        plain_value(plain, &next, extras - again, false, one);
        for (int j = 0; j < GAME_PLAYERS_MAX; j++)
            values[j] += chance * one[j];
    }
}

static void plain_choice(Plain *plain, const State *state, int extras, double values[]) {
    const Rules *rules = &plain->variant.rules;
    Move moves[GAME_MOVES_MAX];
    size_t count = plain->variant.game->tree.moves(rules, state, moves);
    double mine[16][GAME_PLAYERS_MAX + 1];
    assert_true(count > 0 && count <= 16);
    bool is_sides = plain->game->aim == SINGLE_SIDES;
    double best[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        plain->variant.game->tree.apply(rules, &next, moves[i]);
        plain_value(plain, &next, extras, false, mine[i]);
        best[0] = fmax(best[0], mine[i][is_sides ? plain->me : SINGLE_UPPER]);
        best[1] = fmax(best[1], mine[i][SINGLE_LOWER]);
    }
    if (!is_sides) {
        memset(values, 0, GAME_PLAYERS_MAX * sizeof *values);
        values[SINGLE_UPPER] = best[0];
        values[SINGLE_LOWER] = best[1];
        return;
    }
    size_t first = 0;
    while (solver_exceeds(best[0], mine[first][plain->me]))
        first++;
    memcpy(values, mine[first], GAME_PLAYERS_MAX * sizeof *values);
}

static void plain_value(Plain *plain, const State *state, int extras, bool is_root,
                        double values[]) {
    const Rules *rules = &plain->variant.rules;
    const Game *game = plain->variant.game;
    YutState yut = yut_state(state);
    int actor = game->tree.actor(rules, state);
    memset(values, 0, GAME_PLAYERS_MAX * sizeof *values);
    if (actor == GAME_END) {
        double payoffs[GAME_PLAYERS_MAX] = {0};
        game->tree.payoff(rules, state, payoffs);
        if (plain->game->aim == SINGLE_SIDES)
            memcpy(values, payoffs, sizeof payoffs);
        else
            values[SINGLE_UPPER] = values[SINGLE_LOWER] = payoffs[plain->me];
        return;
    }
    bool is_start = yut.throws == 1;
    for (int i = 0; i < YUT_RESULTS; i++)
        is_start = is_start && yut.list[i] == 0;
    if (is_start && !is_root) {
        read_start(plain, state, values);
        return;
    }
    bool added;
    uint32_t number = state_map_add(&plain->map, state, &added);
    assert_true(number != STATE_MAP_NONE);
    if (plain->capacity < plain->map.capacity) {
        plain->capacity = plain->map.capacity;
        plain->values = realloc(plain->values, plain->capacity * sizeof *plain->values);
        assert_non_null(plain->values);
    }
    if (!added && plain->values[number][GAME_PLAYERS_MAX] >= extras) {
        memcpy(values, plain->values[number], GAME_PLAYERS_MAX * sizeof *values);
        return;
    }
    if (actor == GAME_CHANCE)
        plain_throw(plain, state, extras, values);
    else
        plain_choice(plain, state, extras, values);
    memcpy(plain->values[number], values, GAME_PLAYERS_MAX * sizeof *values);
    plain->values[number][GAME_PLAYERS_MAX] = extras;
}

/* A random start that the rules allow. */
static State random_start(const Variant *variant, Random *random) {
    YutRules yut = yut_rules(&variant->rules);
    for (;;) {
        YutState state = {.throws = 1, .turn = (uint8_t)random_below(random, yut.players)};
        for (int i = 0; i < yut.players; i++)
            state.pieces[i][0] = (uint8_t)random_below(random, YUT_SQUARES);
        State packed = yut_state_pack(&state);
        Status status = yut_check(&variant->rules, &packed);
        if (status_is_ok(&status) && yut_winner(&yut, &state) < 0)
            return packed;
    }
}

/* Fills the values with random numbers that could be chances, lower bounds below upper ones. One in
 * eight is certain: a single player wins, or the bounds are both 0 or both 1. */
static void fill_values(SingleGame *game, Random *random) {
    size_t count = (size_t)single_tables(game) * game->positions;
    game->values = malloc(count * game->parts * sizeof(double));
    assert_non_null(game->values);
    for (size_t i = 0; i < count; i++) {
        double *value = game->values + i * game->parts, sum = 0;
        if (random_below(random, 8) == 0) {
            size_t winner = (size_t)random_below(random, game->parts);
            for (size_t part = 0; part < game->parts; part++)
                value[part] = game->aim == SINGLE_BOUNDS ? (double)winner : part == winner;
            continue;
        }
        for (size_t part = 0; part < game->parts; part++)
            sum += value[part] = 0.01 + (double)random_below(random, 1000) / 1000;
        for (size_t part = 0; part < game->parts; part++)
            value[part] /= sum;
        if (game->aim == SINGLE_BOUNDS && value[SINGLE_UPPER] < value[SINGLE_LOWER]) {
            double upper = value[SINGLE_LOWER];
            value[SINGLE_LOWER] = value[SINGLE_UPPER];
            value[SINGLE_UPPER] = upper;
        }
    }
}

/* A full sweep over random values gives what the rules give, and so does the search of a turn. */
static void check_sweep(const char *options, int samples) {
    Variant variant = variant_of(options);
    YutRules yut = yut_rules(&variant.rules);
    Random random = random_from_seed(1, (uint64_t)samples);
    SingleGame game;
    SingleLines *lines;
    bool is_bound = yut.teams || yut.players == 2;
    single_game_init(&yut, is_bound ? SINGLE_BOUNDS : SINGLE_SIDES, &game);
    fill_values(&game, &random);
    double *result =
        calloc((size_t)single_tables(&game) * game.positions * game.parts, sizeof *result);
    assert_non_null(result);
    assert_ok(single_lines_open(&game, SINGLE_FULL, 2, &lines));
    ThreadPool *pool = thread_pool_open(2);
    assert_ok(single_lines_sweep(lines, pool, NULL, result, NULL, NULL));
    thread_pool_close(pool);
    single_lines_close(lines);
    SingleTurn *turn = single_turn_open(&game, (size_t)1 << 28, NULL);
    assert_non_null(turn);
    Plain plain = {.variant = variant, .game = &game};
    bool is_cut = line_cut(&game) > 0;
    for (int i = 0; i < samples; i++) {
        State state = random_start(&variant, &random);
        YutState start = yut_state(&state);
        SingleState single = single_state(&game, &start);
        SingleValue value;
        double expected[GAME_PLAYERS_MAX];
        plain.me = start.turn;
        /* Well above the chance of more extras than are followed here, in all throws of a turn. */
        double within = 1e-12 + (is_cut ? 40 * pow(game.player[plain.me].again, EXTRAS + 1) : 0);
        state_map_init(&plain.map, (size_t)1 << 28);
        plain.capacity = 0;
        plain_value(&plain, &state, EXTRAS, true, expected);
        state_map_free(&plain.map);
        assert_ok(single_turn_value(turn, &single, 12, &value));
        for (size_t part = 0; part < game.parts; part++) {
            size_t at = is_bound ? part : (size_t)((plain.me + (int)part) % game.players);
            double swept = result[single_index(&game, &single) * game.parts + part];
            if (fabs(swept - expected[at]) > within)
                fail_msg("%s, sample %d, part %zu: swept %.12f, plain %.12f", options, i, part,
                         swept, expected[at]);
            if (fabs(value.part[part] - expected[at]) > within)
                fail_msg("%s, sample %d, part %zu: searched %.12f, plain %.12f", options, i, part,
                         value.part[part], expected[at]);
        }
    }
    single_turn_close(turn);
    free(plain.values);
    free(result);
    free(game.values);
}

static void a_turn_follows_the_rules(void **state) {
    (void)state;
    skip_if_threads_only();
    static const char *const variants[] = {
        "--players 3 --pieces 1",
        "--players 3 --pieces 1 --animals pnc",
        "--players 3 --pieces 1 --animals dsc",
        "--players 3 --pieces 1 --animals sps --short-cut may",
        "--players 3 --pieces 1 --catch-bonus weak --back-from-1 off",
        "--players 3 --pieces 1 --back-do off --odds 1,3,6,4,2,1",
        "--players 2 --pieces 1 --catch-bonus weak",
        "--players 2 --pieces 1 --animals sc --short-cut may"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        check_sweep(variants[i], test_times(20));
}

static void a_turn_of_four_follows_the_rules(void **state) {
    (void)state;
    if (!getenv("QUICK"))
        check_sweep("--players 4 --pieces 1 --teams on", 10);
    if (!getenv("SLOW"))
        return;
    check_sweep("--players 4 --pieces 1", 100);
    check_sweep("--players 4 --pieces 1 --teams on --animals cspn --catch-bonus weak", 100);
}

/* --- the solved game --- */

static Solver *solve(const Variant *variant, int threads) {
    Solver *solver;
    SolveLimits with = limits;
    with.threads = threads;
    assert_ok(solve_now_open(variant, &with, &solver));
    return solver;
}

static void two_players_agree_with_their_own_solver(void **state) {
    (void)state;
    static const char *const variants[] = {"--pieces 1", "--pieces 1 --animals sp",
                                           "--pieces 1 --animals cn --short-cut may",
                                           "--pieces 1 --back-do off --back-from-1 off"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of(variants[i]);
        YutRules yut = yut_rules(&variant.rules);
        SingleFixpoint fixpoint;
        Solver *solver = solve(&variant, 2);
        Random random = random_from_seed(2, i);
        assert_ok(single_fixpoint_open(&yut, &limits, &fixpoint));
        assert_true(fixpoint.error < 1e-6);
        for (int j = 0; j < test_times(1000); j++) {
            State start = random_start(&variant, &random);
            YutState packed = yut_state(&start);
            SingleState single = single_state(&fixpoint.game, &packed);
            const double *bounds = fixpoint.game.values + single_index(&fixpoint.game, &single) * 2;
            double values[2];
            assert_ok(solver->values(solver, &start, values));
            assert_true(values[packed.turn] <= bounds[SINGLE_UPPER] + solver->error);
            assert_true(values[packed.turn] >= bounds[SINGLE_LOWER] - solver->error);
        }
        solver->free(solver);
        single_fixpoint_close(&fixpoint);
    }
}

/* Solved by the first test that needs it, for those after it. */
static const char *const dog_sheep_none = "--players 3 --pieces 1 --animals dsn";
static Solver *solver_of_dsn;

static Solver *solve_dsn(void) {
    Variant variant = variant_of(dog_sheep_none);
    if (!solver_of_dsn)
        solver_of_dsn = solve(&variant, 2);
    return solver_of_dsn;
}

static int free_dsn(void **state) {
    (void)state;
    if (solver_of_dsn)
        solver_of_dsn->free(solver_of_dsn);
    return 0;
}

/* The chances add up to one, and renaming the players renames the chances. */
static void three_players_are_treated_alike(void **state) {
    (void)state;
    skip_if_threads_only();
    Variant variants[] = {variant_of(dog_sheep_none),
                          variant_of("--players 3 --pieces 1 --animals snd")};
    Solver *solvers[] = {solve_dsn(), solve(&variants[1], 2)};
    Random random = random_from_seed(3, 0);
    for (int i = 0; i < test_times(500); i++) {
        State first = random_start(&variants[0], &random);
        YutState yut = yut_state(&first), turned = yut;
        for (int player = 0; player < 3; player++) /* player 1 is now called 0 */
            memcpy(turned.pieces[player], yut.pieces[(player + 1) % 3], sizeof yut.pieces[0]);
        turned.turn = (uint8_t)((yut.turn + 2) % 3);
        State second = yut_state_pack(&turned);
        double values[2][3];
        assert_ok(solvers[0]->values(solvers[0], &first, values[0]));
        assert_ok(solvers[1]->values(solvers[1], &second, values[1]));
        assert_true(fabs(values[0][0] + values[0][1] + values[0][2] - 1) < 1e-9);
        for (int player = 0; player < 3; player++) {
            assert_true(values[0][player] >= 0 && values[0][player] <= 1);
            assert_true(fabs(values[0][(player + 1) % 3] - values[1][player]) < 1e-7);
        }
    }
    solvers[1]->free(solvers[1]);
}

/* The value of any state in a turn is that of its best move, or the mean over its throws. */
static void the_middle_of_a_turn_fits(void **state) {
    (void)state;
    skip_if_threads_only();
    Variant variant = variant_of(dog_sheep_none);
    Solver *solver = solve_dsn();
    const Rules *rules = &variant.rules;
    static Evaluation evaluation;
    State at = yut_start(rules);
    Random random = random_from_seed(4, 0);
    for (int step = 0; step < test_times(2000); step++) {
        int actor = yut_actor(rules, &at);
        if (actor == GAME_END) {
            at = yut_start(rules);
            continue;
        }
        assert_ok(evaluate_state(&variant, solver, &at, &evaluation));
        assert_int_equal(evaluation.kind, VALUE_EQUILIBRIUM);
        assert_true(evaluation.error < 1e-9);
        double expected[3] = {0, 0, 0};
        Move move;
        if (actor == GAME_CHANCE) {
            Chance chances[GAME_CHANCES_MAX];
            uint64_t whole;
            size_t count = yut_chances(rules, &at, chances, &whole);
            for (size_t i = 0; i < count; i++) {
                State next = at;
                double one[3];
                yut_apply(rules, &next, chances[i].move);
                assert_ok(solver->values(solver, &next, one));
                for (int j = 0; j < 3; j++)
                    expected[j] += one[j] * (double)chances[i].weight / (double)whole;
            }
            move = chances[random_below(&random, count)].move;
        } else {
            State next = at;
            move = evaluation.moves[0].move;
            yut_apply(rules, &next, move);
            assert_ok(solver->values(solver, &next, expected));
            move = evaluation.moves[random_below(&random, evaluation.move_count)].move;
        }
        for (int j = 0; j < 3; j++)
            assert_true(fabs(evaluation.values[j] - expected[j]) < 1e-8);
        yut_apply(rules, &at, move);
    }
}

/* An opponent on 29 who cannot miss home. From 5, do first loses; geol first reaches the centre and
 * yut from there wins. Moves that lose for certain must not hide the one that wins. */
static void a_win_is_found_among_certain_losses(void **state) {
    (void)state;
    skip_if_threads_only();
    static const struct {
        const char *options, *position;
    } games[] = {{"--players 3 --pieces 1 --back-do off", "5/29/0 0 do,geol,yut"},
                 {"--pieces 1 --back-do off --catch-bonus weak", "5/29 0 do,geol,yut"}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Variant variant = variant_of(games[i].options);
        Solver *solver = solve(&variant, 2);
        State at;
        double values[GAME_PLAYERS_MAX];
        assert_ok(yut_parse_state(&variant.rules, games[i].position, &at));
        assert_ok(solver->values(solver, &at, values));
        assert_true(values[0] == 1 && values[1] == 0);
        solver->free(solver);
    }
}

/* Four players and teams, which take most of a minute each. */
static void four_players_are_solved(void **state) {
    (void)state;
    static const char *const variants[] = {"--players 4 --pieces 1",
                                           "--players 4 --pieces 1 --teams on"};
    for (size_t i = 0; getenv("SLOW") && i < 2; i++) {
        Variant variant = variant_of(variants[i]);
        Solver *solver = solve(&variant, 2);
        Random random = random_from_seed(6, i);
        assert_int_equal(solver->kind, i == 0 ? VALUE_EQUILIBRIUM : VALUE_EXACT);
        assert_true(solver->error < 1e-6);
        for (int j = 0; j < 300; j++) {
            State start = random_start(&variant, &random);
            Chance chances[GAME_CHANCES_MAX];
            uint64_t whole;
            size_t count = yut_chances(&variant.rules, &start, chances, &whole);
            double values[4], mean[4] = {0, 0, 0, 0};
            assert_ok(solver->values(solver, &start, values));
            for (size_t k = 0; k < count; k++) {
                State next = start;
                double one[4];
                yut_apply(&variant.rules, &next, chances[k].move);
                assert_ok(solver->values(solver, &next, one));
                for (int player = 0; player < 4; player++)
                    mean[player] += one[player] * (double)chances[k].weight / (double)whole;
            }
            for (int player = 0; player < 4; player++)
                assert_true(fabs(values[player] - mean[player]) < 1e-7);
            if (i == 1)
                assert_true(values[0] == values[2] && values[1] == values[3] &&
                            fabs(values[0] + values[1] - 1) < 1e-12);
        }
        solver->free(solver);
    }
}

/* Also that a clone outlives the solver it came from. */
static void threads_do_not_matter(void **state) {
    (void)state;
    Variant variant = variant_of("--players 3 --pieces 1");
    Solver *one = solve(&variant, 1), *three = solve(&variant, 3), *clone;
    assert_ok(one->clone(one, &limits, &clone));
    one->free(one);
    Random random = random_from_seed(5, 0);
    for (int i = 0; i < test_times(2000); i++) {
        State start = random_start(&variant, &random);
        double values[2][3];
        assert_ok(clone->values(clone, &start, values[0]));
        assert_ok(three->values(three, &start, values[1]));
        assert_memory_equal(values[0], values[1], sizeof values[0]);
    }
    clone->free(clone);
    three->free(three);
}

static void what_is_not_solved_says_so(void **state) {
    (void)state;
    static const struct {
        const char *options, *words;
    } variants[] = {{"--players 3 --pieces 2", "one piece each, not with 2"},
                    {"--players 4 --pieces 1 --teams on --animals dddd", "not solved with dogs"},
                    {"--players 4 --pieces 1 --animals psdc", "all have the same animal"},
                    {"--pieces 1 --catch-bonus weak --odds 1,1,1,1,9,9", "throws again so often"},
                    {"--players 3 --pieces 1 --odds 1000000000,1,0,0,0,0", "go on forever"},
                    {"--players 3 --pieces 1 --nak 0.05", "with --nak is solved for two players"},
                    {"--players 3 --pieces 1 --traps 18", "with --traps is solved for two"},
                    {"--players 3 --pieces 1 --finish reach", "--finish reach is solved for two"},
                    {"--players 4 --pieces 1 --finish short", "--finish short is solved for two"},
                    {"--players 3 --pieces 1 --empty-back-do home", "with --empty-back-do is"},
                    {"--players 3 --pieces 1 --catch-bonus never", "--catch-bonus never is"}};
    Solver *solver;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of(variants[i].options);
        assert_fails(solve_now_open(&variant, &limits, &solver), STATUS_UNSUPPORTED,
                     variants[i].words);
    }
    Variant variant = variant_of("--players 4 --pieces 1");
    SolveLimits little = limits;
    little.memory_bytes = (size_t)64 << 20;
    assert_fails(solve_now_open(&variant, &little, &solver), STATUS_UNSUPPORTED, "memory limit");
    StopFlag stop = 1;
    SolveLimits stopped = limits;
    stopped.stop = &stop;
    assert_fails(solve_now_open(&variant, &stopped, &solver), STATUS_STOPPED, "stopped");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_follows_the_rules),
        cmocka_unit_test(a_turn_of_four_follows_the_rules),
        cmocka_unit_test(two_players_agree_with_their_own_solver),
        cmocka_unit_test(three_players_are_treated_alike),
        cmocka_unit_test(the_middle_of_a_turn_fits),
        cmocka_unit_test(a_win_is_found_among_certain_losses),
        cmocka_unit_test(four_players_are_solved),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_is_not_solved_says_so),
    };
    return cmocka_run_group_tests_name("yut_single", tests, NULL, free_dsn);
}
