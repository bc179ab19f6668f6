#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/threads.h"
#include "table/block.h"
#include "table/content_hash.h"
#include "table/internal.h"

enum { ROUND_VALUES = 1 << 20 }; /* about so many are unpacked in parallel, then hashed in order */

/* The buffers of one thread, which alone accesses them during a round. */
typedef struct Worker {
    BlockFetcher fetch;
    uint8_t *planes;
} Worker;

/* Threads write to disjoint parts of `codes`; the calling thread alone hashes them between rounds.
 */
typedef struct Verifier {
    const Table *table;
    Worker *workers; /* [thread] */
    int threads;
    ThreadPool *pool;
    uint32_t round_blocks;
    uint32_t first; /* block of the round */
    uint32_t *codes;
    ContentHash *content;
} Verifier;

static void verifier_close(Verifier *verifier) {
    for (int i = 0; verifier->workers && i < verifier->threads; i++) {
        fetcher_close(&verifier->workers[i].fetch);
        free(verifier->workers[i].planes);
    }
    thread_pool_close(verifier->pool);
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
    *verifier = (Verifier){.table = table,
                           .workers = calloc((size_t)threads, sizeof *verifier->workers),
                           .threads = threads,
                           .pool = thread_pool_open(threads),
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

/* Unpacks block i of the round. */
static Status unpack_block(void *context, size_t i, int thread) {
    const Verifier *verifier = context;
    const Table *table = verifier->table;
    Worker *worker = &verifier->workers[thread];
    uint32_t block = verifier->first + (uint32_t)i;
    size_t values = format_block_length(&table->info, block);
    Status status = fetcher_read_block(table, &worker->fetch, block, worker->planes);
    if (status_is_ok(&status))
        block_decode_range(worker->planes, values, table->info.value_bytes, 0, values,
                           verifier->codes + i * table->info.block_values);
    return status;
}

/* Checks the blocks of the round, up to but not including `last`. Returns the error of the first
 * damaged one, whatever the number of threads. */
static Status check_round(Verifier *verifier, uint32_t last) {
    const TableInfo *info = &verifier->table->info;
    const size_t blocks = last - verifier->first;
    Status status = thread_pool_try(
        verifier->pool, &(ThreadLoop){.count = blocks, .step = unpack_block, .context = verifier});
    if (!status_is_ok(&status))
        return status;
    /* Only the last block of all is shorter than the others. */
    size_t values = (blocks - 1) * info->block_values + format_block_length(info, last - 1);
    content_hash_add(verifier->content, verifier->codes, values);
    return status;
}

Status table_verify(const Table *table, int threads, Progress *progress, const StopFlag *stop) {
    assert(threads >= 1);
    Verifier verifier;
    if (!verifier_open(&verifier, table, threads_useful(threads, table->blocks)))
        return table_out_of_memory(table);
    Status status = status_ok();
    uint32_t blocks = table->blocks;
    progress_start(progress, "checking");
    while (verifier.first < blocks && status_is_ok(&status)) {
        uint32_t left = blocks - verifier.first;
        uint32_t last =
            left < verifier.round_blocks ? blocks : verifier.first + verifier.round_blocks;
        if (stop && *stop)
            status = status_make(STATUS_STOPPED, "stopped");
        else
            status = check_round(&verifier, last);
        verifier.first = last;
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
