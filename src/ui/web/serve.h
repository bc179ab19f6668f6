/* The server: the page, its API, and the games. */
#ifndef MALPAN_UI_WEB_SERVE_H
#define MALPAN_UI_WEB_SERVE_H

#include "game/solver.h"

typedef struct ServeSettings {
    const char *bind; /* an address */
    int port;         /* 0: any that is free */
    const char *data; /* the folder where games are kept; it has to exist */
    /* Another address of the page, `https://games.example`, as where a server that encrypts stands
     * in front; NULL: none. */
    const char *origin;
    double rate;       /* changes a second of one client; 0: any number */
    double patience_s; /* how long a request may take to arrive */
    int threads;
    SolveLimits limits;
    /* Called once it listens, with the address of the page. */
    void (*announce)(const char *address);
    const StopFlag *stop;
} ServeSettings;

/* Serves until it is told to stop; what is running is finished, and everything closed. */
Status serve_run(const ServeSettings *settings);

#endif
