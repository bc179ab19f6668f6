#include "ui/web/serve.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ui/web/assets.h"
#include "ui/web/server.h"
#include "ui/web/view.h"

enum {
    CONNECTIONS_MAX = 2000,
    CONNECTIONS_PER_CLIENT_MAX = 500,
    IDLE_S = 30, /* how long a connection may be silent */
    JOBS_PER_CLIENT_MAX = 8,
    READS_PER_CHANGE = 100,   /* a client may read this many times as often as it may write */
    REQUEST_BYTES = 16 << 10, /* libmicrohttpd's buffer: a header and what is read at once */
    POLL_MS = 200,
    KEEP_ALIVE_MS = 15000
};

/* --- routes --- */

typedef struct Route {
    const char *method, *path;        /* `*` stands for the id of a game */
    void (*answer)(Request *request); /* NULL: a stream of events */
} Route;

static const Route routes[] = {
    {"GET", "/api/health", api_health},         {"GET", "/api/games", api_games},
    {"GET", "/api/position", api_position},     {"GET", "/api/eval", api_eval},
    {"POST", "/api/games", api_create},         {"POST", "/api/import", api_import},
    {"GET", "/api/games/*", api_game},          {"GET", "/api/games/*/events", NULL},
    {"GET", "/api/games/*/record", api_record}, {"GET", "/api/games/*/review", api_review},
    {"POST", "/api/games/*/join", api_join},    {"POST", "/api/games/*/moves", api_move},
    {"POST", "/api/games/*/undo", api_undo},
};

/* Whether the path matches the pattern; copies the part that `*` stands for to `id`. */
static bool match_path(const char *pattern, const char *path, char id[SECRET_TEXT_BYTES]) {
    const char *star = strchr(pattern, '*');
    if (!star)
        return strcmp(pattern, path) == 0;
    size_t before = (size_t)(star - pattern);
    if (strncmp(pattern, path, before) != 0)
        return false;
    size_t length = strcspn(path + before, "/");
    if (length != SECRET_TEXT_BYTES - 1 || strcmp(path + before + length, star + 1) != 0)
        return false;
    memcpy(id, path + before, length);
    id[length] = '\0';
    return true;
}

/* The route of the request. NULL if there is none: then the reply is set to an error. */
static const Route *find_route(Request *request) {
    char allowed[32] = "";
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (!match_path(routes[i].path, request->path, request->id))
            continue;
        if (strcmp(routes[i].method, request->method) == 0)
            return &routes[i];
        /* The methods are listed for the message: of two, GET comes first. */
        snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s",
                 allowed[0] ? " and " : "", routes[i].method);
    }
    if (allowed[0]) {
        char message[64];
        snprintf(message, sizeof message, "this path only accepts %s", allowed);
        reply_error(request, MHD_HTTP_METHOD_NOT_ALLOWED, (Phrase){{message, NULL}});
    } else {
        reply_error(request, MHD_HTTP_NOT_FOUND, (Phrase){{"no such path", "없는 주소입니다"}});
    }
    return NULL;
}

static enum MHD_Result send_asset(const Request *request, const Asset *asset) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
        (size_t)(asset->end - asset->bytes), (void *)asset->bytes, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    reply_add_headers(response);
    MHD_add_response_header(response, "Content-Type", assets_type(asset));
    enum MHD_Result result = MHD_queue_response(request->connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static bool is_change(const Request *request) {
    return strcmp(request->method, "POST") == 0;
}

/* Answers a request that has arrived completely, or queues it. */
static enum MHD_Result answer_request(Request *request) {
    if (!request_is_same_origin(request))
        return reply_send(request);
    if (!limiter_take(&request->server->limiter, request->client,
                      is_change(request) ? 1 : 1.0 / READS_PER_CHANGE)) {
        reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS,
                    (Phrase){{"too many requests", "요청이 너무 많습니다"}});
        return reply_send(request);
    }
    if (request->too_large) {
        reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE,
                    (Phrase){{"the body is larger than 64 kB", "요청이 64 kB보다 큽니다"}});
        return reply_send(request);
    }
    const Asset *asset = strcmp(request->method, "GET") == 0 ? assets_find(request->path) : NULL;
    if (asset)
        return send_asset(request, asset);
    const Route *route = find_route(request);
    if (!route || (is_change(request) && !request_read_json(request)))
        return reply_send(request);
    if (!route->answer)
        return events_open(request);
    route->answer(request);
    /* If a worker has it now, handle_request is called again when the worker is done. */
    return request->is_queued ? MHD_YES : reply_send(request);
}

/* --- connections --- */

static void read_client(Request *request) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    if (address && address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr,
                  request->client, sizeof request->client);
    else if (address && address->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr,
                  request->client, sizeof request->client);
}

/* Appends a part of the body. */
static void read_body(Request *request, const char *data, size_t size) {
    if (request->too_large || request->body_size + size > SERVER_BODY_MAX) {
        request->too_large = true;
        return;
    }
    char *larger = realloc(request->body, request->body_size + size + 1);
    if (!larger) {
        request->too_large = true;
        return;
    }
    memcpy(larger + request->body_size, data, size);
    request->body = larger;
    request->body_size += size;
    larger[request->body_size] = '\0';
}

/* Called by libmicrohttpd: once for the header, then for each part of the body, then until there is
 * a reply. */
static enum MHD_Result handle_request(void *context, struct MHD_Connection *connection,
                                      const char *url, const char *method, const char *version,
                                      const char *data, size_t *data_size, void **state) {
    (void)version;
    Request *request = *state;
    if (!request) {
        request = calloc(1, sizeof *request);
        if (!request)
            return MHD_NO;
        *request =
            (Request){.server = context, .connection = connection, .method = method, .path = url};
        read_client(request);
        request_timeouts_set_stage(&request->server->timeouts, connection, REQUEST_STAGE_BODY);
        *state = request;
        return MHD_YES;
    }
    if (*data_size > 0) {
        read_body(request, data, *data_size);
        *data_size = 0;
        return MHD_YES;
    }
    if (request->is_queued && !request->is_answered)
        return MHD_YES; /* a worker still has it */
    if (request->is_answered)
        return reply_send(request);
    request_timeouts_set_stage(&request->server->timeouts, connection, REQUEST_STAGE_HANDLING);
    return answer_request(request);
}

/* Called by libmicrohttpd when a request is finished, or its connection is gone. */
static void finish_request(void *context, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode code) {
    (void)context, (void)code;
    Request *request = *state;
    if (!request)
        return;
    request_timeouts_set_stage(&request->server->timeouts, connection, REQUEST_STAGE_HEADER);
    if (request->is_queued)
        work_queue_note_sent(request->server);
    json_decref(request->json);
    free(request->body);
    free(request->reply.text);
    free(request);
    *state = NULL;
}

/* --- start and stop --- */

/* Opens a listening socket, so that the port is known before the first request. */
static Status open_listener(Server *server, const ServeSettings *settings, int *listener) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)settings->port)};
    struct sockaddr_in6 address6 = {.sin6_family = AF_INET6,
                                    .sin6_port = htons((uint16_t)settings->port)};
    const int on = 1;
    bool is_6 = inet_pton(AF_INET6, settings->bind, &address6.sin6_addr) == 1;
    if (!is_6 && inet_pton(AF_INET, settings->bind, &address.sin_addr) != 1)
        return status_make(STATUS_USAGE, "--bind: expected an address such as 127.0.0.1, not %s",
                           quote(settings->bind).text);
    struct sockaddr *bound = is_6 ? (struct sockaddr *)&address6 : (struct sockaddr *)&address;
    socklen_t size = is_6 ? sizeof address6 : sizeof address;
    *listener = socket(bound->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*listener < 0 || setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(*listener, bound, size) != 0 || listen(*listener, SOMAXCONN) != 0 ||
        getsockname(*listener, bound, &size) != 0) {
        Status status = status_make(STATUS_FAILED, "cannot listen on %s, port %d: %s",
                                    settings->bind, settings->port, strerror(errno));
        if (*listener >= 0)
            close(*listener);
        return status;
    }
    server->port = ntohs(is_6 ? address6.sin6_port : address.sin_port);
    snprintf(server->host, sizeof server->host, is_6 ? "[%s]" : "%s", settings->bind);
    return status_ok();
}

static Status start_daemon(Server *server, const ServeSettings *settings) {
    int listener;
    Status status = open_listener(server, settings, &listener);
    if (!status_is_ok(&status))
        return status;
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, NULL, NULL,
        handle_request, server, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)settings->threads, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)CONNECTIONS_PER_CLIENT_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_NOTIFY_COMPLETED,
        finish_request, NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
        MHD_OPTION_NOTIFY_CONNECTION, request_timeouts_notify, &server->timeouts, MHD_OPTION_END);
    if (server->daemon)
        return status_ok();
    close(listener);
    return status_make(STATUS_FAILED, "cannot start the HTTP server");
}

/* Moves the server to a later phase. */
static void enter_phase(Server *server, ServerPhase phase) {
    pthread_mutex_lock(&server->registry.lock);
    assert(server->phase < phase);
    server->phase = phase;
    pthread_mutex_unlock(&server->registry.lock);
}

/* Enforces deadlines and sends keep-alives until it is told to stop. */
static void wait_for_stop(Server *server, const StopFlag *stop) {
    struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    assert(server->phase == SERVER_SERVING);
    for (int i = 1; !*stop; i++) {
        nanosleep(&pause, NULL);
        solver_pool_stop_expired(&server->pool, false);
        request_timeouts_enforce(&server->timeouts);
        if (i % (KEEP_ALIVE_MS / POLL_MS) != 0)
            continue;
        pthread_mutex_lock(&server->registry.lock);
        events_wake_all(server);
        work_queue_schedule_watched_games(server);
        pthread_mutex_unlock(&server->registry.lock);
    }
}

/* Closes the server in whichever phase it is, and frees it. */
static void close_server(Server *server) {
    enter_phase(server, SERVER_CLOSING);
    pthread_mutex_lock(&server->registry.lock);
    events_wake_all(server);
    pthread_mutex_unlock(&server->registry.lock);
    solver_pool_stop_expired(&server->pool, true);
    work_queue_finish(server); /* first, so that no connection waits for a worker */
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    enter_phase(server, SERVER_CLOSED);
    work_queue_free(server);
    game_registry_free(&server->registry);
    solver_pool_free(&server->pool);
    reply_cache_free(&server->replies);
    reply_cache_free(&server->created);
    limiter_close(&server->limiter);
    request_timeouts_free(&server->timeouts);
    free(server->games_text);
    free(server);
}

static Status start_server(Server *server, const ServeSettings *settings) {
    json_t *games = view_games(&settings->limits);
    server->games_text = json_dumps(games, JSON_COMPACT);
    json_decref(games);
    if (!limiter_open(&server->limiter, settings->rate, JOBS_PER_CLIENT_MAX) || !server->games_text)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = work_queue_start(server, (size_t)settings->threads);
    if (!status_is_ok(&status))
        return status;
    enter_phase(server, SERVER_SERVING); /* before the first request can arrive */
    return start_daemon(server, settings);
}

/* Creates a server that owns the archive. NULL if out of memory; then the archive is closed. */
static Server *create_server(const ServeSettings *settings, Archive *archive) {
    Server *server = calloc(1, sizeof *server);
    if (!server) {
        archive_close(archive);
        return NULL;
    }
    game_registry_init(&server->registry, archive);
    work_queue_init(server);
    /* Request threads and workers use solvers. */
    solver_pool_init(&server->pool, &settings->limits, 2 * (size_t)settings->threads);
    reply_cache_init(&server->replies);
    reply_cache_init(&server->created);
    request_timeouts_init(&server->timeouts, settings->request_timeout_s);
    server->registry.on_change = events_wake;
    server->origin = settings->origin;
    return server;
}

Status serve_run(const ServeSettings *settings) {
    Archive *archive;
    if (!secret_init())
        return status_make(STATUS_FAILED, "the system has no source of random numbers");
    Status status = archive_open(settings->data, &archive);
    if (!status_is_ok(&status))
        return status;
    Server *server = create_server(settings, archive);
    if (!server)
        return status_make(STATUS_FAILED, "out of memory");
    status = start_server(server, settings);
    if (status_is_ok(&status)) {
        char address[128];
        snprintf(address, sizeof address, "http://%s:%d/", server->host, server->port);
        settings->announce(address);
        wait_for_stop(server, settings->stop);
    }
    close_server(server);
    return status;
}
