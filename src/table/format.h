/* The bytes of a table file, but for the compressed blocks (block.h). Inner to this folder;
 * docs/table-format.md tells the same for people.
 *
 *     header   512 bytes: a magic word, its own checksum, what the table is
 *     index    12 bytes for each block: its length and its checksum
 *     blocks   one after the other
 *
 * All numbers are little-endian, whatever the machine.
 */
#ifndef MALPAN_TABLE_FORMAT_H
#define MALPAN_TABLE_FORMAT_H

#include "table/table.h"

enum {
    FORMAT_VERSION = 1,
    FORMAT_MAGIC_BYTES = 8,
    FORMAT_HEADER_BYTES = 512,
    FORMAT_ENTRY_BYTES = 12, /* of a block in the index */
    /* Where fields of the header are; those of other versions have these at the same places. */
    FORMAT_SUM_AT = 8,
    FORMAT_SUMMED_AT = 16, /* the header's checksum is over the bytes from here on */
    FORMAT_VERSION_AT = 16,
    /* These are as the version says. */
    FORMAT_VALUE_BYTES_AT = 20,
    FORMAT_BLOCK_VALUES_AT = 24,
    FORMAT_BLOCKS_AT = 28,
    FORMAT_COUNT_AT = 32,
    FORMAT_ERROR_AT = 40,
    FORMAT_CONTENT_AT = 48,
    FORMAT_INDEX_SUM_AT = 56,
    FORMAT_FILE_BYTES_AT = 64,
    FORMAT_MEANING_AT = 72,
    FORMAT_GAME_AT = 80,
    FORMAT_RULES_AT = 128
};

/* The header, read. */
typedef struct FormatHead {
    TableInfo info;
    uint32_t blocks;
    uint64_t index_sum;
    uint64_t file_bytes;
} FormatHead;

/* A number of `size` bytes at `bytes`. */
void format_put(uint8_t *bytes, uint64_t number, int size);
uint64_t format_get(const uint8_t *bytes, int size);

/* The checksum used everywhere in a file. */
uint64_t format_sum(const void *bytes, size_t size);

/* NULL, or what is wrong with this information for a table. */
const char *format_find_fault(const TableInfo *info);

/* How many blocks these values take (the information has no fault), and how many values are in
 * one. */
uint32_t format_block_count(const TableInfo *info);
size_t format_values_in(const TableInfo *info, uint32_t block);

/* Where the first block begins. */
uint64_t format_blocks_at(uint32_t blocks);

/* No compressed block of so many unpacked bytes is longer. */
size_t format_packed_max(size_t unpacked_bytes);

void format_write_head(const FormatHead *head, uint8_t bytes[FORMAT_HEADER_BYTES]);

/* Reads and checks a header, of which `size` bytes are there; `name` is the file's, for messages.
 * Afterwards the header makes sense by itself. */
Status format_read_head(const char *name, const uint8_t *bytes, size_t size, FormatHead *head);

#endif
