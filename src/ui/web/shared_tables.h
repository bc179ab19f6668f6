/* The tables that a server offers to `malpan fetch`, if it is told to (--share-tables):
 *
 *     GET /tables          a list: name, game, rules, bytes and checksum of each
 *     GET /tables/NAME     the file; of a range of bytes, only these
 *
 * Called by request threads. A worker makes the list; files are sent by the request thread. */
#ifndef MALPAN_UI_WEB_SHARED_TABLES_H
#define MALPAN_UI_WEB_SHARED_TABLES_H

#include "ui/web/server.h"

/* What metrics and log call these paths. */
extern const char shared_tables_pattern[];

/* Whether the request is for this module: the server shares tables, and the path is one of these.
 */
bool shared_tables_has_path(const Server *server, const char *path);

/* Answers such a request. */
enum MHD_Result shared_tables_answer(Request *request);

#endif
