/* Solved Yut: against a second solver for one piece, against the rules themselves for two, and on
 * what must hold of any right table. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "games/yut/solve/fixpoint.h"
#include "games/yut/solve/solver.h"
#include "games/yut/solve/turn_map.h"
#include "kernel/state_map.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/solve_now.h"
#include "yut_board.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

static YutRules rules_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&yut_game, options, &variant));
    return yut_rules(&variant.rules);
}

/* The value of (own, other), the owner about to throw. */
static double table_value(const Fixpoint *fixpoint, int side, uint32_t own, uint32_t other) {
    size_t place = sweep_index(&fixpoint->sweep, own, other);
    return (double)sweep_values(&fixpoint->sweep, side)[place] / SWEEP_ONE;
}

/* --- the second solver: one piece each, from the table of the rules --- */

enum { EXTRAS = 9, HOME = 30, SQUARES = 30, LASTS = 15 };

static const double chance[6] = {1 / 16.0, 3 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0, 1 / 16.0};

/* A list: how many yut, how many mo, and up to two of the other four results (4: none), ascending.
 */
typedef struct List {
    int yut, mo, first, second;
} List;

static double plain[SQUARES][SQUARES];
static double known[SQUARES][SQUARES][EXTRAS + 1][EXTRAS + 1][5][5];

static double throw_with(int mine, int other, List list);

/* What it is worth to play the list. */
static double play_list(int mine, int other, List list) {
    if (list.yut + list.mo == 0 && list.first == 4)
        return 1 - plain[other][mine];
    double *memo = &known[mine][other][list.yut][list.mo][list.first][list.second];
    if (*memo >= 0)
        return *memo;
    double best = 0;
    for (int result = 0; result < 6; result++) {
        List left = list;
        if (result == 4 && list.yut > 0)
            left.yut--;
        else if (result == 5 && list.mo > 0)
            left.mo--;
        else if (result < 4 && list.first == result)
            left.first = list.second, left.second = 4;
        else if (result < 4 && list.second == result)
            left.second = 4;
        else
            continue;
        int to = yut_board[mine][result];
        double value;
        if (to == HOME)
            value = 1;
        else if (to == other && to != 0)
            value = throw_with(to, 0, left);
        else
            value = play_list(to, other, left);
        best = value > best ? value : best;
    }
    return *memo = best;
}

/* What it is worth to throw with the list pending. */
static double throw_with(int mine, int other, List list) {
    double sum = 0, whole = 0;
    for (int result = 0; result < 6; result++) {
        List more = list;
        double value;
        if (result >= 4) {
            if (list.yut + list.mo == EXTRAS)
                continue;
            more.yut += result == 4;
            more.mo += result == 5;
            value = throw_with(mine, other, more);
        } else {
            if (list.first == 4) {
                more.first = result;
            } else {
                more.first = result < list.first ? result : list.first;
                more.second = result < list.first ? list.first : result;
            }
            value = play_list(mine, other, more);
        }
        sum += chance[result] * value;
        whole += chance[result];
    }
    return sum / whole;
}

static void solve_plainly(void) {
    for (int a = 0; a < SQUARES; a++)
        for (int b = 0; b < SQUARES; b++)
            plain[a][b] = 0.5;
    for (double change = 1; change > 1e-9;) {
        change = 0;
        double *memo = &known[0][0][0][0][0][0];
        for (size_t i = 0; i < sizeof known / sizeof *memo; i++)
            memo[i] = -1;
        for (int a = 0; a < SQUARES; a++) {
            for (int b = 0; b < SQUARES; b++) {
                if (a == b && a != 0)
                    continue;
                double value = throw_with(a, b, (List){0, 0, 4, 4});
                change = fmax(change, fabs(value - plain[a][b]));
                plain[a][b] = value;
            }
        }
    }
}

static void one_piece_agrees_with_the_second_solver(void **state) {
    (void)state;
    YutRules rules = rules_of("--pieces 1");
    Fixpoint fixpoint;
    assert_ok(fixpoint_open(&rules, 1e-6, &limits, NULL, &fixpoint));
    solve_plainly();
    for (int a = 0; a < SQUARES; a++)
        for (int b = 0; b < SQUARES; b++)
            if (a != b || a == 0)
                assert_true(
                    fabs(table_value(&fixpoint, 0, (uint32_t)a, (uint32_t)b) - plain[a][b]) < 1e-6);
    assert_true(fixpoint.error <= 1e-6);
    fixpoint_close(&fixpoint);
}

/* --- the equations, by the rules of the game itself --- */

typedef struct Checker {
    const Fixpoint *fixpoint;
    Rules rules;
    YutRules yut;
    StateMap map;
    double *values;
    size_t capacity;
} Checker;

/* The value to the thrower `me` of a state of its turn, the next turn's being taken from the table.
 */
static double turn_value(Checker *checker, const State *state, int me, int extras) {
    YutState s = yut_state(state);
    if (yut_winner(&checker->yut, &s) >= 0)
        return yut_winner(&checker->yut, &s) == me ? 1 : 0;
    if (s.turn != me) {
        const Sweep *sweep = &checker->fixpoint->sweep;
        const Placements *placements = &sweep->placements;
        return 1 - table_value(checker->fixpoint, sweep->sides == 2 ? s.turn : 0,
                               placement_rank(placements, s.pieces[s.turn]),
                               placement_rank(placements, s.pieces[me]));
    }
    bool added;
    uint32_t number = state_map_add(&checker->map, state, &added);
    assert_true(number != STATE_MAP_NONE);
    if (!added)
        return checker->values[number];
    if (checker->capacity < checker->map.capacity) {
        checker->capacity = checker->map.capacity;
        checker->values = realloc(checker->values, checker->capacity * sizeof(double));
        assert_non_null(checker->values);
    }
    double value = 0;
    if (s.throws > 0) {
        Chance chances[GAME_CHANCES_MAX];
        uint64_t denominator;
        size_t count = yut_chances(&checker->rules, state, chances, &denominator);
        double whole = 0;
        for (size_t i = 0; i < count; i++) {
            bool again = yut_throws_again(&checker->yut, me, (YutResult)chances[i].move);
            if (again && extras == 0)
                continue;
            State next = *state;
            yut_apply(&checker->rules, &next, chances[i].move);
            value += (double)chances[i].weight * turn_value(checker, &next, me, extras - again);
            whole += (double)chances[i].weight;
        }
        value /= whole;
    } else {
        Move moves[GAME_MOVES_MAX];
        size_t count = yut_moves(&checker->rules, state, moves);
        for (size_t i = 0; i < count; i++) {
            State next = *state;
            yut_apply(&checker->rules, &next, moves[i]);
            value = fmax(value, turn_value(checker, &next, me, extras));
        }
    }
    checker->values[number] = value;
    return value;
}

/* The equation of random positions holds to within `most`. */
static void check_equations(const char *options, int samples, int extras, double error,
                            double most) {
    Checker checker = {.yut = rules_of(options)};
    checker.rules = yut_rules_pack(&checker.yut);
    Fixpoint fixpoint;
    assert_ok(fixpoint_open(&checker.yut, error, &limits, NULL, &fixpoint));
    checker.fixpoint = &fixpoint;
    const Placements *placements = &fixpoint.sweep.placements;
    Random random = random_from_seed(17, 0);
    for (int checked = 0; checked < samples;) {
        uint32_t own = (uint32_t)random_below(&random, placements->count - 1);
        uint32_t other = (uint32_t)random_below(&random, placements->count - 1);
        int side = (int)random_below(&random, (uint64_t)fixpoint.sweep.sides);
        YutState s = {.turn = (uint8_t)side, .throws = 1};
        memcpy(s.pieces[side], placements->squares[own], (size_t)placements->pieces);
        memcpy(s.pieces[1 - side], placements->squares[other], (size_t)placements->pieces);
        State position = yut_state_pack(&s);
        Status status = yut_check(&checker.rules, &position);
        if (!status_is_ok(&status))
            continue; /* both on one square, or a cow off its route */
        state_map_init(&checker.map, (size_t)1 << 28);
        double expected = turn_value(&checker, &position, side, extras);
        double found = table_value(&fixpoint, side, own, other);
        if (fabs(expected - found) > most)
            fail_msg("%s: position %d %u %u: %.9f, not %.9f", options, side, own, other, found,
                     expected);
        state_map_free(&checker.map);
        checked++;
    }
    free(checker.values);
    fixpoint_close(&fixpoint);
}

static void the_equations_hold(void **state) {
    (void)state;
    bool quick = getenv("QUICK") != NULL; /* under the sanitizers */
    check_equations("--pieces 1", quick ? 50 : 400, 9, 1e-6, 1e-7);
    check_equations("--pieces 2", quick ? 5 : 60, quick ? 7 : 9, quick ? 1e-2 : 1e-6,
                    quick ? 1e-3 : 1e-6);
}

static void the_equations_hold_for_other_rules(void **state) {
    (void)state;
    static const char *const variants[] = {
        "--animals pn", "--animals sn",   "--animals cp",    "--animals ss",      "--animals cs",
        "--animals pp", "--preset plain", "--short-cut may", "--back-from-1 off", "--bias 0.4",
    };
    /* The first few touch every line of code there is; the rest is for the numbers. */
    size_t count = getenv("QUICK") ? 4 : sizeof variants / sizeof variants[0];
    for (size_t i = 0; i < count; i++) {
        char options[GAME_TEXT_BYTES];
        snprintf(options, sizeof options, "%s --pieces 1", variants[i]);
        check_equations(options, getenv("QUICK") ? 10 : 40, 8, 1e-3, 1e-4);
    }
    if (!getenv("QUICK"))
        check_equations("--animals dn --pieces 1", 20, 9, 0.05, 0.01);
}

/* --- what must hold of any right table --- */

static void values_are_chances(void **state) {
    (void)state;
    YutRules rules = rules_of("--pieces 2");
    Fixpoint fixpoint;
    double error = getenv("QUICK") ? 5e-3 : 1e-3;
    assert_ok(fixpoint_open(&rules, error, &limits, NULL, &fixpoint));
    const Sweep *sweep = &fixpoint.sweep;
    const Placements *placements = &sweep->placements;
    assert_true(fixpoint.error <= error && fixpoint.error > error / 10);
    for (uint32_t own = 0; own + 1 < placements->count; own++) {
        for (uint32_t other = 0; other + 1 < placements->count; other++) {
            double value = table_value(&fixpoint, 0, own, other);
            assert_true(value >= 0 && value <= 1);
        }
    }
    /* A piece that is home is not always worth more than one that is not: with 29 to play other
     * results on, a piece on 1 can wait for its back-do. */
    uint32_t waiting = placement_rank(placements, (const uint8_t[]){1, 29});
    uint32_t alone = placement_rank(placements, (const uint8_t[]){1, YUT_ARRIVED});
    uint32_t other = placement_rank(placements, (const uint8_t[]){0, YUT_ARRIVED});
    assert_true(table_value(&fixpoint, 0, waiting, other) >
                table_value(&fixpoint, 0, alone, other) + 0.01);
    /* Whoever has the move and a piece on 29 with all others home has almost won: only back-do
     * fails. */
    uint32_t last = placement_rank(placements, (const uint8_t[]){29, YUT_ARRIVED});
    assert_true(table_value(&fixpoint, 0, last, other) > 15.0 / 16);
    fixpoint_close(&fixpoint);
}

/* With one piece home on either side, two pieces each are one piece each: a game solved from other
 * lists, another number of lines and other moves. */
static void two_pieces_with_one_home_are_one_piece(void **state) {
    (void)state;
    if (getenv("QUICK"))
        skip(); /* it takes long, and no line of code that the others do not */
    YutRules one_rules = rules_of("--pieces 1"), two_rules = rules_of("--pieces 2");
    Fixpoint one, two;
    assert_ok(fixpoint_open(&one_rules, 1e-6, &limits, NULL, &one));
    assert_ok(fixpoint_open(&two_rules, 1e-6, &limits, NULL, &two));
    const Placements *placements = &two.sweep.placements;
    for (uint32_t own = 0; own < SQUARES; own++) {
        for (uint32_t other = 0; other < SQUARES; other++) {
            if (own == other && own != 0)
                continue;
            double with_two = table_value(
                &two, 0, placement_rank(placements, (const uint8_t[]){(uint8_t)own, YUT_ARRIVED}),
                placement_rank(placements, (const uint8_t[]){(uint8_t)other, YUT_ARRIVED}));
            assert_true(fabs(with_two - table_value(&one, 0, own, other)) < one.error + two.error);
        }
    }
    fixpoint_close(&one);
    fixpoint_close(&two);
}

/* The guess that players go by, against the solved game with two pieces each, on positions that it
 * was not fitted to. */
static void the_guess_is_not_far_off(void **state) {
    (void)state;
    enum { SAMPLES = 2000 };
    if (getenv("QUICK"))
        skip(); /* it is about numbers, and solving two pieces takes long */
    YutRules rules = rules_of("--pieces 2");
    Rules packed = yut_rules_pack(&rules);
    Fixpoint fixpoint;
    assert_ok(fixpoint_open(&rules, 5e-3, &limits, NULL, &fixpoint));
    const Placements *placements = &fixpoint.sweep.placements;
    Random random = random_from_seed(99, 0);
    double squares = 0;
    for (int i = 0; i < SAMPLES;) {
        uint32_t own = (uint32_t)random_below(&random, placements->count - 1);
        uint32_t other = (uint32_t)random_below(&random, placements->count - 1);
        if (placements->occupied[own] & placements->occupied[other])
            continue;
        YutState s = {.turn = 0, .throws = 1};
        memcpy(s.pieces[0], placements->squares[own], 2);
        memcpy(s.pieces[1], placements->squares[other], 2);
        State position = yut_state_pack(&s);
        double guess[GAME_PLAYERS_MAX];
        yut_estimate(&packed, &position, guess);
        squares += pow(guess[0] - table_value(&fixpoint, 0, own, other), 2);
        i++;
    }
    print_message("the guess is off by %.4f, root mean square\n", sqrt(squares / SAMPLES));
    assert_true(sqrt(squares / SAMPLES) < 0.12);
    fixpoint_close(&fixpoint);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    YutRules rules = rules_of("--pieces 1 --animals ns");
    Fixpoint fixpoints[2];
    for (int i = 0; i < 2; i++) {
        SolveLimits with = limits;
        with.threads = i + 1;
        assert_ok(fixpoint_open(&rules, 0.05, &with, NULL, &fixpoints[i]));
    }
    for (int side = 0; side < 2; side++)
        assert_memory_equal(sweep_values(&fixpoints[0].sweep, side),
                            sweep_values(&fixpoints[1].sweep, side),
                            sweep_numbers(&fixpoints[0].sweep) * sizeof(int32_t));
    fixpoint_close(&fixpoints[0]);
    fixpoint_close(&fixpoints[1]);
}

/* --- narrow numbers, where lists are rare enough --- */

/* However much is rounded, no value is further from the truth than its bound says. */
static void coarse_bounds_hold(void **state) {
    (void)state;
    YutRules rules = rules_of("--pieces 2");
    Fixpoint fine, coarse;
    int narrow_from = INT_MAX;
    static const double errors[] = {1e-2, 1e-3, 1e-4};
    bool quick = getenv("QUICK") != NULL;
    size_t count = quick ? 1 : sizeof errors / sizeof errors[0];
    assert_ok(fixpoint_open(&rules, quick ? 1e-3 : 1e-6, &limits, NULL, &fine));
    for (size_t i = 0; i < count; i++) {
        assert_ok(fixpoint_open(&rules, errors[i], &limits, NULL, &coarse));
        assert_true(coarse.error <= errors[i]);
        const Placements *placements = &fine.sweep.placements;
        for (uint32_t other = 0; other + 1 < placements->count; other++)
            for (uint32_t own = 0; own + 1 < placements->count; own++)
                if (!(placements->occupied[own] & placements->occupied[other]))
                    assert_true(fabs(table_value(&coarse, 0, own, other) -
                                     table_value(&fine, 0, own, other)) <=
                                coarse.error + fine.error);
        int from = coarse.sweep.pending[SWEEP_FULL][0].narrow_from;
        narrow_from = from < narrow_from ? from : narrow_from;
        fixpoint_close(&coarse);
    }
    assert_int_equal(narrow_from, 1); /* all but the most common lists were narrow */
    fixpoint_close(&fine);
}

/* What slack a check of the bounds asks for, from none, of values that are somewhat too low or too
 * high for them. */
static void find_slack(const Fixpoint *solved, double rare, SweepAim aim, Sweep *sweep) {
    SweepRoom room = {.threads = 2};
    SweepPass pass = {.kind = SWEEP_FULL, .aim = aim, .is_check = true};
    SweepChange change;
    const int32_t off = SWEEP_ONE / 1000 * (aim == SWEEP_UPPER ? -5 : 5);
    assert_ok(sweep_open(&solved->sweep.rules, rare, &room, sweep));
    assert_ok(sweep_set_extras(sweep, getenv("QUICK") ? 2 : 4));
    for (size_t i = 0; i < sweep_numbers(sweep); i++)
        sweep_values(sweep, 0)[i] = sweep_values(&solved->sweep, 0)[i] + off;
    sweep->slack_unit = SWEEP_ONE / 5000;
    assert_ok(sweep_run(sweep, &pass, &change));
    assert_false(change.has_overflow);
}

/* Upper bounds are rounded up and lower ones down: rounding only ever asks for more slack. */
static void rounding_is_on_the_safe_side(void **state) {
    (void)state;
    YutRules rules = rules_of("--pieces 2");
    Fixpoint solved;
    assert_ok(fixpoint_open(&rules, getenv("QUICK") ? 5e-3 : 1e-4, &limits, NULL, &solved));
    for (int aim = SWEEP_UPPER; aim <= SWEEP_LOWER; aim++) {
        Sweep whole, narrow;
        size_t more = 0;
        find_slack(&solved, 1e-3, (SweepAim)aim, &whole);
        find_slack(&solved, 1e5, (SweepAim)aim, &narrow);
        assert_true(whole.pending[SWEEP_FULL][0].narrow_from > 4);
        assert_int_equal(narrow.pending[SWEEP_FULL][0].narrow_from, 1);
        const uint8_t *least = whole.slack[0].bytes, *slack = narrow.slack[0].bytes;
        for (size_t i = 0; i < sweep_numbers(&whole); i++) {
            assert_true(slack[i] >= least[i]);
            more += slack[i] > least[i];
        }
        assert_true(more > 1000);
        sweep_close(&whole);
        sweep_close(&narrow);
    }
    fixpoint_close(&solved);
}

/* --- through the interface --- */

/* Bounds that are too close here and there are mended in the proof, rather than drawn anew. */
static void a_proof_mends_its_bounds(void **state) {
    (void)state;
    if (getenv("QUICK"))
        skip();
    YutRules rules = rules_of("--pieces 2 --animals ss");
    Fixpoint fixpoint;
    assert_ok(fixpoint_open(&rules, 1e-5, &limits, NULL, &fixpoint));
    assert_true(fixpoint.error <= 1e-5);
    assert_int_equal(fixpoint.course.tries, 0);
    assert_int_equal(fixpoint.course.held, 2);
    fixpoint_close(&fixpoint);
}

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

/* --- the rest of a turn --- */

/* Different states for different numbers. */
static TurnState turn_state(int i) {
    TurnState state = {.own = (uint16_t)(i % 400), .turn = (uint8_t)(i % 2), .throws = 1};
    state.other = (uint16_t)(i / 400 % 9);
    state.list[i / 3600 % YUT_RESULTS] = (uint8_t)(1 + i / 3600 / YUT_RESULTS);
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

static void what_is_not_solved_says_so(void **state) {
    (void)state;
    static const char *const variants[] = {"--pieces 3", "--players 3 --pieces 1",
                                           "--catch-bonus weak --pieces 1"};
    static const StatusCode codes[] = {STATUS_TABLE, STATUS_UNSUPPORTED, STATUS_UNSUPPORTED};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant;
        Solver *solver;
        assert_ok(variant_parse(&yut_game, variants[i], &variant));
        Status status = solve_now_check(&variant);
        assert_false(status_is_ok(&status));
        status = solve_now_open(&variant, &limits, &solver);
        assert_int_equal(status.code, codes[i]);
    }
    Variant variant;
    Solver *solver;
    SolveLimits small = {.memory_bytes = 1 << 20, .threads = 1};
    assert_ok(variant_parse(&yut_game, "--pieces 2", &variant));
    assert_fails(solve_now_open(&variant, &small, &solver), STATUS_UNSUPPORTED, "memory limit");
    /* The usual errors are not too fine: it is memory that lacks, also with more pieces. */
    Fixpoint fixpoint;
    YutRules three = rules_of("--pieces 3"), four = rules_of("--pieces 4");
    assert_fails(fixpoint_open(&three, 1e-6, &small, NULL, &fixpoint), STATUS_UNSUPPORTED,
                 "memory limit");
    assert_fails(fixpoint_open(&four, 1e-4, &small, NULL, &fixpoint), STATUS_UNSUPPORTED,
                 "memory limit");
    assert_fails(fixpoint_open(&three, 1e-8, &small, NULL, &fixpoint), STATUS_UNSUPPORTED,
                 "less than rounding allows");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_piece_agrees_with_the_second_solver),
        cmocka_unit_test(the_equations_hold),
        cmocka_unit_test(the_equations_hold_for_other_rules),
        cmocka_unit_test(values_are_chances),
        cmocka_unit_test(two_pieces_with_one_home_are_one_piece),
        cmocka_unit_test(the_guess_is_not_far_off),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(coarse_bounds_hold),
        cmocka_unit_test(rounding_is_on_the_safe_side),
        cmocka_unit_test(a_proof_mends_its_bounds),
        cmocka_unit_test(pending_results_are_valued),
        cmocka_unit_test(the_map_of_a_turn_finds_what_was_put),
        cmocka_unit_test(a_turn_is_followed_as_far_as_asked),
        cmocka_unit_test(little_memory_costs_precision),
        cmocka_unit_test(remembered_values_are_those_of_a_fresh_solver),
        cmocka_unit_test(a_turn_that_hardly_ends_is_given_up),
        cmocka_unit_test(the_bound_covers_pending_throws),
        cmocka_unit_test(what_is_not_solved_says_so),
    };
    return cmocka_run_group_tests_name("yut_solver", tests, NULL, NULL);
}
