/* Any bytes as a table: rejected with a message, or read. Then the same bytes with valid checksums
 * and length, which a fuzzer would never find. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "table/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads single values, a range, and everything; a second read gives the same. */
static void try_values(const Table *table) {
    const TableInfo *info = table_info(table);
    TableReader *reader;
    Status status = table_reader_open(table, 1 << 12, &reader);
    assert(status_is_ok(&status));
    Status whole = table_verify(table, 1, NULL, NULL);
    uint32_t codes[64], code = 0;
    size_t count = info->count < 64 ? (size_t)info->count : 64;
    status = table_read(reader, info->count - count, count, codes);
    assert(status_is_ok(&status) || status.code == STATUS_TABLE);
    assert(status_is_ok(&status) || !status_is_ok(&whole));
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        Status again = table_get(reader, info->count - count + i, &code);
        assert(status_is_ok(&again) && code == codes[i]);
        assert(code <= table_code_max(info->value_bytes));
    }
    status = table_get(reader, 0, &code);
    assert(status_is_ok(&status) || !status_is_ok(&whole) || info->count == 0);
    status = table_get(reader, info->count, &code);
    assert(status.code == STATUS_TABLE && status.message[0]);
    table_reader_close(reader);
}

static void try_table(const uint8_t *data, size_t size) {
    char path[40];
    int file = memfd_create("table", MFD_CLOEXEC);
    assert(file >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t written = write(file, data + done, size - done);
        assert(written > 0);
        done += (size_t)written;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    Table *table;
    Status status = table_open(path, &table);
    if (status_is_ok(&status)) {
        try_values(table);
        table_close(table);
    } else {
        assert(status.code == STATUS_TABLE && status.message[0]);
    }
    close(file);
}

/* Sets valid checksums of blocks, index and header, as far as they fit, and the length. */
static void repair(uint8_t *data, size_t size) {
    if (size < FORMAT_HEADER_BYTES)
        return;
    uint64_t blocks = format_get(data + FORMAT_BLOCKS_AT, 4);
    uint64_t at = format_blocks_offset((uint32_t)blocks);
    for (uint64_t i = 0; at <= size && i < blocks; i++) {
        uint8_t *entry = data + format_blocks_offset((uint32_t)i);
        uint64_t length = format_get(entry, 4);
        if (length > size - at)
            break;
        format_put(entry + 4, format_checksum(data + at, (size_t)length), 8);
        at += length;
    }
    if (format_blocks_offset((uint32_t)blocks) <= size)
        format_put(data + FORMAT_INDEX_SUM_AT,
                   format_checksum(data + FORMAT_HEADER_BYTES, blocks * FORMAT_ENTRY_BYTES), 8);
    format_put(data + FORMAT_FILE_BYTES_AT, size, 8);
    format_put(data + FORMAT_SUM_AT,
               format_checksum(data + FORMAT_SUMMED_AT, FORMAT_HEADER_BYTES - FORMAT_SUMMED_AT), 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_table(data, size);
    uint8_t *copy = malloc(size + 1);
    assert(copy);
    if (size)
        memcpy(copy, data, size);
    repair(copy, size);
    try_table(copy, size);
    free(copy);
    return 0;
}
