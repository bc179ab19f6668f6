/* What libmicrohttpd calls for a request: receives it, finds its route and lets that answer it.
 *
 * All but handler_add_routes run on the request thread of the connection, with no lock held. Their
 * context is the Server.
 */
#ifndef MALPAN_UI_WEB_HANDLER_H
#define MALPAN_UI_WEB_HANDLER_H

#include <microhttpd.h>

#include "ui/web/metrics.h"

/* For MHD_OPTION_URI_LOG_CALLBACK, called for the first line of a request: refuses one with too
 * many arguments before libmicrohttpd parses them. */
void *handler_check_target(void *context, const char *target, struct MHD_Connection *connection);

/* The access handler: called once for the header, then for each part of the body, then until there
 * is a reply. `state` holds the Request. */
enum MHD_Result handler_run(void *context, struct MHD_Connection *connection, const char *url,
                            const char *method, const char *version, const char *data,
                            size_t *data_size, void **state);

/* For MHD_OPTION_NOTIFY_COMPLETED: frees a request that is finished, or whose connection is gone.
 */
void handler_finish(void *context, struct MHD_Connection *connection, void **state,
                    enum MHD_RequestTerminationCode code);

/* Adds all routes, the page, and paths that do not exist to the metrics. */
void handler_add_routes(Metrics *metrics);

#endif
