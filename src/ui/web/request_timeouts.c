#include "ui/web/request_timeouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/progress.h"

#define GONE_S 1.0 /* before, the library may still be busy with it */

enum { HEADERS_A_BODY = 3 }; /* a browser may open a connection before it needs one */

void patience_init(Patience *patience, double seconds) {
    *patience = (Patience){.body_s = seconds, .header_s = HEADERS_A_BODY * seconds};
    pthread_mutex_init(&patience->lock, NULL);
}

void patience_free(Patience *patience) {
    pthread_mutex_destroy(&patience->lock);
}

static void begin(Patience *patience, PatienceVisit *visit) {
    pthread_mutex_lock(&patience->lock);
    visit->next = patience->visits;
    visit->link = &patience->visits;
    if (visit->next)
        visit->next->link = &visit->next;
    patience->visits = visit;
    pthread_mutex_unlock(&patience->lock);
}

static void end(Patience *patience, PatienceVisit *visit) {
    pthread_mutex_lock(&patience->lock);
    *visit->link = visit->next;
    if (visit->next)
        visit->next->link = visit->link;
    pthread_mutex_unlock(&patience->lock);
    free(visit);
}

void patience_notify(void *context, struct MHD_Connection *connection, void **place,
                     enum MHD_ConnectionNotificationCode code) {
    Patience *patience = context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*place)
            end(patience, *place); /* before the socket can be another's */
        *place = NULL;
        return;
    }
    PatienceVisit *visit = calloc(1, sizeof *visit);
    *place = visit;
    if (!visit)
        return; /* then only silence ends it */
    *visit = (PatienceVisit){
        .socket =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
        .since = progress_clock_s()};
    begin(patience, visit);
}

void patience_expect(Patience *patience, struct MHD_Connection *connection, PatienceStage stage) {
    PatienceVisit *visit =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    if (!visit)
        return;
    double now = progress_clock_s();
    pthread_mutex_lock(&patience->lock);
    visit->stage = stage;
    visit->since = now;
    pthread_mutex_unlock(&patience->lock);
}

/* The library cannot answer half a request, so this writes to the socket itself; then the library
 * finds that the connection has ended. */
static void cut(PatienceVisit *visit) {
    static const char body[] =
        "{\"error\":{\"code\":\"too_slow\",\"message\":\"the request took too "
        "long to arrive\"}}";
    char text[2 * sizeof body + 128];
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                          sizeof body - 1, body);
    if (visit->stage == PATIENCE_BODY)
        (void)!send(visit->socket, text, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(visit->socket, SHUT_RDWR);
    visit->stage = PATIENCE_NONE;
}

/* Whether the client has gone in the middle of a request, which the library does not look for. */
static bool has_gone(const PatienceVisit *visit) {
    char byte;
    return visit->stage != PATIENCE_NONE &&
           recv(visit->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void patience_look(Patience *patience) {
    double now = progress_clock_s();
    pthread_mutex_lock(&patience->lock);
    for (PatienceVisit *visit = patience->visits; visit; visit = visit->next) {
        double spent = now - visit->since;
        bool is_late = (visit->stage == PATIENCE_BODY && spent > patience->body_s) ||
                       (visit->stage == PATIENCE_HEADER && spent > patience->header_s);
        if (is_late || (spent > GONE_S && has_gone(visit)))
            cut(visit);
    }
    pthread_mutex_unlock(&patience->lock);
}
