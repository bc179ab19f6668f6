/* Counts and times requests by route, and prints what is known about the server in the Prometheus
 * text format 0.0.4. Nothing in it tells who asked, or for which game.
 */
#ifndef MALPAN_UI_WEB_METRICS_H
#define MALPAN_UI_WEB_METRICS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { METRICS_ROUTES_MAX = 24, METRICS_STATUSES_MAX = 24, METRICS_BUCKETS = 14 };

typedef struct StatusCount {
    unsigned status; /* HTTP */
    uint64_t count;
} StatusCount;

/* The requests of one route. buckets[i] counts those that took at most the i-th bound, but longer
 * than the one before; the last counts those that took longer than all bounds. */
typedef struct RouteMetrics {
    const char *route;
    StatusCount statuses[METRICS_STATUSES_MAX];
    size_t status_count;
    uint64_t buckets[METRICS_BUCKETS + 1];
    double seconds; /* of all requests together */
} RouteMetrics;

/* Shared by all request threads. `lock` guards the rest; it is a leaf, and is held only to count or
 * to copy. */
typedef struct Metrics {
    pthread_mutex_t lock;
    RouteMetrics routes[METRICS_ROUTES_MAX];
    size_t route_count;
} Metrics;

void metrics_init(Metrics *metrics);
void metrics_free(Metrics *metrics);

/* Adds a route, so that it is printed before it has any requests; once for each name. The name must
 * outlive the metrics. */
void metrics_add_route(Metrics *metrics, const char *route);

/* Counts a request. The route must have been added. Thread-safe. */
void metrics_count(Metrics *metrics, const char *route, unsigned status, double seconds);

/* The state of the server at one moment. */
typedef struct MetricsGauges {
    const char *version;
    uint64_t games, games_in_memory, game_bytes, games_deleted, listeners, connections;
    uint64_t jobs_waiting_short, jobs_waiting_long, jobs_running;
    uint64_t commits, commit_batches, commits_waiting;
    uint64_t solvers_busy, solvers_idle;
    uint64_t solver_bytes; /* that they may use */
    uint64_t log_lines_lost;
    uint64_t resident_bytes; /* 0: unknown */
    double cpu_seconds;
} MetricsGauges;

/* Prints everything; the caller frees the text. NULL if out of memory. Thread-safe. */
char *metrics_print(Metrics *metrics, const MetricsGauges *gauges);

#endif
