/* Replies: JSON, text, errors, and the security headers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/web/server.h"

static void set_reply(Request *request, unsigned status, const char *type, char *text) {
    request->reply.status = status;
    request->reply.type = type;
    request->reply.text = text;
    request->reply.length = text ? strlen(text) : 0;
    request->is_answered = true;
}

void reply_json(Request *request, unsigned status, json_t *json) {
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    set_reply(request, text ? status : MHD_HTTP_INTERNAL_SERVER_ERROR, "application/json", text);
}

void reply_text(Request *request, const char *type, char *text) {
    set_reply(request, text ? MHD_HTTP_OK : MHD_HTTP_INTERNAL_SERVER_ERROR, type, text);
}

/* The error code in JSON for an HTTP status. */
static const char *error_code(unsigned status) {
    switch (status) {
    case MHD_HTTP_BAD_REQUEST:
        return "usage";
    case MHD_HTTP_FORBIDDEN:
        return "forbidden";
    case MHD_HTTP_NOT_FOUND:
        return "not_found";
    case MHD_HTTP_METHOD_NOT_ALLOWED:
        return "method";
    case MHD_HTTP_CONFLICT:
        return "conflict";
    case MHD_HTTP_CONTENT_TOO_LARGE:
        return "too_large";
    case MHD_HTTP_UNSUPPORTED_MEDIA_TYPE:
        return "not_json";
    case MHD_HTTP_TOO_MANY_REQUESTS:
        return "too_many";
    case MHD_HTTP_SERVICE_UNAVAILABLE:
        return "unavailable";
    default:
        return "failed";
    }
}

void reply_error(Request *request, unsigned status, Phrase message) {
    json_t *text = json_string(message.in[LANG_EN]); /* NULL if it is not UTF-8 */
    json_t *error = json_pack("{s:s, s:o}", "code", error_code(status), "message",
                              text ? text : json_string("the message is not valid UTF-8"));
    if (message.in[LANG_KO])
        json_object_set_new(error, "message_ko", json_string(message.in[LANG_KO]));
    reply_json(request, status, json_pack("{s:o}", "error", error));
}

void reply_game_error(Request *request, const GameError *error) {
    reply_error(request, error->code, (Phrase){{error->message, error->message_ko}});
}

void reply_status(Request *request, const Status *status) {
    unsigned code = status->code == STATUS_USAGE         ? MHD_HTTP_BAD_REQUEST
                    : status->code == STATUS_UNSUPPORTED ? MHD_HTTP_BAD_REQUEST
                    : status->code == STATUS_TABLE       ? MHD_HTTP_SERVICE_UNAVAILABLE
                    : status->code == STATUS_STOPPED     ? MHD_HTTP_SERVICE_UNAVAILABLE
                                                         : MHD_HTTP_INTERNAL_SERVER_ERROR;
    static const Phrase too_long = {
        {"this takes too long for the server", "서버에서 계산하기에는 너무 오래 걸립니다"}};
    reply_error(request, code,
                status->code == STATUS_STOPPED ? too_long : (Phrase){{status->message, NULL}});
}

void reply_add_headers(struct MHD_Response *response) {
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
         "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

enum MHD_Result reply_send(Request *request) {
    Reply *reply = &request->reply;
    static char failure[] = "{\"error\":{\"code\":\"failed\",\"message\":\"out of memory\"}}";
    struct MHD_Response *response =
        reply->text
            ? MHD_create_response_from_buffer(reply->length, reply->text, MHD_RESPMEM_MUST_FREE)
            : MHD_create_response_from_buffer(strlen(failure), failure, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    reply->text = NULL; /* owned by the response now */
    reply_add_headers(response);
    MHD_add_response_header(response, "Content-Type", reply->type);
    if (reply->cookie[0])
        MHD_add_response_header(response, "Set-Cookie", reply->cookie);
    enum MHD_Result result = MHD_queue_response(request->connection, reply->status, response);
    MHD_destroy_response(response);
    return result;
}
