/* Layout of a table file, except for the compressed blocks (block.h). Internal to this folder;
 * docs/table-format.md describes the format for readers.
 *
 *     header   512 bytes: magic, its own checksum, and what the table contains
 *     index    12 bytes per block: its length and its checksum
 *     blocks   one after the other
 *
 * All numbers are little-endian on every machine. Pure functions; any thread may call them.
 */
#ifndef MALPAN_TABLE_FORMAT_H
#define MALPAN_TABLE_FORMAT_H

#include "table/table.h"

enum {
    FORMAT_VERSION = 1,
    FORMAT_MAGIC_BYTES = 8,
    FORMAT_HEADER_BYTES = 512,
    FORMAT_ENTRY_BYTES = 12, /* of the index, for one block */
    /* Offsets of the header's fields. Other versions keep these three: */
    FORMAT_SUM_AT = 8,
    FORMAT_SUMMED_AT = 16, /* the header's checksum covers the bytes from here on */
    FORMAT_VERSION_AT = 16,
    /* These may differ in other versions: */
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

/* A decoded header. */
typedef struct FormatHeader {
    TableInfo info;
    uint32_t blocks;
    uint64_t index_sum;
    uint64_t file_bytes;
} FormatHeader;

/* Writes and reads a little-endian number of `size` bytes. */
void format_put(uint8_t *bytes, uint64_t number, int size);
uint64_t format_get(const uint8_t *bytes, int size);

/* The checksum used everywhere in a file. */
uint64_t format_checksum(const void *bytes, size_t size);

/* Checks the description of a table. Returns NULL, or what is wrong with it. */
const char *format_find_fault(const TableInfo *info);

/* The number of blocks of a table, and the number of values in one. The description has no fault.
 */
uint32_t format_block_count(const TableInfo *info);
size_t format_block_length(const TableInfo *info, uint32_t block);

/* The offset of the first block. */
uint64_t format_blocks_offset(uint32_t blocks);

/* The most bytes that a compressed block of so many unpacked bytes may have. */
size_t format_packed_max(size_t unpacked_bytes);

void format_write_header(const FormatHeader *head, uint8_t bytes[FORMAT_HEADER_BYTES]);

/* Reads a header of which `size` bytes could be read, and checks that it is consistent. `name` is
 * the quoted path, for messages. */
Status format_read_header(const char *name, const uint8_t *bytes, size_t size, FormatHeader *head);

#endif
