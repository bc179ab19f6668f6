/* Replies of the server as they are sent, also without memory. */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "testing.h"
#include "ui/web/server.h"

static const char no_memory[] =
    "{\"error\":{\"code\":\"unavailable\",\"message\":\"out of memory\","
    "\"message_ko\":\"메모리가 부족합니다\"}}";

/* jansson's allocations, which have no place for a context: this many succeed. */
static size_t allocations_left = SIZE_MAX;

static void *allocate(size_t bytes) {
    if (allocations_left == 0)
        return NULL;
    allocations_left--;
    return malloc(bytes);
}

/* --- setting a reply --- */

static void set_error(Request *request) {
    reply_error(request, MHD_HTTP_NOT_FOUND, (Phrase){{"no such path", "없는 주소입니다"}});
}

/* An error is reported as it is, or as a lack of memory. */
static void errors_without_memory(void **state) {
    (void)state;
    size_t failed = 0;
    json_set_alloc_funcs(allocate, free);
    for (size_t i = 0;; i++) {
        Request request = {.reply = {.status = 0}};
        allocations_left = i;
        set_error(&request);
        bool was_enough = allocations_left > 0;
        allocations_left = SIZE_MAX;
        assert_true(request.is_answered);
        assert_string_equal(request.reply.type, "application/json");
        if (request.reply.text) {
            assert_int_equal(request.reply.status, MHD_HTTP_NOT_FOUND);
            assert_string_equal(request.reply.text,
                                "{\"error\":{\"code\":\"not_found\",\"message\":"
                                "\"no such path\",\"message_ko\":"
                                "\"없는 주소입니다\"}}");
            free(request.reply.text);
        } else {
            assert_int_equal(request.reply.status, MHD_HTTP_SERVICE_UNAVAILABLE);
            failed++;
        }
        if (was_enough)
            break;
    }
    json_set_alloc_funcs(malloc, free);
    assert_true(failed > 10);
}

/* What a failure is to the client: its own, or the server's for now. */
static void statuses(void **state) {
    (void)state;
    static const struct {
        StatusCode code;
        unsigned status;
    } cases[] = {{STATUS_USAGE, 400},
                 {STATUS_UNSUPPORTED, 400},
                 {STATUS_TABLE, 503},
                 {STATUS_STOPPED, 503},
                 {STATUS_FAILED, 503}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Request request = {.reply = {.status = 0}};
        Status status = status_make(cases[i].code, "why");
        reply_status(&request, &status);
        assert_int_equal(request.reply.status, cases[i].status);
        free(request.reply.text);
    }
}

/* --- sending it --- */

typedef void SetReply(Request *request);

static void set_no_json(Request *request) {
    reply_json(request, MHD_HTTP_OK, NULL);
}

static void set_no_text(Request *request) {
    reply_text(request, "text/plain; charset=utf-8", NULL);
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *data_bytes, void **request_context) {
    (void)path, (void)method, (void)version, (void)data, (void)data_bytes, (void)request_context;
    SetReply *const *set = context;
    Server *server = calloc(1, sizeof *server);
    metrics_init(&server->metrics);
    metrics_add_route(&server->metrics, "page");
    server->no_memory = reply_make_no_memory();
    Request request = {.connection = connection, .server = server, .pattern = "page"};
    (*set)(&request);
    enum MHD_Result result = reply_send(&request);
    MHD_destroy_response(server->no_memory);
    metrics_free(&server->metrics);
    free(server);
    return result;
}

/* Asks a server on a free port of this machine; the reply ends with the connection. */
static void ask(struct MHD_Daemon *daemon, char reply[], size_t capacity) {
    static const char request[] = "GET / HTTP/1.0\r\n\r\n";
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port),
        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    int client = socket(AF_INET, SOCK_STREAM, 0);
    size_t length = 0;
    assert_int_equal(connect(client, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(write(client, request, strlen(request)), strlen(request));
    for (ssize_t count = 1; count > 0; length += (size_t)count) {
        count = read(client, reply + length, capacity - 1 - length);
        assert_true(count >= 0);
    }
    reply[length] = '\0';
    close(client);
}

static void check_sent(SetReply *set, const char *status, const char *body) {
    char reply[4096];
    struct sockaddr_in loopback = {.sin_family = AF_INET,
                                   .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, &set,
                         MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&loopback, MHD_OPTION_END);
    assert_non_null(daemon);
    ask(daemon, reply, sizeof reply);
    MHD_stop_daemon(daemon);
    const char *end = strstr(reply, "\r\n\r\n");
    assert_non_null(end);
    assert_string_equal(end + 4, body);
    assert_non_null(strstr(reply, status));
    assert_non_null(strstr(reply, "\r\nContent-Type: application/json\r\n"));
}

static void replies_as_they_are_sent(void **state) {
    (void)state;
    check_sent(set_no_json, " 503 ", no_memory);
    check_sent(set_no_text, " 503 ", no_memory);
    check_sent(set_error, " 404 ",
               "{\"error\":{\"code\":\"not_found\",\"message\":\"no such path\",\"message_ko\":"
               "\"없는 주소입니다\"}}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_without_memory),
        cmocka_unit_test(statuses),
        cmocka_unit_test(replies_as_they_are_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
