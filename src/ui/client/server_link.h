/* Links to games on a server, as the page shows them:
 *
 *     http://192.168.1.5:8017/#/play/ID/TOKEN     a seat
 *     http://192.168.1.5:8017/#/play/ID           a game; a token may be given apart
 *     http://192.168.1.5:8017/#/watch/ID          a game to look at
 *
 * Pure functions; any thread may call them.
 */
#ifndef MALPAN_UI_CLIENT_SERVER_LINK_H
#define MALPAN_UI_CLIENT_SERVER_LINK_H

#include "base/status.h"
#include "ui/web/secret.h"

enum { SERVER_LINK_BASE_BYTES = 256 };

typedef struct ServerLink {
    char base[SERVER_LINK_BASE_BYTES]; /* "http://192.168.1.5:8017" */
    char id[SECRET_TEXT_BYTES];
    char token[SECRET_TEXT_BYTES]; /* "": only look */
} ServerLink;

/* Parses a link. `token`, if not NULL, is that of the seat, and counts more than one in the link.
 * STATUS_USAGE if either is malformed. */
Status server_link_parse(const char *url, const char *token, ServerLink *link);

#endif
