/* Refuses requests whose end could be understood in two ways. A proxy in front of the server may
 * read one as two requests where the server reads a single one, or the other way round, and so let
 * a request pass that it should have stopped (request smuggling).
 *
 * Thread-safe: it only looks at the connection that the calling thread owns.
 */
#ifndef MALPAN_UI_WEB_FRAMING_H
#define MALPAN_UI_WEB_FRAMING_H

#include <microhttpd.h>
#include <stdbool.h>

/* What is wrong with the header of a request, in English; NULL if nothing. `method` and `version`
 * are the texts that libmicrohttpd passes to the handler together with the connection. */
const char *framing_find_fault(struct MHD_Connection *connection, const char *method,
                               const char *version);

/* Whether the target of a request has more arguments than libmicrohttpd has memory for; it would
 * neither answer nor close the connection. */
bool framing_has_too_many_arguments(const char *target);

#endif
