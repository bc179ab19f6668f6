/* How long a client may take to send what it asks for. The library ends connections that are
 * silent; who sends a letter now and then would hold one for ever. */
#ifndef MALPAN_UI_WEB_REQUEST_TIMEOUTS_H
#define MALPAN_UI_WEB_REQUEST_TIMEOUTS_H

#include <microhttpd.h>
#include <pthread.h>

/* What a connection is waited for. */
typedef enum PatienceStage {
    PATIENCE_HEADER, /* a request, or the rest of its header */
    PATIENCE_BODY,   /* the rest of a request */
    PATIENCE_NONE    /* nothing: it is being answered */
} PatienceStage;

/* A connection. */
typedef struct PatienceVisit {
    int socket;
    PatienceStage stage;
    double since; /* in seconds */
    struct PatienceVisit *next, **link;
} PatienceVisit;

typedef struct Patience {
    pthread_mutex_t lock;
    double body_s, header_s;
    PatienceVisit *visits;
} Patience;

void patience_init(Patience *patience, double seconds);
void patience_free(Patience *patience);

/* For MHD_OPTION_NOTIFY_CONNECTION, with the Patience as context: a connection begins or ends. */
void patience_notify(void *context, struct MHD_Connection *connection, void **place,
                     enum MHD_ConnectionNotificationCode code);

/* From now on it is waited for this. */
void patience_expect(Patience *patience, struct MHD_Connection *connection, PatienceStage stage);

/* Ends those that take too long: half a request is answered with 408. */
void patience_look(Patience *patience);

#endif
