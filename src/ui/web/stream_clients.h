/* Which client has how many event streams, to decide which stream has to end when there are too
 * many: the oldest of the client with the most of them. Adding and removing take constant time,
 * deciding a look at STREAM_CLIENTS numbers, however many streams there are.
 *
 *     client A (3)   a1 <-> a4 <-> a5     <- a1 has to end
 *     client B (2)   b2 <-> b3
 *
 * Clients are told apart by a hash of their name: two with the same hash count as one.
 *
 * Thread safety: none; the registry's lock guards the server's.
 */
#ifndef MALPAN_UI_WEB_STREAM_CLIENTS_H
#define MALPAN_UI_WEB_STREAM_CLIENTS_H

#include <stddef.h>
#include <stdint.h>

enum { STREAM_CLIENTS = 1024 };

/* An open stream; part of what its owner knows about it. */
typedef struct Stream {
    size_t client;   /* a hash of its name */
    uint64_t number; /* in the order in which all streams were added */
    struct Stream *older, *newer;
} Stream;

/* Zeroed, there are no streams. */
typedef struct StreamClients {
    size_t count; /* streams of all clients */
    uint64_t added;
    size_t counts[STREAM_CLIENTS];
    Stream *oldest[STREAM_CLIENTS], *newest[STREAM_CLIENTS];
} StreamClients;

/* Adds a stream of the client with this name. */
void stream_clients_add(StreamClients *clients, Stream *stream, const char *name);

/* Removes a stream that was added. */
void stream_clients_remove(StreamClients *clients, Stream *stream);

/* The oldest stream of the client with the most of them; of several such clients, the oldest stream
 * of all. NULL if there are no streams. */
Stream *stream_clients_find_excess(const StreamClients *clients);

#endif
