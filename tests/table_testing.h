/* Tables to test with, in a folder of their own. */
#ifndef MALPAN_TESTS_TABLE_TESTING_H
#define MALPAN_TESTS_TABLE_TESTING_H

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "table/writer.h"
#include "testing.h"

enum { FILE_MAX = 1 << 26 };

static char folder[] = "/tmp/malpan-table-XXXXXX";
static char root[PATH_MAX]; /* where the program was started: the root of the project */

static inline int make_folder(void **state) {
    (void)state;
    return getcwd(root, sizeof root) && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int remove_folder(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

typedef uint32_t Value(uint64_t index, uint32_t code_max);

static inline uint32_t noise(uint64_t index, uint32_t code_max) {
    Random random = random_from_seed(7, index);
    return (uint32_t)random_next(&random) & code_max;
}

static inline uint32_t smooth(uint64_t index, uint32_t code_max) {
    return (uint32_t)((0.5 + 0.5 * sin((double)index / 200)) * code_max);
}

static inline uint32_t constant(uint64_t index, uint32_t code_max) {
    (void)index;
    return code_max;
}

static inline TableInfo describe(uint64_t count, int value_bytes, uint32_t block_values) {
    return (TableInfo){.game = "box",
                       .rules = "--tiles 9 --dice 2 --players 2",
                       .count = count,
                       .value_bytes = value_bytes,
                       .meaning = TABLE_CHANCE,
                       .error = 1.5e-7,
                       .block_values = block_values};
}

static inline uint32_t *make_codes(const TableInfo *info, Value *value) {
    uint32_t *codes = malloc((info->count + 1) * sizeof *codes);
    assert_non_null(codes);
    for (uint64_t i = 0; i < info->count; i++)
        codes[i] = value(i, table_code_max(info->value_bytes));
    return codes;
}

/* Writes the codes, so many at a time. */
static inline uint64_t write_codes(const char *path, const TableInfo *info, const uint32_t *codes,
                                   int threads, size_t at_a_time) {
    TableWriter *writer;
    uint64_t content;
    assert_ok(table_writer_open(path, info, threads, &writer));
    for (size_t i = 0; i < info->count; i += at_a_time)
        assert_ok(table_writer_add(writer, codes + i,
                                   info->count - i < at_a_time ? info->count - i : at_a_time));
    assert_ok(table_writer_finish(writer, &content));
    return content;
}

static inline void write_table(const char *path, const TableInfo *info, Value *value) {
    uint32_t *codes = make_codes(info, value);
    write_codes(path, info, codes, 2, info->count + 1);
    free(codes);
}

/* Ten values in blocks of four: small enough to try all that can happen to it. */
static inline void write_small(const char *path) {
    TableInfo info = describe(10, 3, 4);
    write_table(path, &info, smooth);
}

static inline uint8_t *read_bytes(const char *path, size_t *size) {
    char *bytes;
    assert_ok(file_read(path, FILE_MAX, &bytes, size));
    return (uint8_t *)bytes;
}

static inline Status open_and_close(const char *path) {
    Table *table;
    Status status = table_open(path, &table);
    if (status_is_ok(&status))
        table_close(table);
    return status;
}

#endif
