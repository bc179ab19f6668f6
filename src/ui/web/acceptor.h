/* The thread that accepts connections and hands them to libmicrohttpd.
 *
 * libmicrohttpd could accept connections itself, but cannot safely stop doing so while it serves:
 * in MHD_quiesce_daemon the caller and a request thread both remove the listening socket from the
 * thread's epoll set, and whichever comes second aborts the process (seen in 0.9.75). Nor can it
 * limit how many there are: a thread that gets one connection more than its limit leaves
 * new_connection_process_ with its lock held, and waits for that lock for ever after (0.9.75, too).
 * So the limit that it is told is out of reach, and connections_reserve has the real one.
 */
#ifndef MALPAN_UI_WEB_ACCEPTOR_H
#define MALPAN_UI_WEB_ACCEPTOR_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/status.h"
#include "ui/web/connections.h"

/* Owned by the main thread, and constant while the acceptor runs. */
typedef struct Acceptor {
    pthread_t thread;
    bool is_running;
    int listener; /* the socket, which belongs to the caller */
    int wake;     /* an eventfd that ends the thread; -1: none */
    struct MHD_Daemon *daemon;
    Connections *connections;
} Acceptor;

void acceptor_init(Acceptor *acceptor);

/* Starts accepting connections. The socket must not block. */
Status acceptor_start(Acceptor *acceptor, int listener, struct MHD_Daemon *daemon,
                      Connections *connections);

/* Stops accepting connections; further ones wait in the socket's queue. Ends the thread. Does
 * nothing if it was not started. */
void acceptor_stop(Acceptor *acceptor);

#endif
