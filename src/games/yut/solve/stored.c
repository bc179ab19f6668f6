/* The table of two-player Yut: for every position in which a player is about to throw, the chance
 * that this player wins. The index of a position is (side * count + other) * count + own, where own
 * and other are the placement ranks (placements.h) of the thrower and of the opponent. `side` is
 * the player who throws if the players have different animals, else 0. Pairs that share a square
 * hold 0.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/threads.h"
#include "game/stored.h"
#include "games/yut/solve/fixpoint.h"
#include "games/yut/solve/solver.h"
#include "kernel/checkpoint.h"
#include "table/writer.h"

static Status check(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    return sweep_supports(&yut);
}

static double usual_error(const Rules *rules) {
    return yut_rules(rules).pieces <= 3 ? 1e-6 : 1e-4;
}

/* The times in docs/results.md, rounded up. */
static double seconds(const Rules *rules) {
    static const double by_pieces[] = {0, 0.1, 1, 2 * 60, 4 * 3600};
    return by_pieces[yut_rules(rules).pieces];
}

static const char *const quick_variants[] = {"--pieces 1", "--pieces 2", NULL};

static uint64_t count_of(const Sweep *sweep) {
    return (uint64_t)sweep->placements.count * sweep->placements.count * (uint64_t)sweep->sides;
}

/* Four-byte values hardly compress and take longer to decompress. In a table that is too large to
 * be kept decompressed, blocks with half as many values make up for it. */
static uint32_t block_values_for(int bytes, uint64_t count) {
    const uint64_t large = 1 << 20;
    return bytes == 4 && count > large ? TABLE_BLOCK_VALUES / 2 : TABLE_BLOCK_VALUES;
}

/* Enough bytes to make rounding a negligible part of the error. The equations hold to within twice
 * half a step, and this adds up over the turns of a game. */
static int bytes_for(double error) {
    const double turns = 50;
    return turns / (double)table_code_max(3) < error / 8 ? 3 : 4;
}

static Status needs(const Rules *rules, double error, const SolveLimits *limits, int ranks,
                    uint64_t *memory, uint64_t *disk) {
    (void)ranks; /* one: fixed points are not distributed */
    YutRules yut = yut_rules(rules);
    SweepNeeds needs;
    Status status = fixpoint_needs(&yut, error, limits->threads, &needs);
    if (!status_is_ok(&status))
        return status;
    /* Between sweeps, the disk holds the corrections and the checkpoint (values, corrections and
     * slack), twice while it is being replaced. During full sweeps it holds scratch files for the
     * rest, and the checkpoint (values and slack). */
    uint64_t between = needs.pairs * (4 + 2 * (4 + 4 + 1)), within = needs.pairs * (4 + 1);
    *memory = needs.memory;
    if (needs.memory + needs.rest > limits->memory_bytes && limits->scratch)
        within += needs.rest;
    else
        *memory += needs.rest;
    *disk = between > within ? between : within;
    return status;
}

/* --- writing --- */

static bool is_position(const Placements *placements, uint32_t own, uint32_t other) {
    return !(placements->occupied[own] & placements->occupied[other]) &&
           !(own == placements->count - 1 && other == placements->count - 1);
}

/* The code of a value. Certain wins and losses are exact. */
static uint32_t code_of(const Fixpoint *fixpoint, int side, uint32_t own, uint32_t other,
                        int bytes) {
    const Sweep *sweep = &fixpoint->sweep;
    const Placements *placements = &sweep->placements;
    if (!is_position(placements, own, other) || other == placements->count - 1)
        return 0;
    if (own == placements->count - 1)
        return table_code_max(bytes);
    int32_t value = sweep_values(sweep, side)[sweep_index(sweep, own, other)];
    return table_chance_code((double)value / SWEEP_ONE, bytes);
}

static Status write_table(const Fixpoint *fixpoint, const StoredJob *job, TableInfo *info) {
    const Sweep *sweep = &fixpoint->sweep;
    const Placements *placements = &sweep->placements;
    TableWriter *writer;
    Status status = table_writer_open(job->path, info, job->limits->threads, &writer);
    if (!status_is_ok(&status))
        return status;
    uint32_t *codes = malloc(placements->count * sizeof *codes);
    if (!codes)
        status = status_make(STATUS_FAILED, "out of memory");
    for (int side = 0; side < sweep->sides; side++)
        for (uint32_t other = 0; other < placements->count && status_is_ok(&status); other++) {
            for (uint32_t own = 0; own < placements->count; own++)
                codes[own] = code_of(fixpoint, side, own, other, info->value_bytes);
            status = table_writer_add(writer, codes, placements->count);
        }
    free(codes);
    if (!status_is_ok(&status)) {
        table_writer_abandon(writer);
        return status;
    }
    return table_writer_finish(writer, &info->content);
}

static void name_rules(const Rules *rules, char text[TABLE_RULES_BYTES]) {
    Variant variant = {.game = &yut_game, .rules = *rules};
    Text out = text_over(text, TABLE_RULES_BYTES);
    variant_print(&variant, &out);
}

static Status solve(const Rules *rules, const StoredJob *job, StoredReport *report) {
    YutRules yut = yut_rules(rules);
    int bytes = bytes_for(job->error);
    double rounding = 0.5 / (double)table_code_max(bytes);
    Fixpoint fixpoint;
    FixpointCheckpoint checkpoint = {.path = job->checkpoint, .interval_s = job->checkpoint_s};
    Status status = fixpoint_open(&yut, job->error - rounding, job->limits,
                                  job->checkpoint ? &checkpoint : NULL, &fixpoint);
    if (!status_is_ok(&status))
        return status;
    uint64_t count = count_of(&fixpoint.sweep);
    *report = (StoredReport){.sweeps = fixpoint.course.sweeps,
                             .info = {.game = "yut",
                                      .count = count,
                                      .value_bytes = bytes,
                                      .block_values = block_values_for(bytes, count),
                                      .meaning = TABLE_CHANCE,
                                      .error = fixpoint.error + rounding}};
    name_rules(rules, report->info.rules);
    status = write_table(&fixpoint, job, &report->info);
    fixpoint_close(&fixpoint);
    if (status_is_ok(&status) && job->checkpoint)
        checkpoint_remove(job->checkpoint);
    return status;
}

/* --- reading --- */

typedef struct StoredStarts {
    Placements placements;
    int sides;
    const Table *table;
    Table *owned; /* the same table if it is to be closed too, else NULL */
    TableReader *reader;
} StoredStarts;

static Status read_code(const StoredStarts *stored, int side, uint32_t own, uint32_t other,
                        double *value) {
    uint64_t count = stored->placements.count;
    uint64_t number = ((uint64_t)side * count + other) * count + own;
    uint32_t code;
    Status status = table_get(stored->reader, number, &code);
    *value = table_chance(code, table_info(stored->table)->value_bytes);
    return status;
}

static Status value_in_table(const YutStarts *starts, const YutState *state, double *value) {
    const StoredStarts *stored = starts->source;
    int player = state->turn;
    return read_code(stored, stored->sides == 2 ? player : 0,
                     placement_rank(&stored->placements, state->pieces[player]),
                     placement_rank(&stored->placements, state->pieces[1 - player]), value);
}

static void close_without_table(StoredStarts *stored) {
    if (stored->reader)
        table_reader_close(stored->reader);
    placements_close(&stored->placements);
    free(stored);
}

static void close_with_table(YutStarts *starts) {
    StoredStarts *stored = starts->source;
    Table *table = stored->owned;
    close_without_table(stored);
    table_close(table);
}

static Status check_count(const Table *table, const StoredStarts *stored) {
    uint64_t count = (uint64_t)stored->placements.count * stored->placements.count;
    if (table_info(table)->count != count * (uint64_t)stored->sides ||
        table_info(table)->meaning != TABLE_CHANCE)
        return status_make(STATUS_TABLE, "the table is not one of yut's chances");
    return status_ok();
}

static Status open_starts(const Rules *rules, const Table *table, StoredStarts **result) {
    const size_t cache_bytes = 16 << 20;
    YutRules yut = yut_rules(rules);
    StoredStarts *stored = calloc(1, sizeof *stored);
    if (!stored)
        return status_make(STATUS_FAILED, "out of memory");
    stored->sides = yut.animals[0] == yut.animals[1] ? 1 : 2;
    stored->table = table;
    Status status = placements_open(yut.pieces, &stored->placements);
    if (status_is_ok(&status))
        status = check_count(table, stored);
    if (status_is_ok(&status))
        status = table_reader_open(table, cache_bytes, &stored->reader);
    if (!status_is_ok(&status)) {
        close_without_table(stored);
        return status;
    }
    *result = stored;
    return status;
}

/* Opens a solver over the table that searches turns to within `tolerance`. `owned` is the table if
 * the solver is to close it, else NULL. */
static Status open_solver(const Rules *rules, const Table *table, Table *owned, double tolerance,
                          const SolveLimits *limits, Solver **solver) {
    StoredStarts *stored;
    Status status = open_starts(rules, table, &stored);
    if (!status_is_ok(&status))
        return status;
    stored->owned = owned;
    double error = table_info(table)->error;
    YutStarts starts = {
        .source = stored, .error = error, .value = value_in_table, .close = close_with_table};
    status = yut_solver_over(rules, starts, "table", tolerance, limits, solver);
    if (!status_is_ok(&status))
        close_without_table(stored);
    return status;
}

static Status open_stored(const Rules *rules, Table *table, const SolveLimits *limits,
                          Solver **solver) {
    double tolerance = table_info(table)->error / YUT_SEARCH_SHARE;
    return open_solver(rules, table, table, tolerance, limits, solver);
}

/* --- verifying --- */

/* A random legal position at the start of a turn, with nothing pending. */
static State random_start(const Rules *rules, const Placements *placements, Random *random) {
    YutRules yut = yut_rules(rules);
    for (;;) {
        int side = (int)random_below(random, 2);
        uint32_t own = (uint32_t)random_below(random, placements->count - 1);
        uint32_t other = (uint32_t)random_below(random, placements->count - 1);
        YutState state = {.turn = (uint8_t)side, .throws = 1};
        memcpy(state.pieces[side], placements->squares[own], (size_t)yut.pieces);
        memcpy(state.pieces[1 - side], placements->squares[other], (size_t)yut.pieces);
        State packed = yut_state_pack(&state);
        Status status = yut_check(rules, &packed);
        if (status_is_ok(&status))
            return packed;
    }
}

/* The right-hand side of a start's equation: the mean value over the possible throws. `within` is
 * the mean of their errors. */
static Status expected_value(const Rules *rules, Solver *solver, const State *state, double *value,
                             double *within) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    int player = yut_turn(rules, state);
    size_t count = yut_chances(rules, state, chances, &whole);
    *value = *within = 0;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        double values[2], chance = (double)chances[i].weight / (double)whole;
        yut_apply(rules, &next, chances[i].move);
        solver->widening = 0;
        Status status = solver->values(solver, &next, values);
        if (!status_is_ok(&status))
            return status;
        *value += chance * values[player];
        *within += chance * (solver->error + solver->widening);
    }
    return status_ok();
}

/* A sample of equations, checked by several threads. `lock` guards *report. */
typedef struct Sample {
    const Rules *rules;
    const Placements *placements;
    Solver *const *solvers; /* [thread] */
    uint64_t seed;
    pthread_mutex_t lock;
    VerifyReport *report;
} Sample;

/* Compares the value of random start number i with the right-hand side of its equation. */
static Status check_equation(void *context, size_t i, int thread) {
    Sample *sample = context;
    VerifyReport *report = sample->report;
    Solver *solver = sample->solvers[thread];
    Random random = random_from_seed(sample->seed, i);
    State state = random_start(sample->rules, sample->placements, &random);
    double values[2], expected = 0, within = 0;
    Status status = solver->values(solver, &state, values);
    if (status_is_ok(&status))
        status = expected_value(sample->rules, solver, &state, &expected, &within);
    if (!status_is_ok(&status))
        return status;
    double off = fabs(expected - values[yut_turn(sample->rules, &state)]);
    pthread_mutex_lock(&sample->lock);
    report->checked++;
    report->residual = fmax(report->residual, off);
    report->within = fmax(report->within, within);
    pthread_mutex_unlock(&sample->lock);
    return status;
}

/* Checks `count` equations in parallel. */
static Status check_equations(Sample *sample, uint64_t count, const SolveLimits *limits) {
    pthread_mutex_init(&sample->lock, NULL);
    progress_start(limits->progress, "verifying");
    Status status = threads_try(limits->threads, &(ThreadLoop){.count = count,
                                                               .step = check_equation,
                                                               .context = sample,
                                                               .stop = limits->stop,
                                                               .progress = limits->progress});
    progress_finish(limits->progress);
    pthread_mutex_destroy(&sample->lock);
    return status;
}

/* The memory limit per thread. With more, the few turns with tens of millions of states would take
 * minutes each, only to check a rare throw of an equation slightly better. */
#define SAMPLE_BYTES_MAX ((size_t)2 << 30)

static Status verify_sample(const Rules *rules, const Table *table, uint64_t sample, uint64_t seed,
                            const SolveLimits *limits, VerifyReport *report) {
    /* Finer than queries need: the remaining error of a search does not count against the table. */
    const double tolerance = table_info(table)->error / 100;
    Placements placements;
    SolveLimits share = *limits;
    share.memory_bytes /= (size_t)limits->threads;
    if (share.memory_bytes > SAMPLE_BYTES_MAX)
        share.memory_bytes = SAMPLE_BYTES_MAX;
    Status status = placements_open(yut_rules(rules).pieces, &placements);
    if (!status_is_ok(&status))
        return status;
    Solver **solvers = calloc((size_t)limits->threads, sizeof(Solver *));
    if (!solvers)
        status = status_make(STATUS_FAILED, "out of memory");
    for (int i = 0; i < limits->threads && status_is_ok(&status); i++)
        status = open_solver(rules, table, NULL, tolerance, &share, &solvers[i]);
    if (status_is_ok(&status))
        status = check_equations(&(Sample){.rules = rules,
                                           .placements = &placements,
                                           .solvers = solvers,
                                           .seed = seed,
                                           .report = report},
                                 sample, limits);
    if (report->within > 0)
        report->within -= table_info(table)->error; /* of the values, not of the equations */
    for (int i = 0; solvers && i < limits->threads; i++)
        if (solvers[i])
            solvers[i]->free(solvers[i]);
    free(solvers);
    placements_close(&placements);
    return status;
}

/* Verifies the whole table: checks all equations, and proves the error that follows. */
static Status verify_all(const Rules *rules, const Table *table, const SolveLimits *limits,
                         VerifyReport *report) {
    YutRules yut = yut_rules(rules);
    Fixpoint fixpoint;
    StoredStarts *stored;
    Status status = open_starts(rules, table, &stored);
    if (!status_is_ok(&status))
        return status;
    uint64_t memory, disk;
    status = needs(rules, table_info(table)->error, limits, 1, &memory, &disk);
    if (status_is_ok(&status) && memory > limits->memory_bytes)
        status = status_make(STATUS_UNSUPPORTED,
                             "verifying all of it needs %.0f MB, more than the memory limit of "
                             "%.0f MB (--memory); --sample needs little",
                             (double)memory / (1 << 20), (double)limits->memory_bytes / (1 << 20));
    if (status_is_ok(&status))
        status = fixpoint_open_empty(&yut, table_info(table)->error, limits, &fixpoint);
    if (!status_is_ok(&status)) {
        close_without_table(stored);
        return status;
    }
    const Sweep *sweep = &fixpoint.sweep;
    const Placements *placements = &sweep->placements;
    for (int side = 0; side < sweep->sides; side++)
        for (uint32_t other = 0; other < placements->count; other++)
            for (uint32_t own = 0; own < placements->count && status_is_ok(&status); own++) {
                double value = 0;
                status = read_code(stored, side, own, other, &value);
                sweep_values(sweep, side)[sweep_index(sweep, own, other)] =
                    (int32_t)(value * SWEEP_ONE + 0.5);
                report->checked += own + 1 < placements->count && other + 1 < placements->count &&
                                   is_position(placements, own, other);
            }
    if (status_is_ok(&status))
        status = fixpoint_prove(&fixpoint, limits, &report->residual);
    report->is_proof = fixpoint.error < 1; /* it stays 1 if the proof failed */
    report->error = fixpoint.error;
    fixpoint_close(&fixpoint);
    close_without_table(stored);
    return status;
}

static Status verify(const Rules *rules, const Table *table, uint64_t sample, uint64_t seed,
                     const SolveLimits *limits, VerifyReport *report) {
    *report = (VerifyReport){.checked = 0};
    return sample > 0 ? verify_sample(rules, table, sample, seed, limits, report)
                      : verify_all(rules, table, limits, report);
}

const GameStored yut_stored = {.rounds = "sweeps",
                               .check = check,
                               .usual_error = usual_error,
                               .seconds = seconds,
                               .quick_variants = quick_variants,
                               .needs = needs,
                               .solve = solve,
                               .open = open_stored,
                               .verify = verify};
