/* Rate limiter: how many requests per second a client may send.
 *
 * Each client has a token bucket that refills at `rate` credit per second up to `burst`. Clients
 * are identified by their address.
 */
#ifndef MALPAN_UI_WEB_LIMITER_H
#define MALPAN_UI_WEB_LIMITER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { LIMITER_CLIENTS = 4096, LIMITER_CLIENT_BYTES = 48 };

typedef struct LimiterClient {
    char name[LIMITER_CLIENT_BYTES];
    double credit; /* tokens that it may spend now */
    double when;   /* `credit` was last brought up to date, in seconds */
} LimiterClient;

/* Shared by all request threads and workers. `rate` and `burst` never change; `lock`
 * guards `clients`. The lock is a leaf: no other lock is taken while it is held. */
typedef struct Limiter {
    pthread_mutex_t lock;
    double rate, burst;
    /* A hash table by name. A new client replaces an idle one near its place. */
    LimiterClient *clients;
} Limiter;

/* Opens a limiter; a rate of 0 means no limit on requests. False if out of memory. Call
 * limiter_close in either case. */
bool limiter_open(Limiter *limiter, double rate);
void limiter_close(Limiter *limiter);

/* Takes `cost` tokens from the client's bucket. False if there are too few. Thread-safe. */
bool limiter_take(Limiter *limiter, const char *name, double cost);

#endif
