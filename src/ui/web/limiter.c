#include "ui/web/limiter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"

enum { PROBES = 8, BURST_S = 10 };

bool limiter_open(Limiter *limiter, double rate) {
    *limiter = (Limiter){.rate = rate, .burst = BURST_S * rate};
    pthread_mutex_init(&limiter->lock, NULL);
    limiter->clients = calloc(LIMITER_CLIENTS, sizeof *limiter->clients);
    return limiter->clients != NULL;
}

void limiter_close(Limiter *limiter) {
    free(limiter->clients);
    pthread_mutex_destroy(&limiter->lock);
}

/* Finds the client, or replaces the one near its place that has been idle longest. The caller holds
 * the lock. */
static LimiterClient *find_client(Limiter *limiter, const char *name) {
    size_t hash = 0;
    for (const char *c = name; *c; c++)
        hash = hash * 31 + (unsigned char)*c;
    LimiterClient *oldest = NULL;
    for (size_t i = 0; i < PROBES; i++) {
        LimiterClient *client = &limiter->clients[(hash + i) % LIMITER_CLIENTS];
        if (strcmp(client->name, name) == 0)
            return client;
        if (!oldest || client->when < oldest->when)
            oldest = client;
    }
    *oldest = (LimiterClient){.credit = limiter->burst, .when = progress_clock_s()};
    snprintf(oldest->name, sizeof oldest->name, "%s", name);
    return oldest;
}

bool limiter_take(Limiter *limiter, const char *name, double cost) {
    if (limiter->rate <= 0)
        return true;
    pthread_mutex_lock(&limiter->lock);
    LimiterClient *client = find_client(limiter, name);
    double now = progress_clock_s();
    client->credit += (now - client->when) * limiter->rate;
    client->when = now;
    if (client->credit > limiter->burst)
        client->credit = limiter->burst;
    bool may = client->credit >= cost;
    client->credit -= may ? cost : 0;
    pthread_mutex_unlock(&limiter->lock);
    return may;
}
