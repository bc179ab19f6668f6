#include "table/content_hash.h"

#include <endian.h>
#include <xxhash.h>

ContentHash *content_hash_open(void) {
    ContentHash *content = XXH3_createState();
    if (content)
        XXH3_64bits_reset(content);
    return content;
}

void content_hash_close(ContentHash *content) {
    XXH3_freeState(content);
}

void content_hash_add(ContentHash *content, const uint32_t codes[], size_t count) {
    enum { PART = 4096 };
    uint32_t part[PART];
    while (count > 0) {
        size_t size = count < PART ? count : PART;
        for (size_t i = 0; i < size; i++)
            part[i] = htole32(codes[i]);
        XXH3_64bits_update(content, part, size * sizeof part[0]);
        codes += size;
        count -= size;
    }
}

uint64_t content_hash_digest(const ContentHash *content) {
    return XXH3_64bits_digest(content);
}
