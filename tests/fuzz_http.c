/* Any bytes as the body of a request, or as a whole request, to a server in this process.
 *
 * The first byte chooses the path. Every request gets a complete reply with a known status; what
 * says that it is JSON can be parsed; and the server goes on. A game that was created is what the
 * next moves, undos and joins are sent to, so the fuzzer can play on.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ui/web/serve.h"

enum { REPLY_BYTES = 1 << 22, HEAD_BYTES = 1024, COOKIE_BYTES = 512, ID_BYTES = 64 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
    pthread_mutex_t lock;
    pthread_cond_t listening;
    int port; /* 0: it does not listen yet */
    pthread_t thread;
    StopFlag stop;
    char folder[32];
    char id[ID_BYTES], cookie[COOKIE_BYTES]; /* of the last game that was created */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER, .listening = PTHREAD_COND_INITIALIZER};

static char reply[REPLY_BYTES + 1];

/* --- the server --- */

static void announce(const char *address, const char *why_read_only) {
    assert(!why_read_only);
    pthread_mutex_lock(&server.lock);
    server.port = atoi(strrchr(address, ':') + 1);
    pthread_cond_signal(&server.listening);
    pthread_mutex_unlock(&server.lock);
}

static void *run_server(void *unused) {
    (void)unused;
    ServeSettings settings = {.bind = "127.0.0.1",
                              .data = server.folder,
                              .is_relaxed = true,
                              .request_timeout_s = 1,
                              .threads = 1,
                              .limits = {.memory_bytes = 64 << 20, .threads = 1, .seconds = 0.01},
                              .announce = announce,
                              .stop = &server.stop};
    settings.limits.stop = &server.stop;
    Status status = serve_run(&settings);
    assert(status_is_ok(&status));
    return NULL;
}

static void stop_server(void) {
    char path[sizeof server.folder + 64];
    static const char *const names[] = {"games.sqlite", "games.sqlite-wal", "games.sqlite-shm",
                                        "games.lock"};
    server.stop = true;
    pthread_join(server.thread, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", server.folder, names[i]);
        unlink(path);
    }
    rmdir(server.folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    strcpy(server.folder, "/tmp/malpan-fuzz-XXXXXX");
    char *folder = mkdtemp(server.folder);
    assert(folder);
    int code = pthread_create(&server.thread, NULL, run_server, NULL);
    assert(code == 0);
    pthread_mutex_lock(&server.lock);
    while (server.port == 0)
        pthread_cond_wait(&server.listening, &server.lock);
    pthread_mutex_unlock(&server.lock);
    atexit(stop_server);
    return 0;
}

/* --- requests --- */

static int connect_to_server(void) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)server.port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert(line >= 0);
    int code = connect(line, (struct sockaddr *)&address, sizeof address);
    assert(code == 0);
    return line;
}

/* Sends the bytes; the server may close the connection before it has read them all. */
static void send_all(int line, const void *bytes, size_t size) {
    for (size_t sent = 0; sent < size;) {
        ssize_t count = send(line, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL);
        if (count <= 0)
            return;
        sent += (size_t)count;
    }
}

/* Reads until the server closes the connection. Returns how much. */
static size_t receive_all(int line) {
    size_t size = 0;
    ssize_t count;
    while (size < REPLY_BYTES && (count = recv(line, reply + size, REPLY_BYTES - size, 0)) > 0)
        size += (size_t)count;
    reply[size] = '\0';
    close(line);
    return size;
}

/* The value of a header of the reply; NULL: it has none. */
static const char *find_header(const char *name) {
    const char *end = strstr(reply, "\r\n\r\n"), *at = strstr(reply, name);
    return end && at && at < end ? at + strlen(name) : NULL;
}

/* Remembers the game that the reply is about, and its cookie. */
static void note_game(const json_t *json) {
    const char *id = json_string_value(json_object_get(json, "id"));
    const char *cookie = find_header("\r\nSet-Cookie: ");
    if (!id || !cookie || strlen(id) >= sizeof server.id)
        return;
    memcpy(server.id, id, strlen(id) + 1);
    snprintf(server.cookie, sizeof server.cookie, "%.*s", (int)strcspn(cookie, ";"), cookie);
}

/* Checks that the reply is complete and known; returns its status. */
static int check_reply(size_t size) {
    static const int known[] = {200, 201, 400, 403, 404, 405, 409, 413, 415, 429, 503};
    int status = 0, found = 0;
    if (sscanf(reply, "HTTP/1.1 %d ", &status) != 1)
        return 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        found += status == known[i];
    assert(found == 1);
    const char *length = find_header("\r\nContent-Length: ");
    const char *body = strstr(reply, "\r\n\r\n") + 4;
    assert(length && size == (size_t)(body - reply) + strtoull(length, NULL, 10));
    const char *type = find_header("\r\nContent-Type: ");
    if (type && strncmp(type, "application/json", 16) == 0) {
        json_t *json = json_loads(body, 0, NULL);
        assert(json);
        assert((status >= 400) == (json_object_get(json, "error") != NULL));
        if (status == 201)
            note_game(json);
        json_decref(json);
    }
    return status;
}

static void post_body(const char *path, const uint8_t *data, size_t size) {
    char head[HEAD_BYTES];
    int length = snprintf(head, sizeof head,
                          "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\n"
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n"
                          "Connection: close\r\n\r\n",
                          path, server.port, server.cookie, size);
    int line = connect_to_server();
    send_all(line, head, (size_t)length);
    send_all(line, data, size);
    int status = check_reply(receive_all(line));
    assert(status != 0);
}

/* Sends the bytes as they are. Some need no reply, such as half a request. */
static void send_raw(const uint8_t *data, size_t size) {
    int line = connect_to_server();
    send_all(line, data, size);
    shutdown(line, SHUT_WR);
    receive_all(line);
}

/* Sends a request for the target. A target with spaces or line ends may make it another request, or
 * none. */
static void get_target(const uint8_t *data, size_t size) {
    char tail[HEAD_BYTES];
    int length =
        snprintf(tail, sizeof tail, " HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n",
                 server.port);
    int line = connect_to_server();
    send_all(line, "GET ", 4);
    send_all(line, data, size);
    send_all(line, tail, (size_t)length);
    shutdown(line, SHUT_WR);
    receive_all(line);
}

/* The server answers others. */
static void check_health(void) {
    static const char target[] = "/api/health";
    get_target((const uint8_t *)target, sizeof target - 1);
    int status = check_reply(strlen(reply));
    assert(status == 200);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const actions[] = {"moves", "undo", "join"};
    enum {
        ACTIONS = sizeof actions / sizeof actions[0],
        CREATE = ACTIONS,
        IMPORT,
        GET,
        RAW,
        PATHS
    };
    char path[HEAD_BYTES / 2];
    if (size == 0)
        return 0;
    unsigned choice = *data++ % PATHS;
    size--;
    if (choice < ACTIONS) {
        snprintf(path, sizeof path, "/api/games/%s/%s", server.id[0] ? server.id : "-",
                 actions[choice]);
        post_body(path, data, size);
    } else if (choice == CREATE || choice == IMPORT) {
        post_body(choice == CREATE ? "/api/games" : "/api/import", data, size);
    } else {
        (choice == GET ? get_target : send_raw)(data, size);
        check_health();
    }
    return 0;
}
