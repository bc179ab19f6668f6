/* GET /metrics: collects the state of all parts of the server, one lock after another. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "malpan.h"
#include "ui/web/server.h"

/* Resident memory of this process; 0 if the system does not tell. Without the standard library's
 * files, which need memory. */
static uint64_t read_resident_bytes(void) {
    char text[128];
    unsigned long long size, resident = 0;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    if (sscanf(text, "%llu %llu", &size, &resident) != 2)
        return 0;
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static double read_cpu_seconds(void) {
    struct timespec time = {.tv_sec = 0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void read_games(Server *server, MetricsGauges *gauges) {
    GameRegistry *registry = &server->registry;
    CommitterCounts stored = committer_counts(&registry->committer);
    gauges->commits = stored.stored;
    gauges->commit_batches = stored.batches;
    gauges->commits_waiting = stored.waiting;
    gauges->games_deleted = stored.deleted;
    pthread_mutex_lock(&registry->lock);
    gauges->games = registry->created - stored.deleted;
    gauges->games_in_memory = registry->count;
    gauges->game_bytes = registry->bytes;
    gauges->listeners = server->streams.count;
    pthread_mutex_unlock(&registry->lock);
}

static void read_work(Server *server, MetricsGauges *gauges) {
    WorkQueueCounts queue = work_queue_counts(server);
    SolverPoolCounts pool = solver_pool_counts(&server->pool);
    gauges->jobs_waiting_short = queue.waiting[JOB_SHORT];
    gauges->jobs_waiting_long = queue.waiting[JOB_LONG];
    gauges->jobs_running = queue.running;
    gauges->solvers_busy = pool.busy;
    gauges->solvers_idle = pool.idle;
    gauges->solver_bytes = pool.leased_bytes;
}

void api_metrics(Request *request) {
    Server *server = request->server;
    MetricsGauges gauges = {.version = MALPAN_VERSION,
                            .connections = connections_count(&server->connections),
                            .log_lines_lost = access_log_count_lost(server->log),
                            .resident_bytes = read_resident_bytes(),
                            .cpu_seconds = read_cpu_seconds()};
    read_games(server, &gauges);
    read_work(server, &gauges);
    reply_text(request, "text/plain; version=0.0.4; charset=utf-8",
               metrics_print(&server->metrics, &gauges));
}
