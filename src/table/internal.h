/* The inside of an open table, shared by the files of this folder only. */
#ifndef MALPAN_TABLE_INTERNAL_H
#define MALPAN_TABLE_INTERNAL_H

#include <zstd.h>

#include "table/format.h"

struct Table {
    int file;
    Quoted name; /* the quoted path, for messages */
    TableInfo info;
    uint32_t blocks;
    uint64_t *offsets; /* [i]: block i spans offsets[i] to offsets[i + 1] */
    uint64_t *sums;    /* [i]: checksum of block i as it is in the file */
    size_t packed_max; /* bytes of the longest compressed block */
};

/* The buffers with which one thread reads blocks. */
typedef struct BlockFetcher {
    ZSTD_DCtx *context;
    uint8_t *packed;
} BlockFetcher;

/* Returns false, with nothing to close, if there is no memory. */
bool fetcher_open(BlockFetcher *fetch, const Table *table);
void fetcher_close(BlockFetcher *fetch);

/* Size of a full block, unpacked. The last block may be shorter. */
size_t table_block_bytes(const Table *table);

/* Reads a block, checks it and unpacks its planes. STATUS_TABLE if it is damaged. */
Status fetcher_read_block(const Table *table, BlockFetcher *fetch, uint32_t block, uint8_t *planes);

/* The error for a failed allocation. */
Status table_out_of_memory(const Table *table);

#endif
