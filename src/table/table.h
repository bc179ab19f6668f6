/* Solved tables on disk: a value for each number from 0 up, packed, compressed and checked.
 *
 *     Table *table;
 *     TableReader *reader;
 *     uint32_t code;
 *     table_open(path, &table);                      header and index are checked
 *     table_check_for(table, "box", "--tiles 9");    is it the right one?
 *     table_reader_open(table, 1 << 20, &reader);    one for each thread
 *     table_get(reader, 1234, &code);                the block is checked, then used
 *     table_reader_close(reader);
 *     table_close(table);
 *
 * writer.h makes tables. docs/table-format.md tells every byte of a file. What is wrong with a file
 * comes back as STATUS_TABLE; nothing of a damaged part is ever given out. The checksums are
 * against accidents, not against somebody who makes a false table on purpose; such a file can hold
 * wrong values, but it cannot harm the program.
 */
#ifndef MALPAN_TABLE_TABLE_H
#define MALPAN_TABLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "base/status.h"
#include "base/stop_flag.h"

enum {
    TABLE_GAME_BYTES = 48,   /* with the zero at the end */
    TABLE_RULES_BYTES = 384, /* likewise */
    TABLE_VALUE_BYTES_MAX = 4,
    TABLE_BLOCK_VALUES = 1024, /* good for random probes; larger ones pack a little better */
    TABLE_BLOCK_VALUES_MAX = 1 << 20
};

typedef enum TableMeaning {
    TABLE_CODE,   /* codes of the game's own */
    TABLE_CHANCE, /* a chance from 0 to 1: the code, divided by the largest code there is */
    TABLE_MEANING_COUNT
} TableMeaning;

typedef struct TableInfo {
    char game[TABLE_GAME_BYTES];   /* printable ASCII, not empty */
    char rules[TABLE_RULES_BYTES]; /* printable ASCII: the rule options, all, in the game's order */
    uint64_t count;                /* how many values */
    int value_bytes;               /* 1 to 4: a value is a code below 256 to that power */
    TableMeaning meaning;
    double error;          /* proven: no value is further from the truth than this */
    uint32_t block_values; /* how many values are compressed together */
    uint64_t content;      /* checksum of the values: equal for equal codes, whatever the blocks */
} TableInfo;

/* An open table. It does not change: threads may share it. */
typedef struct Table Table;

/* What one thread reads through: a cache of unpacked blocks. */
typedef struct TableReader TableReader;

/* Opens the file and checks its length, header and index. The caller closes the table. */
Status table_open(const char *path, Table **table);
void table_close(Table *table);

const TableInfo *table_info(const Table *table);

/* Fails, naming what was found and what was expected, when the table is for another game or for
 * other rules. */
Status table_check_for(const Table *table, const char *game, const char *rules);

/* Checks the whole file: every block, and the values against their checksum. STATUS_STOPPED once
 * `stop` (may be NULL) is set. */
Status table_verify(const Table *table, int threads, Progress *progress, const StopFlag *stop);

/* A reader that keeps about `cache_bytes` of unpacked blocks, at least one. The table has to stay
 * open until the reader is closed. */
Status table_reader_open(const Table *table, size_t cache_bytes, TableReader **reader);
void table_reader_close(TableReader *reader);

/* Looks up the value with this number; for hot paths. Returns STATUS_OK and sets *code, or returns
 * the code of the failure and leaves *code alone; then table_reader_failure has the message. */
StatusCode table_probe(TableReader *reader, uint64_t index, uint32_t *code);

/* Why the last probe, get or read that failed did so. At least one must have failed. */
Status table_reader_failure(const TableReader *reader);

/* The same as table_probe, with the message at once: for callers that look up few values. */
Status table_get(TableReader *reader, uint64_t index, uint32_t *code);

/* The `count` values from the number `first` on. When it fails, some of `codes` may be set. */
Status table_read(TableReader *reader, uint64_t first, size_t count, uint32_t *codes);

/* The largest code of values of so many bytes. */
static inline uint32_t table_code_max(int value_bytes) {
    return UINT32_MAX >> (32 - 8 * value_bytes);
}

/* The chance that a code means, and the code nearest to a chance: off by half a step at most. */
static inline double table_chance(uint32_t code, int value_bytes) {
    return (double)code / (double)table_code_max(value_bytes);
}

static inline uint32_t table_chance_code(double chance, int value_bytes) {
    return (uint32_t)(chance * (double)table_code_max(value_bytes) + 0.5);
}

#endif
