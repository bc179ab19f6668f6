/* What the parts of the server share: one request, its reply, and the server itself.
 *
 * Threads:
 *   main thread       serve.c: starts everything, enforces deadlines while serving, closes
 *   request threads   libmicrohttpd's: read requests, answer what is quick, send replies and events
 *   workers           work_queue.c: evaluations, reviews, new games, moves of computers
 *
 * Lock order: registry.lock before queue.lock and before the lock of a reply cache. The locks of
 * the pool, the limiter and the timeouts are leaves, and are never taken while another lock is
 * held.
 *
 * Shutdown order (serve.c, close_server): event streams end; solvers are told to stop; the workers
 * finish what is queued and end; libmicrohttpd stops, which ends the request threads; memory is
 * freed.
 */
#ifndef MALPAN_UI_WEB_SERVER_H
#define MALPAN_UI_WEB_SERVER_H

#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>

#include "ui/web/game_registry.h"
#include "ui/web/limiter.h"
#include "ui/web/reply_cache.h"
#include "ui/web/request_timeouts.h"
#include "ui/web/solver_pool.h"

typedef struct Server Server;
typedef struct Request Request;

enum { SERVER_BODY_MAX = 64 << 10, SERVER_CLIENT_BYTES = 48, SERVER_COOKIE_BYTES = 384 };

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
} Reply;

/* One HTTP request. It belongs to the request thread of its connection until work_queue_add, then
 * to the worker that takes it, and after MHD_resume_connection to the request thread again. Only
 * `next` is guarded by the queue's lock. */
struct Request {
    Server *server;
    struct MHD_Connection *connection;
    const char *method, *path;
    char id[SECRET_TEXT_BYTES]; /* of the game in the path */
    char client[SERVER_CLIENT_BYTES];
    char *body;
    size_t body_size;
    bool too_large;
    json_t *json;    /* the body, parsed */
    Variant variant; /* from the query, once it is read */
    State position;
    Reply reply;
    bool is_answered; /* `reply` is complete */
    void (*work)(Request *request);
    Request *next;  /* in the work queue */
    bool is_queued; /* a worker answers it, or has answered it */
    bool is_fast;   /* values of its variant are found at once */
};

typedef enum WorkQueuePhase {
    WORK_QUEUE_IDLE,     /* no workers yet */
    WORK_QUEUE_RUNNING,  /* accepts requests and games */
    WORK_QUEUE_FINISHING /* accepts nothing; queued requests are answered */
} WorkQueuePhase;

/* Work that takes long: requests, and games in which a computer is to move. `lock` guards
 * everything but `threads` and `thread_count`, which only the main thread uses. */
typedef struct WorkQueue {
    pthread_mutex_t lock;
    pthread_cond_t ready; /* there is work, or the phase changed */
    WorkQueuePhase phase;
    Request *first, *last;
    size_t waiting, running;
    size_t unsent; /* requests taken from request threads whose replies are not sent yet */
    char (*games)[SECRET_TEXT_BYTES]; /* ids, in the order in which they get a step */
    size_t game_count, game_capacity;
    bool games_next; /* requests and games take turns */
    pthread_t *threads;
    size_t thread_count;
} WorkQueue;

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
    ReplyCache created; /* new games, by the keys of the requests that created them */
    RequestTimeouts timeouts;
    struct MHD_Daemon *daemon;
    char *games_text; /* the reply to GET /api/games */
    char host[64];    /* as bound, for the address of the page */
    int port;
    const char *origin;    /* a second origin of the page, or NULL */
    ServerPhase phase;     /* only moves forward */
    size_t listener_count; /* open event streams */
};

/* --- reply.c --- */

/* Sets the reply to JSON; takes ownership of the reference. */
void reply_json(Request *request, unsigned status, json_t *json);

/* Sets the reply to a text; takes ownership. NULL: out of memory. */
void reply_text(Request *request, const char *type, char *text);

/* Sets the reply to an error. The Korean text may be NULL: messages from below src/ui are in
 * English. */
void reply_error(Request *request, unsigned status, Phrase message);
void reply_game_error(Request *request, const GameError *error);
void reply_status(Request *request, const Status *status);

/* Hands the reply to libmicrohttpd. Request threads only. */
enum MHD_Result reply_send(Request *request);

/* Adds the security headers that every response has. */
void reply_add_headers(struct MHD_Response *response);

/* --- request.c --- */

/* A parameter of the query; NULL if it is missing. */
const char *request_query(const Request *request, const char *name);

/* The seats of a game that the request's cookie opens, one bit each. */
unsigned request_find_seats(const Request *request, const HostedGame *game);

/* Adds a token to the cookie of a game. */
void request_add_token(Request *request, const char *id, const char *token);

/* Whether the request comes from this page, or from a program that is no browser. If not, sets an
 * error as reply. */
bool request_is_same_origin(Request *request);

/* Parses the body as a JSON object. False: the reply is set to an error. */
bool request_read_json(Request *request);

/* --- api.c, api_new.c, api_game.c, api_review.c: one function per route, which sets the reply or
 * queues the request --- */

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
void api_record(Request *request);
void api_review(Request *request);

/* --- events.c; the caller of events_wake and events_wake_all holds the registry's lock --- */

/* Answers with a stream of the game's changes. */
enum MHD_Result events_open(Request *request);

/* Wakes everybody who listens to the game. */
void events_wake(HostedGame *game);

/* Wakes all listeners, to send a keep-alive or to end their streams. */
void events_wake_all(Server *server);

/* --- work_queue.c --- */

void work_queue_init(Server *server);

/* Starts the workers. On an error some may be running: work_queue_finish ends them. */
Status work_queue_start(Server *server, size_t threads);

/* Accepts nothing more, answers what is queued, ends the workers, and gives the replies a moment to
 * be sent. */
void work_queue_finish(Server *server);

/* Frees the queue; work_queue_finish was called and the request threads have ended. */
void work_queue_free(Server *server);

/* Notes that the reply to a queued request has been sent, or its connection is gone. */
void work_queue_note_sent(Server *server);

/* Suspends the connection and lets a worker call `work` for the request. If the queue is full or
 * the client has too many requests in it, sets an error as reply and returns false. */
bool work_queue_add(Request *request, void (*work)(Request *request));

/* If a computer is to move in this game, lets a worker do it. The caller holds the registry's lock.
 */
void work_queue_schedule_game(Server *server, HostedGame *game);

/* The same for all games that somebody listens to: a computer that could not move may try again. */
void work_queue_schedule_watched_games(Server *server);

#endif
