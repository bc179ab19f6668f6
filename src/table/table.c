#include "table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "table/block.h"
#include "table/internal.h"

/* --- reading the file --- */

/* Reads until `size` bytes are there or the file ends; -1 on an error. */
static ssize_t read_at(int file, uint64_t offset, uint8_t *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(file, bytes + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static Status cannot_read(const char *name) {
    return status_make(STATUS_TABLE, "cannot read the table %s: %s", name, strerror(errno));
}

/* Reads bytes that were in the file when it was opened. */
static Status read_exactly(const Table *table, uint64_t offset, uint8_t *bytes, size_t size) {
    ssize_t got = read_at(table->file, offset, bytes, size);
    if (got < 0)
        return cannot_read(table->name.text);
    if ((size_t)got < size)
        return status_make(STATUS_TABLE,
                           "the table %s is truncated: byte %" PRIu64
                           " is missing, which was there when it was opened",
                           table->name.text, offset + (uint64_t)got);
    return status_ok();
}

/* --- opening --- */

Status table_out_of_memory(const Table *table) {
    return status_make(STATUS_FAILED, "out of memory for the table %s", table->name.text);
}

/* Opens the file, which must be a regular one, and gets its length. */
static Status open_file(const char *path, Table *table, uint64_t *length) {
    const char *name = table->name.text;
    /* Without O_NONBLOCK, opening a pipe would block. */
    table->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (table->file < 0 && errno == ENOENT)
        return status_make(STATUS_TABLE, "no table at %s", name);
    struct stat found;
    if (table->file < 0 || fstat(table->file, &found) != 0)
        return cannot_read(name);
    if (!S_ISREG(found.st_mode))
        return status_make(STATUS_TABLE, "%s is not a malpan table: not a regular file", name);
    *length = (uint64_t)found.st_size;
    return status_ok();
}

static Status check_length(const Table *table, uint64_t expected, uint64_t length) {
    if (length < expected)
        return status_make(STATUS_TABLE,
                           "the table %s is truncated: %" PRIu64 " bytes, expected %" PRIu64,
                           table->name.text, length, expected);
    if (length > expected)
        return status_make(STATUS_TABLE,
                           "the table %s is too long: %" PRIu64 " bytes, expected %" PRIu64,
                           table->name.text, length, expected);
    return status_ok();
}

static Status read_head(Table *table, uint64_t length, FormatHeader *head) {
    uint8_t bytes[FORMAT_HEADER_BYTES];
    ssize_t got = read_at(table->file, 0, bytes, sizeof bytes);
    if (got < 0)
        return cannot_read(table->name.text);
    Status status = format_read_header(table->name.text, bytes, (size_t)got, head);
    if (status_is_ok(&status))
        status = check_length(table, head->file_bytes, length);
    if (status_is_ok(&status)) {
        table->info = head->info;
        table->blocks = head->blocks;
    }
    return status;
}

/* Decodes the index: the lengths and checksums of the blocks. */
static Status decode_index(Table *table, const FormatHeader *head, const uint8_t *index) {
    const char *name = table->name.text;
    if (format_checksum(index, (size_t)table->blocks * FORMAT_ENTRY_BYTES) != head->index_sum)
        return status_make(STATUS_TABLE, "the table %s is damaged: its index fails its checksum",
                           name);
    table->offsets[0] = format_blocks_offset(table->blocks);
    for (uint32_t i = 0; i < table->blocks; i++) {
        const uint8_t *entry = index + (size_t)i * FORMAT_ENTRY_BYTES;
        size_t size = (size_t)format_get(entry, 4);
        size_t unpacked = format_block_length(&table->info, i) * (size_t)table->info.value_bytes;
        if (size == 0 || size > format_packed_max(unpacked))
            return status_make(STATUS_TABLE,
                               "the table %s is damaged: its index: block %" PRIu32
                               " has %zu bytes, expected 1 to %zu",
                               name, i, size, format_packed_max(unpacked));
        if (size > table->packed_max)
            table->packed_max = size;
        table->sums[i] = format_get(entry + 4, 8);
        table->offsets[i + 1] = table->offsets[i] + size;
    }
    if (table->offsets[table->blocks] != head->file_bytes)
        return status_make(STATUS_TABLE,
                           "the table %s is damaged: its index ends at byte %" PRIu64
                           ", expected %" PRIu64,
                           name, table->offsets[table->blocks], head->file_bytes);
    return status_ok();
}

/* The length of the file has been checked, so memory is allocated only for an index that exists. */
static Status read_index(Table *table, const FormatHeader *head) {
    size_t blocks = table->blocks;
    uint8_t *index = calloc(blocks + 1, FORMAT_ENTRY_BYTES);
    table->offsets = calloc(blocks + 1, sizeof *table->offsets);
    table->sums = calloc(blocks + 1, sizeof *table->sums);
    Status status =
        index && table->offsets && table->sums
            ? read_exactly(table, FORMAT_HEADER_BYTES, index, blocks * FORMAT_ENTRY_BYTES)
            : table_out_of_memory(table);
    if (status_is_ok(&status))
        status = decode_index(table, head, index);
    free(index);
    return status;
}

Status table_open(const char *path, Table **table) {
    Table *opened = calloc(1, sizeof *opened);
    if (!opened)
        return status_make(STATUS_FAILED, "out of memory for the table %s", quote(path).text);
    opened->name = quote(path);
    uint64_t length = 0;
    FormatHeader head;
    Status status = open_file(path, opened, &length);
    if (status_is_ok(&status))
        status = read_head(opened, length, &head);
    if (status_is_ok(&status))
        status = read_index(opened, &head);
    if (status_is_ok(&status))
        *table = opened;
    else
        table_close(opened);
    return status;
}

void table_close(Table *table) {
    if (!table)
        return;
    if (table->file >= 0)
        close(table->file);
    free(table->offsets);
    free(table->sums);
    free(table);
}

const TableInfo *table_info(const Table *table) {
    return &table->info;
}

/* --- matching game and rules --- */

/* The offset of the first option that differs. */
static size_t first_difference(const char *a, const char *b) {
    size_t begin = 0;
    for (size_t i = 0;; i++) {
        if (i > 0 && a[i] == '-' && b[i] == '-' && a[i - 1] == ' ')
            begin = i;
        if (a[i] != b[i] || a[i] == '\0')
            return begin;
    }
}

Status table_check_for(const Table *table, const char *game, const char *rules) {
    const TableInfo *info = &table->info;
    if (strcmp(info->game, game) != 0)
        return status_make(STATUS_TABLE, "the table %s is for %s, expected %s", table->name.text,
                           info->game, quote(game).text);
    if (strcmp(info->rules, rules) != 0) {
        size_t begin = first_difference(info->rules, rules);
        return status_make(STATUS_TABLE, "the table %s is for %s with %s, expected %s",
                           table->name.text, game, quote(info->rules + begin).text,
                           quote(rules + begin).text);
    }
    return status_ok();
}

/* --- blocks --- */

size_t table_block_bytes(const Table *table) {
    uint64_t values = table->info.block_values;
    if (values > table->info.count)
        values = table->info.count;
    return (size_t)values * (size_t)table->info.value_bytes;
}

bool fetcher_open(BlockFetcher *fetch, const Table *table) {
    *fetch = (BlockFetcher){.context = ZSTD_createDCtx(), .packed = malloc(table->packed_max + 1)};
    if (fetch->context && fetch->packed)
        return true;
    fetcher_close(fetch);
    return false;
}

void fetcher_close(BlockFetcher *fetch) {
    ZSTD_freeDCtx(fetch->context);
    free(fetch->packed);
    *fetch = (BlockFetcher){.context = NULL};
}

Status fetcher_read_block(const Table *table, BlockFetcher *fetch, uint32_t block,
                          uint8_t *planes) {
    uint64_t offset = table->offsets[block];
    size_t size = (size_t)(table->offsets[block + 1] - offset);
    Status status = read_exactly(table, offset, fetch->packed, size);
    if (!status_is_ok(&status))
        return status;
    if (format_checksum(fetch->packed, size) != table->sums[block])
        return status_make(STATUS_TABLE,
                           "the table %s is damaged: block %" PRIu32 " fails its checksum",
                           table->name.text, block);
    size_t unpacked = format_block_length(&table->info, block) * (size_t)table->info.value_bytes;
    if (!block_unpack(fetch->context, fetch->packed, size, planes, unpacked))
        return status_make(STATUS_TABLE,
                           "the table %s is damaged: block %" PRIu32
                           " does not unpack to its %zu bytes",
                           table->name.text, block, unpacked);
    return status_ok();
}
