/* The HTTP server: the page, its API and the hosted games. */
#ifndef MALPAN_UI_WEB_SERVE_H
#define MALPAN_UI_WEB_SERVE_H

#include <stdatomic.h>

#include "game/solver.h"

typedef struct ServeSettings {
    const char *bind; /* an IP address */
    int port;         /* 0: any free port */
    const char *data; /* the folder where games are stored; must exist */
    /* A second origin of the page, such as `https://games.example` behind a TLS-terminating proxy;
     * NULL: none. */
    const char *origin;
    /* The header in which the proxy puts the address of the client; NULL: there is no proxy. */
    const char *client_header;
    /* The folder of tables that clients may fetch (shared_tables.h); NULL: none. */
    const char *shared_tables;
    const char *log;               /* the file of the access log, see access_log.h; NULL: none */
    const atomic_uint *reopen_log; /* grows when it is to be reopened; NULL: never */
    bool is_relaxed;               /* a change need not survive power loss */
    uint64_t keep_seconds;         /* games unchanged for so long are deleted; 0: never */
    double rate;                   /* changes per second and client; 0: unlimited */
    double request_timeout_s;      /* how long a request may take to arrive */
    int threads;
    SolveLimits limits;
    /* Called once the server listens, with the address of the page, and why games can only be
     * viewed; NULL if they can be changed. */
    void (*announce)(const char *address, const char *why_read_only);
    const StopFlag *stop;
} ServeSettings;

/* Serves until `stop` is set, then closes everything within three seconds. Returns an error if the
 * server cannot start. If a solver cannot be stopped in time, the process ends here, with exit code
 * 0. */
Status serve_run(const ServeSettings *settings);

/* Copies the games of a data folder to a new file, also while a server uses them. */
Status serve_back_up(const char *data, const char *file);

/* Prints a line for each game of a data folder, also while a server uses them: when it was last
 * changed, its id, its name and how many steps it has. */
Status serve_list(const char *data);

#endif
