/* What the parts of the server share: one request, its reply, and the server itself.
 *
 * Threads:
 *   main thread       serve.c: starts everything, enforces deadlines while serving, closes
 *   acceptor          acceptor.c: accepts connections and hands them to a request thread
 *   request threads   handler.c, called by libmicrohttpd: read requests, answer what is quick, send
 *                     replies and events
 *   workers           work_queue.c: evaluations, reviews, new games, moves of computers
 *   committer         committer.c: stores changes of games
 *   log writer        access_log.c: writes the access log, if there is one
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
 * and event streams get a moment to end; libmicrohttpd stops, which ends the request threads.
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
#include "ui/web/game_registry.h"
#include "ui/web/limiter.h"
#include "ui/web/listen_socket.h"
#include "ui/web/metrics.h"
#include "ui/web/reply_cache.h"
#include "ui/web/solver_pool.h"
#include "ui/web/work_queue.h"

enum { SERVER_BODY_MAX = 64 << 10, SERVER_COOKIE_BYTES = 384 };

/* How long an evaluation, a computer's move or a review may take. */
#define SERVER_EVAL_S 5.0
#define SERVER_MOVE_S 10.0
#define SERVER_REVIEW_S 20.0

typedef struct Reply {
    unsigned status; /* HTTP */
    char *text;      /* owned; NULL: out of memory */
    size_t length;
    const char *type;                 /* media type */
    char cookie[SERVER_COOKIE_BYTES]; /* to be set; "": none */
    bool retry;                       /* tell the client to try again in a second */
    bool close;                       /* close the connection */
} Reply;

typedef struct Route {
    const char *method, *path; /* `*` stands for the id of a game */
    /* Sets the reply or suspends the request. NULL: a stream of events. GET also stands for HEAD.
     */
    void (*answer)(Request *request);
} Route;

/*                                request_suspend
 *     RECEIVING ----> RUNNING --------------------> SUSPENDED
 *        ^            ^   |                             |
 *     the header      |   | reply_send          request_resume
 *     was read        |   v                             v
 *                     |  freed when it is sent       RESUMED
 *                     '--------------------------------'
 *                       libmicrohttpd calls the handler again
 */
typedef enum RequestPhase {
    REQUEST_RECEIVING, /* its body arrives */
    REQUEST_RUNNING,   /* a request thread handles it */
    REQUEST_SUSPENDED, /* somebody else has it: a worker, the committer, a list of waiters */
    REQUEST_RESUMED    /* given back to its request thread, which does not know yet */
} RequestPhase;

/* One HTTP request. It belongs to the request thread of its connection, but while it is suspended
 * to whoever it was left to. `job` is guarded by the queue's lock while it is queued, `waiter` by
 * the registry's lock while it waits. `phase` is atomic, because the request thread may look at it
 * at any time. */
struct Request {
    Server *server;
    struct MHD_Connection *connection;
    _Atomic RequestPhase phase;
    const Route *route;  /* NULL: not found yet */
    const char *pattern; /* of its path, for metrics and log; `page` or `none` if it is no route */
    double arrived_s;    /* when it was complete; until then, when its header was */
    const char *method, *path;
    char id[SECRET_TEXT_BYTES]; /* of the game in the path */
    char client[CLIENT_NAME_BYTES];
    char *body;
    size_t body_size;
    bool too_large;     /* the body is longer than SERVER_BODY_MAX; the rest was not kept */
    bool is_incomplete; /* memory ran out while the body arrived */
    json_t *json;       /* the body, parsed */
    Variant variant;    /* from the query, once it is read */
    State position;
    Reply reply;
    bool is_answered;                 /* `reply` is complete */
    bool is_counted;                  /* in server->unsent */
    void (*resume)(Request *request); /* see request_suspend */
    GameError change_error;           /* the outcome of its change */
    bool has_joined;                  /* its seat is stored as taken */
    SeatTokens tokens;                /* of the game that it creates */
    GameWaiter waiter;
    Job job;
    bool (*work)(Request *request);
    bool is_fast; /* values of its variant are found at once */
};

typedef enum ServerPhase {
    SERVER_STARTING, /* only the main thread exists */
    SERVER_SERVING,  /* requests are accepted */
    SERVER_CLOSING,  /* event streams end, computers make no more moves */
    SERVER_CLOSED    /* only the main thread is left */
} ServerPhase;

/* Created and freed by the main thread. `registry.lock` guards `phase` and `listener_count`; the
 * parts have locks of their own; everything else is constant while requests are served. */
struct Server {
    GameRegistry registry;
    SolverPool pool;
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
    const char *client_header; /* has the address of the client; NULL: the connection has */
    ServerPhase phase;         /* only moves forward */
    size_t listener_count;     /* open event streams */
    _Atomic size_t unsent;     /* complete requests whose replies, or streams, have not ended */
};

/* --- reply.c --- */

/* Sets the reply to JSON; takes ownership of the reference. */
void reply_json(Request *request, unsigned status, json_t *json);

/* Sets the reply to a text; takes ownership. NULL: out of memory. */
void reply_text(Request *request, const char *type, char *text);

/* Sets the reply to an error. The Korean text may be NULL: messages from below src/ui are in
 * English. With 429, the client is told to try again in a second. */
void reply_error(Request *request, unsigned status, Phrase message);

/* Sets the reply to 503: the server is stopping, try again in a second. */
void reply_closing(Request *request);
void reply_game_error(Request *request, const GameError *error);
void reply_status(Request *request, const Status *status);

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

/* --- request.c --- */

/* Whether the method only reads: GET or HEAD. */
bool request_is_read(const Request *request);

/* A parameter of the query; NULL if it is missing. */
const char *request_query(const Request *request, const char *name);

/* The first step that the client wants to see: step `from`, or what has changed since version
 * `since` of the game. */
size_t request_read_from(const Request *request, const HostedGame *game);

/* The seats of a game that the request's cookie opens, one bit each. */
unsigned request_find_seats(const Request *request, const HostedGame *game);

/* Adds a token to the cookie of a game. */
void request_add_token(Request *request, const char *id, const char *token);

/* Whether the request comes from this page, or from a program that is no browser. If not, sets an
 * error as reply. */
bool request_is_same_origin(Request *request);

/* Reads an optional name of a player; "" if there is none. False: it is not a name, and the reply
 * is set to an error. */
bool request_read_name(Request *request, const json_t *json, char name[HOSTED_NAME_BYTES]);

/* Parses the body as a JSON object. False: the reply is set to an error. */
bool request_read_json(Request *request);

/* Leaves the request to somebody who will call request_resume. If it is not answered by then,
 * `resume` is called on a request thread; NULL: the request is started again. May be called again
 * for a suspended request by whoever it was left to. */
void request_suspend(Request *request, void (*resume)(Request *request));

/* Returns the request to its request thread. The caller must not touch it any more. */
void request_resume(Request *request);

/* Whether the request was left to somebody else, who may be done with it by now. For its request
 * thread. */
bool request_is_left(const Request *request);

/* Waits until the game is settled and starts the request again. The caller holds the registry's
 * lock. */
void request_wait_for_game(Request *request, HostedGame *game);

/* Waits until the request's change of the game is stored, then calls `resume`; change_error has the
 * outcome. The caller holds the registry's lock. */
void request_wait_for_change(Request *request, HostedGame *game, void (*resume)(Request *request));

/* --- api.c, api_new.c, api_game.c, api_review.c, api_metrics.c: one function per route, which sets
 * the reply or suspends the request --- */

void api_health(Request *request);
void api_games(Request *request);
void api_position(Request *request);
void api_eval(Request *request);
void api_create(Request *request);
void api_import(Request *request);
void api_join(Request *request);
void api_game(Request *request);
void api_move(Request *request);
void api_undo(Request *request);
void api_name(Request *request);
void api_record(Request *request);
void api_review(Request *request);
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
