/* The checksum of a table's values: over each of them as a number of four bytes, in their order,
 * whatever their width in the file, the blocks and the compressor. Inner to this folder. */
#ifndef MALPAN_TABLE_CONTENT_H
#define MALPAN_TABLE_CONTENT_H

#include <stddef.h>
#include <stdint.h>

typedef struct XXH3_state_s Content;

/* A checksum of no values yet; NULL: out of memory. */
Content *content_open(void);
void content_close(Content *content);

void content_add(Content *content, const uint32_t codes[], size_t count);

/* The checksum of all values so far. */
uint64_t content_sum(const Content *content);

#endif
