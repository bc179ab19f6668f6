/* King's Valley's part of `malpan solve` and `malpan verify` (game/stored.h): solves all positions,
 * writes their codes to a table, and verifies the equation of every position going forward.
 *
 * A stop request ends the analysis and the verification, but not the writing of a finished
 * analysis: that takes seconds, and stopping it would lose the work since the last checkpoint.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/threads.h"
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

static ValleyRetrograde *new_retrograde(const Rules *rules) {
    ValleyRetrograde *retro = malloc(sizeof *retro);
    if (retro)
        valley_retrograde_init(retro, valley_rules(rules).soldiers);
    return retro;
}

static Status needs(const Rules *rules, double error, const SolveLimits *limits, int ranks,
                    uint64_t *memory, uint64_t *disk) {
    (void)error;
    ValleyRetrograde *retro = new_retrograde(rules);
    if (!retro)
        return status_make(STATUS_FAILED, "out of memory");
    uint64_t code_bytes = (uint64_t)retro->base.block_count * retro->base.block_size;
    *memory = retrograde_bytes(&retro->base, limits->threads, ranks);
    *disk = 2 * code_bytes; /* a checkpoint and the one that replaces it; the table is smaller */
    free(retro);
    return status_ok();
}

/* --- solving --- */

/* Adds all codes to the table, as they come in. */
static Status add_codes(RetroTransfer *transfer, const StoredJob *job, const TableInfo *info,
                        TableWriter *writer) {
    uint8_t codes[RETRO_PIECE_BYTES], last = VALLEY_ENDLESS_CODE;
    uint32_t *wide = malloc(RETRO_PIECE_BYTES * sizeof *wide);
    Status status = wide ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    progress_start(job->limits->progress, "writing");
    while (transfer->left > 0 && status_is_ok(&status)) {
        size_t count =
            transfer->left < RETRO_PIECE_BYTES ? (size_t)transfer->left : RETRO_PIECE_BYTES;
        retro_transfer_move(transfer, codes, count);
        last = tablebase_finish_codes(codes, count, last);
        for (size_t i = 0; i < count; i++)
            wide[i] = codes[i];
        status = table_writer_add(writer, wide, count);
        progress_report(job->limits->progress, info->count - transfer->left, info->count);
    }
    progress_finish(job->limits->progress);
    free(wide);
    return status;
}

static Status write_table(RetroTransfer *transfer, const StoredJob *job, TableInfo *info) {
    TableWriter *writer;
    Status status = table_writer_open(job->path, info, job->limits->threads, &writer);
    if (!status_is_ok(&status))
        return status;
    status = add_codes(transfer, job, info, writer);
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
    ValleyRetrograde *retro = new_retrograde(rules);
    if (!retro)
        return status_make(STATUS_FAILED, "out of memory");
    *report =
        (StoredReport){.info = {.game = "valley",
                                .count = (uint64_t)retro->base.block_count * retro->base.block_size,
                                .value_bytes = 1,
                                .block_values = BLOCK_VALUES,
                                .meaning = TABLE_CODE}};
    Text text = text_over(report->info.rules, sizeof report->info.rules);
    variant_print_for_table(&variant, &text);
    snprintf(name, sizeof name, "valley 2 %s", report->info.rules);
    RetroCheckpoint checkpoint = {
        .path = job->checkpoint, .name = name, .interval_s = job->checkpoint_s};
    Status status = retrograde_run(&retro->base, job->limits, job->exchange,
                                   job->checkpoint ? &checkpoint : NULL, &solved);
    free(retro);
    if (!status_is_ok(&status))
        return status;
    report->sweeps = solved.waves;
    RetroTransfer transfer =
        retro_transfer_begin(&solved.layout, job->exchange, solved.codes, false);
    bool is_root = exchange_is_root(job->exchange);
    if (is_root)
        status = write_table(&transfer, job, &report->info);
    retro_transfer_finish(&transfer);
    retrograde_free(&solved);
    if (is_root && status_is_ok(&status) && job->checkpoint)
        checkpoint_remove(job->checkpoint);
    return exchange_agree(job->exchange, status);
}

static Status open_stored(const Rules *rules, Table *table, const SolveLimits *limits,
                          Solver **solver) {
    return valley_solver_over_table(rules, table, limits, solver);
}

/* --- verifying --- */

/* Whether the table has a meaningful code at an index: it is used, the game goes on there, and
 * there is no win in one. Sets the board. */
static bool has_code(const Ranking *ranking, uint32_t block, uint32_t index, ValleyBoard *board) {
    const RankingBlock *one = &ranking->blocks[block];
    uint32_t self_images;
    unrank_board(ranking, block, index, board, VALLEY_WHITE);
    return (!one->mirror || rank_soldiers(ranking, one, board->soldiers[0], board->soldiers[1],
                                          &self_images) == index) &&
           valley_end(board, VALLEY_WHITE) == VALLEY_ONGOING &&
           !valley_can_win(board, VALLEY_WHITE);
}

/* Compares the code of a position with the one that follows from its moves. */
static StatusCode verify_position(const ValleyTablebase *tablebase, const ValleyBoard *board,
                                  VerifyReport *report) {
    uint32_t found = 0, expected = 0;
    StatusCode failed = tablebase_probe_board(tablebase, board, VALLEY_WHITE, &found);
    if (!failed)
        failed = tablebase_derive_code(tablebase, board, VALLEY_WHITE, &expected);
    if (failed)
        return failed;
    report->checked++;
    if (found != expected)
        report->residual = 1;
    return STATUS_OK;
}

static Status verify_sample(ValleyTablebase *tablebase, const Table *table, uint64_t sample,
                            uint64_t seed, const SolveLimits *limits, VerifyReport *report) {
    Random random = random_from_seed(seed, 0);
    Status status = table_reader_open(table, 16 << 20, &tablebase->reader);
    if (!status_is_ok(&status))
        return status;
    progress_start(limits->progress, "verifying");
    while (report->checked < sample && status_is_ok(&status)) {
        ValleyBoard board;
        uint32_t block = (uint32_t)random_below(&random, RANK_BLOCKS);
        uint32_t index = (uint32_t)random_below(&random, tablebase->ranking.block_size);
        if (!has_code(&tablebase->ranking, block, index, &board))
            continue;
        if (verify_position(tablebase, &board, report) != STATUS_OK)
            status = tablebase_failure(tablebase);
        progress_report(limits->progress, report->checked, sample);
        if (status_is_ok(&status) && limits->stop && *limits->stop)
            status = status_make(STATUS_STOPPED, "stopped");
    }
    progress_finish(limits->progress);
    table_reader_close(tablebase->reader);
    return status;
}

/* Reads all codes of the table into memory that the caller frees, also after a failure. */
static Status read_all(const Table *table, const StopFlag *stop, uint8_t **bytes) {
    enum { CHUNK = 1 << 16 };
    uint64_t count = table_info(table)->count;
    uint32_t *wide = malloc(CHUNK * sizeof *wide);
    TableReader *reader = NULL;
    *bytes = malloc(count);
    Status status = wide && *bytes ? table_reader_open(table, 0, &reader)
                                   : status_make(STATUS_FAILED, "out of memory");
    for (uint64_t first = 0; first < count && status_is_ok(&status); first += CHUNK) {
        size_t size = count - first < CHUNK ? (size_t)(count - first) : CHUNK;
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

/* A verification of all codes, shared by its threads. */
typedef struct Verification {
    const ValleyTablebase *tablebase;
    const StopFlag *stop;
    atomic_uint_fast64_t checked;
    atomic_bool is_wrong; /* a code does not follow from those after its moves */
} Verification;

static Status verify_block(void *context, size_t block, int thread) {
    enum { STOP_EVERY = 1 << 16 };
    Verification *verification = context;
    const ValleyTablebase *tablebase = verification->tablebase;
    const StopFlag *stop = verification->stop;
    VerifyReport part = {.checked = 0};
    (void)thread;
    for (uint32_t index = 0; index < tablebase->ranking.block_size; index++) {
        ValleyBoard board;
        if (index % STOP_EVERY == 0 && stop && *stop)
            return status_make(STATUS_STOPPED, "stopped");
        if (has_code(&tablebase->ranking, (uint32_t)block, index, &board))
            (void)verify_position(tablebase, &board, &part); /* codes in memory never fail */
    }
    atomic_fetch_add(&verification->checked, part.checked);
    if (part.residual > 0)
        atomic_store(&verification->is_wrong, true);
    return status_ok();
}

static Status verify_blocks(const ValleyTablebase *tablebase, const SolveLimits *limits,
                            VerifyReport *report) {
    Verification verification = {.tablebase = tablebase, .stop = limits->stop};
    progress_start(limits->progress, "verifying");
    Status status = threads_try(limits->threads, &(ThreadLoop){.count = RANK_BLOCKS,
                                                               .step = verify_block,
                                                               .context = &verification,
                                                               .progress = limits->progress});
    progress_finish(limits->progress);
    report->checked = verification.checked;
    report->residual = report->error = verification.is_wrong ? 1 : 0;
    report->is_proof = status_is_ok(&status);
    return status;
}

static Status verify_all(ValleyTablebase *tablebase, const Table *table, const SolveLimits *limits,
                         VerifyReport *report) {
    const uint64_t count = table_info(table)->count;
    uint8_t *bytes = NULL;
    if (count > limits->memory_bytes)
        return status_make(STATUS_UNSUPPORTED,
                           "verifying all of it needs %.0f MB, more than the memory limit of "
                           "%.0f MB (--memory); --sample needs little",
                           (double)count / (1 << 20), (double)limits->memory_bytes / (1 << 20));
    Status status = read_all(table, limits->stop, &bytes);
    if (status_is_ok(&status)) {
        tablebase->codes = bytes;
        status = verify_blocks(tablebase, limits, report);
        tablebase->codes = NULL;
    }
    free(bytes);
    return status;
}

static Status verify(const Rules *rules, const Table *table, uint64_t sample, uint64_t seed,
                     const SolveLimits *limits, VerifyReport *report) {
    ValleyTablebase *tablebase = calloc(1, sizeof *tablebase);
    *report = (VerifyReport){.checked = 0};
    if (!tablebase)
        return status_make(STATUS_FAILED, "out of memory");
    ranking_init(&tablebase->ranking, valley_rules(rules).soldiers);
    Status status = valley_check_table(table, &tablebase->ranking);
    if (status_is_ok(&status))
        status = sample > 0 ? verify_sample(tablebase, table, sample, seed, limits, report)
                            : verify_all(tablebase, table, limits, report);
    free(tablebase);
    return status;
}

const GameStored valley_stored = {.rounds = "waves",
                                  .check = check,
                                  .usual_error = usual_error,
                                  .seconds = seconds,
                                  .is_distributed = true,
                                  .quick_variants = quick_variants,
                                  .needs = needs,
                                  .solve = solve,
                                  .open = open_stored,
                                  .verify = verify};
