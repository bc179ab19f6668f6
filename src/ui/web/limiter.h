/* How much a client may ask for: requests a second, and work at a time. */
#ifndef MALPAN_UI_WEB_LIMITER_H
#define MALPAN_UI_WEB_LIMITER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { LIMITER_CLIENTS = 4096, LIMITER_CLIENT_BYTES = 48 };

typedef struct LimiterClient {
    char name[LIMITER_CLIENT_BYTES];
    double credit; /* what it may ask for at once */
    double when;   /* it was counted last */
    size_t works;  /* waiting and running */
} LimiterClient;

typedef struct Limiter {
    pthread_mutex_t lock;
    double rate, burst; /* credit a second, and at most */
    size_t works_max;
    LimiterClient
        *clients; /* hashed by name; a stranger takes the place of whoever is idle there */
} Limiter;

bool limiter_open(Limiter *limiter, double rate, size_t works_max);
void limiter_close(Limiter *limiter);

/* Whether the client may ask for something of this cost, now. */
bool limiter_take(Limiter *limiter, const char *name, double cost);

/* Whether it may have one work more; if so, it has until limiter_done. */
bool limiter_begin(Limiter *limiter, const char *name);
void limiter_done(Limiter *limiter, const char *name);

#endif
