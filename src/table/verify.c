#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "table/block.h"
#include "table/content_hash.h"
#include "table/internal.h"

enum { ROUND_VALUES = 1 << 20 }; /* about so many are unpacked in parallel, then hashed in order */

/* The buffers of one thread, which alone accesses them during a round. */
typedef struct Worker {
    BlockFetcher fetch;
    uint8_t *planes;
    uint32_t block; /* the block it is checking */
    Status status;
} Worker;

/* Threads write to disjoint parts of `codes`; the calling thread alone hashes them between rounds.
 */
typedef struct Verifier {
    Worker *workers;
    int threads;
    uint32_t round_blocks;
    uint32_t *codes;
    ContentHash *content;
} Verifier;

static void verifier_close(Verifier *verifier) {
    for (int i = 0; verifier->workers && i < verifier->threads; i++) {
        fetcher_close(&verifier->workers[i].fetch);
        free(verifier->workers[i].planes);
    }
    free(verifier->workers);
    free(verifier->codes);
    content_hash_close(verifier->content);
}

/* Blocks per round: at least one for each thread, at most all. */
static uint32_t round_size(const Table *table, int threads) {
    uint32_t blocks = ROUND_VALUES / table->info.block_values;
    if (blocks < (uint32_t)threads)
        blocks = (uint32_t)threads;
    return blocks < table->blocks ? blocks : table->blocks;
}

static bool verifier_open(Verifier *verifier, const Table *table, int threads) {
    size_t block_bytes = table_block_bytes(table);
    uint32_t round_blocks = round_size(table, threads);
    *verifier = (Verifier){.workers = calloc((size_t)threads, sizeof *verifier->workers),
                           .threads = threads,
                           .round_blocks = round_blocks,
                           .codes = calloc((size_t)round_blocks * table->info.block_values + 1,
                                           sizeof *verifier->codes),
                           .content = content_hash_open()};
    bool good = verifier->workers && verifier->codes && verifier->content;
    for (int i = 0; good && i < threads; i++) {
        verifier->workers[i].planes = malloc(block_bytes + 1);
        good = fetcher_open(&verifier->workers[i].fetch, table) && verifier->workers[i].planes;
    }
    if (!good)
        verifier_close(verifier);
    return good;
}

/* Unpacks a block to its position in the round that begins with block `first`. */
static Status unpack_block(const Table *table, Worker *worker, uint32_t first, uint32_t block,
                           uint32_t *codes) {
    size_t values = format_block_length(&table->info, block);
    Status status = fetcher_read_block(table, &worker->fetch, block, worker->planes);
    if (status_is_ok(&status))
        block_decode_range(worker->planes, values, table->info.value_bytes, 0, values,
                           codes + (size_t)(block - first) * table->info.block_values);
    return status;
}

/* Thread `i` of n unpacks every nth block of the round, until one is damaged. */
static void unpack_share(const Table *table, Verifier *verifier, int i, uint32_t first,
                         uint32_t last) {
    Worker *worker = &verifier->workers[i];
    worker->status = status_ok();
    for (uint64_t block = (uint64_t)first + (uint64_t)i;
         block < last && status_is_ok(&worker->status); block += (uint64_t)verifier->threads) {
        worker->block = (uint32_t)block;
        worker->status = unpack_block(table, worker, first, worker->block, verifier->codes);
    }
}

/* The error of the first damaged block, whatever the number of threads. */
static Status first_failure(const Verifier *verifier) {
    const Worker *failed = NULL;
    for (const Worker *worker = verifier->workers; worker < verifier->workers + verifier->threads;
         worker++)
        if (!status_is_ok(&worker->status) && (!failed || worker->block < failed->block))
            failed = worker;
    return failed ? failed->status : status_ok();
}

/* Checks the blocks from `first` up to, but not including, `last`. */
static Status check_round(const Table *table, Verifier *verifier, uint32_t first, uint32_t last) {
#pragma omp parallel for num_threads(verifier->threads)
    for (int i = 0; i < verifier->threads; i++)
        unpack_share(table, verifier, i, first, last);
    Status status = first_failure(verifier);
    if (!status_is_ok(&status))
        return status;
    /* Only the last block of all is shorter than the others. */
    size_t values = (size_t)(last - first - 1) * table->info.block_values +
                    format_block_length(&table->info, last - 1);
    content_hash_add(verifier->content, verifier->codes, values);
    return status;
}

Status table_verify(const Table *table, int threads, Progress *progress, const StopFlag *stop) {
    assert(threads >= 1);
    Verifier verifier;
    if (!verifier_open(&verifier, table, threads))
        return table_out_of_memory(table);
    Status status = status_ok();
    uint32_t blocks = table->blocks;
    progress_start(progress, "checking");
    for (uint32_t first = 0, last; first < blocks && status_is_ok(&status); first = last) {
        last = blocks - first < verifier.round_blocks ? blocks : first + verifier.round_blocks;
        if (stop && *stop)
            status = status_make(STATUS_STOPPED, "stopped");
        else
            status = check_round(table, &verifier, first, last);
        progress_report(progress, last, blocks);
    }
    progress_finish(progress);
    if (status_is_ok(&status) && content_hash_digest(verifier.content) != table->info.content)
        status =
            status_make(STATUS_TABLE, "the table %s is damaged: its values fail their checksum",
                        table->name.text);
    verifier_close(&verifier);
    return status;
}
