/* The checksum of a table's values: over all of them in order, each as four little-endian bytes. It
 * does not depend on their width in the file, the block size or the compressor. Internal to this
 * folder. */
#ifndef MALPAN_TABLE_CONTENT_HASH_H
#define MALPAN_TABLE_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct XXH3_state_s ContentHash;

/* Starts a checksum. Returns NULL if there is no memory. */
ContentHash *content_hash_open(void);
void content_hash_close(ContentHash *content);

void content_hash_add(ContentHash *content, const uint32_t codes[], size_t count);

/* The checksum of all values added so far. */
uint64_t content_hash_digest(const ContentHash *content);

#endif
