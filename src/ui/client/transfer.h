/* One HTTP request and its answer, by libcurl. A transfer belongs to one thread at a time. */
#ifndef MALPAN_UI_CLIENT_TRANSFER_H
#define MALPAN_UI_CLIENT_TRANSFER_H

#include <jansson.h>

#include "base/phrase.h"
#include "ui/client/curl_library.h"
#include "ui/client/server_link.h"

enum { TRANSFER_URL_BYTES = 512, TRANSFER_BODY_BYTES = 512, TRANSFER_REPLY_BYTES_MAX = 16 << 20 };

typedef struct Transfer {
    const CurlLibrary *curl;
    CURL *easy; /* NULL: nothing is under way */
    struct curl_slist *headers;
    char url[TRANSFER_URL_BYTES], body[TRANSFER_BODY_BYTES];
    char error[CURL_ERROR_SIZE];
    char *bytes; /* of the answer */
    size_t count, capacity;
} Transfer;

/* Prepares a request to PATH of the game, such as "/moves": a POST with the JSON `body`, or a GET
 * if it is NULL. With `proves_seat`, the token of the link is sent. STATUS_FAILED if memory ran
 * out. */
Status transfer_open(Transfer *transfer, const CurlLibrary *curl, const ServerLink *link,
                     const char *path, const char *body, bool proves_seat);

/* The HTTP status of the answer; 0 if there is none yet. */
long transfer_code(const Transfer *transfer);

/* Reads the answer, after the transfer ended with `code`: the game as JSON, which the caller
 * releases; or the server's complaint. */
Status transfer_read(const Transfer *transfer, CURLcode code, Lang lang, json_t **json);

/* Forgets the request and its answer. */
void transfer_close(Transfer *transfer);

#endif
