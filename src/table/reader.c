/* A set-associative cache of unpacked blocks: a block may be in any slot of its set, and replaces
 * the least recently used one. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "table/block.h"
#include "table/internal.h"

enum { WAYS = 4 }; /* slots of a set */

typedef struct Slot {
    uint64_t used;  /* the reader's clock when it was last used; 0: empty */
    uint32_t block; /* the block in it, unless it is empty */
} Slot;

struct TableReader {
    const Table *table;
    BlockFetcher fetch;
    size_t sets, ways;
    Slot *slots;
    uint8_t *planes; /* of all slots, one after the other */
    uint64_t clock;
    Status failure; /* why the last probe failed; written only when one fails */
};

/* How many blocks to cache. */
static size_t slot_count(const Table *table, size_t cache_bytes) {
    size_t block_bytes = table_block_bytes(table);
    size_t slots = block_bytes ? cache_bytes / block_bytes : 0;
    if (slots > table->blocks)
        slots = table->blocks;
    return slots ? slots : 1;
}

Status table_reader_open(const Table *table, size_t cache_bytes, TableReader **reader) {
    TableReader *opened = calloc(1, sizeof *opened);
    if (!opened)
        return table_out_of_memory(table);
    size_t slots = slot_count(table, cache_bytes);
    opened->table = table;
    opened->ways = slots < WAYS ? slots : WAYS;
    opened->sets = slots / opened->ways;
    opened->slots = calloc(slots, sizeof *opened->slots);
    /* calloc checks the product for overflow, and pages are touched only when blocks are read. */
    opened->planes = calloc(slots, table_block_bytes(table) + 1);
    if (!opened->slots || !opened->planes || !fetcher_open(&opened->fetch, table)) {
        table_reader_close(opened);
        return table_out_of_memory(table);
    }
    *reader = opened;
    return status_ok();
}

void table_reader_close(TableReader *reader) {
    if (!reader)
        return;
    fetcher_close(&reader->fetch);
    free(reader->slots);
    free(reader->planes);
    free(reader);
}

/* The slot that holds the block, or the least recently used one of its set. */
static size_t find_slot(const TableReader *reader, uint32_t block) {
    size_t first = block % reader->sets * reader->ways;
    size_t oldest = first;
    for (size_t i = first; i < first + reader->ways; i++) {
        if (reader->slots[i].block == block && reader->slots[i].used > 0)
            return i;
        if (reader->slots[i].used < reader->slots[oldest].used)
            oldest = i;
    }
    return oldest;
}

/* The planes of the block. NULL if it cannot be read; then reader->failure says why. */
static const uint8_t *find_planes(TableReader *reader, uint32_t block) {
    size_t i = find_slot(reader, block);
    Slot *slot = &reader->slots[i];
    uint8_t *planes = reader->planes + i * table_block_bytes(reader->table);
    if (slot->used == 0 || slot->block != block) {
        slot->used = 0; /* empty, if what follows fails */
        Status status = fetcher_read_block(reader->table, &reader->fetch, block, planes);
        if (!status_is_ok(&status)) {
            reader->failure = status;
            return NULL;
        }
        slot->block = block;
    }
    slot->used = ++reader->clock;
    return planes;
}

static void fail_out_of_range(TableReader *reader, uint64_t index) {
    reader->failure = status_make(
        STATUS_TABLE, "the table %s has %" PRIu64 " values, expected one with the number %" PRIu64,
        reader->table->name.text, reader->table->info.count, index);
}

StatusCode table_probe(TableReader *reader, uint64_t index, uint32_t *code) {
    const TableInfo *info = &reader->table->info;
    if (index >= info->count) {
        fail_out_of_range(reader, index);
        return reader->failure.code;
    }
    uint32_t block = (uint32_t)(index / info->block_values);
    const uint8_t *planes = find_planes(reader, block);
    if (!planes)
        return reader->failure.code;
    *code = block_decode(planes, format_block_length(info, block), index % info->block_values,
                         info->value_bytes);
    return STATUS_OK;
}

Status table_reader_failure(const TableReader *reader) {
    assert(reader->failure.code != STATUS_OK);
    return reader->failure;
}

Status table_get(TableReader *reader, uint64_t index, uint32_t *code) {
    return table_probe(reader, index, code) == STATUS_OK ? status_ok()
                                                         : table_reader_failure(reader);
}

Status table_read(TableReader *reader, uint64_t first, size_t count, uint32_t *codes) {
    const TableInfo *info = &reader->table->info;
    if (count > info->count || first > info->count - count) {
        fail_out_of_range(reader, first > info->count ? first : info->count);
        return reader->failure;
    }
    while (count > 0) {
        uint32_t block = (uint32_t)(first / info->block_values);
        size_t values = format_block_length(info, block);
        size_t begin = (size_t)(first % info->block_values);
        size_t end = count < values - begin ? begin + count : values;
        const uint8_t *planes = find_planes(reader, block);
        if (!planes)
            return reader->failure;
        block_decode_range(planes, values, info->value_bytes, begin, end, codes);
        codes += end - begin;
        first += end - begin;
        count -= end - begin;
    }
    return status_ok();
}
