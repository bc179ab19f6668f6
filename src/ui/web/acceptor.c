#include "ui/web/acceptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FULL_WAIT_MS = 10 }; /* between two looks whether there is room again */

/* Waits for a connection, or without room for one, a moment. False: the thread has to end. */
static bool wait_for_connection(const Acceptor *acceptor, bool has_room) {
    struct pollfd events[] = {{.fd = acceptor->wake, .events = POLLIN},
                              {.fd = acceptor->listener, .events = POLLIN}};
    poll(events, has_room ? 2 : 1, has_room ? -1 : FULL_WAIT_MS);
    return !(events[0].revents & POLLIN);
}

/* Whether the next connection leaves descriptors for others. A new descriptor is the lowest one
 * that is free. A high one shows that there are more connections than reserved: libmicrohttpd has
 * been so slow to report them that they no longer count. */
static bool leaves_descriptors(const Acceptor *acceptor) {
    int lowest = fcntl(acceptor->wake, F_DUPFD_CLOEXEC, 0);
    if (lowest >= 0)
        close(lowest);
    const Connections *connections = acceptor->connections;
    size_t limit = connections->max * connections->files_each + CONNECTIONS_OTHER_FILES / 2;
    return lowest >= 0 && (size_t)lowest < limit;
}

/* Hands a connection to libmicrohttpd, which closes it if it cannot take it. */
static bool hand_over(const Acceptor *acceptor, int descriptor,
                      const struct sockaddr_storage *address, socklen_t size) {
    return MHD_add_connection(acceptor->daemon, descriptor, (const struct sockaddr *)address,
                              size) == MHD_YES;
}

/* Accepts one connection. False if there is no room for it, or the process has no more files or
 * memory. */
static bool accept_connection(const Acceptor *acceptor) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (!leaves_descriptors(acceptor) || !connections_reserve(acceptor->connections))
        return false;
    int descriptor = accept4(acceptor->listener, (struct sockaddr *)&address, &size,
                             SOCK_NONBLOCK | SOCK_CLOEXEC);
    int error = descriptor < 0 ? errno : 0;
    if (descriptor < 0 || !hand_over(acceptor, descriptor, &address, size))
        connections_cancel(acceptor->connections);
    return error != EMFILE && error != ENFILE && error != ENOBUFS && error != ENOMEM;
}

static void *run_acceptor(void *context) {
    const Acceptor *acceptor = context;
    bool has_room = true;
    while (wait_for_connection(acceptor, has_room))
        has_room = accept_connection(acceptor);
    return NULL;
}

void acceptor_init(Acceptor *acceptor) {
    *acceptor = (Acceptor){.listener = -1, .wake = -1};
}

Status acceptor_start(Acceptor *acceptor, int listener, struct MHD_Daemon *daemon,
                      Connections *connections) {
    acceptor->listener = listener;
    acceptor->daemon = daemon;
    acceptor->connections = connections;
    acceptor->wake = eventfd(0, EFD_CLOEXEC);
    if (acceptor->wake < 0)
        return status_make(STATUS_FAILED, "cannot accept connections: %s", strerror(errno));
    int error = pthread_create(&acceptor->thread, NULL, run_acceptor, acceptor);
    acceptor->is_running = error == 0;
    return error == 0
               ? status_ok()
               : status_make(STATUS_FAILED, "cannot accept connections: %s", strerror(error));
}

void acceptor_stop(Acceptor *acceptor) {
    if (acceptor->is_running) {
        eventfd_write(acceptor->wake, 1);
        pthread_join(acceptor->thread, NULL);
    }
    if (acceptor->wake >= 0)
        close(acceptor->wake);
    acceptor_init(acceptor);
}
