/* The HTTP server: the page, its API and the hosted games. */
#ifndef MALPAN_UI_WEB_SERVE_H
#define MALPAN_UI_WEB_SERVE_H

#include "game/solver.h"

typedef struct ServeSettings {
    const char *bind; /* an IP address */
    int port;         /* 0: any free port */
    const char *data; /* the folder where games are stored; must exist */
    /* A second origin of the page, such as `https://games.example` behind a TLS-terminating proxy;
     * NULL: none. */
    const char *origin;
    double rate;              /* changes per second and client; 0: unlimited */
    double request_timeout_s; /* how long a request may take to arrive */
    int threads;
    SolveLimits limits;
    /* Called once the server listens, with the address of the page. */
    void (*announce)(const char *address);
    const StopFlag *stop;
} ServeSettings;

/* Serves until `stop` is set, then finishes running requests and closes everything. Returns an
 * error if the server cannot start. */
Status serve_run(const ServeSettings *settings);

#endif
