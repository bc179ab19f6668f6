/* Timeouts for incoming requests. libmicrohttpd closes connections that are idle, but a client that
 * sends a byte now and then could hold one for ever.
 */
#ifndef MALPAN_UI_WEB_REQUEST_TIMEOUTS_H
#define MALPAN_UI_WEB_REQUEST_TIMEOUTS_H

#include <microhttpd.h>
#include <pthread.h>

/* What the server is waiting for on a connection. */
typedef enum RequestStage {
    REQUEST_STAGE_HEADER,  /* a request, or the rest of its header */
    REQUEST_STAGE_BODY,    /* the rest of its body */
    REQUEST_STAGE_HANDLING /* nothing: the request is complete and being handled */
} RequestStage;

/* One open connection. Guarded by the lock of its RequestTimeouts, except `socket`, which never
 * changes. Created and freed by the libmicrohttpd thread that owns the connection. */
typedef struct TimedConnection {
    int socket;
    RequestStage stage;
    double since_s; /* when this stage began */
    struct TimedConnection *next, **link;
} TimedConnection;

/* Shared by the libmicrohttpd threads, which add, remove and update connections, and the main
 * thread, which enforces the timeouts. `lock` guards the list; it is a leaf. A connection is
 * removed before its socket is closed, so a socket in the list is always the right one. */
typedef struct RequestTimeouts {
    pthread_mutex_t lock;
    double body_s, header_s; /* constant */
    TimedConnection *connections;
} RequestTimeouts;

/* `seconds` is the time for a body; a header has three times as long, because browsers open
 * connections before they need them. */
void request_timeouts_init(RequestTimeouts *timeouts, double seconds);

/* Call when libmicrohttpd has stopped. */
void request_timeouts_free(RequestTimeouts *timeouts);

/* For MHD_OPTION_NOTIFY_CONNECTION, with the RequestTimeouts as context. */
void request_timeouts_notify(void *context, struct MHD_Connection *connection, void **place,
                             enum MHD_ConnectionNotificationCode code);

/* Notes that the connection enters a stage. Called by the thread that owns the connection. */
void request_timeouts_set_stage(RequestTimeouts *timeouts, struct MHD_Connection *connection,
                                RequestStage stage);

/* Closes connections whose request takes too long to arrive; half a body is answered with 408. */
void request_timeouts_enforce(RequestTimeouts *timeouts);

#endif
