#include "ui/client/event_stream.h"

#include <stdlib.h>
#include <string.h>

static bool append(char **text, size_t *length, size_t *capacity, const char *bytes, size_t count) {
    if (count > EVENT_STREAM_BYTES_MAX - *length)
        return false;
    if (*length + count + 1 > *capacity) {
        size_t wanted = 2 * (*length + count + 1);
        char *larger = realloc(*text, wanted);
        if (!larger)
            return false;
        *text = larger;
        *capacity = wanted;
    }
    memcpy(*text + *length, bytes, count);
    *length += count;
    (*text)[*length] = '\0';
    return true;
}

/* Whether the line is the field; sets `value` to what it holds. */
static bool is_field(const char *line, const char *name, const char **value) {
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != ':')
        return false;
    *value = line + length + 1 + (line[length + 1] == ' ');
    return true;
}

/* Takes a line without its end. */
static bool take_line(EventStream *stream, const char *line) {
    const char *value;
    if (!*line) {
        if (stream->data_length > 0 && !stream->is_named)
            stream->take(stream->context, stream->data, stream->data_length);
        stream->data_length = 0;
        stream->is_named = false;
        return true;
    }
    if (is_field(line, "event", &value))
        stream->is_named = *value != '\0';
    else if (is_field(line, "data", &value))
        return (stream->data_length == 0 ||
                append(&stream->data, &stream->data_length, &stream->data_capacity, "\n", 1)) &&
               append(&stream->data, &stream->data_length, &stream->data_capacity, value,
                      strlen(value));
    return true;
}

bool event_stream_add(EventStream *stream, const char *bytes, size_t count) {
    while (count > 0) {
        const char *end = memchr(bytes, '\n', count);
        size_t length = end ? (size_t)(end - bytes) : count;
        if (!append(&stream->line, &stream->line_length, &stream->line_capacity, bytes, length))
            return false;
        if (!end)
            return true;
        if (stream->line_length > 0 && stream->line[stream->line_length - 1] == '\r')
            stream->line[stream->line_length - 1] = '\0';
        if (!take_line(stream, stream->line))
            return false;
        stream->line_length = 0;
        bytes += length + 1;
        count -= length + 1;
    }
    return true;
}

void event_stream_reset(EventStream *stream) {
    stream->line_length = stream->data_length = 0;
    stream->is_named = false;
}

void event_stream_free(EventStream *stream) {
    free(stream->line);
    free(stream->data);
    *stream = (EventStream){.line = NULL};
}
