#include "table/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/threads.h"
#include "table/block.h"
#include "table/content_hash.h"
#include "table/format.h"

enum { BATCH_VALUES = 1 << 20 }; /* about so many values are compressed in parallel */

struct TableWriter {
    FileDraft draft;
    FormatHeader head;
    uint64_t added; /* values so far */

    /* The values of the present batch, and the compressed blocks, each in a slot of `packed`. While
     * a batch is compressed, thread i uses packers[i] and writes only to the slots of its blocks.
     */
    uint32_t batch_blocks;
    uint32_t *codes;
    size_t code_count;
    uint8_t *packed;
    size_t *packed_sizes;
    size_t packed_max;    /* bytes of a slot */
    BlockPacker *packers; /* [thread] */
    int threads;
    ThreadPool *pool;

    ContentHash *content;
    uint8_t *front;  /* header and index as in the file */
    uint32_t block;  /* the next one to write */
    uint64_t offset; /* where it goes in the file */
};

static Status no_memory(void) {
    return status_make(STATUS_FAILED, "cannot write the table: out of memory");
}

static void free_writer(TableWriter *writer) {
    for (int i = 0; writer->packers && i < writer->threads; i++)
        block_packer_close(&writer->packers[i]);
    thread_pool_close(writer->pool);
    free(writer->packers);
    free(writer->codes);
    free(writer->packed);
    free(writer->packed_sizes);
    free(writer->front);
    content_hash_close(writer->content);
    free(writer);
}

/* Blocks per batch: at least one for each thread, at most all. */
static uint32_t batch_size(const TableWriter *writer) {
    uint32_t blocks = BATCH_VALUES / writer->head.info.block_values;
    if (blocks < (uint32_t)writer->threads)
        blocks = (uint32_t)writer->threads;
    return blocks < writer->head.blocks ? blocks : writer->head.blocks;
}

static bool allocate(TableWriter *writer) {
    const TableInfo *info = &writer->head.info;
    size_t blocks = writer->head.blocks;
    writer->batch_blocks = batch_size(writer);
    size_t batch = (size_t)writer->batch_blocks + 1; /* never 0 */
    writer->packed_max = format_packed_max((size_t)info->block_values * (size_t)info->value_bytes);
    writer->codes = calloc(batch * info->block_values, sizeof *writer->codes);
    writer->packed = calloc(batch, writer->packed_max);
    writer->packed_sizes = calloc(batch, sizeof *writer->packed_sizes);
    writer->packers = calloc((size_t)writer->threads, sizeof *writer->packers);
    writer->front = calloc(1, FORMAT_HEADER_BYTES + blocks * FORMAT_ENTRY_BYTES);
    writer->content = content_hash_open();
    writer->pool = thread_pool_open(writer->threads);
    bool good = writer->codes && writer->packed && writer->packed_sizes && writer->packers &&
                writer->front && writer->content;
    for (int i = 0; good && i < writer->threads; i++)
        good = block_packer_open(&writer->packers[i], info->block_values, info->value_bytes);
    return good;
}

Status table_writer_open(const char *path, const TableInfo *info, int threads,
                         TableWriter **writer) {
    assert(threads >= 1);
    TableInfo filled = *info;
    if (filled.block_values == 0)
        filled.block_values = TABLE_BLOCK_VALUES;
    const char *fault = format_find_fault(&filled);
    if (fault)
        return status_make(STATUS_USAGE, "cannot write the table %s: %s", quote(path).text, fault);
    TableWriter *opened = calloc(1, sizeof *opened);
    if (!opened)
        return no_memory();
    opened->head = (FormatHeader){.info = filled, .blocks = format_block_count(&filled)};
    opened->threads = threads_useful(threads, opened->head.blocks);
    opened->offset = format_blocks_offset(opened->head.blocks);
    Status status = allocate(opened) ? file_draft_open(path, &opened->draft) : no_memory();
    if (status_is_ok(&status))
        *writer = opened;
    else
        free_writer(opened);
    return status;
}

/* Compresses block i of the batch. */
static void pack_block(void *context, size_t i, int thread) {
    TableWriter *writer = context;
    const TableInfo *info = &writer->head.info;
    writer->packed_sizes[i] =
        block_pack(&writer->packers[thread], writer->codes + i * info->block_values,
                   format_block_length(info, writer->block + (uint32_t)i),
                   writer->packed + i * writer->packed_max);
}

/* Enters the blocks of the batch in the index and moves them together. Returns their total length,
 * or 0 if one could not be compressed. */
static size_t join_batch(TableWriter *writer, uint32_t blocks) {
    size_t length = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        size_t size = writer->packed_sizes[i];
        if (size == 0)
            return 0;
        uint8_t *entry = writer->front + format_blocks_offset(writer->block + i);
        memmove(writer->packed + length, writer->packed + i * writer->packed_max, size);
        format_put(entry, size, 4);
        format_put(entry + 4, format_checksum(writer->packed + length, size), 8);
        length += size;
    }
    return length;
}

/* Compresses and writes the batch: full blocks, or the last ones of the table. */
static Status flush_batch(TableWriter *writer) {
    uint32_t block_values = writer->head.info.block_values;
    uint32_t blocks = (uint32_t)((writer->code_count + block_values - 1) / block_values);
    if (blocks == 0)
        return status_ok();
    thread_pool_run(writer->pool, blocks, pack_block, writer);
    size_t length = join_batch(writer, blocks);
    if (length == 0)
        return no_memory();
    Status status = file_draft_write(&writer->draft, writer->offset, writer->packed, length);
    writer->offset += length;
    writer->block += blocks;
    writer->code_count = 0;
    return status;
}

/* Copies as many values into the batch as it has room for. Returns how many. */
static size_t fill_batch(TableWriter *writer, const uint32_t codes[], size_t count) {
    size_t room = (size_t)writer->batch_blocks * writer->head.info.block_values;
    if (count > room - writer->code_count)
        count = room - writer->code_count;
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= codes[i];
    assert(all <= table_code_max(writer->head.info.value_bytes));
    memcpy(writer->codes + writer->code_count, codes, count * sizeof codes[0]);
    writer->code_count += count;
    writer->added += count;
    return count;
}

Status table_writer_add(TableWriter *writer, const uint32_t codes[], size_t count) {
    assert(count <= writer->head.info.count - writer->added);
    Status status = status_ok();
    while (count > 0 && status_is_ok(&status)) {
        size_t taken = fill_batch(writer, codes, count);
        content_hash_add(writer->content, codes, taken);
        codes += taken;
        count -= taken;
        if (writer->code_count == (size_t)writer->batch_blocks * writer->head.info.block_values ||
            writer->added == writer->head.info.count)
            status = flush_batch(writer);
    }
    return status;
}

Status table_writer_finish(TableWriter *writer, uint64_t *content) {
    FormatHeader *head = &writer->head;
    assert(writer->added == head->info.count);
    size_t front_bytes = (size_t)format_blocks_offset(head->blocks);
    head->info.content = content_hash_digest(writer->content);
    head->index_sum =
        format_checksum(writer->front + FORMAT_HEADER_BYTES, front_bytes - FORMAT_HEADER_BYTES);
    head->file_bytes = writer->offset;
    format_write_header(head, writer->front);
    Status status = file_draft_write(&writer->draft, 0, writer->front, front_bytes);
    if (status_is_ok(&status))
        status = file_draft_finish(&writer->draft);
    else
        file_draft_abandon(&writer->draft);
    if (status_is_ok(&status) && content)
        *content = head->info.content;
    free_writer(writer);
    return status;
}

void table_writer_abandon(TableWriter *writer) {
    if (!writer)
        return;
    file_draft_abandon(&writer->draft);
    free_writer(writer);
}
