#include "ui/web/compression.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum { LENGTH_MIN = 1024 }; /* a shorter reply fits into one packet anyway */

/* Whether the parameters of an encoding, such as `;q=0.5`, exclude it: a weight of zero does. */
static bool is_excluded(const char *parameters, size_t length) {
    size_t at = strspn(parameters, "; ");
    if (at + 2 > length || strncasecmp(parameters + at, "q=", 2) != 0)
        return false;
    at += 2;
    return at + strspn(parameters + at, "0.") >= length;
}

bool compression_is_accepted(const char *accept_encoding) {
    static const char gzip[] = "gzip";
    for (const char *at = accept_encoding ? accept_encoding : ""; *at;) {
        at += strspn(at, ", \t");
        size_t length = strcspn(at, ","), name = strcspn(at, ",; \t");
        if (name == sizeof gzip - 1 && strncasecmp(at, gzip, name) == 0)
            return !is_excluded(at + name, length - name);
        at += length;
    }
    return false;
}

char *compression_pack(const char *bytes, size_t length, size_t *packed_length) {
    enum { WINDOW = 15, AS_GZIP = 16, MEMORY = 8 };
    z_stream stream = {.next_in = (z_const Bytef *)bytes, .avail_in = (uInt)length};
    if (length < LENGTH_MIN || length > UINT32_MAX / 2 ||
        deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW + AS_GZIP, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    char *packed = malloc(length);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)length; /* no more than that, or it is not worth it */
    bool is_done = packed && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *packed_length = stream.total_out;
    deflateEnd(&stream);
    if (!is_done) {
        free(packed);
        return NULL;
    }
    return packed;
}
