#include "ui/web/serve.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"
#include "ui/json/parse.h"
#include "ui/json/print.h"
#include "ui/web/handler.h"
#include "ui/web/server.h"
#include "ui/web/view.h"

enum {
    CONNECTIONS_PER_CLIENT_MAX = 1000,
    IDLE_S = 30,              /* how long a connection may be silent */
    REQUEST_BYTES = 16 << 10, /* libmicrohttpd's buffer: a header and what is read at once */
    POLL_MS = 50,
    KEEP_ALIVE_MS = 15000,
    RESCHEDULE_MS = 1000, /* how soon computers move that were too many for the work queue */
    SEND_WAIT_MS = 5
};

static_assert(KEEP_ALIVE_MS % RESCHEDULE_MS == 0, "keep-alives are sent when games are scheduled");

/* At the end, how long requests that are arriving are waited for, how long solvers may take to
 * stop, and both together with sending the last replies. */
#define RECEIVE_S 1.0
#define STOP_SOLVERS_S 2.0
#define STOP_S 2.4

/* --- start and stop --- */

/* Its threads insist on a listening socket. They get one end of a pair, on which nothing ever
 * arrives and which libmicrohttpd closes; the acceptor passes on the connections. */
static Status start_daemon(Server *server, const ServeSettings *settings) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
        return status_make(STATUS_FAILED, "cannot start the HTTP server: %s", strerror(errno));
    server->silent_peer = pair[1];
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, NULL, NULL,
        handler_run, server, MHD_OPTION_LISTEN_SOCKET, pair[0], MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)settings->threads, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)INT_MAX, /* acceptor.h */
        MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        settings->client_header ? 0U : (unsigned)CONNECTIONS_PER_CLIENT_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_NOTIFY_COMPLETED,
        handler_finish, NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
        MHD_OPTION_URI_LOG_CALLBACK, handler_check_target, server, MHD_OPTION_NOTIFY_CONNECTION,
        connections_notify, &server->connections, MHD_OPTION_END);
    return server->daemon ? acceptor_start(&server->acceptor, server->listener.descriptor,
                                           server->daemon, &server->connections)
                          : status_make(STATUS_FAILED, "cannot start the HTTP server");
}

/* Moves the server to a later phase. */
static void enter_phase(Server *server, ServerPhase phase) {
    pthread_mutex_lock(&server->registry.lock);
    assert(server->phase < phase);
    server->phase = phase;
    pthread_mutex_unlock(&server->registry.lock);
}

/* Schedules the games that somebody listens to and that are not in the work queue, because it had
 * no room for them; with `try_again`, also those whose computer could not move. Announces who came
 * and went. The caller holds the registry's lock. */
static void schedule_watched_games(Server *server, bool try_again) {
    for (HostedGame *game = server->registry.oldest; game; game = game->newer) {
        if (game->listeners && (try_again || !game->trouble[0]))
            work_queue_schedule_game(server, game);
        events_announce_presence(game);
    }
}

/* Called when a game is settled after a change. A game of computers alone goes on only while
 * somebody listens. */
static void settle_game(GameRegistry *registry, HostedGame *game, bool is_stored) {
    Server *server = (Server *)((char *)registry - offsetof(Server, registry));
    events_wake(game);
    if (is_stored && !game->trouble[0] && (game->listeners || hosted_game_has_person(game)))
        work_queue_schedule_game(server, game);
}

/* Enforces deadlines and sends keep-alives until it is told to stop. */
static void wait_for_stop(Server *server, const StopFlag *stop) {
    struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    assert(server->phase == SERVER_SERVING);
    for (int i = 1; !*stop; i++) {
        nanosleep(&pause, NULL);
        solver_pool_stop_expired(&server->pool);
        connections_enforce(&server->connections);
        if (i % (RESCHEDULE_MS / POLL_MS) != 0)
            continue;
        bool is_keep_alive = i % (KEEP_ALIVE_MS / POLL_MS) == 0;
        pthread_mutex_lock(&server->registry.lock);
        if (is_keep_alive)
            events_wake_all(server);
        schedule_watched_games(server, is_keep_alive);
        pthread_mutex_unlock(&server->registry.lock);
    }
}

/* Gives requests that are arriving, replies and event streams time to end, counted from `begun_s`;
 * a client that does not send or read is not waited for any longer. */
static void wait_for_replies(Server *server, double begun_s) {
    struct timespec pause = {.tv_nsec = SEND_WAIT_MS * 1000000L};
    for (;;) {
        double spent_s = progress_clock_s() - begun_s;
        /* First what arrives: when that is complete, it is an unsent reply. */
        bool may_receive = spent_s < RECEIVE_S && connections_may_receive(&server->connections);
        bool has_unsent = atomic_load(&server->unsent) > 0;
        if (spent_s > STOP_S || !(may_receive || has_unsent))
            return;
        nanosleep(&pause, NULL);
    }
}

/* Ends everything that could change a game or suspend a connection; see server.h. False if a solver
 * did not stop in time. */
static bool finish_work(Server *server) {
    enter_phase(server, SERVER_CLOSING);
    pthread_mutex_lock(&server->registry.lock);
    events_wake_all(server);
    pthread_mutex_unlock(&server->registry.lock);
    solver_pool_close(&server->pool);
    bool is_done = work_queue_finish(server, STOP_SOLVERS_S);
    game_registry_finish(&server->registry);
    return is_done;
}

static void free_server(Server *server) {
    assert(server->phase == SERVER_CLOSED);
    work_queue_free(server);
    game_registry_free(&server->registry);
    solver_pool_free(&server->pool);
    reply_cache_free(&server->replies);
    limiter_close(&server->limiter);
    connections_free(&server->connections);
    metrics_free(&server->metrics);
    access_log_finish(server->log);
    access_log_free(server->log);
    listen_socket_close(&server->listener);
    if (server->silent_peer >= 0)
        close(server->silent_peer);
    if (server->no_memory)
        MHD_destroy_response(server->no_memory);
    free(server->games_text);
    free(server);
}

/* Closes the server in whichever phase it is, and frees it. */
static void close_server(Server *server) {
    double begun_s = progress_clock_s();
    acceptor_stop(&server->acceptor); /* new connections wait in the socket */
    if (!finish_work(server)) {
        /* A solver is still running. Everything is stored, and its thread cannot be ended but with
         * the process. Requests that waited are answered. */
        wait_for_replies(server, begun_s);
        archive_close(server->registry.archive);
        access_log_finish(server->log);
        fflush(NULL);
        _exit(0);
    }
    wait_for_replies(server, begun_s);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    enter_phase(server, SERVER_CLOSED);
    free_server(server);
}

static Status start_server(Server *server, const ServeSettings *settings) {
    json_t *games = view_games(&settings->limits);
    server->games_text = json_print(games);
    server->service = (Service){.registry = &server->registry,
                                .pool = &server->pool,
                                .replies = &server->replies,
                                .games_text = server->games_text};
    json_decref(games);
    server->no_memory = reply_make_no_memory();
    if (!limiter_open(&server->limiter, settings->rate) || !server->games_text ||
        !server->no_memory)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = status_ok();
    if (settings->log)
        status = access_log_open(settings->log, settings->reopen_log, &server->log);
    if (status_is_ok(&status))
        status = game_registry_start(&server->registry);
    if (status_is_ok(&status))
        status = work_queue_start(server, (size_t)settings->threads);
    if (status_is_ok(&status))
        status = listen_socket_open(settings->bind, settings->port, &server->listener);
    if (!status_is_ok(&status))
        return status;
    enter_phase(server, SERVER_SERVING); /* before the first request can arrive */
    return start_daemon(server, settings);
}

/* Creates a server that owns the archive. NULL if out of memory; then the archive is closed. */
static Server *create_server(const ServeSettings *settings, Archive *archive) {
    Server *server = calloc(1, sizeof *server);
    if (!server) {
        archive_close(archive);
        return NULL;
    }
    server->listener.descriptor = -1;
    server->silent_peer = -1;
    acceptor_init(&server->acceptor);
    game_registry_init(&server->registry, archive, settings->keep_seconds);
    work_queue_init(server);
    solver_pool_init(&server->pool, &settings->limits);
    reply_cache_init(&server->replies);
    connections_init(&server->connections, settings->request_timeout_s, !settings->client_header,
                     settings->shared_tables ? 2 : 1);
    metrics_init(&server->metrics);
    handler_add_routes(&server->metrics);
    server->registry.on_settled = settle_game;
    server->origin = settings->origin;
    server->client_header = settings->client_header;
    server->shared_tables = settings->shared_tables;
    return server;
}

/* Opens the store and starts the server on it. Its threads, and those that they start, have the
 * signals that stop it blocked: these are for the main thread, which waits for them. */
static Status open_server(const ServeSettings *settings, Server **server) {
    Archive *archive;
    sigset_t stops, old;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &stops, &old);
    Status status = archive_open(settings->data, !settings->is_relaxed, &archive);
    if (status_is_ok(&status)) {
        *server = create_server(settings, archive);
        status =
            *server ? start_server(*server, settings) : status_make(STATUS_FAILED, "out of memory");
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return status;
}

Status serve_run(const ServeSettings *settings) {
    Server *server = NULL;
    json_parse_init();
    if (!secret_init())
        return status_make(STATUS_FAILED, "the system has no source of random numbers");
    Status status = open_server(settings, &server);
    if (status_is_ok(&status)) {
        char address[128];
        snprintf(address, sizeof address, "http://%s:%d/", server->listener.host,
                 server->listener.port);
        settings->announce(address, archive_why_read_only(server->registry.archive));
        wait_for_stop(server, settings->stop);
    }
    if (server)
        close_server(server);
    return status;
}

Status serve_back_up(const char *data, const char *file) {
    return archive_back_up(data, file);
}

/* Prints a line, unless the last one could not be printed. */
static bool print_entry(const ArchivedEntry *entry) {
    time_t changed = (time_t)entry->changed;
    struct tm parts = {.tm_year = 0};
    char date[32];
    gmtime_r(&changed, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return printf("%s %s %s %" PRIu64 "\n", date, entry->id, entry->game[0] ? entry->game : "-",
                  entry->step_count) > 0;
}

Status serve_list(const char *data) {
    return archive_list(data, print_entry);
}
