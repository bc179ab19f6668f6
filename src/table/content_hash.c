#include "table/content.h"

#include <endian.h>
#include <xxhash.h>

Content *content_open(void) {
    Content *content = XXH3_createState();
    if (content)
        XXH3_64bits_reset(content);
    return content;
}

void content_close(Content *content) {
    XXH3_freeState(content);
}

void content_add(Content *content, const uint32_t codes[], size_t count) {
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

uint64_t content_sum(const Content *content) {
    return XXH3_64bits_digest(content);
}
