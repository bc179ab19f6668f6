#include "ui/web/connections.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/progress.h"

#define ABANDONED_S 1.0 /* before that, libmicrohttpd may still be reading the request */
#define NEW_S 0.5       /* how long a connection is new, whose client may be about to send */
#define LOST_S 1.0      /* libmicrohttpd takes much less to report a connection */

enum { HEADER_FACTOR = 3 };

/* How many connections with so many files each the limit on open files allows, after raising it as
 * far as possible. */
static size_t find_max(size_t files_each) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return CONNECTIONS_MAX / 16;
    rlim_t wanted = CONNECTIONS_MAX * files_each + CONNECTIONS_OTHER_FILES;
    if (files.rlim_cur < wanted) {
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted)
        return CONNECTIONS_MAX;
    return files.rlim_cur > (rlim_t)2 * CONNECTIONS_OTHER_FILES
               ? ((size_t)files.rlim_cur - CONNECTIONS_OTHER_FILES) / files_each
               : CONNECTIONS_OTHER_FILES / files_each;
}

void connections_init(Connections *connections, double seconds, bool by_address,
                      size_t files_each) {
    *connections = (Connections){.body_s = seconds,
                                 .header_s = HEADER_FACTOR * seconds,
                                 .by_address = by_address,
                                 .files_each = files_each,
                                 .max = find_max(files_each)};
    pthread_mutex_init(&connections->lock, NULL);
}

void connections_free(Connections *connections) {
    assert(connections->count == 0 && connections->half_open_count == 0);
    pthread_mutex_destroy(&connections->lock);
}

/* --- addresses --- */

/* Prints an IPv6 address; one that stands for an IPv4 address is printed as that. */
static void print_ipv6(struct in6_addr address, char text[CLIENT_NAME_BYTES]) {
    enum { IPV4_AT = 12, NETWORK_BYTES = 8 };
    if (IN6_IS_ADDR_V4MAPPED(&address)) {
        inet_ntop(AF_INET, address.s6_addr + IPV4_AT, text, CLIENT_NAME_BYTES);
        return;
    }
    memset(address.s6_addr + NETWORK_BYTES, 0, sizeof address.s6_addr - NETWORK_BYTES);
    inet_ntop(AF_INET6, &address, text, CLIENT_NAME_BYTES);
}

void connections_print_address(struct MHD_Connection *connection, char address[CLIENT_NAME_BYTES]) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *from = info ? info->client_addr : NULL;
    snprintf(address, CLIENT_NAME_BYTES, "unknown");
    if (from && from->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)from)->sin_addr, address,
                  CLIENT_NAME_BYTES);
    else if (from && from->sa_family == AF_INET6)
        print_ipv6(((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, address);
}

bool connections_parse_address(const char *text, char address[CLIENT_NAME_BYTES]) {
    struct in_addr ipv4;
    struct in6_addr ipv6;
    if (inet_pton(AF_INET, text, &ipv4) == 1)
        inet_ntop(AF_INET, &ipv4, address, CLIENT_NAME_BYTES);
    else if (inet_pton(AF_INET6, text, &ipv6) == 1)
        print_ipv6(ipv6, address);
    else
        return false;
    return true;
}

/* --- lists; the caller holds the lock --- */

/* Takes a connection out of a list that it may be in. */
static void unlist(Connections *connections, Connection *connection, ConnectionList list) {
    if (!connection->is_listed[list])
        return;
    Connection *older = connection->older[list], *newer = connection->newer[list];
    *(older ? &older->newer[list] : &connections->oldest[list]) = newer;
    *(newer ? &newer->older[list] : &connections->newest[list]) = older;
    connection->is_listed[list] = false;
    connections->half_open_count -= list == CONNECTIONS_HALF_OPEN;
}

/* Puts a connection at the end of a list that it may be in. */
static void list_as_newest(Connections *connections, Connection *connection, ConnectionList list) {
    unlist(connections, connection, list);
    Connection *older = connections->newest[list];
    connection->older[list] = older;
    connection->newer[list] = NULL;
    *(older ? &older->newer[list] : &connections->oldest[list]) = connection;
    connections->newest[list] = connection;
    connection->is_listed[list] = true;
    connections->half_open_count += list == CONNECTIONS_HALF_OPEN;
}

/* Lets the connection enter a stage. */
static void enter_stage(Connections *connections, Connection *connection, RequestStage stage) {
    connection->stage = stage;
    connection->since_s = progress_clock_s();
    if (stage == REQUEST_STAGE_HANDLING)
        unlist(connections, connection, CONNECTIONS_WAITING);
    else
        list_as_newest(connections, connection, CONNECTIONS_WAITING);
    if (stage >= REQUEST_STAGE_HANDLING)
        unlist(connections, connection, CONNECTIONS_HALF_OPEN);
}

/* --- closing connections; the caller holds the lock --- */

/* Ends a connection, of which libmicrohttpd then sees that it has ended. */
static void shut(Connections *connections, Connection *connection) {
    shutdown(connection->socket, SHUT_RDWR);
    enter_stage(connections, connection, REQUEST_STAGE_HANDLING);
}

/* Sends an error, if there is room for it. libmicrohttpd cannot answer half a request, so this
 * writes to the socket directly. */
static void send_error(const Connection *connection, const char *status, const char *body) {
    char text[512];
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 %s\r\nConnection: close\r\n"
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                          status, strlen(body), body);
    (void)!send(connection->socket, text, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Closes the oldest half-open connection, of this address or, for NULL, of any. */
static void shut_oldest_half_open(Connections *connections, const char *address) {
    Connection *at = connections->oldest[CONNECTIONS_HALF_OPEN];
    while (at && address && strcmp(at->address, address) != 0)
        at = at->newer[CONNECTIONS_HALF_OPEN];
    if (at)
        shut(connections, at);
}

static size_t count_half_open(const Connections *connections, const char *address) {
    size_t count = 0;
    const Connection *at = connections->oldest[CONNECTIONS_HALF_OPEN];
    for (; at; at = at->newer[CONNECTIONS_HALF_OPEN])
        count += strcmp(at->address, address) == 0;
    return count;
}

/* Closes an old connection if the new one, which is listed, is one too many. */
static void make_room(Connections *connections, const Connection *added) {
    if (connections->by_address &&
        count_half_open(connections, added->address) > CONNECTIONS_HALF_OPEN_PER_ADDRESS_MAX)
        shut_oldest_half_open(connections, added->address);
    if (connections->half_open_count > CONNECTIONS_HALF_OPEN_MAX)
        shut_oldest_half_open(connections, NULL);
    Connection *longest = connections->oldest[CONNECTIONS_WAITING];
    if (longest && longest != added && connections->count + CONNECTIONS_SPARE > connections->max)
        shut(connections, longest);
}

/* --- called by libmicrohttpd's threads --- */

/* The caller holds the lock. One that no longer counted as pending may be reported after all. */
static void end_pending(Connections *connections) {
    if (connections->pending > 0)
        connections->pending--;
}

static void add_connection(Connections *connections, Connection *added) {
    pthread_mutex_lock(&connections->lock);
    end_pending(connections);
    connections->count++;
    enter_stage(connections, added, REQUEST_STAGE_HEADER);
    list_as_newest(connections, added, CONNECTIONS_HALF_OPEN);
    make_room(connections, added);
    pthread_mutex_unlock(&connections->lock);
}

static void remove_connection(Connections *connections, Connection *removed) {
    pthread_mutex_lock(&connections->lock);
    connections->count--;
    unlist(connections, removed, CONNECTIONS_WAITING);
    unlist(connections, removed, CONNECTIONS_HALF_OPEN);
    pthread_mutex_unlock(&connections->lock);
    free(removed);
}

static int read_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

void connections_notify(void *context, struct MHD_Connection *connection, void **place,
                        enum MHD_ConnectionNotificationCode code) {
    Connections *connections = context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*place)
            remove_connection(connections, *place); /* before the socket number is used again */
        *place = NULL;
        return;
    }
    Connection *added = calloc(1, sizeof *added);
    *place = added;
    if (!added) { /* out of memory: only libmicrohttpd's own timeout applies */
        connections_cancel(connections);
        return;
    }
    added->socket = read_socket(connection);
    connections_print_address(connection, added->address);
    add_connection(connections, added);
}

/* What was noted of the connection; NULL if there was no memory. */
static Connection *find_connection(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void connections_set_stage(Connections *connections, struct MHD_Connection *connection,
                           RequestStage stage) {
    Connection *found = find_connection(connection);
    if (!found)
        return;
    pthread_mutex_lock(&connections->lock);
    enter_stage(connections, found, stage);
    pthread_mutex_unlock(&connections->lock);
}

void connections_refuse(Connections *connections, struct MHD_Connection *connection) {
    Connection *found = find_connection(connection);
    if (!found) { /* it can at least be closed */
        shutdown(read_socket(connection), SHUT_RDWR);
        return;
    }
    pthread_mutex_lock(&connections->lock);
    send_error(found, "400 Bad Request",
               "{\"error\":{\"code\":\"usage\",\"message\":\"too many arguments\"}}");
    shut(connections, found);
    pthread_mutex_unlock(&connections->lock);
}

/* --- called by the main thread --- */

/* Whether a request is expected on the connection, or a part of one has arrived. */
static bool is_receiving(const Connection *connection) {
    return connection->stage == REQUEST_STAGE_HEADER || connection->stage == REQUEST_STAGE_BODY;
}

/* Whether the client closed the connection in the middle of a request, which libmicrohttpd does not
 * notice. */
static bool is_abandoned(const Connection *connection) {
    char byte;
    return is_receiving(connection) &&
           recv(connection->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void connections_enforce(Connections *connections) {
    double now = progress_clock_s();
    pthread_mutex_lock(&connections->lock);
    for (Connection *at = connections->oldest[CONNECTIONS_WAITING], *newer; at; at = newer) {
        newer = at->newer[CONNECTIONS_WAITING]; /* `at` may leave the list */
        double spent_s = now - at->since_s;
        bool is_late_body = at->stage == REQUEST_STAGE_BODY && spent_s > connections->body_s;
        bool is_late_header = at->stage == REQUEST_STAGE_HEADER && spent_s > connections->header_s;
        if (is_late_body)
            send_error(at, "408 Request Timeout",
                       "{\"error\":{\"code\":\"too_slow\",\"message\":\"the request took too long "
                       "to arrive\"}}");
        if (is_late_body || is_late_header || (spent_s > ABANDONED_S && is_abandoned(at)))
            shut(connections, at);
    }
    pthread_mutex_unlock(&connections->lock);
}

/* Whether there are bytes that libmicrohttpd has not read. */
static bool has_bytes(const Connection *connection) {
    char byte;
    return recv(connection->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool connections_may_receive(Connections *connections) {
    double now = progress_clock_s();
    pthread_mutex_lock(&connections->lock);
    bool may = connections->pending > 0 && now < connections->reserved_s + LOST_S;
    const Connection *at = connections->oldest[CONNECTIONS_WAITING];
    for (; at && !may; at = at->newer[CONNECTIONS_WAITING]) {
        bool is_new = at->since_s + NEW_S > now &&
                      (at->is_listed[CONNECTIONS_HALF_OPEN] || at->stage == REQUEST_STAGE_BODY);
        may = is_receiving(at) && (is_new || has_bytes(at));
    }
    pthread_mutex_unlock(&connections->lock);
    return may;
}

size_t connections_count(Connections *connections) {
    pthread_mutex_lock(&connections->lock);
    size_t count = connections->count;
    pthread_mutex_unlock(&connections->lock);
    return count;
}

/* --- called by the acceptor --- */

bool connections_reserve(Connections *connections) {
    double now = progress_clock_s();
    pthread_mutex_lock(&connections->lock);
    if (now >= connections->reserved_s + LOST_S)
        connections->pending = 0;
    bool has_room = connections->count + connections->pending < connections->max;
    if (has_room) {
        connections->pending++;
        connections->reserved_s = now;
    }
    pthread_mutex_unlock(&connections->lock);
    return has_room;
}

void connections_cancel(Connections *connections) {
    pthread_mutex_lock(&connections->lock);
    end_pending(connections);
    pthread_mutex_unlock(&connections->lock);
}
