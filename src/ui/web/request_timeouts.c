#include "ui/web/request_timeouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/progress.h"

#define ABANDONED_S 1.0 /* before that, libmicrohttpd may still be reading the request */

enum { HEADER_FACTOR = 3 };

void request_timeouts_init(RequestTimeouts *timeouts, double seconds) {
    *timeouts = (RequestTimeouts){.body_s = seconds, .header_s = HEADER_FACTOR * seconds};
    pthread_mutex_init(&timeouts->lock, NULL);
}

void request_timeouts_free(RequestTimeouts *timeouts) {
    pthread_mutex_destroy(&timeouts->lock);
}

static void add_connection(RequestTimeouts *timeouts, TimedConnection *timed) {
    pthread_mutex_lock(&timeouts->lock);
    timed->next = timeouts->connections;
    timed->link = &timeouts->connections;
    if (timed->next)
        timed->next->link = &timed->next;
    timeouts->connections = timed;
    pthread_mutex_unlock(&timeouts->lock);
}

static void remove_connection(RequestTimeouts *timeouts, TimedConnection *timed) {
    pthread_mutex_lock(&timeouts->lock);
    *timed->link = timed->next;
    if (timed->next)
        timed->next->link = timed->link;
    pthread_mutex_unlock(&timeouts->lock);
    free(timed);
}

void request_timeouts_notify(void *context, struct MHD_Connection *connection, void **place,
                             enum MHD_ConnectionNotificationCode code) {
    RequestTimeouts *timeouts = context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*place)
            remove_connection(timeouts, *place); /* before the socket number is used again */
        *place = NULL;
        return;
    }
    TimedConnection *timed = calloc(1, sizeof *timed);
    *place = timed;
    if (!timed)
        return; /* out of memory: only libmicrohttpd's own timeout applies */
    *timed = (TimedConnection){
        .socket =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
        .since_s = progress_clock_s()};
    add_connection(timeouts, timed);
}

void request_timeouts_set_stage(RequestTimeouts *timeouts, struct MHD_Connection *connection,
                                RequestStage stage) {
    TimedConnection *timed =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    if (!timed)
        return;
    double now = progress_clock_s();
    pthread_mutex_lock(&timeouts->lock);
    timed->stage = stage;
    timed->since_s = now;
    pthread_mutex_unlock(&timeouts->lock);
}

/* Ends a connection. libmicrohttpd cannot answer half a request, so this writes to the socket
 * directly; libmicrohttpd then sees that the connection has ended. */
static void shut_connection(TimedConnection *timed) {
    static const char body[] = "{\"error\":{\"code\":\"too_slow\",\"message\":\"the request took "
                               "too long to arrive\"}}";
    char text[2 * sizeof body + 128];
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                          sizeof body - 1, body);
    if (timed->stage == REQUEST_STAGE_BODY)
        (void)!send(timed->socket, text, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(timed->socket, SHUT_RDWR);
    timed->stage = REQUEST_STAGE_HANDLING;
}

/* Whether the client closed the connection in the middle of a request, which libmicrohttpd does not
 * notice. */
static bool is_abandoned(const TimedConnection *timed) {
    char byte;
    return timed->stage != REQUEST_STAGE_HANDLING &&
           recv(timed->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void request_timeouts_enforce(RequestTimeouts *timeouts) {
    double now = progress_clock_s();
    pthread_mutex_lock(&timeouts->lock);
    for (TimedConnection *timed = timeouts->connections; timed; timed = timed->next) {
        double spent_s = now - timed->since_s;
        bool is_late = (timed->stage == REQUEST_STAGE_BODY && spent_s > timeouts->body_s) ||
                       (timed->stage == REQUEST_STAGE_HEADER && spent_s > timeouts->header_s);
        if (is_late || (spent_s > ABANDONED_S && is_abandoned(timed)))
            shut_connection(timed);
    }
    pthread_mutex_unlock(&timeouts->lock);
}
