#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "table/block.h"
#include "table/content.h"
#include "table/inner.h"

enum { ROUND_VALUES = 1 << 20 }; /* about so many are unpacked side by side, then summed in order */

/* What one thread fetches with. */
typedef struct Worker {
    TableFetch fetch;
    uint8_t *planes;
    uint32_t block; /* the one it is at */
    Status status;
} Worker;

/* The memory for a round. */
typedef struct Bench {
    Worker *workers;
    int threads;
    uint32_t round_blocks;
    uint32_t *codes;
    Content *content;
} Bench;

static void bench_close(Bench *bench) {
    for (int i = 0; bench->workers && i < bench->threads; i++) {
        table_fetch_close(&bench->workers[i].fetch);
        free(bench->workers[i].planes);
    }
    free(bench->workers);
    free(bench->codes);
    content_close(bench->content);
}

/* At least a block for each thread, no more than there are. */
static uint32_t round_size(const Table *table, int threads) {
    uint32_t blocks = ROUND_VALUES / table->info.block_values;
    if (blocks < (uint32_t)threads)
        blocks = (uint32_t)threads;
    return blocks < table->blocks ? blocks : table->blocks;
}

static bool bench_open(Bench *bench, const Table *table, int threads) {
    size_t block_bytes = table_block_bytes(table);
    uint32_t round_blocks = round_size(table, threads);
    *bench = (Bench){
        .workers = calloc((size_t)threads, sizeof *bench->workers),
        .threads = threads,
        .round_blocks = round_blocks,
        .codes = calloc((size_t)round_blocks * table->info.block_values + 1, sizeof *bench->codes),
        .content = content_open()};
    bool good = bench->workers && bench->codes && bench->content;
    for (int i = 0; good && i < threads; i++) {
        bench->workers[i].planes = malloc(block_bytes + 1);
        good = table_fetch_open(&bench->workers[i].fetch, table) && bench->workers[i].planes;
    }
    if (!good)
        bench_close(bench);
    return good;
}

/* The values of a block, put where they belong in the round that begins with block `first`. */
static Status unpack(const Table *table, Worker *worker, uint32_t first, uint32_t block,
                     uint32_t *codes) {
    size_t values = format_values_in(&table->info, block);
    Status status = table_fetch_block(table, &worker->fetch, block, worker->planes);
    if (status_is_ok(&status))
        block_codes(worker->planes, values, table->info.value_bytes, 0, values,
                    codes + (size_t)(block - first) * table->info.block_values);
    return status;
}

/* Thread `i` of n takes every nth block of the round, until one is bad. */
static void work(const Table *table, Bench *bench, int i, uint32_t first, uint32_t last) {
    Worker *worker = &bench->workers[i];
    worker->status = status_ok();
    for (uint64_t block = (uint64_t)first + (uint64_t)i;
         block < last && status_is_ok(&worker->status); block += (uint64_t)bench->threads) {
        worker->block = (uint32_t)block;
        worker->status = unpack(table, worker, first, worker->block, bench->codes);
    }
}

/* What is wrong with the first of the bad blocks, however many threads looked. */
static Status first_failure(const Bench *bench) {
    const Worker *failed = NULL;
    for (const Worker *worker = bench->workers; worker < bench->workers + bench->threads; worker++)
        if (!status_is_ok(&worker->status) && (!failed || worker->block < failed->block))
            failed = worker;
    return failed ? failed->status : status_ok();
}

/* Checks the blocks from `first` to before `last`. */
static Status check_round(const Table *table, Bench *bench, uint32_t first, uint32_t last) {
#pragma omp parallel for num_threads(bench->threads)
    for (int i = 0; i < bench->threads; i++)
        work(table, bench, i, first, last);
    Status status = first_failure(bench);
    if (!status_is_ok(&status))
        return status;
    /* Only the last block of all is shorter than the others. */
    size_t values = (size_t)(last - first - 1) * table->info.block_values +
                    format_values_in(&table->info, last - 1);
    content_add(bench->content, bench->codes, values);
    return status;
}

Status table_verify(const Table *table, int threads, Progress *progress, const StopFlag *stop) {
    assert(threads >= 1);
    Bench bench;
    if (!bench_open(&bench, table, threads))
        return table_no_memory(table);
    Status status = status_ok();
    uint32_t blocks = table->blocks;
    progress_start(progress, "checking");
    for (uint32_t first = 0, last; first < blocks && status_is_ok(&status); first = last) {
        last = blocks - first < bench.round_blocks ? blocks : first + bench.round_blocks;
        if (stop && *stop)
            status = status_make(STATUS_STOPPED, "stopped");
        else
            status = check_round(table, &bench, first, last);
        progress_report(progress, last, blocks);
    }
    progress_finish(progress);
    if (status_is_ok(&status) && content_sum(bench.content) != table->info.content)
        status =
            status_make(STATUS_TABLE, "the table %s is damaged: its values fail their checksum",
                        table->name.text);
    bench_close(&bench);
    return status;
}
