/* Decodes server-sent events from bytes that arrive in pieces of any size:
 *
 *     id: 8
 *     data: {"version":8,...}
 *
 * An event ends at an empty line. Comments, ids and unknown fields are ignored. A stream belongs to
 * one thread at a time.
 */
#ifndef MALPAN_UI_CLIENT_EVENT_STREAM_H
#define MALPAN_UI_CLIENT_EVENT_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/* An event is not longer; the server announces longer changes instead of sending them. */
enum { EVENT_STREAM_BYTES_MAX = 4 << 20 };

typedef struct EventStream {
    char *line, *data; /* the line that has not ended, the data of the event so far */
    size_t line_length, line_capacity, data_length, data_capacity;
    bool is_named; /* the event has a type of its own */
    /* Called for each event without a type. */
    void (*take)(void *context, const char *data, size_t length);
    void *context;
} EventStream;

/* Takes bytes. False if memory ran out or an event is too long: the stream is then useless. */
bool event_stream_add(EventStream *stream, const char *bytes, size_t count);

/* Forgets an event that has not ended; for a new connection. */
void event_stream_reset(EventStream *stream);

void event_stream_free(EventStream *stream);

#endif
