#include "ui/web/metrics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The bounds of the histogram in seconds, as text so that they are printed as written here. */
static const char *const bound_texts[METRICS_BUCKETS] = {
    "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05",
    "0.1",    "0.25",  "0.5",    "1",     "2.5",  "5",     "10"};
static const double bounds[METRICS_BUCKETS] = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                               0.1,    0.25,  0.5,    1,     2.5,  5,     10};

void metrics_init(Metrics *metrics) {
    *metrics = (Metrics){.route_count = 0};
    pthread_mutex_init(&metrics->lock, NULL);
}

void metrics_free(Metrics *metrics) {
    pthread_mutex_destroy(&metrics->lock);
}

/* --- counting; the caller holds the lock --- */

static RouteMetrics *find_route(Metrics *metrics, const char *route) {
    for (size_t i = 0; i < metrics->route_count; i++)
        if (strcmp(metrics->routes[i].route, route) == 0)
            return &metrics->routes[i];
    return NULL;
}

static StatusCount *find_status(RouteMetrics *route, unsigned status) {
    for (size_t i = 0; i < route->status_count; i++)
        if (route->statuses[i].status == status)
            return &route->statuses[i];
    assert(route->status_count < METRICS_STATUSES_MAX); /* the server knows fewer */
    StatusCount *added = &route->statuses[route->status_count++];
    *added = (StatusCount){.status = status};
    return added;
}

void metrics_add_route(Metrics *metrics, const char *route) {
    pthread_mutex_lock(&metrics->lock);
    if (!find_route(metrics, route)) {
        assert(metrics->route_count < METRICS_ROUTES_MAX);
        metrics->routes[metrics->route_count++].route = route;
    }
    pthread_mutex_unlock(&metrics->lock);
}

void metrics_count(Metrics *metrics, const char *route, unsigned status, double seconds) {
    size_t bucket = 0;
    while (bucket < METRICS_BUCKETS && seconds > bounds[bucket])
        bucket++;
    pthread_mutex_lock(&metrics->lock);
    RouteMetrics *found = find_route(metrics, route);
    assert(found);
    find_status(found, status)->count++;
    found->buckets[bucket]++;
    found->seconds += seconds;
    pthread_mutex_unlock(&metrics->lock);
}

/* --- printing --- */

/* The lines that introduce a metric. */
static void print_head(Text *out, const char *name, const char *type, const char *help) {
    text_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* A metric with a single value. */
static void print_one(Text *out, const char *name, const char *type, const char *help,
                      uint64_t value) {
    print_head(out, name, type, help);
    text_addf(out, "%s %" PRIu64 "\n", name, value);
}

static void print_histogram(Text *out, const RouteMetrics *route) {
    uint64_t count = 0;
    for (size_t i = 0; i < METRICS_BUCKETS; i++) {
        count += route->buckets[i];
        text_addf(out, "malpan_request_seconds_bucket{route=\"%s\",le=\"%s\"} %" PRIu64 "\n",
                  route->route, bound_texts[i], count);
    }
    count += route->buckets[METRICS_BUCKETS];
    text_addf(out,
              "malpan_request_seconds_bucket{route=\"%s\",le=\"+Inf\"} %" PRIu64 "\n"
              "malpan_request_seconds_sum{route=\"%s\"} %.9f\n"
              "malpan_request_seconds_count{route=\"%s\"} %" PRIu64 "\n",
              route->route, count, route->route, route->seconds, route->route, count);
}

static void print_requests(Text *out, const RouteMetrics *routes, size_t count) {
    print_head(out, "malpan_requests_total", "counter", "Answered requests by route and status.");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < routes[i].status_count; j++)
            text_addf(out, "malpan_requests_total{route=\"%s\",status=\"%u\"} %" PRIu64 "\n",
                      routes[i].route, routes[i].statuses[j].status, routes[i].statuses[j].count);
    print_head(out, "malpan_request_seconds", "histogram",
               "Time from the arrival of a complete request until its reply was ready.");
    for (size_t i = 0; i < count; i++)
        print_histogram(out, &routes[i]);
}

static void print_games(Text *out, const MetricsGauges *gauges) {
    print_one(out, "malpan_games", "gauge", "Stored games.", gauges->games);
    print_one(out, "malpan_games_in_memory", "gauge", "Games that are in memory as well.",
              gauges->games_in_memory);
    print_one(out, "malpan_games_memory_bytes", "gauge", "Memory of these games.",
              gauges->game_bytes);
    print_one(out, "malpan_games_deleted_total", "counter",
              "Games deleted because nobody changed them for long.", gauges->games_deleted);
    print_one(out, "malpan_listeners", "gauge", "Open event streams.", gauges->listeners);
    print_one(out, "malpan_connections", "gauge", "Open connections.", gauges->connections);
}

static void print_work(Text *out, const MetricsGauges *gauges) {
    print_head(out, "malpan_jobs_waiting", "gauge", "Jobs that wait for a worker, by lane.");
    text_addf(out,
              "malpan_jobs_waiting{lane=\"short\"} %" PRIu64 "\n"
              "malpan_jobs_waiting{lane=\"long\"} %" PRIu64 "\n",
              gauges->jobs_waiting_short, gauges->jobs_waiting_long);
    print_one(out, "malpan_jobs_running", "gauge", "Jobs that workers are doing.",
              gauges->jobs_running);
    print_one(out, "malpan_commits_total", "counter",
              "Changes of games given to the store, including those it could not keep.",
              gauges->commits);
    print_one(out, "malpan_commit_batches_total", "counter",
              "Groups in which these changes were stored.", gauges->commit_batches);
    print_one(out, "malpan_commits_waiting", "gauge", "Changes that wait to be stored.",
              gauges->commits_waiting);
    print_head(out, "malpan_solvers", "gauge", "Solvers and computer players in memory, by state.");
    text_addf(out,
              "malpan_solvers{state=\"busy\"} %" PRIu64 "\n"
              "malpan_solvers{state=\"idle\"} %" PRIu64 "\n",
              gauges->solvers_busy, gauges->solvers_idle);
    print_one(out, "malpan_solvers_memory_bytes", "gauge", "Memory that solvers may use.",
              gauges->solver_bytes);
}

static void print_process(Text *out, const MetricsGauges *gauges) {
    print_head(out, "malpan_info", "gauge", "The version of the server; always 1.");
    text_addf(out, "malpan_info{version=\"%s\"} 1\n", gauges->version);
    print_one(out, "malpan_log_lines_lost_total", "counter",
              "Lines of the access log that could not be written.", gauges->log_lines_lost);
    if (gauges->resident_bytes)
        print_one(out, "process_resident_memory_bytes", "gauge", "Resident memory of the server.",
                  gauges->resident_bytes);
    print_head(out, "process_cpu_seconds_total", "counter", "CPU time of the server.");
    text_addf(out, "process_cpu_seconds_total %.3f\n", gauges->cpu_seconds);
}

char *metrics_print(Metrics *metrics, const MetricsGauges *gauges) {
    /* More lines than there are, each shorter than this. */
    enum {
        ROUTE_LINES = METRICS_STATUSES_MAX + METRICS_BUCKETS + 3,
        LINES = METRICS_ROUTES_MAX * ROUTE_LINES + 100,
        LINE_BYTES = 128
    };
    RouteMetrics routes[METRICS_ROUTES_MAX];
    size_t capacity = (size_t)LINES * LINE_BYTES;
    char *bytes = malloc(capacity);
    if (!bytes)
        return NULL;
    Text text = text_over(bytes, capacity);
    pthread_mutex_lock(&metrics->lock);
    size_t count = metrics->route_count;
    memcpy(routes, metrics->routes, count * sizeof routes[0]);
    pthread_mutex_unlock(&metrics->lock);
    print_requests(&text, routes, count);
    print_games(&text, gauges);
    print_work(&text, gauges);
    print_process(&text, gauges);
    assert(!text.truncated);
    return bytes;
}
