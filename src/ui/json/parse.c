#include "ui/json/parse.h"

#include <assert.h>
#include <stdlib.h>

/* A text that is being parsed. */
typedef struct Parse {
    const char *bytes;
    size_t size, read;
    char *reserve; /* for the first allocation that fails */
    size_t reserve_bytes;
    bool is_reserve_used;
    bool has_failed; /* an allocation has failed */
} Parse;

/* What this thread is parsing; NULL: nothing. jansson's allocations have no place for a context. */
static _Thread_local Parse *current;

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory || !current)
        return memory;
    current->has_failed = true;
    if (current->is_reserve_used || bytes > current->reserve_bytes)
        return NULL;
    current->is_reserve_used = true;
    return current->reserve;
}

static void release(void *memory) {
    if (memory && current && memory == current->reserve)
        current->is_reserve_used = false;
    else
        free(memory);
}

void json_parse_init(void) {
    json_set_alloc_funcs(allocate, release);
}

/* Called by jansson for more text. It gets one byte at a time, so that it has none left when memory
 * runs out. */
static size_t read_byte(void *buffer, size_t room, void *context) {
    Parse *parse = context;
    assert(room > 0);
    if (parse->has_failed || parse->read == parse->size)
        return 0;
    *(char *)buffer = parse->bytes[parse->read++];
    return 1;
}

bool json_parse(const char *bytes, size_t size, json_t **json, json_error_t *error) {
    Parse parse = {.bytes = bytes, .size = size};
    *json = NULL;
    assert(!current);
    /* The buffer starts small and is doubled until a token fits, and no token is longer than the
     * text. */
    parse.reserve_bytes = 2 * size + 64;
    parse.reserve = malloc(parse.reserve_bytes);
    if (!parse.reserve)
        return false;
    current = &parse;
    *json = json_load_callback(read_byte, &parse, JSON_REJECT_DUPLICATES, error);
    if (parse.has_failed) { /* it may have parts of the reserve */
        json_decref(*json);
        *json = NULL;
    }
    current = NULL;
    free(parse.reserve);
    return !parse.has_failed;
}
