#include "ui/client/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/json/parse.h"

enum { CONNECT_S = 10, ANSWER_S = 30 };

/* Called by libcurl with a piece of the answer. */
static size_t take_bytes(char *bytes, size_t size, size_t count, void *context) {
    Transfer *transfer = context;
    size *= count;
    if (size > TRANSFER_REPLY_BYTES_MAX - transfer->count)
        return 0;
    if (transfer->count + size > transfer->capacity) {
        size_t wanted = 2 * (transfer->count + size);
        char *larger = realloc(transfer->bytes, wanted);
        if (!larger)
            return 0;
        transfer->bytes = larger;
        transfer->capacity = wanted;
    }
    if (size > 0)
        memcpy(transfer->bytes + transfer->count, bytes, size);
    transfer->count += size;
    return size;
}

/* Adds a header. False if memory ran out. */
static bool add_header(Transfer *transfer, const char *header) {
    struct curl_slist *longer = transfer->curl->slist_append(transfer->headers, header);
    if (longer)
        transfer->headers = longer;
    return longer != NULL;
}

static bool add_headers(Transfer *transfer, const ServerLink *link, bool proves_seat) {
    char cookie[64];
    snprintf(cookie, sizeof cookie, "Cookie: malpan-seats=%s", link->token);
    return (!transfer->body[0] || add_header(transfer, "Content-Type: application/json")) &&
           (!proves_seat || !link->token[0] || add_header(transfer, cookie));
}

Status transfer_open(Transfer *transfer, const CurlLibrary *curl, const ServerLink *link,
                     const char *path, const char *body, bool proves_seat) {
    transfer_close(transfer);
    transfer->curl = curl;
    transfer->error[0] = '\0';
    snprintf(transfer->url, sizeof transfer->url, "%s/api/games/%s%s", link->base, link->id, path);
    snprintf(transfer->body, sizeof transfer->body, "%s", body ? body : "");
    CURL *easy = transfer->easy = curl->easy_init();
    if (!easy || !add_headers(transfer, link, proves_seat)) {
        transfer_close(transfer);
        return status_make(STATUS_FAILED, "out of memory");
    }
    curl->easy_setopt(easy, CURLOPT_URL, transfer->url);
    curl->easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    curl->easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl->easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    curl->easy_setopt(easy, CURLOPT_TIMEOUT, (long)ANSWER_S);
    curl->easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
    curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
    curl->easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    if (transfer->body[0])
        curl->easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->body);
    return status_ok();
}

long transfer_code(const Transfer *transfer) {
    long code = 0;
    if (transfer->easy)
        transfer->curl->easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

/* The server's complaint in the language, if it has one. */
static Status complaint(long code, const json_t *json, Lang lang) {
    const json_t *error = json_object_get(json, "error");
    const char *message = json_string_value(json_object_get(error, "message"));
    const char *korean = json_string_value(json_object_get(error, "message_ko"));
    if (lang == LANG_KO && korean)
        message = korean;
    return message ? status_make(STATUS_FAILED, "%s", message)
                   : status_make(STATUS_FAILED, "the server answers with status %ld", code);
}

Status transfer_read(const Transfer *transfer, CURLcode code, Lang lang, json_t **json) {
    json_error_t error;
    *json = NULL;
    if (code != CURLE_OK)
        return status_make(STATUS_FAILED, "%s",
                           transfer->error[0] ? transfer->error
                                              : transfer->curl->easy_strerror(code));
    if (!json_parse(transfer->bytes, transfer->count, json, &error))
        return status_make(STATUS_FAILED, "out of memory");
    long answer = transfer_code(transfer);
    if (answer == 200 && json_is_object(*json))
        return status_ok();
    Status status = answer == 200
                        ? status_make(STATUS_FAILED, "this is not a malpan server: no JSON")
                        : complaint(answer, *json, lang);
    json_decref(*json);
    *json = NULL;
    return status;
}

void transfer_close(Transfer *transfer) {
    if (transfer->easy)
        transfer->curl->easy_cleanup(transfer->easy);
    if (transfer->headers)
        transfer->curl->slist_free_all(transfer->headers);
    free(transfer->bytes);
    transfer->easy = NULL;
    transfer->headers = NULL;
    transfer->bytes = NULL;
    transfer->count = transfer->capacity = 0;
}
