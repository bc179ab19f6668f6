#include "ui/web/limiter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"

enum { PLACES = 8 }; /* where a client may be */

bool limiter_open(Limiter *limiter, double rate, size_t works_max) {
    *limiter = (Limiter){.rate = rate, .burst = 10 * rate, .works_max = works_max};
    pthread_mutex_init(&limiter->lock, NULL);
    limiter->clients = calloc(LIMITER_CLIENTS, sizeof *limiter->clients);
    return limiter->clients != NULL;
}

void limiter_close(Limiter *limiter) {
    free(limiter->clients);
    pthread_mutex_destroy(&limiter->lock);
}

/* The client's place, or the one of whoever was idle longest. */
static LimiterClient *find(Limiter *limiter, const char *name) {
    size_t hash = 0;
    for (const char *c = name; *c; c++)
        hash = hash * 31 + (unsigned char)*c;
    LimiterClient *oldest = NULL;
    for (size_t i = 0; i < PLACES; i++) {
        LimiterClient *client = &limiter->clients[(hash + i) % LIMITER_CLIENTS];
        if (strcmp(client->name, name) == 0)
            return client;
        if (client->works == 0 && (!oldest || client->when < oldest->when))
            oldest = client;
    }
    if (!oldest)
        return NULL;
    *oldest = (LimiterClient){.credit = limiter->burst, .when = progress_clock_s()};
    snprintf(oldest->name, sizeof oldest->name, "%s", name);
    return oldest;
}

bool limiter_take(Limiter *limiter, const char *name, double cost) {
    bool may = false;
    if (limiter->rate <= 0)
        return true;
    pthread_mutex_lock(&limiter->lock);
    LimiterClient *client = find(limiter, name);
    if (client) {
        double now = progress_clock_s();
        client->credit += (now - client->when) * limiter->rate;
        client->when = now;
        if (client->credit > limiter->burst)
            client->credit = limiter->burst;
        may = client->credit >= cost;
        client->credit -= may ? cost : 0;
    }
    pthread_mutex_unlock(&limiter->lock);
    return may;
}

bool limiter_begin(Limiter *limiter, const char *name) {
    pthread_mutex_lock(&limiter->lock);
    LimiterClient *client = find(limiter, name);
    bool may = client && client->works < limiter->works_max;
    if (may)
        client->works++;
    pthread_mutex_unlock(&limiter->lock);
    return may;
}

void limiter_done(Limiter *limiter, const char *name) {
    pthread_mutex_lock(&limiter->lock);
    LimiterClient *client = find(limiter, name);
    if (client && client->works > 0)
        client->works--;
    pthread_mutex_unlock(&limiter->lock);
}
