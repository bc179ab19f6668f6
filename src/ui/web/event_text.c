#include "ui/web/event_text.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EventText *event_text_make(uint64_t since, uint64_t version, const char *data) {
    enum { HEAD_BYTES = 64 };
    size_t capacity = HEAD_BYTES + strlen(data);
    EventText *text = malloc(sizeof *text + capacity);
    if (!text)
        return NULL;
    *text = (EventText){.references = 1, .since = since, .version = version};
    text->length = (size_t)snprintf(text->bytes, capacity,
                                    "retry: 1000\nid: %" PRIu64 "\ndata: %s\n\n", version, data);
    return text;
}

EventText *event_text_make_named(const char *name, const char *data) {
    enum { HEAD_BYTES = 32 };
    size_t capacity = HEAD_BYTES + strlen(name) + strlen(data);
    EventText *text = malloc(sizeof *text + capacity);
    if (!text)
        return NULL;
    *text = (EventText){.references = 1};
    text->length = (size_t)snprintf(text->bytes, capacity, "event: %s\ndata: %s\n\n", name, data);
    return text;
}

EventText *event_text_share(EventText *text) {
    atomic_fetch_add_explicit(&text->references, 1, memory_order_relaxed);
    return text;
}

void event_text_release(EventText *text) {
    if (text && atomic_fetch_sub_explicit(&text->references, 1, memory_order_acq_rel) == 1)
        free(text);
}
