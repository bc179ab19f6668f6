/* Reading a request: query, cookies, body, and where it comes from; and suspending it. */
#include <arpa/inet.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ui/json/parse.h"
#include "ui/web/server.h"

enum { TOKENS_MAX = 8 };

static const char cookie_name[] = "malpan-seats";

bool request_is_read(const Request *request) {
    return strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
}

const char *request_query(const Request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

static const char *find_header(const Request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* Whether the request was sent to the second origin of the page. */
static bool is_for_origin(const Request *request) {
    const char *host = find_header(request, "Host"), *origin = request->server->origin;
    return host && origin && strcasecmp(host, strstr(origin, "://") + 3) == 0;
}

/* The tokens in the cookie, separated by dots. */
static const char *cookie_tokens(const Request *request) {
    const char *tokens =
        MHD_lookup_connection_value(request->connection, MHD_COOKIE_KIND, cookie_name);
    return tokens ? tokens : "";
}

/* Copies the next token; false at the end, and if it is malformed. */
static bool next_token(const char **at, char token[SECRET_TEXT_BYTES]) {
    size_t length = strcspn(*at, ".");
    if (length != SECRET_TEXT_BYTES - 1)
        return false;
    memcpy(token, *at, length);
    token[length] = '\0';
    *at += length + ((*at)[length] == '.');
    return secret_is_text(token);
}

unsigned request_find_seats(const Request *request, const HostedGame *game) {
    const char *at = cookie_tokens(request);
    char token[SECRET_TEXT_BYTES];
    unsigned seats = 0;
    for (int i = 0; i < TOKENS_MAX && next_token(&at, token); i++)
        seats |= hosted_game_find_seats(game, token);
    return seats;
}

void request_add_token(Request *request, const char *id, const char *token) {
    const char *at = cookie_tokens(request);
    char old[SECRET_TEXT_BYTES], attributes[160];
    bool is_secure = is_for_origin(request) && strncmp(request->server->origin, "https", 5) == 0;
    snprintf(attributes, sizeof attributes,
             "; Path=/api/games/%s; Max-Age=31536000; HttpOnly; SameSite=Strict%s", id,
             is_secure ? "; Secure" : "");
    Text text = text_over(request->reply.cookie, sizeof request->reply.cookie);
    text_addf(&text, "%s=%s", cookie_name, token);
    for (int i = 1; i < TOKENS_MAX && next_token(&at, old); i++)
        if (strcmp(old, token) != 0)
            text_addf(&text, ".%s", old);
    text_add(&text, attributes);
    if (text.truncated) /* too many seats: keep the new one only */
        snprintf(request->reply.cookie, sizeof request->reply.cookie, "%s=%s%s", cookie_name, token,
                 attributes);
}

/* Whether the Host header names this server: `localhost` or an IP address, with the right port. Any
 * other name may be an attacker's that resolves to this address (DNS rebinding). */
static bool is_our_host(const Request *request, const char *host) {
    char name[64], port[16];
    unsigned char address[sizeof(struct in6_addr)];
    const char *bracket = strchr(host, ']'), *colon = strrchr(bracket ? bracket : host, ':');
    size_t length = colon ? (size_t)(colon - host) : strlen(host);
    if (length == 0 || length >= sizeof name)
        return false;
    snprintf(port, sizeof port, "%d", request->server->listener.port);
    snprintf(name, sizeof name, "%.*s", (int)length, host);
    if (strcmp(colon ? colon + 1 : "80", port) != 0) /* browsers leave out the default port */
        return false;
    if (name[0] == '[' && name[length - 1] == ']') {
        name[length - 1] = '\0';
        return inet_pton(AF_INET6, name + 1, address) == 1;
    }
    return strcasecmp(name, "localhost") == 0 || inet_pton(AF_INET, name, address) == 1;
}

bool request_is_same_origin(Request *request) {
    const char *host = find_header(request, "Host"), *origin = find_header(request, "Origin");
    const char *site = find_header(request, "Sec-Fetch-Site");
    const char *scheme = "http://";
    bool is_named = is_for_origin(request);
    bool is_ours = is_named || (host && is_our_host(request, host));
    bool changes = !request_is_read(request);
    if (changes && origin && is_named)
        is_ours = strcasecmp(origin, request->server->origin) == 0;
    else if (changes && origin)
        is_ours = is_ours && strncmp(origin, scheme, strlen(scheme)) == 0 &&
                  strcasecmp(origin + strlen(scheme), host) == 0;
    else if (site && (changes || strncmp(request->path, "/api/", 5) == 0))
        is_ours = is_ours && strcmp(site, "cross-site") != 0 && strcmp(site, "same-site") != 0;
    if (!is_ours)
        reply_error(request, MHD_HTTP_FORBIDDEN,
                    (Phrase){{"the request does not come from this page",
                              "이 페이지에서 보낸 요청이 아닙니다"}});
    return is_ours;
}

bool request_read_json(Request *request) {
    const char *type = find_header(request, "Content-Type");
    static const char json_type[] = "application/json";
    if (!type || strncasecmp(type, json_type, strlen(json_type)) != 0) {
        reply_error(request, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
                    (Phrase){{"the Content-Type must be application/json",
                              "Content-Type은 application/json이어야 합니다"}});
        return false;
    }
    json_error_t error;
    if (!json_parse(request->body, request->body_size, &request->json, &error)) {
        reply_json(request, MHD_HTTP_OK, NULL);
        return false;
    }
    if (!json_is_object(request->json)) {
        char message[2 * JSON_ERROR_TEXT_LENGTH];
        snprintf(message, sizeof message, "the body is not a JSON object%s%s",
                 request->json ? "" : ": ", request->json ? "" : error.text);
        text_make_printable(message);
        reply_error(request, MHD_HTTP_BAD_REQUEST, (Phrase){{message, NULL}});
        return false;
    }
    return true;
}

/* --- suspending --- */

void request_suspend(Request *request, void (*resume)(Request *request)) {
    request->resume = resume;
    if (request->phase == REQUEST_SUSPENDED)
        return; /* a worker leaves it to somebody else */
    assert(request->phase == REQUEST_RUNNING);
    request->phase = REQUEST_SUSPENDED;
    MHD_suspend_connection(request->connection);
}

void request_resume(Request *request) {
    struct MHD_Connection *connection = request->connection;
    assert(request->phase == REQUEST_SUSPENDED);
    request->phase = REQUEST_RESUMED;
    MHD_resume_connection(connection);
}

bool request_is_left(const Request *request) {
    return request->phase != REQUEST_RUNNING;
}

static void resume_waiter(GameWaiter *waiter, const GameError *error) {
    Request *request = (Request *)((char *)waiter - offsetof(Request, waiter));
    request->change_error = *error;
    request_resume(request);
}

void request_wait_for_game(Request *request, HostedGame *game) {
    request->waiter.resume = resume_waiter;
    request_suspend(request, NULL);
    game_registry_wait(game, &request->waiter);
}

void request_wait_for_change(Request *request, HostedGame *game, void (*resume)(Request *request)) {
    assert(game->phase == GAME_COMMITTING && !game->change.waiter);
    request->waiter.resume = resume_waiter;
    request_suspend(request, resume);
    game->change.waiter = &request->waiter;
}
