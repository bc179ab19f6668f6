/* What the files of this folder share about an open table. */
#ifndef MALPAN_TABLE_INNER_H
#define MALPAN_TABLE_INNER_H

#include <zstd.h>

#include "table/format.h"

struct Table {
    int file;
    Quoted name; /* the path, for messages */
    TableInfo info;
    uint32_t blocks;
    uint64_t *offsets; /* block i is from offsets[i] to offsets[i + 1] */
    uint64_t *sums;
    size_t packed_max; /* bytes of the longest compressed block */
};

/* What one thread needs to fetch blocks. */
typedef struct TableFetch {
    ZSTD_DCtx *context;
    uint8_t *packed;
} TableFetch;

/* False: out of memory, and nothing to close. */
bool table_fetch_open(TableFetch *fetch, const Table *table);
void table_fetch_close(TableFetch *fetch);

/* Bytes of the unpacked planes of a full block; the last may be shorter. */
size_t table_block_bytes(const Table *table);

/* Reads a block, checks it and unpacks its planes. */
Status table_fetch_block(const Table *table, TableFetch *fetch, uint32_t block, uint8_t *planes);

/* Out of memory, while at this table. */
Status table_no_memory(const Table *table);

#endif
