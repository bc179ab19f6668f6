#include "ui/json/print.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 1024 };

typedef struct Output {
    char *bytes; /* with room for a zero byte; NULL: nothing yet */
    size_t length, capacity;
    bool failed; /* memory ran out; stays set, whatever jansson makes of it */
} Output;

static bool reserve(Output *output, size_t length) {
    size_t capacity = output->capacity > 0 ? output->capacity : FIRST_BYTES;
    while (capacity <= length)
        capacity *= 2;
    if (capacity == output->capacity)
        return true;
    char *bytes = realloc(output->bytes, capacity);
    if (!bytes)
        return false;
    output->bytes = bytes;
    output->capacity = capacity;
    return true;
}

/* Appends to the output; 0 if there was room, else -1, as jansson asks for. */
static int append(const char *bytes, size_t count, void *context) {
    Output *output = context;
    if (!reserve(output, output->length + count)) {
        output->failed = true;
        return -1;
    }
    memcpy(output->bytes + output->length, bytes, count);
    output->length += count;
    output->bytes[output->length] = '\0';
    return 0;
}

char *json_print(const json_t *json) {
    Output output = {.bytes = NULL};
    size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17);
    if (json && json_dump_callback(json, append, &output, flags) == 0 && !output.failed)
        return output.bytes;
    free(output.bytes);
    return NULL;
}
