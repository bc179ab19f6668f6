#include "ui/web/listen_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"

/* An address of either family. */
typedef union SocketAddress {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} SocketAddress;

static Status cannot_listen(const char *address, int port) {
    return status_make(STATUS_FAILED, "cannot listen on %s, port %d: %s", address, port,
                       strerror(errno));
}

/* Notes the address that the socket is bound to. */
static Status read_address(ListenSocket *listener) {
    SocketAddress bound = {.any = {.sa_family = AF_UNSPEC}};
    socklen_t size = sizeof bound;
    char text[INET6_ADDRSTRLEN];
    if (getsockname(listener->descriptor, &bound.any, &size) != 0)
        return cannot_listen("the socket", 0);
    if (bound.any.sa_family == AF_INET) {
        inet_ntop(AF_INET, &bound.v4.sin_addr, text, sizeof text);
        snprintf(listener->host, sizeof listener->host, "%s", text);
        listener->port = ntohs(bound.v4.sin_port);
    } else if (bound.any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &bound.v6.sin6_addr, text, sizeof text);
        snprintf(listener->host, sizeof listener->host, "[%s]", text);
        listener->port = ntohs(bound.v6.sin6_port);
    } else {
        return status_make(STATUS_FAILED, "the passed socket is not an internet socket");
    }
    return status_ok();
}

/* Whether a service manager has passed a socket to this process. */
static bool has_passed_socket(void) {
    const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    uint64_t number;
    return process && number_read(process, &number) && number == (uint64_t)getpid() && count &&
           number_read(count, &number) && number >= 1;
}

static Status take_passed_socket(ListenSocket *listener) {
    enum { FIRST_PASSED = 3 };
    listener->descriptor = FIRST_PASSED;
    int flags = fcntl(listener->descriptor, F_GETFL);
    if (flags < 0 || fcntl(listener->descriptor, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(listener->descriptor, F_SETFD, FD_CLOEXEC) != 0)
        return status_make(STATUS_FAILED, "cannot use the passed socket: %s", strerror(errno));
    return read_address(listener);
}

static Status bind_socket(const char *address, int port, ListenSocket *listener) {
    SocketAddress to = {.v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)}};
    socklen_t size = sizeof to.v4;
    const int on = 1;
    if (inet_pton(AF_INET, address, &to.v4.sin_addr) != 1) {
        to.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
        size = sizeof to.v6;
        if (inet_pton(AF_INET6, address, &to.v6.sin6_addr) != 1)
            return status_make(STATUS_USAGE,
                               "--bind: expected an address such as 127.0.0.1, not %s",
                               quote(address).text);
    }
    listener->descriptor = socket(to.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener->descriptor < 0 ||
        setsockopt(listener->descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(listener->descriptor, &to.any, size) != 0 ||
        listen(listener->descriptor, SOMAXCONN) != 0)
        return cannot_listen(address, port);
    return read_address(listener);
}

Status listen_socket_open(const char *address, int port, ListenSocket *listener) {
    *listener = (ListenSocket){.descriptor = -1};
    Status status =
        has_passed_socket() ? take_passed_socket(listener) : bind_socket(address, port, listener);
    if (!status_is_ok(&status))
        listen_socket_close(listener);
    return status;
}

bool listen_socket_is_loopback(const ListenSocket *listener) {
    return strncmp(listener->host, "127.", 4) == 0 || strcmp(listener->host, "[::1]") == 0;
}

void listen_socket_print_hosts(const ListenSocket *listener, Text *text) {
    bool is_any = strcmp(listener->host, "0.0.0.0") == 0 || strcmp(listener->host, "[::]") == 0;
    struct ifaddrs *all;
    if (listen_socket_is_loopback(listener))
        return;
    if (!is_any) {
        text_add(text, listener->host);
        return;
    }
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        char host[INET_ADDRSTRLEN];
        struct sockaddr_in address;
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || !(one->ifa_flags & IFF_UP) ||
            one->ifa_flags & IFF_LOOPBACK)
            continue;
        memcpy(&address, one->ifa_addr, sizeof address);
        inet_ntop(AF_INET, &address.sin_addr, host, sizeof host);
        text_addf(text, "%s%s", text->length > 0 ? " " : "", host);
    }
    freeifaddrs(all);
}

void listen_socket_close(ListenSocket *listener) {
    if (listener->descriptor >= 0)
        close(listener->descriptor);
    listener->descriptor = -1;
}
