/* The open connections of the server: for how many there is room, which are closed, and whether a
 * request may be on its way. libmicrohttpd and the clock are replaced; the sockets are real. */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "testing.h"
#include "ui/web/connections.h"

enum { REQUEST_S = 10 }; /* for a body; three times as long for a header */

/* What libmicrohttpd would know of a connection. */
typedef struct Fake {
    int socket, client; /* both ends */
    void *place;        /* what connections_notify keeps there */
    struct sockaddr_in address;
    union MHD_ConnectionInfo info;
} Fake;

static double now_s;

/* The linker's names, by its option --wrap, for what is called instead. */
double read_fake_clock(void) __asm__("__wrap_progress_clock_s");
const union MHD_ConnectionInfo *read_fake_info(struct MHD_Connection *connection,
                                               enum MHD_ConnectionInfoType type,
                                               ...) __asm__("__wrap_MHD_get_connection_info");

double read_fake_clock(void) {
    return now_s;
}

static struct MHD_Connection *handle_of(Fake *fake) {
    return (struct MHD_Connection *)(void *)fake;
}

const union MHD_ConnectionInfo *read_fake_info(struct MHD_Connection *connection,
                                               enum MHD_ConnectionInfoType type, ...) {
    Fake *fake = (Fake *)(void *)connection;
    if (type == MHD_CONNECTION_INFO_CLIENT_ADDRESS)
        fake->info.client_addr = (struct sockaddr *)(void *)&fake->address;
    else if (type == MHD_CONNECTION_INFO_CONNECTION_FD)
        fake->info.connect_fd = fake->socket;
    else
        fake->info.socket_context = fake->place;
    return &fake->info;
}

static Connections begin(size_t max) {
    Connections connections;
    now_s = 1000;
    connections_init(&connections, REQUEST_S, true, 1);
    connections.max = max;
    return connections;
}

/* A connection from 192.0.2.`host` begins. */
static void open_one(Connections *connections, Fake *fake, unsigned host) {
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    *fake = (Fake){.socket = pair[0],
                   .client = pair[1],
                   .address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000200 + host)}};
    connections_notify(connections, handle_of(fake), &fake->place, MHD_CONNECTION_NOTIFY_STARTED);
}

static void close_one(Connections *connections, Fake *fake) {
    connections_notify(connections, handle_of(fake), &fake->place, MHD_CONNECTION_NOTIFY_CLOSED);
    close(fake->socket);
    close(fake->client);
}

static void enter(Connections *connections, Fake *fake, RequestStage stage) {
    connections_set_stage(connections, handle_of(fake), stage);
}

/* Its first request was answered. */
static void serve_one(Connections *connections, Fake *fake) {
    enter(connections, fake, REQUEST_STAGE_BODY);
    enter(connections, fake, REQUEST_STAGE_HANDLING);
    enter(connections, fake, REQUEST_STAGE_SENDING);
    enter(connections, fake, REQUEST_STAGE_HEADER);
}

/* Whether the server has closed the connection; `text` receives what it has sent before. */
static bool is_shut(const Fake *fake, char text[256]) {
    ssize_t got = recv(fake->client, text, 255, MSG_DONTWAIT);
    text[got > 0 ? got : 0] = '\0';
    return got == 0 || (got > 0 && recv(fake->client, &(char){0}, 1, MSG_DONTWAIT) == 0);
}

static bool is_open(const Fake *fake) {
    char text[256];
    return !is_shut(fake, text) && !text[0];
}

static void there_is_room_for_so_many(void **state) {
    (void)state;
    Connections connections = begin(4);
    Fake one, other;
    for (int i = 0; i < 4; i++)
        assert_true(connections_reserve(&connections));
    assert_false(connections_reserve(&connections));
    open_one(&connections, &one, 1); /* one of the four */
    assert_false(connections_reserve(&connections));
    connections_cancel(&connections);
    assert_true(connections_reserve(&connections));
    assert_false(connections_reserve(&connections));
    open_one(&connections, &other, 1);
    close_one(&connections, &one);
    assert_true(connections_reserve(&connections));
    assert_false(connections_reserve(&connections));
    close_one(&connections, &other);
    connections_free(&connections);
}

static void connections_that_are_never_reported_give_room_back(void **state) {
    (void)state;
    Connections connections = begin(2);
    Fake late[2];
    assert_true(connections_reserve(&connections) && connections_reserve(&connections));
    now_s += 0.9;
    assert_true(connections_may_receive(&connections));
    assert_false(connections_reserve(&connections));
    now_s += 0.2;
    assert_false(connections_may_receive(&connections));
    assert_true(connections_reserve(&connections) && connections_reserve(&connections));
    /* Two are reported after all, and two more are not. */
    now_s += 1.1;
    assert_true(connections_reserve(&connections));
    open_one(&connections, &late[0], 1);
    open_one(&connections, &late[1], 1);
    assert_int_equal(connections_count(&connections), 2);
    assert_false(connections_reserve(&connections));
    close_one(&connections, &late[0]);
    close_one(&connections, &late[1]);
    assert_true(connections_reserve(&connections) && connections_reserve(&connections));
    assert_false(connections_reserve(&connections));
    connections_free(&connections);
}

static void a_request_may_be_on_its_way(void **state) {
    (void)state;
    Connections connections = begin(100);
    Fake fake;
    assert_false(connections_may_receive(&connections));
    assert_true(connections_reserve(&connections));
    assert_true(connections_may_receive(&connections));
    open_one(&connections, &fake, 1);
    now_s += 0.4; /* its client may be about to send */
    assert_true(connections_may_receive(&connections));
    now_s += 0.2;
    assert_false(connections_may_receive(&connections));
    enter(&connections, &fake, REQUEST_STAGE_BODY);
    assert_true(connections_may_receive(&connections));
    now_s += 0.6;
    assert_false(connections_may_receive(&connections));
    assert_int_equal(send(fake.client, "x", 1, 0), 1); /* unread bytes */
    assert_true(connections_may_receive(&connections));
    enter(&connections, &fake, REQUEST_STAGE_HANDLING);
    assert_false(connections_may_receive(&connections));
    enter(&connections, &fake, REQUEST_STAGE_SENDING);
    assert_false(connections_may_receive(&connections));
    enter(&connections, &fake, REQUEST_STAGE_HEADER); /* the next one */
    assert_true(connections_may_receive(&connections));
    assert_int_equal(recv(fake.socket, &(char){0}, 1, 0), 1);
    assert_false(connections_may_receive(&connections));
    shutdown(fake.client, SHUT_WR);
    assert_false(connections_may_receive(&connections));
    connections_enforce(&connections); /* libmicrohttpd may still be reading */
    assert_true(is_open(&fake));
    now_s += 2;
    connections_enforce(&connections);
    assert_false(is_open(&fake));
    close_one(&connections, &fake);
    connections_free(&connections);
}

static void slow_requests_are_closed(void **state) {
    (void)state;
    Connections connections = begin(100);
    Fake header, body, handled, sending;
    char text[256];
    Fake *const all[] = {&header, &body, &handled, &sending};
    for (size_t i = 0; i < 4; i++)
        open_one(&connections, all[i], 1);
    enter(&connections, &body, REQUEST_STAGE_BODY);
    enter(&connections, &handled, REQUEST_STAGE_HANDLING);
    enter(&connections, &sending, REQUEST_STAGE_SENDING);
    now_s += REQUEST_S - 1;
    connections_enforce(&connections);
    assert_true(is_open(&header) && is_open(&body));
    now_s += 2;
    connections_enforce(&connections);
    assert_true(is_shut(&body, text));
    assert_int_equal(strncmp(text, "HTTP/1.1 408 ", 13), 0);
    assert_true(is_open(&header));
    now_s += 2 * REQUEST_S;
    connections_enforce(&connections);
    assert_true(is_shut(&header, text) && !text[0]);
    assert_true(is_open(&handled) && is_open(&sending));
    for (size_t i = 0; i < 4; i++)
        close_one(&connections, all[i]);
    connections_free(&connections);
}

/* With CONNECTIONS_SPARE places left, each new connection closes the one that has waited longest.
 */
static void who_has_waited_longest_is_closed(void **state) {
    (void)state;
    enum { PLACES = 5 };
    Connections connections = begin(PLACES + CONNECTIONS_SPARE);
    Fake fakes[PLACES + 4];
    char text[256];
    for (unsigned i = 0; i < PLACES; i++, now_s++)
        open_one(&connections, &fakes[i], i);
    serve_one(&connections, &fakes[0]); /* waits anew */
    enter(&connections, &fakes[1], REQUEST_STAGE_HANDLING);
    for (unsigned i = 0; i < PLACES; i++)
        assert_true(is_open(&fakes[i]));
    const size_t closed[] = {2, 3, 4, 0};
    for (unsigned i = 0; i < 4; i++) {
        now_s++;
        open_one(&connections, &fakes[PLACES + i], PLACES + i);
        assert_true(is_shut(&fakes[closed[i]], text));
        assert_true(is_open(&fakes[1]) && is_open(&fakes[PLACES + i]));
        close_one(&connections, &fakes[closed[i]]);
    }
    close_one(&connections, &fakes[1]);
    for (unsigned i = 0; i < 4; i++)
        close_one(&connections, &fakes[PLACES + i]);
    connections_free(&connections);
}

/* If all others are being handled, there are still the places that are kept free. */
static void who_has_just_come_stays(void **state) {
    (void)state;
    enum { PLACES = 3 };
    Connections connections = begin(PLACES + CONNECTIONS_SPARE);
    Fake fakes[PLACES + 2];
    for (unsigned i = 0; i < PLACES + 1; i++) {
        open_one(&connections, &fakes[i], i);
        enter(&connections, &fakes[i], REQUEST_STAGE_HANDLING);
    }
    open_one(&connections, &fakes[PLACES + 1], PLACES + 1);
    for (unsigned i = 0; i < PLACES + 2; i++) {
        assert_true(is_open(&fakes[i]));
        close_one(&connections, &fakes[i]);
    }
    connections_free(&connections);
}

static void the_oldest_half_open_one_of_an_address_is_closed(void **state) {
    (void)state;
    enum { COUNT = CONNECTIONS_HALF_OPEN_PER_ADDRESS_MAX };
    Connections connections = begin(CONNECTIONS_MAX);
    static Fake other, fakes[COUNT + 3];
    char text[256];
    open_one(&connections, &other, 2);
    for (size_t i = 0; i < COUNT + 1; i++)
        open_one(&connections, &fakes[i], 1);
    assert_true(is_shut(&fakes[0], text) && is_open(&other));
    serve_one(&connections, &fakes[1]); /* no longer half open */
    open_one(&connections, &fakes[COUNT + 1], 1);
    assert_true(is_open(&fakes[1]) && is_open(&fakes[2]));
    open_one(&connections, &fakes[COUNT + 2], 1);
    assert_true(is_open(&fakes[1]) && is_shut(&fakes[2], text) && is_open(&other));
    for (size_t i = 0; i < COUNT + 3; i++)
        close_one(&connections, &fakes[i]);
    close_one(&connections, &other);
    connections_free(&connections);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_room_for_so_many),
        cmocka_unit_test(connections_that_are_never_reported_give_room_back),
        cmocka_unit_test(a_request_may_be_on_its_way),
        cmocka_unit_test(slow_requests_are_closed),
        cmocka_unit_test(who_has_waited_longest_is_closed),
        cmocka_unit_test(who_has_just_come_stays),
        cmocka_unit_test(the_oldest_half_open_one_of_an_address_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
