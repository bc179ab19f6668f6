/* Solved tables on disk: one value for each number from 0 up, packed, compressed and checksummed.
 *
 *     Table *table;
 *     TableReader *reader;
 *     uint32_t code;
 *     table_open(path, &table);                      checks header and index
 *     table_check_for(table, "box", "--tiles 9");    is it for this game and these rules?
 *     table_reader_open(table, 1 << 20, &reader);    one for each thread
 *     table_get(reader, 1234, &code);                checks the block, then uses it
 *     table_reader_close(reader);
 *     table_close(table);
 *
 * writer.h makes tables; docs/table-format.md describes every byte of a file.
 *
 * Errors: STATUS_TABLE if the file is missing, damaged or for something else. Values from a damaged
 * block are never returned. The checksums protect against accidents, not against somebody who
 * forges a table: such a file can hold wrong values, but it cannot harm the program.
 *
 * Threads: a Table does not change after table_open and may be shared. A TableReader belongs to one
 * thread at a time.
 */
#ifndef MALPAN_TABLE_TABLE_H
#define MALPAN_TABLE_TABLE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "base/status.h"
#include "base/stop_flag.h"

enum {
    TABLE_GAME_BYTES = 48,   /* including the terminating zero */
    TABLE_RULES_BYTES = 384, /* likewise */
    TABLE_VALUE_BYTES_MAX = 4,
    TABLE_BLOCK_VALUES = 1024, /* good for random probes; larger blocks compress slightly better */
    TABLE_BLOCK_VALUES_MAX = 1 << 20
};

typedef enum TableMeaning {
    TABLE_CODE,   /* the game defines what a code means */
    TABLE_CHANCE, /* a probability: the code divided by the largest code of so many bytes */
    TABLE_MEANING_COUNT
} TableMeaning;

typedef struct TableInfo {
    char game[TABLE_GAME_BYTES];   /* printable ASCII, not empty */
    char rules[TABLE_RULES_BYTES]; /* printable ASCII: all rule options, in the game's order */
    uint64_t count;                /* number of values */
    int value_bytes;               /* 1 to 4; a code is below 256^value_bytes */
    TableMeaning meaning;
    double error;          /* proven bound: no value is further from the truth */
    uint32_t block_values; /* values that are compressed together */
    uint64_t content; /* checksum of the codes; does not depend on block_values or compression */
} TableInfo;

/* An open table. Threads may share it. */
typedef struct Table Table;

/* A cache of unpacked blocks, through which one thread reads. */
typedef struct TableReader TableReader;

/* Opens a file and checks its length, header and index. The caller closes the table. */
Status table_open(const char *path, Table **table);
/* NULL is allowed. No reader may be open. */
void table_close(Table *table);

const TableInfo *table_info(const Table *table);

/* STATUS_TABLE if the table is for another game or other rules; the message names both. */
Status table_check_for(const Table *table, const char *game, const char *rules);

/* Checks the whole file: every block, and the values against their checksum. Returns STATUS_STOPPED
 * soon after `stop` (may be NULL) is set. Runs `threads` threads. */
Status table_verify(const Table *table, int threads, Progress *progress, const StopFlag *stop);

/* Opens a reader that caches about `cache_bytes` of unpacked blocks, at least one block. The table
 * must stay open until the reader is closed. The caller closes it. */
Status table_reader_open(const Table *table, size_t cache_bytes, TableReader **reader);
void table_reader_close(TableReader *reader);

/* Looks up a value; for hot paths. Returns STATUS_OK and sets *code, or returns the code of the
 * failure and leaves *code unchanged; then table_reader_failure returns the message. */
StatusCode table_probe(TableReader *reader, uint64_t index, uint32_t *code);

/* The reason of the last failed probe, get or read. At least one must have failed. */
Status table_reader_failure(const TableReader *reader);

/* Like table_probe, but returns the message at once; for callers that look up few values. */
Status table_get(TableReader *reader, uint64_t index, uint32_t *code);

/* Reads `count` values from number `first` on. After a failure some of `codes` may have been set.
 */
Status table_read(TableReader *reader, uint64_t first, size_t count, uint32_t *codes);

/* The largest code of so many bytes. */
static inline uint32_t table_code_max(int value_bytes) {
    assert(value_bytes >= 1 && value_bytes <= TABLE_VALUE_BYTES_MAX);
    return UINT32_MAX >> (32 - 8 * value_bytes);
}

/* The probability that a code stands for, and the code nearest to a probability. */
static inline double table_chance(uint32_t code, int value_bytes) {
    return (double)code / (double)table_code_max(value_bytes);
}

static inline uint32_t table_chance_code(double chance, int value_bytes) {
    return (uint32_t)(chance * (double)table_code_max(value_bytes) + 0.5);
}

#endif
