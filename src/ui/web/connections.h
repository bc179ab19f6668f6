/* The open connections: timeouts for incoming requests, and limits on connections that take up room
 * without sending one.
 *
 * libmicrohttpd closes connections that are idle, but a client that sends a byte now and then could
 * hold one for ever; and a few clients that open many connections could lock out all others. So a
 * connection that has not yet completed a request is only kept while there are few of these, from
 * its address and in all; after that the oldest of them have to go. When nearly all connections are
 * in use, the one that has waited longest for its client has to go, whatever for.
 */
#ifndef MALPAN_UI_WEB_CONNECTIONS_H
#define MALPAN_UI_WEB_CONNECTIONS_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "ui/web/job.h"

enum {
    CONNECTIONS_MAX = 8192,
    CONNECTIONS_OTHER_FILES = 128,    /* that the process may have open besides */
    CONNECTIONS_SPARE = 64,           /* of these are kept free by closing others */
    CONNECTIONS_HALF_OPEN_MAX = 1024, /* without a complete request */
    CONNECTIONS_HALF_OPEN_PER_ADDRESS_MAX = 256
};

/* What the server is waiting for on a connection. */
typedef enum RequestStage {
    REQUEST_STAGE_HEADER,   /* a request, or the rest of its header */
    REQUEST_STAGE_BODY,     /* the rest of its body */
    REQUEST_STAGE_HANDLING, /* nothing: the request is complete and being handled */
    REQUEST_STAGE_SENDING   /* that the client reads the reply, which is complete */
} RequestStage;

/* What a connection may be listed under. Each list begins with the oldest. */
typedef enum ConnectionList {
    CONNECTIONS_WAITING,   /* for their client: in a stage other than REQUEST_STAGE_HANDLING, in the
                            * order in which these stages began */
    CONNECTIONS_HALF_OPEN, /* no request was complete yet, in the order in which they were opened */
    CONNECTION_LISTS
} ConnectionList;

/* One open connection. Guarded by the lock of its Connections, except `socket` and `address`, which
 * never change. Created and freed by the libmicrohttpd thread that owns the connection. */
typedef struct Connection {
    int socket;
    char address[CLIENT_NAME_BYTES]; /* of the other end, which may be a proxy */
    RequestStage stage;
    double since_s; /* when this stage began */
    bool is_listed[CONNECTION_LISTS];
    struct Connection *older[CONNECTION_LISTS], *newer[CONNECTION_LISTS];
} Connection;

/* Shared by the acceptor, which reserves room, the libmicrohttpd threads, which add, remove and
 * update connections, and the main thread, which enforces the timeouts. `lock` guards everything
 * that is not constant; it is a leaf. A connection is removed before its socket is closed, so the
 * socket of a listed one is always the right one. */
typedef struct Connections {
    pthread_mutex_t lock;
    double body_s, header_s; /* constant */
    bool by_address;         /* constant; false: all connections come from one proxy */
    size_t files_each;       /* constant: how many descriptors each may have */
    size_t max;              /* constant: how many there may be */
    Connection *oldest[CONNECTION_LISTS], *newest[CONNECTION_LISTS];
    size_t count, half_open_count;
    size_t pending;    /* accepted, and not yet reported by libmicrohttpd */
    double reserved_s; /* when room for the last of them was reserved */
} Connections;

/* `seconds` is the time for a body; a header has three times as long, because browsers open
 * connections before they need them. `files_each`: 1, or 2 if a connection may also be sent a
 * file. */
void connections_init(Connections *connections, double seconds, bool by_address, size_t files_each);

/* Call when libmicrohttpd has stopped. */
void connections_free(Connections *connections);

/* For MHD_OPTION_NOTIFY_CONNECTION, with the Connections as context. */
void connections_notify(void *context, struct MHD_Connection *connection, void **place,
                        enum MHD_ConnectionNotificationCode code);

/* Notes that the connection enters a stage. The connection must not end meanwhile. */
void connections_set_stage(Connections *connections, struct MHD_Connection *connection,
                           RequestStage stage);

/* Copies the address of the other end, a zero byte included. IPv6 addresses are cut to the network,
 * of which a client has all addresses. */
void connections_print_address(struct MHD_Connection *connection, char address[CLIENT_NAME_BYTES]);

/* Reads an address as text, in the same way. False if it is none. */
bool connections_parse_address(const char *text, char address[CLIENT_NAME_BYTES]);

/* Closes connections whose request takes too long to arrive; half a body is answered with 408. */
void connections_enforce(Connections *connections);

/* Answers 400 and closes the connection, whatever libmicrohttpd is doing with it. */
void connections_refuse(Connections *connections, struct MHD_Connection *connection);

/* Whether a request may be on its way: a connection has not been reported yet, one has bytes that
 * libmicrohttpd has not read, a body is incomplete, or a new connection has not sent anything, but
 * had no time to. For a server that is about to stop. */
bool connections_may_receive(Connections *connections);

/* How many connections are open. */
size_t connections_count(Connections *connections);

/* Reserves room for one more connection, which is to be handed to libmicrohttpd; until that reports
 * it, it counts as pending. False if there is no room. For the acceptor.
 *
 * libmicrohttpd never reports a connection that it has no memory for. Therefore those that are
 * still pending when nothing was reserved for a second no longer count. */
bool connections_reserve(Connections *connections);

/* Gives the room back: the connection was not handed to libmicrohttpd after all. */
void connections_cancel(Connections *connections);

#endif
