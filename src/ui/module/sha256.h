/* SHA-256 (FIPS 180-4), for modules: the server has it from libsodium. Pure function. */
#ifndef MALPAN_UI_MODULE_SHA256_H
#define MALPAN_UI_MODULE_SHA256_H

#include <stddef.h>

enum { SHA256_BYTES = 32 };

/* Computes the hash of a text of fewer than 2^32 bytes. */
void sha256(const void *bytes, size_t size, unsigned char hash[SHA256_BYTES]);

#endif
