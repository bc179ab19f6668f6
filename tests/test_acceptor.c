/* The acceptor with connections that libmicrohttpd, which is replaced, never reports. */
#include <arpa/inet.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "testing.h"
#include "ui/web/acceptor.h"

enum { MAX = 3, LIMIT = MAX + CONNECTIONS_OTHER_FILES / 2, CLIENTS_MAX = 2 * LIMIT };

static _Atomic int now_s;

/* What was handed over. The acceptor's thread adds to it; `count` is incremented last. */
static struct {
    int descriptors[CLIENTS_MAX];
    _Atomic size_t count;
} handed;

/* The linker's names, by its option --wrap, for what is called instead. */
double read_fake_clock(void) __asm__("__wrap_progress_clock_s");
enum MHD_Result take_connection(struct MHD_Daemon *daemon, MHD_socket descriptor,
                                const struct sockaddr *address,
                                socklen_t size) __asm__("__wrap_MHD_add_connection");

double read_fake_clock(void) {
    return now_s;
}

enum MHD_Result take_connection(struct MHD_Daemon *daemon, MHD_socket descriptor,
                                const struct sockaddr *address, socklen_t size) {
    (void)daemon, (void)address, (void)size;
    handed.descriptors[handed.count] = descriptor;
    handed.count++;
    return MHD_YES;
}

static int listen_somewhere(struct sockaddr_in *address) {
    socklen_t size = sizeof *address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    *address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(bind(listener, (struct sockaddr *)address, size), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)address, &size), 0);
    assert_int_equal(listen(listener, 16), 0);
    return listener;
}

/* Connects, some time after whoever came before. Returns the client's end. */
static int connect_one(const struct sockaddr_in *address) {
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    now_s += 2;
    assert_int_equal(connect(client, (const struct sockaddr *)address, sizeof *address), 0);
    return client;
}

/* Waits until so many were handed over. */
static void wait_for(size_t count) {
    while (handed.count < count)
        usleep(1000);
    assert_int_equal(handed.count, count);
}

/* The lowest descriptor that is free. */
static int find_lowest(void) {
    int lowest = dup(STDIN_FILENO);
    close(lowest);
    return lowest;
}

static void descriptors_are_left_for_others(void **state) {
    (void)state;
    int clients[CLIENTS_MAX];
    size_t count = 0;
    struct sockaddr_in address;
    Connections connections;
    Acceptor acceptor;
    int listener = listen_somewhere(&address);
    connections_init(&connections, 10, true, 1);
    connections.max = MAX;
    acceptor_init(&acceptor);
    assert_ok(acceptor_start(&acceptor, listener, NULL, &connections));
    while (find_lowest() < LIMIT - 1) {
        clients[count++] = connect_one(&address);
        wait_for(count);
    }
    assert_true(count > MAX); /* those that were not reported do not count for ever */
    clients[count++] = connect_one(&address);
    clients[count++] = connect_one(&address);
    usleep(100000); /* if they were not to wait, they would not */
    close(handed.descriptors[0]);
    close(handed.descriptors[1]);
    wait_for(count); /* now there is room for both */
    acceptor_stop(&acceptor);
    for (size_t i = 0; i < count; i++) {
        assert_true(handed.descriptors[i] < LIMIT);
        close(clients[i]);
    }
    for (size_t i = 2; i < count; i++)
        close(handed.descriptors[i]);
    close(listener);
    connections_free(&connections);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_left_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
