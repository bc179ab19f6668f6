/* A request and its reply, without HTTP: what the API (api.c, api_new.c, api_game.c, api_review.c)
 * works with.
 *
 * Two programs host the API. The server (server.h) receives requests by HTTP and answers many at
 * once. The module (ui/module) is called by the page itself, without a server, and answers one at a
 * time. Each implements the functions under "the host". */
#ifndef MALPAN_UI_WEB_REQUEST_H
#define MALPAN_UI_WEB_REQUEST_H

#include <jansson.h>

#include "ui/web/game_registry.h"
#include "ui/web/reply_cache.h"
#include "ui/web/solver_pool.h"
#include "ui/web/work_queue.h"

enum { SERVER_BODY_MAX = 64 << 10, SERVER_COOKIE_BYTES = 384 };

/* How long an evaluation, a computer's move or a review may take. */
#define SERVER_EVAL_S 5.0
#define SERVER_MOVE_S 10.0
#define SERVER_REVIEW_S 20.0

/* The codes of replies, as in HTTP. */
enum {
    REPLY_OK = 200,
    REPLY_CREATED = 201,
    REPLY_BAD_REQUEST = 400,
    REPLY_FORBIDDEN = 403,
    REPLY_NOT_FOUND = 404,
    REPLY_WRONG_METHOD = 405,
    REPLY_CONFLICT = 409,
    REPLY_TOO_LARGE = 413,
    REPLY_NOT_JSON = 415,
    REPLY_TOO_MANY = 429,
    REPLY_UNAVAILABLE = 503
};

/* What the API answers from. */
typedef struct Service {
    GameRegistry *registry;
    SolverPool *pool;
    ReplyCache *replies;    /* of GET /api/eval */
    const char *games_text; /* the reply to GET /api/games */
} Service;

typedef struct Reply {
    unsigned status; /* REPLY_OK, ... */
    char *text;      /* owned; NULL: out of memory */
    size_t length;
    const char *type;                 /* media type */
    char cookie[SERVER_COOKIE_BYTES]; /* to be set; "": none */
    bool retry;                       /* tell the client to try again in a second */
    bool close;                       /* close the connection */
} Reply;

typedef struct Route Route;

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

/* One request. In the server it belongs to the request thread of its connection, but while it is
 * suspended to whoever it was left to. `job` is guarded by the queue's lock while it is queued,
 * `waiter` by the registry's lock while it waits. `phase` is atomic, because the request thread may
 * look at it at any time. */
struct Request {
    Server *server; /* the host */
    const Service *service;
    struct MHD_Connection *connection; /* NULL in the module, as everything that it does not use */
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

/* --- request.c --- */

/* The first step that the client wants to see: step `from`, or what has changed since version
 * `since` of the game. */
size_t request_read_from(const Request *request, const HostedGame *game);

/* Reads an optional name of a player; "" if there is none. False: it is not a name, and the reply
 * is set to an error. */
bool request_read_name(Request *request, const json_t *json, char name[HOSTED_NAME_BYTES]);

/* --- the host (with work_queue_add, work_queue_schedule_game and work_queue_has_room) --- */

/* A parameter of the query; NULL if it is missing. */
const char *request_query(const Request *request, const char *name);

/* The seats of a game that the request's cookie opens, one bit each. */
unsigned request_find_seats(const Request *request, const HostedGame *game);

/* Adds a token to the cookie of a game. */
void request_add_token(Request *request, const char *id, const char *token);

/* Leaves the request to somebody who will call request_resume. If it is not answered by then,
 * `resume` is called on a request thread; NULL: the request is started again. May be called again
 * for a suspended request by whoever it was left to. */
void request_suspend(Request *request, void (*resume)(Request *request));

/* Waits until the game is settled and starts the request again. The caller holds the registry's
 * lock. */
void request_wait_for_game(Request *request, HostedGame *game);

/* Waits until the request's change of the game is stored, then calls `resume`; change_error has the
 * outcome. The caller holds the registry's lock. */
void request_wait_for_change(Request *request, HostedGame *game, void (*resume)(Request *request));

/* --- api.c, api_new.c, api_game.c, api_review.c: one function per route, which sets the reply or
 * suspends the request --- */

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

#endif
