/* All positions of King's Valley in a table: solving, writing, verifying. */
#include <omp.h>
#include <stdlib.h>

#include "game/stored.h"
#include "games/valley/solve/solver.h"
#include "kernel/checkpoint.h"
#include "table/writer.h"

static Status check(const Rules *rules) {
    (void)rules;
    return status_ok();
}

static double usual_error(const Rules *rules) {
    (void)rules;
    return 0; /* values are exact */
}

/* As in docs/results.md, rounded up. */
static double seconds(const Rules *rules) {
    static const double by_soldiers[] = {0.1, 0.1, 1, 25, 10 * 60};
    return by_soldiers[valley_rules(rules).soldiers];
}

static const char *const quick_variants[] = {"--soldiers 0", "--soldiers 1", "--soldiers 2", NULL};

static ValleyRetro *open_retro(const Rules *rules) {
    ValleyRetro *retro = malloc(sizeof *retro);
    if (retro)
        valley_retro_init(retro, valley_rules(rules).soldiers);
    return retro;
}

static Status needs(const Rules *rules, double error, const SolveLimits *limits, uint64_t *memory,
                    uint64_t *disk) {
    (void)error;
    ValleyRetro *retro = open_retro(rules);
    if (!retro)
        return status_make(STATUS_FAILED, "out of memory");
    uint64_t codes = (uint64_t)retro->base.block_count * retro->base.block_size;
    *memory = retrograde_bytes(&retro->base, limits->threads);
    *disk = 2 * codes; /* a checkpoint and the one that replaces it; a table is smaller */
    free(retro);
    return status_ok();
}

/* --- solving --- */

static Status write_table(const uint8_t codes[], const StoredJob *job, TableInfo *info) {
    enum { AT_ONCE = 1 << 16 };
    TableWriter *writer;
    uint32_t *wide = malloc(AT_ONCE * sizeof *wide);
    if (!wide)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = table_writer_open(job->path, info, job->limits->threads, &writer);
    if (!status_is_ok(&status)) {
        free(wide);
        return status;
    }
    progress_start(job->limits->progress, "writing");
    for (uint64_t first = 0; first < info->count && status_is_ok(&status); first += AT_ONCE) {
        size_t count = info->count - first < AT_ONCE ? (size_t)(info->count - first) : AT_ONCE;
        for (size_t i = 0; i < count; i++)
            wide[i] = codes[first + i];
        status = table_writer_add(writer, wide, count);
        progress_report(job->limits->progress, first + count, info->count);
    }
    progress_finish(job->limits->progress);
    free(wide);
    if (!status_is_ok(&status)) {
        table_writer_abandon(writer);
        return status;
    }
    return table_writer_finish(writer, &info->content);
}

static Status solve(const Rules *rules, const StoredJob *job, StoredReport *report) {
    enum { BLOCK_VALUES = 4096 };
    Variant variant = {.game = &valley_game, .rules = *rules};
    char name[TABLE_RULES_BYTES + 16];
    RetroResult solved;
    ValleyRetro *retro = open_retro(rules);
    if (!retro)
        return status_make(STATUS_FAILED, "out of memory");
    *report =
        (StoredReport){.info = {.game = "valley",
                                .count = (uint64_t)retro->base.block_count * retro->base.block_size,
                                .value_bytes = 1,
                                .block_values = BLOCK_VALUES,
                                .meaning = TABLE_CODE}};
    Text text = text_over(report->info.rules, sizeof report->info.rules);
    variant_print(&variant, &text);
    snprintf(name, sizeof name, "valley 1 %s", report->info.rules);
    RetroCheckpoint checkpoint = {
        .path = job->checkpoint, .name = name, .interval_s = job->checkpoint_s};
    Status status =
        retrograde_run(&retro->base, job->limits, job->checkpoint ? &checkpoint : NULL, &solved);
    free(retro);
    if (!status_is_ok(&status))
        return status;
    report->sweeps = solved.waves;
    valley_codes_finish(solved.codes, solved.bytes);
    status = write_table(solved.codes, job, &report->info);
    retrograde_free(&solved);
    if (status_is_ok(&status) && job->checkpoint)
        checkpoint_remove(job->checkpoint);
    return status;
}

static Status open_stored(const Rules *rules, Table *table, const SolveLimits *limits,
                          Solver **solver) {
    (void)limits;
    return valley_solver_over_table(rules, table, solver);
}

/* --- verifying --- */

/* Whether a place has a code that means something. */
static bool has_code(const Numbers *numbers, uint32_t block, uint32_t place, ValleyBoard *board) {
    const NumbersBlock *one = &numbers->blocks[block];
    uint32_t images;
    numbers_board(numbers, block, place, board, VALLEY_WHITE);
    return (!one->mirror || numbers_place(numbers, one, board->soldiers[0], board->soldiers[1],
                                          &images) == place) &&
           valley_end(board, VALLEY_WHITE) == VALLEY_GOES_ON &&
           !valley_can_win(board, VALLEY_WHITE);
}

/* Compares a position's code with that of its moves. */
static StatusCode verify_place(const ValleyCodes *codes, const ValleyBoard *board,
                               VerifyReport *report) {
    uint32_t found = 0, expected = 0;
    StatusCode failed = valley_code(codes, board, VALLEY_WHITE, &found);
    if (!failed)
        failed = valley_code_by_moves(codes, board, VALLEY_WHITE, &expected);
    if (failed)
        return failed;
    report->checked++;
    if (found != expected)
        report->residual = 1;
    return STATUS_OK;
}

static Status verify_sample(ValleyCodes *codes, const Table *table, uint64_t sample, uint64_t seed,
                            const SolveLimits *limits, VerifyReport *report) {
    Random random = random_from_seed(seed, 0);
    Status status = table_reader_open(table, 16 << 20, &codes->reader);
    if (!status_is_ok(&status))
        return status;
    progress_start(limits->progress, "verifying");
    while (report->checked < sample && status_is_ok(&status)) {
        ValleyBoard board;
        uint32_t block = (uint32_t)random_below(&random, NUMBERS_BLOCKS);
        uint32_t place = (uint32_t)random_below(&random, codes->numbers.block_size);
        if (!has_code(&codes->numbers, block, place, &board))
            continue;
        if (verify_place(codes, &board, report) != STATUS_OK)
            status = valley_codes_failure(codes);
        progress_report(limits->progress, report->checked, sample);
        if (status_is_ok(&status) && limits->stop && *limits->stop)
            status = status_make(STATUS_STOPPED, "stopped");
    }
    progress_finish(limits->progress);
    table_reader_close(codes->reader);
    return status;
}

/* Reads all codes of the table into memory that the caller frees, also after a failure. */
static Status read_all(const Table *table, const StopFlag *stop, uint8_t **bytes) {
    enum { AT_ONCE = 1 << 16 };
    uint64_t count = table_info(table)->count;
    uint32_t *wide = malloc(AT_ONCE * sizeof *wide);
    TableReader *reader = NULL;
    *bytes = malloc(count);
    Status status = wide && *bytes ? table_reader_open(table, 0, &reader)
                                   : status_make(STATUS_FAILED, "out of memory");
    for (uint64_t first = 0; first < count && status_is_ok(&status); first += AT_ONCE) {
        size_t size = count - first < AT_ONCE ? (size_t)(count - first) : AT_ONCE;
        status = table_read(reader, first, size, wide);
        for (size_t i = 0; i < size; i++)
            (*bytes)[first + i] = (uint8_t)wide[i];
        if (status_is_ok(&status) && stop && *stop)
            status = status_make(STATUS_STOPPED, "stopped");
    }
    if (reader)
        table_reader_close(reader);
    free(wide);
    return status;
}

/* Verifies all positions of a block; stops early if the flag is set. */
static bool verify_block(const ValleyCodes *codes, uint32_t block, const StopFlag *stop,
                         VerifyReport *report) {
    enum { STOP_EVERY = 1 << 16 };
    for (uint32_t place = 0; place < codes->numbers.block_size; place++) {
        ValleyBoard board;
        if (place % STOP_EVERY == 0 && stop && *stop)
            return false;
        if (has_code(&codes->numbers, block, place, &board))
            (void)verify_place(codes, &board, report); /* in memory, so it cannot fail */
    }
    return true;
}

static Status verify_all(ValleyCodes *codes, const Table *table, const SolveLimits *limits,
                         VerifyReport *report) {
    const uint64_t count = table_info(table)->count;
    uint8_t *bytes = NULL;
    uint64_t done = 0;
    if (count > limits->memory_bytes)
        return status_make(STATUS_UNSUPPORTED,
                           "verifying all of it needs %.0f MB, more than the memory limit of "
                           "%.0f MB (--memory); --sample needs little",
                           (double)count / (1 << 20), (double)limits->memory_bytes / (1 << 20));
    Status status = read_all(table, limits->stop, &bytes);
    if (!status_is_ok(&status)) {
        free(bytes);
        return status;
    }
    codes->bytes = bytes;
    bool is_stopped = false;
    progress_start(limits->progress, "verifying");
#pragma omp parallel for num_threads(limits->threads) schedule(dynamic)
    for (uint32_t block = 0; block < NUMBERS_BLOCKS; block++) {
        VerifyReport part = {.checked = 0};
        bool is_whole = verify_block(codes, block, limits->stop, &part);
#pragma omp critical
        {
            is_stopped = is_stopped || !is_whole;
            report->checked += part.checked;
            report->residual = part.residual > 0 ? part.residual : report->residual;
            progress_report(limits->progress, ++done, NUMBERS_BLOCKS);
        }
    }
    progress_finish(limits->progress);
    free(bytes);
    codes->bytes = NULL;
    if (is_stopped)
        return status_make(STATUS_STOPPED, "stopped");
    report->is_proof = true;
    report->error = report->residual;
    return status_ok();
}

static Status verify(const Rules *rules, const Table *table, uint64_t sample, uint64_t seed,
                     const SolveLimits *limits, VerifyReport *report) {
    ValleyCodes *codes = calloc(1, sizeof *codes);
    *report = (VerifyReport){.checked = 0};
    if (!codes)
        return status_make(STATUS_FAILED, "out of memory");
    numbers_init(&codes->numbers, valley_rules(rules).soldiers);
    Status status = valley_check_table(table, &codes->numbers);
    if (status_is_ok(&status))
        status = sample > 0 ? verify_sample(codes, table, sample, seed, limits, report)
                            : verify_all(codes, table, limits, report);
    free(codes);
    return status;
}

const GameStored valley_stored = {.rounds = "waves",
                                  .check = check,
                                  .usual_error = usual_error,
                                  .seconds = seconds,
                                  .quick_variants = quick_variants,
                                  .needs = needs,
                                  .solve = solve,
                                  .open = open_stored,
                                  .verify = verify};
