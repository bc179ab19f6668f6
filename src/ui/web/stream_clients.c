#include "ui/web/stream_clients.h"

#include <assert.h>

static size_t hash_name(const char *name) {
    size_t hash = 0;
    for (; *name; name++)
        hash = hash * 31 + (unsigned char)*name;
    return hash % STREAM_CLIENTS;
}

void stream_clients_add(StreamClients *clients, Stream *stream, const char *name) {
    size_t client = hash_name(name);
    *stream =
        (Stream){.client = client, .number = clients->added++, .older = clients->newest[client]};
    *(stream->older ? &stream->older->newer : &clients->oldest[client]) = stream;
    clients->newest[client] = stream;
    clients->counts[client]++;
    clients->count++;
}

void stream_clients_remove(StreamClients *clients, Stream *stream) {
    size_t client = stream->client;
    assert(clients->counts[client] > 0 && clients->count > 0);
    *(stream->older ? &stream->older->newer : &clients->oldest[client]) = stream->newer;
    *(stream->newer ? &stream->newer->older : &clients->newest[client]) = stream->older;
    clients->counts[client]--;
    clients->count--;
}

Stream *stream_clients_find_excess(const StreamClients *clients) {
    Stream *found = NULL;
    size_t most = 0;
    for (size_t i = 0; i < STREAM_CLIENTS; i++) {
        Stream *oldest = clients->oldest[i];
        if (clients->counts[i] > most ||
            (found && clients->counts[i] == most && oldest->number < found->number)) {
            most = clients->counts[i];
            found = oldest;
        }
    }
    return found;
}
