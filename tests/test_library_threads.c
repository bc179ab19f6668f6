/* The thread safety that malpan.h promises, for ThreadSanitizer: games shared by all threads, a
 * solver for each, values in batches, requests to stop from another thread.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "library_testing.h"

enum { THREADS = 4 };

typedef struct Walker {
    const MalpanGame *game;
    uint64_t seed;
    uint64_t hash; /* of all positions on the way */
} Walker;

/* Asks for descriptions: of the library, of the game, of its options and examples, and of players.
 */
static void describe(const MalpanGame *game) {
    MalpanGameInfo info = {0};
    MalpanOptionInfo option;
    MalpanExampleInfo example;
    MalpanPlayerInfo player;
    MalpanNeeds needs;
    char text[MALPAN_DRAW_BYTES];
    malpan_game_info(malpan_name(game), &info, NULL);
    for (size_t i = 0; i < info.option_count; i++) {
        malpan_option_info(info.name, i, &option, NULL);
        malpan_option(game, option.name, text, sizeof text);
    }
    for (size_t i = 0; i < info.example_count; i++) {
        malpan_example_info(info.name, i, &example, NULL);
        MalpanGame *other = malpan_open(info.name, example.options, example.position, NULL);
        malpan_close(&other);
    }
    for (size_t i = 0; malpan_player_info(i, &player, NULL) == MALPAN_OK; i++) {
    }
    malpan_needs(game, NULL, &needs, NULL);
    malpan_rules(game, text, sizeof text);
    malpan_table_path(game, "/tmp", text, sizeof text);
    malpan_print_value(game, 0.25, MALPAN_ESTIMATE, MALPAN_KO, text, sizeof text);
    malpan_code_name(malpan_player_count(game));
    malpan_version();
}

/* What any thread may ask about a position and a step from it. */
static void examine(const MalpanGame *game, const MalpanPosition *position, MalpanMove move) {
    MalpanChance chances[MALPAN_CHANCES_MAX];
    MalpanPosition after = *position;
    MalpanMove same;
    uint64_t whole;
    char text[MALPAN_DRAW_BYTES];
    malpan_chances(game, position, chances, MALPAN_CHANCES_MAX, &whole);
    malpan_print_move(game, position, move, MALPAN_EN, text, sizeof text);
    malpan_parse_move(game, position, text, MALPAN_EN, &same, NULL);
    malpan_apply_listed(game, &after, move);
    malpan_narrate_end(game, &after, MALPAN_EN, text, sizeof text);
    if (malpan_actor(game, &after) == malpan_turn(game, position) || move != same ||
        malpan_compare(position, &after) == 0 || malpan_equals(position, &after))
        malpan_move_bound(game);
}

/* Plays random games with every function that any thread may call. */
static void *walk(void *context) {
    Walker *walker = context;
    const MalpanGame *game = walker->game;
    MalpanMove *moves = calloc(MALPAN_MOVES_MAX, sizeof *moves);
    MalpanPosition position;
    MalpanRandom random;
    MalpanTraits traits;
    char text[MALPAN_DRAW_BYTES];
    double values[MALPAN_PLAYERS_MAX];
    malpan_random_seed(&random, walker->seed, 0);
    malpan_start(game, &position, NULL);
    malpan_traits(game, &traits, NULL);
    describe(game);
    for (int step = 0; moves && step < 300; step++) {
        MalpanMove move;
        size_t count = malpan_moves(game, &position, moves, MALPAN_MOVES_MAX);
        if (count > 0)
            move = moves[malpan_random_below(&random, count)];
        else if (malpan_draw_chance(game, &position, &random, &move, NULL) != MALPAN_OK) {
            malpan_payoffs(game, &position, values, NULL);
            malpan_start(game, &position, NULL);
            continue;
        }
        examine(game, &position, move);
        malpan_print(game, &position, text, sizeof text);
        malpan_parse(game, text, &position, NULL);
        malpan_draw(game, &position, NULL, text, sizeof text);
        malpan_narrate(game, &position, move, MALPAN_KO, text, sizeof text);
        malpan_estimate(game, &position, values, NULL);
        malpan_apply(game, &position, move, NULL);
        walker->hash = 31 * walker->hash + malpan_hash(&position);
    }
    free(moves);
    return NULL;
}

/* All threads walk the same way, and find the same. */
static void games_are_shared(void **state) {
    (void)state;
    for (size_t i = 0; malpan_game_name(i); i++) {
        MalpanGame *game = open_game(malpan_game_name(i), "");
        pthread_t threads[THREADS];
        Walker walkers[THREADS];
        for (int t = 0; t < THREADS; t++) {
            walkers[t] = (Walker){.game = game, .seed = 7};
            assert_int_equal(pthread_create(&threads[t], NULL, walk, &walkers[t]), 0);
        }
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_join(threads[t], NULL), 0);
        for (int t = 1; t < THREADS; t++)
            assert_true(walkers[t].hash == walkers[0].hash && walkers[t].hash != 0);
        malpan_close(&game);
    }
}

/* Opens a solver and a player of its own, and evaluates. */
static void *solve(void *context) {
    const MalpanGame *game = context;
    MalpanSolver *solver;
    MalpanPlayer *player;
    MalpanPosition position;
    MalpanValue value = {.kind = -1};
    MalpanRandom random;
    MalpanMove move;
    double *result = malloc(sizeof *result);
    malpan_random_seed(&random, 1, 1);
    malpan_start(game, &position, NULL);
    if (malpan_solver_open(game, MALPAN_POLICY_EXACT, NULL, &solver, NULL) == MALPAN_OK)
        malpan_value(solver, &position, &value, NULL);
    malpan_draw_chance(game, &position, &random, &move, NULL);
    malpan_apply(game, &position, move, NULL);
    if (malpan_player_open(game, "perfect", NULL, &player, NULL) == MALPAN_OK)
        malpan_player_choose(player, &position, &random, &move, NULL);
    malpan_player_close(&player);
    malpan_solver_close(&solver);
    if (result)
        *result = value.kind == MALPAN_EXACT ? value.values[0] : -1;
    return result;
}

static void solvers_run_side_by_side(void **state) {
    (void)state;
    static const char *const variants[][2] = {{"box", "--tiles 7"}, {"yut", "--pieces 1"}};
    for (int v = 0; v < 2; v++) {
        MalpanGame *game = open_game(variants[v][0], variants[v][1]);
        pthread_t threads[THREADS];
        void *results[THREADS];
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, solve, game), 0);
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_join(threads[t], &results[t]), 0);
        for (int t = 0; t < THREADS; t++) {
            assert_non_null(results[t]);
            assert_true(*(double *)results[t] > 0.5);
            assert_true(*(double *)results[t] == *(double *)results[0]);
        }
        for (int t = 0; t < THREADS; t++)
            free(results[t]);
        malpan_close(&game);
    }
}

/* Plays the record to its end: every choice by its generator. */
static void play_record(const MalpanGame *game, MalpanRecord *record) {
    MalpanPosition position;
    MalpanRandom random;
    MalpanMove moves[64], move;
    while (malpan_record_position(record, malpan_record_length(record), &position, NULL) == 0 &&
           malpan_actor(game, &position) != MALPAN_END) {
        malpan_record_random(record, &random, NULL);
        size_t count = malpan_moves(game, &position, moves, 64);
        if (count > 0)
            move = moves[malpan_random_next(&random) % count];
        else
            malpan_draw_chance(game, &position, &random, &move, NULL);
        if (malpan_record_add(record, move, NULL) != MALPAN_OK)
            return;
    }
}

/* Asks a solver everything about every position of a record. */
static void evaluate_all(MalpanSolver *solver, const MalpanRecord *record) {
    MalpanPosition position;
    MalpanMoveValue moves[64];
    MalpanValue value;
    MalpanMove line[8], move;
    uint64_t numerator, denominator;
    size_t count;
    for (size_t i = 0; i < malpan_record_length(record); i++) {
        malpan_record_position(record, i, &position, NULL);
        malpan_record_move(record, i, &move, NULL);
        malpan_evaluate(solver, &position, &value, moves, 64, &count, NULL);
        malpan_best_line(solver, &position, line, 8, &count, NULL);
        malpan_fraction(solver, &position, &numerator, &denominator, NULL);
    }
}

/* Keeps, prints, reads and reviews a record of its own. Returns what the first player lost. */
static void *keep_record(void *context) {
    const MalpanGame *game = context;
    MalpanRecord *record = NULL, *again = NULL;
    MalpanSolver *solver = NULL;
    MalpanReview *review = NULL;
    MalpanReviewStep step;
    MalpanReviewTotals totals = {.skill = 1};
    double *result = malloc(sizeof *result);
    char text[4096];
    if (malpan_record_open(game, "you random", 5, NULL, &record, NULL) == MALPAN_OK)
        play_record(game, record);
    malpan_record_print(record, text, sizeof text);
    malpan_record_parse(text, &again, NULL);
    MalpanGame *same = malpan_record_game(again);
    if (malpan_solver_open(same, MALPAN_POLICY_EXACT, NULL, &solver, NULL) == MALPAN_OK)
        evaluate_all(solver, again);
    malpan_solver_method(solver);
    malpan_review_open(again, solver, &review, NULL);
    malpan_review_totals(review, 0, &totals, NULL);
    malpan_review_step(review, 0, &step, NULL);
    malpan_record_cut(record, 1, NULL);
    malpan_review_close(&review);
    malpan_solver_close(&solver);
    malpan_close(&same);
    malpan_record_close(&again);
    malpan_record_close(&record);
    if (result)
        *result = totals.skill;
    return result;
}

static void records_are_kept_side_by_side(void **state) {
    (void)state;
    MalpanGame *game = open_game("box", "--tiles 6");
    pthread_t threads[THREADS];
    void *results[THREADS];
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, keep_record, game), 0);
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(threads[t], &results[t]), 0);
    for (int t = 0; t < THREADS; t++) {
        assert_non_null(results[t]);
        assert_true(*(double *)results[t] <= 0);
        assert_true(*(double *)results[t] == *(double *)results[0]);
    }
    for (int t = 0; t < THREADS; t++)
        free(results[t]);
    malpan_close(&game);
}

/* A table may be checked by several threads at once. */
static void *verify(void *context) {
    MalpanLimits limits = {.tables = context};
    MalpanGame *game = malpan_open("yut", "--pieces 1", NULL, NULL);
    MalpanTableInfo info;
    int code = malpan_verify(game, 0, 1, &limits, &info, NULL);
    malpan_close(&game);
    return code == MALPAN_OK && info.is_proven ? context : NULL;
}

static void tables_are_verified_side_by_side(void **state) {
    (void)state;
    char folder[] = "/tmp/malpan-tables-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    MalpanGame *game = open_game("yut", "--pieces 1");
    MalpanLimits limits = {.tables = folder};
    MalpanTableInfo info;
    pthread_t threads[THREADS];
    assert_done(malpan_solve(game, 0, &limits, &info, &error));
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, verify, folder), 0);
    for (int t = 0; t < THREADS; t++) {
        void *result;
        assert_int_equal(pthread_join(threads[t], &result), 0);
        assert_ptr_equal(result, folder);
    }
    malpan_table_path(game, folder, path, sizeof path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    malpan_close(&game);
}

static void batches_use_threads(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    MalpanPosition *positions = calloc(COUNT, sizeof *positions);
    double *values = calloc(COUNT, sizeof *values);
    MalpanGame *game = open_game("yut", "--pieces 1");
    MalpanSolver *solver;
    MalpanLimits limits = {.threads = THREADS};
    MalpanPosition start;
    assert_true(positions && values);
    assert_done(malpan_start(game, &start, &error));
    for (size_t i = 0; i < COUNT; i++)
        positions[i] = start;
    assert_done(malpan_solver_open(game, MALPAN_POLICY_EXACT, &limits, &solver, &error));
    for (int i = 0; i < 2; i++)
        assert_done(malpan_values(solver, positions, COUNT, values, NULL, &error));
    for (size_t i = 1; i < COUNT; i++)
        assert_true(values[i] == values[0]);
    malpan_solver_close(&solver);
    malpan_close(&game);
    free(values);
    free(positions);
}

/* --- cancellation --- */

typedef struct Watch {
    MalpanStop *stop;
    atomic_int calls;
} Watch;

static void note_progress(void *context, const MalpanProgress *progress) {
    Watch *watch = context;
    assert(progress->what && progress->elapsed_s > 0 && progress->fraction <= 1);
    watch->calls++;
    malpan_stop_request(watch->stop);
}

static void *stop_soon(void *context) {
    Watch *watch = context;
    usleep(100 * 1000);
    malpan_stop_request(watch->stop);
    return NULL;
}

/* A long solve reports its progress and stops when the callback asks for it; and the next call
 * resumes where it stopped. */
static void solving_stops(void **state) {
    (void)state;
    char folder[] = "/tmp/malpan-tables-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    MalpanGame *game = open_game("yut", "--pieces 2");
    Watch watch = {.stop = malpan_stop_open()};
    MalpanTableInfo info;
    MalpanLimits limits = {.tables = folder,
                           .threads = 2,
                           .stop = watch.stop,
                           .progress = note_progress,
                           .context = &watch};
    assert_non_null(watch.stop);
    assert_int_equal(malpan_solve(game, 0, &limits, &info, NULL), MALPAN_STOPPED);
    assert_true(watch.calls > 0 && malpan_stop_requested(watch.stop));
    assert_int_equal(malpan_solve(game, 0, &limits, &info, NULL), MALPAN_STOPPED);
    malpan_stop_clear(watch.stop);
    assert_int_equal(malpan_stop_requested(watch.stop), 0);
    size_t length = malpan_table_path(game, folder, path, sizeof path);
    snprintf(path + length, sizeof path - length, ".part");
    (void)unlink(path);
    malpan_close(&game);
    malpan_stop_close(&watch.stop);
    assert_null(watch.stop);
    assert_int_equal(rmdir(folder), 0);
}

/* A search without a limit ends when another thread says so. */
static void searching_stops(void **state) {
    (void)state;
    MalpanGame *game = open_game("valley", "");
    Watch watch = {.stop = malpan_stop_open()};
    MalpanLimits limits = {.seconds = 600, .threads = 2, .stop = watch.stop};
    MalpanPlayer *player;
    MalpanPosition position;
    MalpanRandom random;
    MalpanMove move;
    pthread_t stopper;
    malpan_random_seed(&random, 1, 1);
    assert_done(malpan_start(game, &position, &error));
    assert_done(malpan_player_open(game, "alphabeta:600s", &limits, &player, &error));
    time_t begin = time(NULL);
    assert_int_equal(pthread_create(&stopper, NULL, stop_soon, &watch), 0);
    int code = malpan_player_choose(player, &position, &random, &move, NULL);
    assert_true(code == MALPAN_OK || code == MALPAN_STOPPED);
    assert_true(time(NULL) - begin < 300);
    assert_int_equal(pthread_join(stopper, NULL), 0);
    malpan_player_close(&player);
    malpan_stop_close(&watch.stop);
    malpan_close(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_shared),
        cmocka_unit_test(solvers_run_side_by_side),
        cmocka_unit_test(records_are_kept_side_by_side),
        cmocka_unit_test(tables_are_verified_side_by_side),
        cmocka_unit_test(batches_use_threads),
        cmocka_unit_test(solving_stops),
        cmocka_unit_test(searching_stops),
    };
    return cmocka_run_group_tests_name("library threads", tests, NULL, NULL);
}
