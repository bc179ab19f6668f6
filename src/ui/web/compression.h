/* Compression of replies with gzip. Thread-safe. */
#ifndef MALPAN_UI_WEB_COMPRESSION_H
#define MALPAN_UI_WEB_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a client that sent this Accept-Encoding header, or NULL, understands gzip. */
bool compression_is_accepted(const char *accept_encoding);

/* Compresses the bytes into memory that the caller frees. NULL if that does not make them smaller,
 * or memory runs out: then they are sent as they are. */
char *compression_pack(const char *bytes, size_t length, size_t *packed_length);

#endif
