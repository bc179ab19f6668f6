/* Work shared by several ranks: who owns what, sums in the order of jobs, and retrograde analysis.
 * The ranks are threads, and messages between them arrive in random order. */
#include "kernel/exchange.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "exchange_testing.h"
#include "games/valley/solve/unmove.h"
#include "kernel/checkpoint.h"
#include "kernel/rounds.h"

static const int rank_counts[] = {1, 2, 3, 4, 7};

enum { RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0] };

/* --- agreement --- */

typedef struct Votes {
    int failing[2]; /* ranks; -1: none */
    Status found[TEST_RANKS_MAX];
} Votes;

static void vote(Exchange *exchange, void *context) {
    Votes *votes = context;
    Status mine = status_ok();
    for (int i = 0; i < 2; i++)
        if (exchange->rank == votes->failing[i])
            mine = status_make(STATUS_TABLE, "failure %d", exchange->rank);
    votes->found[exchange->rank] = exchange_agree(exchange, mine);
}

static void all_ranks_agree(void **state) {
    (void)state;
    static const struct {
        int failing[2];
        const char *message;
    } cases[] = {{{-1, -1}, ""},
                 {{0, 2}, "failure 0"},
                 {{4, 2}, "rank 2 on host-1: failure 2"},
                 {{-1, 4}, "rank 4 on host-2: failure 4"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Votes votes = {.failing = {cases[i].failing[0], cases[i].failing[1]}};
        run_ranks(5, i, vote, &votes);
        for (int rank = 0; rank < 5; rank++) {
            assert_string_equal(votes.found[rank].message, cases[i].message);
            assert_int_equal(votes.found[rank].code, *cases[i].message ? STATUS_TABLE : STATUS_OK);
        }
    }
    Status alone = exchange_agree(NULL, status_make(STATUS_FAILED, "alone"));
    assert_string_equal(alone.message, "alone");
    assert_int_equal(exchange_neighbors(NULL), 1);
}

/* --- layouts --- */

/* The example in the header, and that every code has exactly one place. */
static void every_code_has_one_owner(void **state) {
    (void)state;
    static const struct {
        uint32_t blocks, size;
    } shapes[] = {{2, 512 * 4 + 1}, {1, 1}, {75, 462}, {75, 43890}, {3, 1 << 20}, {5, 4096}};
    static const int many[] = {1, 2, 3, 4, 6, 7, 50, 128, 450, 500};
    RetroLayout layout;
    assert_true(retro_layout_open(&layout, 3, 512 * 3 + 1, 0, 2));
    static const int owners[] = {0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1};
    assert_int_equal(layout.part_count, 12);
    for (uint32_t part = 0; part < 12; part++)
        assert_int_equal(retro_part_owner(&layout, part), owners[part]);
    retro_layout_close(&layout);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (size_t j = 0; j < sizeof many / sizeof many[0]; j++) {
            uint64_t all = 0, most = 0;
            for (int rank = 0; rank < many[j]; rank++) {
                uint64_t end = 0;
                uint32_t parts = 0;
                assert_true(
                    retro_layout_open(&layout, shapes[i].blocks, shapes[i].size, rank, many[j]));
                for (uint32_t part = 0; part < layout.part_count; part++) {
                    if (retro_part_owner(&layout, part) != rank)
                        continue;
                    assert_int_equal(layout.offsets[part], end);
                    end += retro_part_size(&layout, part);
                    parts++;
                }
                assert_int_equal(layout.bytes, end);
                assert_in_range(parts, layout.part_count / (uint32_t)many[j],
                                layout.part_count / (uint32_t)many[j] + 1);
                all += end;
                most = end > most ? end : most;
                retro_layout_close(&layout);
            }
            uint64_t count = (uint64_t)shapes[i].blocks * shapes[i].size;
            assert_int_equal(all, count);
            /* No rank has much more than its share where there are many parts. */
            if (layout.part_count >= 75 && many[j] <= 7)
                assert_true(most <= count * 12 / 10 / (uint64_t)many[j]);
        }
    }
}

typedef struct Moved {
    uint32_t blocks, size;
    uint8_t *given, *got; /* of rank 0 */
} Moved;

/* Gives rank 0's bytes to the owners and takes them back, in pieces of other sizes. */
static void there_and_back(Exchange *exchange, void *context) {
    Moved *moved = context;
    RetroLayout layout;
    (void)retro_layout_open(&layout, moved->blocks, moved->size, exchange->rank, exchange->count);
    uint8_t *codes = calloc(1, layout.bytes + 1);
    for (int way = 0; way < 2; way++) {
        RetroTransfer transfer = retro_transfer_begin(&layout, exchange, codes, way == 0);
        uint8_t *bytes = way == 0 ? moved->given : moved->got;
        for (size_t at = 0, size = way == 0 ? 1000 : 777; transfer.left > 0; at += size) {
            size = transfer.left < size ? (size_t)transfer.left : size;
            retro_transfer_move(&transfer, exchange->rank == 0 ? bytes + at : NULL, size);
        }
    }
    free(codes);
    retro_layout_close(&layout);
}

static void codes_move_in_order(void **state) {
    (void)state;
    enum { BLOCKS = 3, SIZE = 5000 };
    static uint8_t given[BLOCKS * SIZE], got[BLOCKS * SIZE];
    for (size_t i = 0; i < sizeof given; i++)
        given[i] = (uint8_t)(i * 7 + i / 251);
    for (int j = 0; j < RANK_COUNTS; j++) {
        Moved moved = {.blocks = BLOCKS, .size = SIZE, .given = given, .got = got};
        memset(got, 0, sizeof got);
        run_ranks(rank_counts[j], 1, there_and_back, &moved);
        assert_memory_equal(got, given, sizeof given);
    }
}

/* --- rounds --- */

typedef struct Series {
    uint64_t count, round_jobs;
    int threads;
    uint64_t failing; /* these jobs and later ones fail */
    double sums[TEST_RANKS_MAX];
    Status found[TEST_RANKS_MAX];
    ProgressUpdate shown; /* the last of rank 0 */
} Series;

typedef struct SeriesProgress {
    Progress base;
    ProgressUpdate shown;
} SeriesProgress;

static void keep_update(Progress *progress, const ProgressUpdate *update) {
    ((SeriesProgress *)progress)->shown = *update;
}

static Status compute_term(void *context, uint64_t index, int thread, void *result) {
    const Series *series = context;
    (void)thread;
    if (index >= series->failing)
        return status_make(STATUS_FAILED, "job %d", (int)index);
    *(double *)result = 1.0 / (double)(index + 1); /* sums depend on the order */
    return status_ok();
}

static void add_term(void *sum, const void *result) {
    *(double *)sum = *(double *)sum * 0.999 + *(const double *)result;
}

static void sum_series(Exchange *exchange, void *context) {
    Series *series = context;
    double sum = 0;
    SeriesProgress progress = {.base = {.show = keep_update}};
    const Rounds rounds = {.count = series->count,
                           .round_jobs = series->round_jobs,
                           .result_bytes = sizeof sum,
                           .sum = &sum,
                           .context = series,
                           .run = compute_term,
                           .add = add_term,
                           .progress = &progress.base,
                           .units = 1};
    series->found[exchange_rank(exchange)] = rounds_run(&rounds, series->threads, exchange);
    series->sums[exchange_rank(exchange)] = sum;
    if (exchange_is_root(exchange))
        series->shown = progress.shown;
}

static void sums_do_not_depend_on_ranks(void **state) {
    (void)state;
    static const uint64_t counts[] = {1, 2, 6, 1000, 4321};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        Series alone = {.count = counts[i], .round_jobs = 64, .threads = 1, .failing = UINT64_MAX};
        sum_series(NULL, &alone);
        for (int j = 0; j < RANK_COUNTS; j++) {
            Series series = alone;
            series.threads = 1 + j % 2;
            series.round_jobs = j % 2 ? 64 : 100;
            run_ranks(rank_counts[j], 1, sum_series, &series);
            /* Only the calling thread reports, so with more threads the last jobs may be missing.
             */
            assert_true(series.shown.done <= series.shown.total);
            if (series.threads == 1)
                assert_true(series.shown.total > 0 && series.shown.done == series.shown.total);
            for (int rank = 0; rank < rank_counts[j]; rank++) {
                assert_ok(series.found[rank]);
                assert_true(series.sums[rank] == alone.sums[0]);
            }
        }
    }
}

static void the_first_failure_counts(void **state) {
    (void)state;
    for (uint64_t failing = 0; failing < 500; failing += 83) {
        Series series = {.count = 500, .round_jobs = 16, .threads = 2, .failing = failing};
        char expected[16];
        snprintf(expected, sizeof expected, "job %d", (int)failing);
        run_ranks(3, 1, sum_series, &series);
        for (int rank = 0; rank < 3; rank++) {
            assert_int_equal(series.found[rank].code, STATUS_FAILED);
            assert_non_null(strstr(series.found[rank].message, expected));
        }
    }
}

/* --- retrograde analysis --- */

/* A run on several ranks. */
typedef struct Analysis {
    ValleyRetrograde *retro;
    SolveLimits limits;
    const RetroCheckpoint *checkpoint;
    StopFlag stop;
    atomic_int calls_left; /* of unmove; then the run is stopped; below 0: never */
    int waves;
    uint8_t *codes; /* of all ranks, in order */
    Status found[TEST_RANKS_MAX];
} Analysis;

static Analysis *analysis; /* the one of the present test: calls go through the game's own type */

static void unmove_and_count(const RetroGame *game, uint32_t block, const uint32_t indices[],
                             size_t count, RetroSink *sink) {
    (void)game;
    analysis->retro->base.unmove(&analysis->retro->base, block, indices, count, sink);
    if (atomic_fetch_sub(&analysis->calls_left, 1) == 1)
        analysis->stop = true;
}

static void init_codes(const RetroGame *game, uint32_t block, uint32_t first, uint32_t count,
                       uint8_t codes[]) {
    (void)game;
    analysis->retro->base.init(&analysis->retro->base, block, first, count, codes);
}

static void analyze(Exchange *exchange, void *context) {
    Analysis *one = context;
    RetroGame game = one->retro->base;
    RetroResult result;
    game.init = init_codes;
    game.unmove = unmove_and_count;
    Status status = retrograde_run(&game, &one->limits, exchange, one->checkpoint, &result);
    one->found[exchange_rank(exchange)] = status;
    if (!status_is_ok(&status))
        return;
    RetroTransfer transfer = retro_transfer_begin(&result.layout, exchange, result.codes, false);
    if (exchange_rank(exchange) == 0) {
        retro_transfer_move(&transfer, one->codes, transfer.left);
        one->waves = result.waves;
    } else {
        retro_transfer_move(&transfer, NULL, transfer.left);
    }
    retrograde_free(&result);
}

static void run_analysis(Analysis *one, int ranks, uint64_t seed) {
    analysis = one;
    one->limits.stop = &one->stop;
    one->stop = false;
    run_ranks(ranks, seed, analyze, one);
    for (int rank = 1; rank < ranks; rank++)
        assert_int_equal(one->found[rank].code, one->found[0].code);
}

static void codes_do_not_depend_on_ranks(void **state) {
    (void)state;
    static ValleyRetrograde retro;
    for (int soldiers = 0; soldiers <= (getenv("QUICK") ? 1 : 2); soldiers++) {
        RetroResult alone;
        valley_retrograde_init(&retro, soldiers);
        Analysis one = {.retro = &retro, .limits = {.memory_bytes = 1 << 30, .threads = 2}};
        assert_ok(retrograde_run(&retro.base, &one.limits, NULL, NULL, &alone));
        one.codes = malloc(alone.bytes);
        for (int j = 0; j < RANK_COUNTS; j++) {
            if (soldiers == 2 && rank_counts[j] != 3)
                continue;
            one.limits.threads = 1 + j % 2;
            one.calls_left = -1;
            run_analysis(&one, rank_counts[j], (uint64_t)j);
            assert_ok(one.found[0]);
            assert_int_equal(one.waves, alone.waves);
            assert_memory_equal(one.codes, alone.codes, alone.bytes);
        }
        free(one.codes);
        retrograde_free(&alone);
    }
}

/* Stopped within waves, and resumed with other numbers of ranks, a run gives the same codes. */
static void any_ranks_resume(void **state) {
    (void)state;
    static ValleyRetrograde retro;
    char path[] = "/tmp/malpan-ranks-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    RetroResult alone;
    RetroCheckpoint checkpoint = {.path = path, .name = "test", .interval_s = 1000};
    valley_retrograde_init(&retro, 1);
    Analysis one = {.retro = &retro,
                    .limits = {.memory_bytes = 1 << 30, .threads = 1},
                    .checkpoint = &checkpoint};
    assert_ok(retrograde_run(&retro.base, &one.limits, NULL, NULL, &alone));
    one.codes = malloc(alone.bytes);
    for (int seed = 0; seed < 3; seed++) {
        int runs = 0;
        checkpoint_remove(path);
        do {
            one.calls_left = 20 + 40 * seed;
            run_analysis(&one, rank_counts[(runs + seed) % RANK_COUNTS], (uint64_t)seed);
            runs++;
        } while (one.found[0].code == STATUS_STOPPED);
        assert_ok(one.found[0]);
        assert_true(runs > 3);
        assert_int_equal(one.waves, alone.waves);
        assert_memory_equal(one.codes, alone.codes, alone.bytes);
    }
    /* Checkpoints at every opportunity do not keep a run from its end. */
    checkpoint.interval_s = 0;
    checkpoint_remove(path);
    one.calls_left = -1;
    valley_retrograde_init(&retro, 0);
    run_analysis(&one, 3, 1);
    assert_ok(one.found[0]);
    /* A damaged checkpoint is refused by all ranks alike. */
    assert_ok(file_replace(path, "damaged", 7));
    run_analysis(&one, 3, 1);
    assert_int_equal(one.found[2].code, STATUS_TABLE);
    checkpoint_remove(path);
    free(one.codes);
    retrograde_free(&alone);
}

static void too_little_memory_is_refused_by_all(void **state) {
    (void)state;
    static ValleyRetrograde retro;
    valley_retrograde_init(&retro, 1);
    Analysis one = {.retro = &retro, .limits = {.memory_bytes = 1000, .threads = 1}};
    run_analysis(&one, 3, 1);
    assert_int_equal(one.found[2].code, STATUS_UNSUPPORTED);
    /* Ranks share the codes; each has buffers of its own. */
    valley_retrograde_init(&retro, 3);
    uint64_t whole = retrograde_bytes(&retro.base, 1, 1), codes = 75ull * 1492260;
    uint64_t shared = retrograde_bytes(&retro.base, 1, 5);
    assert_true(whole > codes && shared < whole - codes * 3 / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ranks_agree),
                                       cmocka_unit_test(every_code_has_one_owner),
                                       cmocka_unit_test(codes_move_in_order),
                                       cmocka_unit_test(sums_do_not_depend_on_ranks),
                                       cmocka_unit_test(the_first_failure_counts),
                                       cmocka_unit_test(codes_do_not_depend_on_ranks),
                                       cmocka_unit_test(any_ranks_resume),
                                       cmocka_unit_test(too_little_memory_is_refused_by_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
