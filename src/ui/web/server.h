/* What the parts of the server share: one request, its answer, and where things are. */
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

/* How long work may take, in seconds: a value, a computer's move, a review. */
#define SERVER_EVAL_S 5.0
#define SERVER_MOVE_S 10.0
#define SERVER_REVIEW_S 20.0

/* An answer, ready to be sent. */
typedef struct Reply {
    unsigned status;
    char *text; /* owned */
    size_t length;
    const char *type;
    char cookie[SERVER_COOKIE_BYTES]; /* to be set; "": none */
} Reply;

struct Request {
    Server *server;
    struct MHD_Connection *connection;
    const char *method, *path;
    char id[SECRET_TEXT_BYTES]; /* of the game in the path */
    char client[SERVER_CLIENT_BYTES];
    char *body;
    size_t body_size;
    bool too_large;
    json_t *json;    /* the body, once it is read */
    Variant variant; /* that the query names, once it is read, */
    State position;  /* and its position */
    Reply reply;
    bool is_answered;
    void (*work)(Request *request); /* what a worker is to do for it */
    Request *next;                  /* in the queue */
    bool is_queued;
    bool is_quick; /* values of its variant are found at once */
};

/* Work that takes long, done by threads of its own. */
typedef struct Works {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    Request *first, *last;
    size_t waiting, running;
    size_t unsent; /* requests that were left to a worker and have not been answered to the end */
    char (*thinking)[SECRET_TEXT_BYTES]; /* games whose computers are to move */
    size_t thinking_count, thinking_capacity;
    pthread_t *threads;
    size_t thread_count;
    bool thinks_next; /* the two kinds of work take turns */
    bool is_closing;
} Works;

struct Server {
    Lives lives;
    Solvers solvers;
    Works works;
    Limiter limiter;
    Answers answers;
    Answers made; /* games by the keys they were asked for with */
    Patience patience;
    struct MHD_Daemon *daemon;
    char *games_text; /* what GET /api/games answers */
    char host[64];    /* as bound, for the address of the page */
    int port;
    const char *origin;    /* another address of the page, or NULL */
    size_t listener_count; /* under the lock of the lives */
    bool is_closing;       /* the same */
};

/* --- reply.c: answers --- */

/* Answers with JSON, and gives up the reference. */
void reply_json(Request *request, unsigned status, json_t *json);

/* Answers with text, which is freed later. */
void reply_text(Request *request, const char *type, char *text);

void reply_error(Request *request, unsigned status, const char *message);
void reply_status(Request *request, const Status *status);

/* Sends the answer. */
enum MHD_Result reply_send(Request *request);

/* The headers of every answer. */
void reply_add_headers(struct MHD_Response *response);

/* --- request.c: what is asked --- */

/* A value of the query; NULL where it is not given. */
const char *request_query(const Request *request, const char *name);

/* The seats of a game that the cookie of the request opens. */
unsigned request_seats(const Request *request, const LiveGame *game);

/* Sets a cookie that holds what it held before, and the token. */
void request_add_token(Request *request, const char *id, const char *token);

/* Whether the request comes from this page, or from no page. Else it is answered. */
bool request_is_from_here(Request *request);

/* Reads the body as a JSON object. Else it is answered. */
bool request_read_json(Request *request);

/* --- api.c, api_new.c, api_game.c, api_review.c: what is answered --- */

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

/* --- events.c --- */

/* Answers with a stream of changes. */
enum MHD_Result events_open(Request *request);

/* Everybody who listens to the game looks again. Under the lock of the lives. */
void events_wake(LiveGame *game);

/* Wakes all: a sign of life, or the end. */
void events_wake_all(Server *server);

/* --- work.c --- */

void works_init(Server *server);
Status works_open(Server *server, size_t threads);

/* Finishes what has been asked for and takes nothing more; then nobody works any more. */
void works_close(Server *server);

/* The answer to a request of a worker has been sent. */
void works_sent(Server *server);
void works_free(Server *server);

/* Lets a worker do it. False, and answered, where there is too much to do. */
bool works_add(Request *request, void (*work)(Request *request));

/* Lets a worker make the steps of computers in this game. Under the lock of the lives. */
void works_think(Server *server, LiveGame *game);

/* The same for all games that somebody listens to: one that could not go on may now. */
void works_look(Server *server);

#endif
