/* Sending replies and files of the page by HTTP, with the security headers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "ui/web/compression.h"
#include "ui/web/server.h"

bool reply_add_header(struct MHD_Response *response, const char *name, const char *value) {
    return !value || MHD_add_response_header(response, name, value) == MHD_YES;
}

bool reply_add_headers(struct MHD_Response *response, const char *ancestors) {
    enum { POLICY_BYTES = 320 };
    char policy[POLICY_BYTES];
    const char *const headers[][2] = {{"Content-Security-Policy", policy},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"}};
    bool is_complete = true;
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
             "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
             "frame-ancestors %s",
             ancestors);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        is_complete = is_complete && reply_add_header(response, headers[i][0], headers[i][1]);
    return is_complete;
}

/* Whether the client understands gzip. */
static bool accepts_gzip(const Request *request) {
    return compression_is_accepted(
        MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Accept-Encoding"));
}

/* Says whether the body is compressed, and that this depends on the client. */
static bool add_coding(struct MHD_Response *response, bool is_packed) {
    return reply_add_header(response, "Content-Encoding", is_packed ? "gzip" : NULL) &&
           reply_add_header(response, "Vary", "Accept-Encoding");
}

/* A response of this text, of which it takes ownership; compressed if that is worth it and the
 * client understands it. */
static Response make_response(const Request *request, char *text, size_t length) {
    size_t packed_length;
    char *packed = accepts_gzip(request) ? compression_pack(text, length, &packed_length) : NULL;
    if (packed)
        free(text);
    char *sent = packed ? packed : text;
    Response response = {.bytes = packed ? packed_length : length};
    response.mhd = MHD_create_response_from_buffer(response.bytes, sent, MHD_RESPMEM_MUST_FREE);
    if (!response.mhd)
        free(sent);
    response.is_complete = response.mhd && add_coding(response.mhd, packed != NULL) &&
                           reply_add_headers(response.mhd, REPLY_NO_FRAME);
    return response;
}

/* --- the reply for a lack of memory --- */

static const char no_memory_text[] =
    "{\"error\":{\"code\":\"unavailable\",\"message\":\"out of memory\","
    "\"message_ko\":\"메모리가 부족합니다\"}}";

struct MHD_Response *reply_make_no_memory(void) {
    struct MHD_Response *made = MHD_create_response_from_buffer(
        sizeof no_memory_text - 1, (void *)no_memory_text, MHD_RESPMEM_PERSISTENT);
    if (made && reply_add_headers(made, REPLY_NO_FRAME) &&
        reply_add_header(made, "Content-Type", "application/json") &&
        reply_add_header(made, "Retry-After", "1") &&
        reply_add_header(made, "Connection", "close")) /* which gives memory back */
        return made;
    if (made)
        MHD_destroy_response(made);
    return NULL;
}

static void count_reply(Server *server, const AccessEntry *entry) {
    metrics_count(&server->metrics, entry->route, entry->status, entry->seconds);
    access_log_add(server->log, entry);
}

enum MHD_Result reply_send_no_memory(Server *server, struct MHD_Connection *connection,
                                     const char *method, const char *pattern, double seconds) {
    const unsigned status = MHD_HTTP_SERVICE_UNAVAILABLE;
    enum MHD_Result result = MHD_queue_response(connection, status, server->no_memory);
    count_reply(server, &(AccessEntry){.method = method,
                                       .route = pattern,
                                       .status = status,
                                       .bytes = sizeof no_memory_text - 1,
                                       .seconds = seconds});
    return result;
}

/* --- sending --- */

enum MHD_Result reply_queue(Request *request, unsigned status, Response response) {
    double seconds = progress_clock_s() - request->arrived_s;
    enum MHD_Result result = MHD_NO;
    if (response.bytes > 0) /* no stream */
        connections_set_stage(&request->server->connections, request->connection,
                              REQUEST_STAGE_SENDING);
    if (response.is_complete) {
        result = MHD_queue_response(request->connection, status, response.mhd);
        count_reply(request->server, &(AccessEntry){.method = request->method,
                                                    .route = request->pattern,
                                                    .status = status,
                                                    .bytes = response.bytes,
                                                    .seconds = seconds});
    } else {
        result = reply_send_no_memory(request->server, request->connection, request->method,
                                      request->pattern, seconds);
    }
    if (response.mhd)
        MHD_destroy_response(response.mhd);
    return result;
}

enum MHD_Result reply_send_asset(Request *request, unsigned status, const Asset *asset) {
    bool is_embedded = strcmp(request->path, "/embed") == 0, is_packed = accepts_gzip(request);
    const unsigned char *bytes = is_packed ? asset->packed : asset->bytes;
    Response response = {.bytes = (size_t)((is_packed ? asset->packed_end : asset->end) - bytes)};
    response.mhd =
        MHD_create_response_from_buffer(response.bytes, (void *)bytes, MHD_RESPMEM_PERSISTENT);
    response.is_complete = response.mhd && add_coding(response.mhd, is_packed) &&
                           reply_add_headers(response.mhd, is_embedded ? "*" : REPLY_NO_FRAME) &&
                           reply_add_header(response.mhd, "Content-Type", assets_type(asset));
    return reply_queue(request, status, response);
}

enum MHD_Result reply_send(Request *request) {
    Reply *reply = &request->reply;
    bool retry = reply->retry || reply->status == MHD_HTTP_TOO_MANY_REQUESTS;
    Response response = {.mhd = NULL};
    if (reply->text)
        response = make_response(request, reply->text, reply->length);
    reply->text = NULL; /* owned by the response now */
    response.is_complete =
        response.is_complete && reply_add_header(response.mhd, "Content-Type", reply->type) &&
        reply_add_header(response.mhd, "Retry-After", retry ? "1" : NULL) &&
        reply_add_header(response.mhd, "Connection", reply->close ? "close" : NULL) &&
        reply_add_header(response.mhd, "Set-Cookie", reply->cookie[0] ? reply->cookie : NULL);
    return reply_queue(request, reply->status, response);
}
