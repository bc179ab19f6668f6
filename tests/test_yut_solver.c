/* Solved Yut: against a second solver for one piece, against the rules themselves for two, and on
 * what must hold of any right table. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "games/yut/facts/game_length.h"
#include "games/yut/solve/grid.h"
#include "games/yut/solve/lanes.h"
#include "games/yut/solve/solver.h"
#include "values/evaluate.h"
#include "values/solve_now.h"
#include "yut_board.h"
#include "yut_solved.h"

/* --- the second solver: one piece each, from the table of the rules --- */

enum { EXTRAS = 9, HOME = 30, SQUARES = 30, LASTS = 15 };

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
    if (getenv("QUICK"))
        skip(); /* it takes long, and is about numbers */
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
        "--animals pn",
        "--animals sn",
        "--catch-bonus weak --animals ss --nak 0.1",
        "--nak 0.1 --nak-loses turn --catch-bonus never",
        "--animals cp",
        "--animals ss",
        "--animals cs",
        "--animals pp",
        "--preset plain",
        "--short-cut may",
        "--back-from-1 off",
        "--bias 0.4",
        "--preset family --finish short",
        "--centre may --traps 7,22 --empty-back-do enter --finish reach",
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

/* The heuristic for what no network has learned, against the solved game with two pieces each, on
 * positions that it was not fitted to. */
static void the_heuristic_is_not_far_off(void **state) {
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
        double rated[GAME_PLAYERS_MAX];
        yut_heuristic(&packed, &position, rated);
        squares += pow(rated[0] - table_value(&fixpoint, 0, own, other), 2);
        i++;
    }
    print_message("the heuristic is off by %.4f, root mean square\n", sqrt(squares / SAMPLES));
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

/* Values that are right are proven at the first try. */
static void right_values_are_proven_at_once(void **state) {
    (void)state;
    YutRules rules = rules_of("--pieces 1 --animals sn");
    Fixpoint solved, again;
    double residual = 1;
    assert_ok(fixpoint_open(&rules, 1e-5, &limits, NULL, &solved));
    assert_ok(fixpoint_open_empty(&rules, 1e-5, &limits, &again));
    size_t count = solved.sweep.placements.count;
    assert_int_equal(again.sweep.sides, 2);
    for (int side = 0; side < 2; side++)
        for (uint32_t own = 0; own < count; own++)
            for (uint32_t other = 0; other < count; other++) {
                size_t place = sweep_index(&solved.sweep, own, other);
                sweep_values(&again.sweep, side)[place] = sweep_values(&solved.sweep, side)[place];
            }
    assert_ok(fixpoint_prove(&again, &limits, &residual));
    assert_true(again.error <= 1e-5 && residual < 1e-5);
    assert_int_equal(again.course.tries, 0);
    fixpoint_close(&again);
    fixpoint_close(&solved);
}

/* --- memory, and files that stand in for it --- */

static void assert_grid_works(size_t bytes, const char *scratch) {
    Grid grid;
    assert_true(grid_open(&grid, bytes, scratch));
    unsigned char *all = grid.bytes;
    assert_int_equal((uintptr_t)all % 64, 0);
    for (size_t i = 0; i < bytes; i++) {
        assert_int_equal(all[i], 0);
        all[i] = (unsigned char)(i % 251);
    }
    grid_prefetch(all + 1, bytes - 1);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(all[i], i % 251);
    grid_close(&grid);
    assert_null(grid.bytes);
}

static void grids_are_zeroed_memory(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 4096, 5000, (size_t)2 << 20, ((size_t)2 << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_grid_works(sizes[i], NULL);
        assert_grid_works(sizes[i], "/tmp");
    }
    Grid grid;
    assert_false(grid_open(&grid, 1, "/no/such/folder"));
    assert_null(grid.bytes);
    /* Where standard input is closed, the file takes its number. */
    int input = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    assert_grid_works(5000, "/tmp");
    if (input >= 0) {
        assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
        close(input);
    }
}

static void what_is_not_solved_says_so(void **state) {
    (void)state;
    static const char *const variants[] = {"--pieces 3", "--players 3 --pieces 2",
                                           "--odds 1,1,1,1,9,9 --pieces 2"};
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

/* Corrections are added to a line, and to nothing behind it: there is the line of another thread.
 */
static void corrections_stay_in_their_line(void **state) {
    (void)state;
    enum { CELLS = 3 * LANES };
    int32_t values[CELLS + 1], corrections[CELLS + 1];
    for (int i = 0; i <= CELLS; i++) {
        values[i] = i * 1000;
        corrections[i] = i % 2 ? LANES_ONE : -500;
    }
    lanes_add_corrections(values, corrections, 7, true, CELLS);
    for (int i = 0; i < CELLS; i++)
        assert_int_equal(values[i], i % 2 ? LANES_ONE : i == 0 ? 0 : i * 1000 - 493);
    assert_int_equal(values[CELLS], CELLS * 1000);
}

/* --- game lengths --- */

typedef struct SweepsSeen {
    Progress base;
    uint64_t sweeps;
} SweepsSeen;

static void note_sweep(Progress *progress, const ProgressUpdate *update) {
    SweepsSeen *seen = (SweepsSeen *)progress;
    assert_string_equal(update->what, "counting turns");
    assert_int_equal(update->done, ++seen->sweeps);
    assert_int_equal(update->total, 0);
}

/* Nobody knows how many sweeps it takes to count the turns, so that no share of them is shown. */
static void counting_turns_promises_no_end(void **state) {
    (void)state;
    Variant variant;
    SolveLimits within = limits;
    SweepsSeen seen = {.base = {.show = note_sweep}};
    StartGrid grid;
    GameLength turns;
    Solver *solver;
    assert_ok(variant_parse(&yut_game, "--pieces 1", &variant));
    assert_ok(solve_now_open(&variant, &within, &solver));
    assert_ok(start_grid_open(&variant.rules, solver, &within, &grid));
    within.progress = &seen.base;
    assert_ok(game_length_open(&grid, &within, &turns));
    assert_true(seen.sweeps > 1 && seen.sweeps == (uint64_t)turns.sweeps);
    game_length_close(&turns);
    start_grid_close(&grid);
    solver->free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_piece_agrees_with_the_second_solver),
        cmocka_unit_test(the_equations_hold),
        cmocka_unit_test(the_equations_hold_for_other_rules),
        cmocka_unit_test(values_are_chances),
        cmocka_unit_test(two_pieces_with_one_home_are_one_piece),
        cmocka_unit_test(the_heuristic_is_not_far_off),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(coarse_bounds_hold),
        cmocka_unit_test(rounding_is_on_the_safe_side),
        cmocka_unit_test(a_proof_mends_its_bounds),
        cmocka_unit_test(right_values_are_proven_at_once),
        cmocka_unit_test(grids_are_zeroed_memory),
        cmocka_unit_test(what_is_not_solved_says_so),
        cmocka_unit_test(corrections_stay_in_their_line),
        cmocka_unit_test(counting_turns_promises_no_end),
    };
    return cmocka_run_group_tests_name("yut_solver", tests, NULL, NULL);
}
