/* The solvers: each against the other, against published values, and on games they must refuse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "games/box/box.h"
#include "kernel/induction.h"
#include "kernel/state_map.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/playout.h"
#include "values/reach.h"
#include "values/solve_now.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 1};

static Variant variant_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&box_game, options, &variant));
    return variant;
}

static double value_of(const char *options, const char *position) {
    Variant variant = variant_of(options);
    State state;
    Solver *solver;
    double values[GAME_PLAYERS_MAX];
    assert_ok(box_parse_state(&variant.rules, position, &state));
    assert_ok(box_solver_new(&variant.rules, &limits, &solver));
    assert_ok(solver->values(solver, &state, values));
    solver->free(solver);
    return values[box_turn(&variant.rules, &state)];
}

static void published_values(void **state) {
    (void)state;
    static const struct {
        const char *options, *position;
        double value;
    } known[] = {
        {"", "123456789 0 - -", 0.502810},
        {"", "146789 0 - -", 0.256254},
        {"", "123456789 1 8 -", 0.381212},
        {"", "12345689 1 41 -", 1.000000},
        {"", "13456789 1 43 -", 0.986111},
        {"--players 1 --one-die never", "123456789 0 - -", 0.071432},
        {"--players 1", "123456789 0 - -", 0.097614},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(fabs(value_of(known[i].options, known[i].position) - known[i].value) < 5e-7);
}

/* By hand: one tile, one two-sided die. Shut with chance 1/2, else score 1. */
static void values_by_hand(void **state) {
    (void)state;
    assert_true(value_of("--tiles 1 --dice 1 --sides 2 --players 1", "1 0 - -") == 0.5);
    assert_true(value_of("--tiles 1 --dice 1 --sides 2 --players 1 --aim score", "1 0 - -") == 0.5);
    /* Two players: 1/2 at once; else player 1 shuts with 1/2, else a tie: 1/2 + 1/2 * 1/4. */
    assert_true(value_of("--tiles 1 --dice 1 --sides 2", "1 0 - -") == 0.625);
    assert_true(value_of("--tiles 1 --dice 1 --sides 2", "1 1 1 -") == 0.75);
    /* Three: 1/2 + 1/2 * 1/2 * 1/2 * 1/3. */
    assert_true(fabs(value_of("--tiles 1 --dice 1 --sides 2 --players 3", "1 0 - -") - 13.0 / 24) <
                1e-15);
}

/* Collects the states that can be reached from the start. */
static void list_states(const Variant *variant, StateMap *map) {
    State state = box_start(&variant->rules);
    bool added;
    state_map_init(map, (size_t)64 << 20);
    state_map_add(map, &state, &added);
    for (size_t i = 0; i < map->count; i++) {
        Move steps[GAME_MOVES_MAX];
        State from = map->states[i];
        size_t count = variant_steps(variant, &from, steps);
        for (size_t j = 0; j < count; j++) {
            State next = from;
            box_apply(&variant->rules, &next, steps[j]);
            assert_true(state_map_add(map, &next, &added) != STATE_MAP_NONE);
        }
    }
}

/* Both solvers on thousands of states of each variant: the same numbers to the last bit. */
static void both_solvers_agree_bit_for_bit(void **state) {
    (void)state;
    static const char *const variants[] = {
        "--tiles 6 --dice 2 --sides 4",
        "--tiles 5 --dice 1 --sides 6 --players 3",
        "--tiles 4 --dice 2 --sides 3 --players 4 --one-die top<=2",
        "--tiles 7 --dice 3 --sides 3 --players 1 --aim score",
        "--tiles 10 --dice 2 --sides 6 --players 1 --aim digits --one-die never",
        "--tiles 8 --players 1",
        "--tiles 1 --dice 1 --sides 1 --players 1 --aim score",
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of(variants[i]);
        Solver *fast, *plain;
        assert_ok(box_solver_new(&variant.rules, &limits, &fast));
        assert_ok(induction_new(&variant, &limits, &plain));
        StateMap map;
        list_states(&variant, &map);
        assert_true(map.count > 1);
        for (size_t at = 0; at < map.count; at += map.count / 20000 + 1) {
            double a[GAME_PLAYERS_MAX], b[GAME_PLAYERS_MAX];
            assert_ok(fast->values(fast, &map.states[at], a));
            assert_ok(plain->values(plain, &map.states[at], b));
            assert_memory_equal(a, b, (size_t)box_player_count(&variant.rules) * sizeof a[0]);
        }
        state_map_free(&map);
        double largest = i == 4 ? 12345678910 : i == 3 ? 28 : 1; /* the largest payoff */
        assert_true(fast->error > 0 && fast->error < 1e-9 * largest);
        assert_true(plain->error >= 0 && plain->error < 1e-9 * largest);
        fast->free(fast);
        plain->free(plain);
    }
}

static void values_of_all_players_sum_to_one(void **state) {
    (void)state;
    Variant variant = variant_of("--players 5");
    Solver *solver;
    assert_ok(box_solver_new(&variant.rules, &limits, &solver));
    static const char *const positions[] = {"123456789 0 - -", "123456789 2 12,12 -",
                                            "13456789 3 17,9,9 12", "123456789 4 20,21,22,20 -"};
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        State position;
        double values[GAME_PLAYERS_MAX];
        double sum = 0;
        assert_ok(box_parse_state(&variant.rules, positions[i], &position));
        assert_ok(solver->values(solver, &position, values));
        for (int j = 0; j < 5; j++) {
            assert_true(values[j] >= 0 && values[j] <= 1);
            sum += values[j];
        }
        assert_true(fabs(sum - 1) < 1e-12);
    }
    solver->free(solver);
}

static void moves_come_best_first(void **state) {
    (void)state;
    static const struct {
        const char *options, *position, *best;
    } known[] = {
        {"", "146789 0 - 9", "9"},
        {"", "13456789 1 17 12", "3+9"},
        /* Whatever is closed, 9 stays open and one die cannot shut it: all moves tie at 0, and the
         * greatest set comes first. */
        {"--players 1 --one-die top<=24", "1234569 0 - 6", "6"},
    };
    static Evaluation evaluation;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Variant variant = variant_of(known[i].options);
        State position;
        Solver *solver;
        assert_ok(box_parse_state(&variant.rules, known[i].position, &position));
        assert_ok(solve_now_open(&variant, &limits, &solver));
        assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        box_print_move(&variant.rules, &position, evaluation.moves[0].move, LANG_EN, &text);
        assert_string_equal(bytes, known[i].best);
        assert_true(evaluation.values[evaluation.player] == evaluation.moves[0].value);
        for (size_t j = 1; j < evaluation.move_count; j++)
            assert_true(evaluation.moves[j].value <= evaluation.moves[j - 1].value + 1e-10);
        solver->free(solver);
    }
}

static void lower_is_better_puts_the_lowest_first(void **state) {
    (void)state;
    static Evaluation evaluation;
    Variant variant = variant_of("--players 1 --aim score");
    State position;
    Solver *solver;
    assert_ok(box_parse_state(&variant.rules, "123456789 0 - 12", &position));
    assert_ok(solve_now_open(&variant, &limits, &solver));
    assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
    assert_int_equal(evaluation.move_count, 12);
    for (size_t j = 1; j < evaluation.move_count; j++)
        assert_true(evaluation.moves[j].value >= evaluation.moves[j - 1].value - 1e-9);
    assert_true(evaluation.values[0] == evaluation.moves[0].value);
    solver->free(solver);
}

static void solvers_refuse_what_does_not_fit(void **state) {
    (void)state;
    SolveLimits small = {.memory_bytes = 400000, .threads = 1};
    Variant variant = variant_of("--tiles 20 --players 1");
    State position = box_start(&variant.rules);
    double values[GAME_PLAYERS_MAX];
    Solver *solver;
    assert_fails(box_solver_new(&variant.rules, &small, &solver), STATUS_UNSUPPORTED,
                 "memory limit");
    /* Two players: refused at once, not after player 1's half of the work. */
    Variant two = variant_of("--tiles 18");
    State full = box_start(&two.rules);
    SolveLimits half = {.memory_bytes = (size_t)6 << 20, .threads = 1};
    assert_ok(box_solver_new(&two.rules, &half, &solver));
    assert_fails(solver->values(solver, &full, values), STATUS_UNSUPPORTED, "memory limit");
    solver->free(solver);
    assert_ok(induction_new(&variant, &small, &solver));
    assert_fails(solver->values(solver, &position, values), STATUS_UNSUPPORTED, "memory limit");
    /* It forgot what it had half computed, and can answer smaller questions. */
    assert_ok(box_parse_state(&variant.rules, "1,2 0 - -", &position));
    assert_ok(solver->values(solver, &position, values));
    solver->free(solver);
}

/* --- a game that goes round in circles, and one that is too long --- */

static State ring_start(const Rules *rules) {
    (void)rules;
    return (State){{0}};
}

static int ring_actor(const Rules *rules, const State *state) {
    (void)rules, (void)state;
    return 0;
}

static size_t ring_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules, (void)state;
    moves[0] = 1;
    return 1;
}

static void ring_apply(const Rules *rules, State *state, Move move) {
    (void)rules;
    state->bytes[0] = (unsigned char)((state->bytes[0] + move) % 5);
}

static void line_apply(const Rules *rules, State *state, Move move) {
    (void)rules, (void)move;
    if (++state->bytes[0] == 0)
        state->bytes[1]++;
}

/* Counts how many of the turns (player 1 against each score, and player 0) answer without being
 * solved again: with the stop flag set, solving fails. */
static int count_kept_turns(Solver *solver, const Variant *variant, StopFlag *stop,
                            const double expected[46]) {
    int kept = 0;
    *stop = true;
    for (int score = 0; score <= 45; score++) {
        BoxState s = {.open = 511, .player = score > 0, .scores = {(uint16_t)score}};
        State position = box_state_pack(&s);
        double values[GAME_PLAYERS_MAX];
        assert_ok(box_check(&variant->rules, &position));
        Status status = solver->values(solver, &position, values);
        if (status_is_ok(&status))
            assert_true(values[0] == expected[score]);
        else
            assert_int_equal(status.code, STATUS_STOPPED);
        kept += status_is_ok(&status);
    }
    *stop = false;
    return kept;
}

/* Solved turns are kept while scores alternate; with little memory, those asked for last. */
static void turns_of_many_scores_are_kept(void **state) {
    (void)state;
    enum { TURN_VALUES = (512 + 45 + 1 + 3) * 2, TURN_BYTES = TURN_VALUES * (int)sizeof(double) };
    Variant variant = variant_of("");
    double expected[46];
    for (int round = 0; round < 2; round++) {
        StopFlag stop = false;
        SolveLimits own = limits;
        own.stop = &stop;
        if (round == 1) /* what the solver always holds, and a bit more than ten turns */
            own.memory_bytes = 8192 + 10 * TURN_BYTES;
        Solver *solver;
        assert_ok(box_solver_new(&variant.rules, &own, &solver));
        Random random = random_from_seed(5, 0);
        for (int i = 0; i < 2000; i++) {
            int score = i < 46 ? i : (int)random_below(&random, 46);
            BoxState s = {.open = 511, .player = score > 0, .scores = {(uint16_t)score}};
            State position = box_state_pack(&s);
            double values[GAME_PLAYERS_MAX];
            assert_ok(solver->values(solver, &position, values));
            if (i < 46 && round == 0)
                expected[score] = values[0];
            assert_true(values[0] == expected[score]);
        }
        int kept = count_kept_turns(solver, &variant, &stop, expected);
        if (round == 0)
            assert_int_equal(kept, 46);
        else
            assert_in_range(kept, 8, 10);
        solver->free(solver);
    }
}

/* Stops soon when told to, and answers as usual afterwards. */
static void induction_can_be_stopped(void **state) {
    (void)state;
    StopFlag stop = true;
    SolveLimits with_stop = limits;
    with_stop.stop = &stop;
    Variant variant = variant_of("--tiles 5");
    State start = box_start(&variant.rules);
    Solver *solver, *fast;
    double values[GAME_PLAYERS_MAX], expected[GAME_PLAYERS_MAX];
    assert_ok(induction_new(&variant, &with_stop, &solver));
    assert_fails(solver->values(solver, &start, values), STATUS_STOPPED, "stopped");
    stop = false;
    assert_ok(solver->values(solver, &start, values));
    solver->free(solver);
    assert_ok(box_solver_new(&variant.rules, &limits, &fast));
    assert_ok(fast->values(fast, &start, expected));
    assert_memory_equal(values, expected, 2 * sizeof values[0]);
    fast->free(fast);
}

/* Set while the work goes on, the flag is noticed within a few thousand states. */
static StopFlag *flag_to_set;
static int states_after_stop;

static size_t chances_that_stop(const Rules *rules, const State *state, Chance chances[],
                                uint64_t *denominator) {
    static int states;
    if (++states == 5000)
        *flag_to_set = true;
    states_after_stop += *flag_to_set;
    return box_chances(rules, state, chances, denominator);
}

static void induction_stops_within_a_few_thousand_states(void **state) {
    (void)state;
    StopFlag stop = false;
    SolveLimits with_stop = limits;
    with_stop.stop = &stop;
    flag_to_set = &stop;
    Game game = box_game;
    game.tree.chances = chances_that_stop;
    Variant variant = variant_of("");
    variant.game = &game;
    State start = box_start(&variant.rules);
    Solver *solver;
    double values[GAME_PLAYERS_MAX];
    assert_ok(induction_new(&variant, &with_stop, &solver));
    assert_fails(solver->values(solver, &start, values), STATUS_STOPPED, "stopped");
    assert_in_range(states_after_stop, 1, 4096);
    solver->free(solver);
}

static void induction_refuses_circles(void **state) {
    (void)state;
    Game ring = box_game;
    ring.tree.start = ring_start;
    ring.tree.actor = ring_actor;
    ring.tree.moves = ring_moves;
    ring.tree.apply = ring_apply;
    Variant variant = variant_default(&ring);
    State start = ring_start(&variant.rules);
    double values[GAME_PLAYERS_MAX];
    Solver *solver;
    assert_ok(induction_new(&variant, &limits, &solver));
    assert_fails(solver->values(solver, &start, values), STATUS_UNSUPPORTED, "the game has cycles");
    solver->free(solver);
    ring.tree.apply = line_apply;
    variant = variant_default(&ring);
    assert_ok(induction_new(&variant, &limits, &solver));
    assert_fails(solver->values(solver, &start, values), STATUS_UNSUPPORTED, "longer than");
    solver->free(solver);
}

static void state_map_counts_each_state_once(void **state) {
    (void)state;
    StateMap map;
    Random random = random_from_seed(3, 0);
    state_map_init(&map, (size_t)1 << 26);
    static bool seen[5000];
    size_t distinct = 0;
    for (int i = 0; i < 20000; i++) {
        uint32_t key = (uint32_t)random_below(&random, 5000);
        State position = {{0}};
        bool added;
        memcpy(position.bytes + 20, &key, sizeof key);
        assert_int_equal(state_map_find(&map, &position) == STATE_MAP_NONE, !seen[key]);
        uint32_t number = state_map_add(&map, &position, &added);
        assert_int_equal(added, !seen[key]);
        distinct += !seen[key];
        seen[key] = true;
        assert_memory_equal(&map.states[number], &position, sizeof position);
        assert_int_equal(state_map_find(&map, &position), number);
    }
    assert_int_equal(map.count, distinct);
    state_map_free(&map);
    state_map_init(&map, 1000);
    State position = {{0}};
    bool added;
    assert_int_equal(state_map_add(&map, &position, &added), (uint32_t)STATE_MAP_NONE);
    state_map_free(&map);
}

/* A cleared map is empty, and works like a new one, whether it was full or nearly empty. */
static void a_state_map_can_be_cleared(void **state) {
    (void)state;
    StateMap map;
    state_map_init(&map, 1 << 20);
    state_map_clear(&map);
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t states = round % 2 ? 3 : 2000;
        for (uint32_t i = 0; i < states; i++) {
            State position = {{0}};
            bool added;
            memcpy(&position, &i, sizeof i);
            assert_int_equal(state_map_find(&map, &position), (uint32_t)STATE_MAP_NONE);
            assert_int_equal(state_map_add(&map, &position, &added), i);
            assert_true(added);
        }
        state_map_clear(&map);
        assert_int_equal(map.count, 0);
    }
    state_map_free(&map);
}

static void reach_counts_by_hand(void **state) {
    (void)state;
    /* One tile, a two-sided die, one player: start, rolled 1, shut, stuck. */
    Variant variant = variant_of("--tiles 1 --dice 1 --sides 2 --players 1");
    const SolveLimits little = {.memory_bytes = 1 << 20, .threads = 1};
    ReachCount count;
    assert_ok(reach_count(&variant, &little, &count));
    assert_int_equal(count.states, 4);
    assert_int_equal(count.ends, 2);
    assert_true(count.complete);
    variant = variant_of("--tiles 9");
    assert_ok(reach_count(&variant, &little, &count));
    assert_false(count.complete);
}

/* Long work ends soon after it is asked to. */
static void counting_and_playing_stop_on_request(void **state) {
    (void)state;
    Variant variant = variant_of("--tiles 12 --players 4");
    const StopFlag stop = true;
    const SolveLimits stopped = {.memory_bytes = (size_t)1 << 28, .threads = 2, .stop = &stop};
    const PlayoutPlan plan = {.games = UINT64_MAX / 2, .seed = 1};
    PlayoutStats *stats;
    ReachCount count;
    assert_fails(reach_count(&variant, &stopped, &count), STATUS_STOPPED, "stopped");
    assert_true(count.states < 10000);
    assert_fails(playout_run(&variant, &plan, &stopped, &stats), STATUS_STOPPED, "stopped");
    assert_null(stats);
}

static void playouts_do_not_depend_on_threads(void **state) {
    (void)state;
    Variant variant = variant_of("--players 3");
    const PlayoutPlan plan = {.games = 10001, .seed = 9}, other_plan = {.games = 10001, .seed = 10};
    const SolveLimits two_threads = {.threads = 2};
    PlayoutStats *one, *two, *other;
    assert_ok(playout_run(&variant, &plan, &limits, &one));
    assert_ok(playout_run(&variant, &plan, &two_threads, &two));
    assert_ok(playout_run(&variant, &other_plan, &two_threads, &other));
    assert_memory_equal(one->length_of, two->length_of, sizeof one->length_of);
    assert_memory_equal(one->payoffs, two->payoffs, sizeof one->payoffs);
    assert_true(one->branches == two->branches && one->events == two->events);
    assert_true(one->branches != other->branches && one->events != other->events);
    uint64_t games = one->cut_off;
    for (size_t i = 0; i <= PLAYOUT_LENGTH_MAX; i++)
        games += one->length_of[i];
    assert_int_equal(games, 10001);
    assert_true(fabs(one->payoffs[0] + one->payoffs[1] + one->payoffs[2] - 10001) < 1e-6);
    free(one);
    free(two);
    free(other);
}

/* Chance events come as often as their weights say: two dice within five standard errors. */
static void chance_events_follow_their_weights(void **state) {
    (void)state;
    enum { ROLLS = 360000 };
    Variant variant = variant_of("");
    State start = box_start(&variant.rules);
    Random random = random_from_seed(11, 0);
    int counts[13] = {0};
    for (int i = 0; i < ROLLS; i++)
        counts[variant_draw_chance(&variant, &start, &random)]++;
    for (int roll = 2; roll <= 12; roll++) {
        double chance = (6 - abs(roll - 7)) / 36.0;
        assert_true(fabs(counts[roll] - ROLLS * chance) < 5 * sqrt(ROLLS * chance * (1 - chance)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values),
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(both_solvers_agree_bit_for_bit),
        cmocka_unit_test(values_of_all_players_sum_to_one),
        cmocka_unit_test(moves_come_best_first),
        cmocka_unit_test(lower_is_better_puts_the_lowest_first),
        cmocka_unit_test(solvers_refuse_what_does_not_fit),
        cmocka_unit_test(turns_of_many_scores_are_kept),
        cmocka_unit_test(induction_can_be_stopped),
        cmocka_unit_test(induction_stops_within_a_few_thousand_states),
        cmocka_unit_test(induction_refuses_circles),
        cmocka_unit_test(state_map_counts_each_state_once),
        cmocka_unit_test(a_state_map_can_be_cleared),
        cmocka_unit_test(reach_counts_by_hand),
        cmocka_unit_test(counting_and_playing_stop_on_request),
        cmocka_unit_test(playouts_do_not_depend_on_threads),
        cmocka_unit_test(chance_events_follow_their_weights),
    };
    return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
