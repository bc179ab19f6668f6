/* What the parts of the server share: one request, its reply, and the server itself.
 *
 * Threads:
 *   main thread       serve.c: starts everything, enforces deadlines while serving, closes
 *   acceptor          acceptor.c: accepts connections and hands them to a request thread
 *   request threads   handler.c, called by libmicrohttpd: read requests, answer what is quick, send
 *                     replies and events
 *   workers           work_queue.c: evaluations, reviews, new games, long games, lists of tables,
 * moves of computers committer         committer.c: stores changes of games log writer
 * access_log.c: writes the access log, if there is one
 *
 * A connection is suspended while a worker has its request, while a change waits to be stored,
 * while a game that somebody else changes is waited for, and while a listener waits for news.
 *
 * Lock order: registry.lock, then queue.lock. All other locks of the server are leaves: nothing
 * else is locked while one is held. libmicrohttpd calls the handler with a lock of its own only to
 * read events (events.c, read_events): the lock of that response, which nobody else waits for.
 *
 * Shutdown order (serve.c, close_server), which takes at most three seconds:
 *   1. The acceptor ends: new connections wait in the socket. SERVER_CLOSING: requests are refused
 *      with 503; event streams end; computers make no more moves.
 *   2. Solvers are told to stop, and new ones are refused (solver_pool_close).
 *   3. Waiting jobs are answered with 503; workers end when their solvers have stopped
 *      (work_queue_finish).
 *   4. The committer stores all changes, whose requests are answered, and ends
 *      (game_registry_finish). Now no connection is suspended.
 *   5. Requests that are arriving on connections accepted before 1 are answered with 503. Replies
 *      and event streams get a moment to end; libmicrohttpd stops, which ends the request threads.
 *   6. SERVER_CLOSED: the log and the archive are closed and memory is freed.
 * If a solver does not stop in time, 4 is done all the same, replies get a moment, the log and the
 * archive are closed, and the process ends.
 */
#ifndef MALPAN_UI_WEB_SERVER_H
#define MALPAN_UI_WEB_SERVER_H

#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>

#include "ui/web/acceptor.h"
#include "ui/web/access_log.h"
#include "ui/web/assets.h"
#include "ui/web/connections.h"
#include "ui/web/limiter.h"
#include "ui/web/listen_socket.h"
#include "ui/web/metrics.h"
#include "ui/web/reply_cache.h"
#include "ui/web/request.h"
#include "ui/web/stream_clients.h"

struct Route {
    const char *method, *path; /* `*` stands for the id of a game */
    /* Sets the reply or suspends the request. NULL: a stream of events. GET also stands for HEAD.
     */
    void (*answer)(Request *request);
};

typedef enum ServerPhase {
    SERVER_STARTING, /* only the main thread exists */
    SERVER_SERVING,  /* requests are accepted */
    SERVER_CLOSING,  /* event streams end, computers make no more moves */
    SERVER_CLOSED    /* only the main thread is left */
} ServerPhase;

/* Created and freed by the main thread. `registry.lock` guards `phase` and `streams`; the
 * parts have locks of their own; everything else is constant while requests are served. */
struct Server {
    GameRegistry registry;
    SolverPool pool;
    Service service; /* the parts that the API uses */
    WorkQueue queue;
    Limiter limiter;
    ReplyCache replies; /* of GET /api/eval */
    Metrics metrics;
    AccessLog *log; /* NULL: none */
    Connections connections;
    struct MHD_Daemon *daemon;
    struct MHD_Response *no_memory; /* see reply_make_no_memory */
    char *games_text;               /* the reply to GET /api/games */
    ListenSocket listener;
    Acceptor acceptor;
    int silent_peer;           /* see start_daemon; -1: none */
    const char *origin;        /* a second origin of the page, or NULL */
    const char *shared_tables; /* the folder of tables that clients may fetch; NULL: none */
    const char *client_header; /* has the address of the client; NULL: the connection has */
    ServerPhase phase;         /* only moves forward */
    StreamClients streams;     /* open event streams, but for those that are ending */
    _Atomic size_t unsent;     /* complete requests whose replies, or streams, have not ended */
};

/* --- send.c --- */

/* Hands the reply to libmicrohttpd. Request threads only. */
enum MHD_Result reply_send(Request *request);

/* Sends a file of the page. Request threads only. `/embed` may be shown in a frame of any page;
 * nothing else may. */
enum MHD_Result reply_send_asset(Request *request, unsigned status, const Asset *asset);

/* A response that is ready to be sent. */
typedef struct Response {
    struct MHD_Response *mhd; /* NULL: out of memory */
    size_t bytes;             /* of its body; 0: not known yet */
    bool is_complete;         /* all headers could be added */
} Response;

/* Makes the reply for a lack of memory: 503, and the end of the connection. It is made when the
 * server starts, because sending it takes no memory but what the connection has. NULL if there is
 * none even then. */
struct MHD_Response *reply_make_no_memory(void);

/* Sends that reply to a request that took so long, and counts and logs it. Request threads only. */
enum MHD_Result reply_send_no_memory(Server *server, struct MHD_Connection *connection,
                                     const char *method, const char *pattern, double seconds);

/* Hands a response to libmicrohttpd, releases it, and counts and logs the request. Instead of one
 * that is not complete, the reply for a lack of memory is sent: without its cookie, a client would
 * lose its seat. Request threads only, with no lock held. */
enum MHD_Result reply_queue(Request *request, unsigned status, Response response);

/* Adds a header, or nothing if the value is NULL. False if out of memory. */
bool reply_add_header(struct MHD_Response *response, const char *name, const char *value);

/* Adds the security headers that every response has; `ancestors` says which pages may show it in a
 * frame. False if out of memory. */
bool reply_add_headers(struct MHD_Response *response, const char *ancestors);

/* No page may show a response in a frame. */
#define REPLY_NO_FRAME "'none'"

/* --- http_request.c --- */

/* Whether the method only reads: GET or HEAD. */
bool request_is_read(const Request *request);

/* Whether the request comes from this page, or from a program that is no browser. If not, sets an
 * error as reply. */
bool request_is_same_origin(Request *request);

/* Parses the body as a JSON object. False: the reply is set to an error. */
bool request_read_json(Request *request);

/* Returns the request to its request thread. The caller must not touch it any more. */
void request_resume(Request *request);

/* Whether the request was left to somebody else, who may be done with it by now. For its request
 * thread. */
bool request_is_left(const Request *request);

/* --- api_health.c, api_metrics.c: as in request.h --- */

void api_health(Request *request);
void api_metrics(Request *request);

/* --- events.c; the caller of events_wake and events_wake_all holds the registry's lock --- */

/* Answers with a stream of the game's changes, or suspends the request. */
enum MHD_Result events_open(Request *request);

/* Lets those who want to know hear who came and went since the last call. */
void events_announce_presence(HostedGame *game);

/* Wakes everybody who listens to the game. */
void events_wake(HostedGame *game);

/* Wakes all listeners, to send a keep-alive or to end their streams. */
void events_wake_all(Server *server);

#endif
