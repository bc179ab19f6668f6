#include "ui/web/handler.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "ui/web/assets.h"
#include "ui/web/framing.h"
#include "ui/web/server.h"
#include "ui/web/shared_tables.h"

enum { READS_PER_CHANGE = 100 }; /* a client may read this many times as often as it may write */

/* --- routes --- */

static const Route routes[] = {
    {"GET", "/api/health", api_health},         {"GET", "/api/games", api_games},
    {"GET", "/api/position", api_position},     {"GET", "/api/eval", api_eval},
    {"POST", "/api/games", api_create},         {"POST", "/api/import", api_import},
    {"GET", "/api/games/*", api_game},          {"GET", "/api/games/*/events", NULL},
    {"GET", "/api/games/*/record", api_record}, {"GET", "/api/games/*/review", api_review},
    {"POST", "/api/games/*/join", api_join},    {"POST", "/api/games/*/moves", api_move},
    {"POST", "/api/games/*/undo", api_undo},    {"POST", "/api/games/*/name", api_name},
    {"GET", "/metrics", api_metrics},
};

/* What metrics and log call the page and its files, and paths that do not exist. */
static const char page_pattern[] = "page", no_pattern[] = "none";

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

/* What metrics and log call the path, whatever the method. */
static const char *find_pattern(const Server *server, const char *path) {
    char id[SECRET_TEXT_BYTES];
    if (assets_find(path))
        return page_pattern;
    if (shared_tables_has_path(server, path))
        return shared_tables_pattern;
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        if (match_path(routes[i].path, path, id))
            return routes[i].path;
    return no_pattern;
}

/* The route of the request. NULL if there is none: then the reply is set to an error. */
static const Route *find_route(Request *request) {
    char allowed[32] = "";
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (!match_path(routes[i].path, request->path, request->id))
            continue;
        if (strcmp(routes[i].method, request_is_read(request) ? "GET" : request->method) == 0)
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

static bool is_change(const Request *request) {
    return strcmp(request->method, "POST") == 0;
}

/* Lets the route answer the request; if it leaves it to somebody else, handler_run is called
 * again when that is done. */
static enum MHD_Result run_route(Request *request) {
    if (!request->route->answer)
        return events_open(request);
    request->route->answer(request);
    return request_is_left(request) ? MHD_YES : reply_send(request);
}

static bool is_closing(Server *server) {
    pthread_mutex_lock(&server->registry.lock);
    bool is = server->phase >= SERVER_CLOSING;
    pthread_mutex_unlock(&server->registry.lock);
    return is;
}

/* Goes on with a request that was suspended. */
static enum MHD_Result continue_request(Request *request) {
    void (*resume)(Request * request) = request->resume;
    assert(request->phase == REQUEST_RESUMED);
    request->phase = REQUEST_RUNNING;
    request->resume = NULL;
    if (request->is_answered)
        return reply_send(request);
    if (!resume && is_closing(request->server)) {
        reply_closing(request);
        return reply_send(request);
    }
    if (!resume)
        return run_route(request);
    resume(request);
    return request_is_left(request) ? MHD_YES : reply_send(request);
}

/* Refuses a request that should not be handled. False: the reply is set to an error. */
static bool admit_request(Request *request) {
    if (!request_is_same_origin(request))
        return false;
    if (!limiter_take(&request->server->limiter, request->client,
                      is_change(request) ? 1 : 1.0 / READS_PER_CHANGE))
        reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS,
                    (Phrase){{"too many requests", "요청이 너무 많습니다"}});
    else if (request->too_large)
        reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE,
                    (Phrase){{"the body is larger than 64 kB", "요청이 64 kB보다 큽니다"}});
    else if (request->is_incomplete)
        reply_json(request, MHD_HTTP_OK, NULL);
    else if (is_closing(request->server))
        reply_closing(request);
    return !request->is_answered;
}

/* The page that tells people that there is nothing here; NULL for programs, which get JSON. */
static const Asset *find_lost_page(const Request *request) {
    const char *accepted =
        MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Accept");
    bool is_page = request_is_read(request) && request->pattern == no_pattern &&
                   strncmp(request->path, "/api/", 5) != 0;
    return is_page && accepted && strstr(accepted, "text/html") ? assets_find("/404.html") : NULL;
}

/* Answers a request that has arrived completely, or leaves it to somebody else. */
static enum MHD_Result answer_request(Request *request) {
    assert(request->phase == REQUEST_RECEIVING);
    request->phase = REQUEST_RUNNING;
    request->arrived_s = progress_clock_s();
    if (!admit_request(request))
        return reply_send(request);
    const Asset *asset = request_is_read(request) ? assets_find(request->path) : NULL;
    if (asset)
        return reply_send_asset(request, MHD_HTTP_OK, asset);
    if (request_is_read(request) && shared_tables_has_path(request->server, request->path))
        return shared_tables_answer(request);
    asset = find_lost_page(request);
    if (asset)
        return reply_send_asset(request, MHD_HTTP_NOT_FOUND, asset);
    request->route = find_route(request);
    if (!request->route || (is_change(request) && !request_read_json(request)))
        return reply_send(request);
    return run_route(request);
}

/* --- receiving --- */

/* Finds out who sends the request: the last address in the header that the proxy sets, or else the
 * other end of the connection. */
static void read_client(Request *request) {
    const char *name = request->server->client_header;
    const char *value =
        name ? MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name) : NULL;
    const char *comma = value ? strrchr(value, ',') : NULL;
    const char *last = comma ? comma + 1 : value ? value : "";
    char text[CLIENT_NAME_BYTES];
    last += strspn(last, " \t");
    snprintf(text, sizeof text, "%.*s", (int)strcspn(last, " \t"), last);
    if (!connections_parse_address(text, request->client))
        connections_print_address(request->connection, request->client);
}

/* Appends a part of the body. */
static void read_body(Request *request, const char *data, size_t size) {
    if (request->too_large || request->is_incomplete)
        return;
    if (request->body_size + size > SERVER_BODY_MAX) {
        request->too_large = true;
        return;
    }
    char *larger = realloc(request->body, request->body_size + size + 1);
    if (!larger) {
        request->is_incomplete = true;
        return;
    }
    memcpy(larger + request->body_size, data, size);
    request->body = larger;
    request->body_size += size;
    larger[request->body_size] = '\0';
}

/* Refuses a request whose end is unclear, and closes its connection. */
static bool refuse_unclear(Request *request, const char *version) {
    const char *fault = framing_find_fault(request->connection, request->method, version);
    if (!fault)
        return false;
    request->reply.close = true;
    reply_error(request, MHD_HTTP_BAD_REQUEST, (Phrase){{fault, NULL}});
    return true;
}

void *handler_check_target(void *context, const char *target, struct MHD_Connection *connection) {
    Server *server = context;
    if (framing_has_too_many_arguments(target))
        connections_refuse(&server->connections, connection);
    return NULL;
}

enum MHD_Result handler_run(void *context, struct MHD_Connection *connection, const char *url,
                            const char *method, const char *version, const char *data,
                            size_t *data_size, void **state) {
    Request *request = *state;
    if (!request) {
        request = calloc(1, sizeof *request);
        if (!request)
            return reply_send_no_memory(context, connection, method, find_pattern(context, url), 0);
        *request = (Request){.server = context,
                             .service = &((Server *)context)->service,
                             .connection = connection,
                             .method = method,
                             .path = url};
        request->pattern = find_pattern(context, url);
        request->arrived_s = progress_clock_s();
        read_client(request);
        connections_set_stage(&request->server->connections, connection, REQUEST_STAGE_BODY);
        *state = request;
        return refuse_unclear(request, version) ? reply_send(request) : MHD_YES;
    }
    if (*data_size > 0) {
        read_body(request, data, *data_size);
        *data_size = 0;
        return MHD_YES;
    }
    if (request->phase == REQUEST_SUSPENDED)
        return MHD_YES; /* libmicrohttpd may ask too soon */
    if (request->phase == REQUEST_RESUMED)
        return continue_request(request);
    request->is_counted = true; /* first, so that it is always known that a reply is due */
    atomic_fetch_add(&request->server->unsent, 1);
    connections_set_stage(&request->server->connections, connection, REQUEST_STAGE_HANDLING);
    return answer_request(request);
}

void handler_finish(void *context, struct MHD_Connection *connection, void **state,
                    enum MHD_RequestTerminationCode code) {
    (void)context, (void)code;
    Request *request = *state;
    if (!request)
        return;
    connections_set_stage(&request->server->connections, connection, REQUEST_STAGE_HEADER);
    if (request->is_counted)
        atomic_fetch_sub(&request->server->unsent, 1);
    json_decref(request->json);
    free(request->body);
    free(request->reply.text);
    free(request);
    *state = NULL;
}

void handler_add_routes(Metrics *metrics) {
    metrics_add_route(metrics, page_pattern);
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        metrics_add_route(metrics, routes[i].path);
    metrics_add_route(metrics, shared_tables_pattern);
    metrics_add_route(metrics, no_pattern);
}
