#include "ui/client/server_link.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Copies `SCHEME://HOST:PORT`. Returns what follows it, or NULL. */
static const char *take_base(const char *url, char base[SERVER_LINK_BASE_BYTES]) {
    size_t scheme = strncasecmp(url, "http://", 7) == 0    ? 7
                    : strncasecmp(url, "https://", 8) == 0 ? 8
                                                           : 0;
    size_t host = strcspn(url + scheme, "/?#");
    if (scheme == 0 || host == 0 || scheme + host >= SERVER_LINK_BASE_BYTES)
        return NULL;
    for (const char *at = url; at < url + scheme + host; at++)
        if (*at <= ' ' || *at > '~')
            return NULL;
    snprintf(base, SERVER_LINK_BASE_BYTES, "%.*s", (int)(scheme + host), url);
    return url + scheme + host;
}

/* Copies an id or a token up to the next `/` or the end. Returns what follows, or NULL. */
static const char *take_secret(const char *at, char secret[SECRET_TEXT_BYTES]) {
    size_t length = strcspn(at, "/");
    if (length != SECRET_TEXT_BYTES - 1)
        return NULL;
    memcpy(secret, at, length);
    secret[length] = '\0';
    return secret_is_text(secret) ? at + length : NULL;
}

/* Whether the text begins with the words; moves `at` behind them. */
static bool skip(const char **at, const char *words) {
    size_t length = strlen(words);
    if (strncmp(*at, words, length) != 0)
        return false;
    *at += length;
    return true;
}

Status server_link_parse(const char *url, const char *token, ServerLink *link) {
    *link = (ServerLink){.base = ""};
    const char *at = take_base(url, link->base);
    bool is_link = at && (skip(&at, "/#") || skip(&at, "#"));
    is_link = is_link && (skip(&at, "/play/") || skip(&at, "/watch/"));
    at = is_link ? take_secret(at, link->id) : NULL;
    if (at && at[0] == '/' && at[1])
        at = take_secret(at + 1, link->token);
    if (!at || (at[0] && strcmp(at, "/") != 0))
        return status_make(STATUS_USAGE,
                           "--server: expected the link of a game or a seat, such as "
                           "http://127.0.0.1:8017/#/play/ID, not %s",
                           quote(url).text);
    if (token && !secret_is_text(token))
        return status_make(STATUS_USAGE,
                           "--seat: expected the %d letters at the end of a seat's link, not %s",
                           SECRET_TEXT_BYTES - 1, quote(token).text);
    if (token)
        memcpy(link->token, token, sizeof link->token);
    return status_ok();
}
