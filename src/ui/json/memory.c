#include "ui/json/memory.h"

#include <jansson.h>
#include <stdlib.h>

static _Thread_local bool has_failed;

static void *watched_malloc(size_t size) {
    void *memory = malloc(size);
    has_failed = has_failed || !memory;
    return memory;
}

void json_memory_watch(void) {
    json_set_alloc_funcs(watched_malloc, free);
}

bool json_memory_ran_out(void) {
    bool has = has_failed;
    has_failed = false;
    return has;
}
