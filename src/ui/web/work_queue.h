/* The work queue: what takes too long for a request thread. Evaluations, reviews, new games, many
 * steps of a game, the list of shared tables, and the moves of computers.
 *
 * The queue is fair. Each client, told apart by address, has its own lines; clients take turns, so
 * one with a hundred jobs waiting delays another by one job. There is a lane for short work and one
 * for long work:
 *
 *     client A   short: a1          long: a2 a3 a4        workers take  a1 b1 ...    (short lane)
 *     client B   short: b1 b2       long:                               a2 c1 a3 ... (long lane)
 *     client C   short:             long: c1
 *
 * One worker does short work only, so short work never waits for long work. The others take from
 * both lanes in turn. What one client may have pending is limited.
 */
#ifndef MALPAN_UI_WEB_WORK_QUEUE_H
#define MALPAN_UI_WEB_WORK_QUEUE_H

#include <pthread.h>

#include "base/status.h"
#include "ui/web/hosted_game.h"
#include "ui/web/job.h"

typedef struct Server Server;
typedef struct Request Request;

enum {
    WORK_QUEUE_CLIENTS_MAX = 512, /* with pending jobs */
    WORK_QUEUE_REQUESTS_MAX = 8,  /* pending for one client */
    WORK_QUEUE_STEPS_MAX = 64,    /* the same for moves of computers */
    WORK_QUEUE_WAITING_MAX = 256  /* requests that wait, of all clients */
};

/* A client with pending jobs. */
typedef struct QueueClient {
    char name[CLIENT_NAME_BYTES]; /* "": unused */
    size_t pending[JOB_KINDS];    /* waiting and running jobs */
    Job *first[JOB_LANES], *last[JOB_LANES];
    struct QueueClient *next[JOB_LANES]; /* in the ring of clients that wait in this lane */
} QueueClient;

typedef enum WorkQueuePhase {
    WORK_QUEUE_IDLE,     /* no workers yet */
    WORK_QUEUE_RUNNING,  /* accepts jobs */
    WORK_QUEUE_FINISHING /* accepts nothing; running jobs end */
} WorkQueuePhase;

/* `lock` guards everything but `threads` and `thread_count`, which only the main thread uses. */
typedef struct WorkQueue {
    pthread_mutex_t lock;
    pthread_cond_t ready;    /* there is work, or the phase changed */
    pthread_cond_t finished; /* a worker has ended */
    WorkQueuePhase phase;
    QueueClient clients[WORK_QUEUE_CLIENTS_MAX];
    QueueClient *ring_first[JOB_LANES], *ring_last[JOB_LANES];
    size_t waiting[JOB_LANES]; /* jobs in each lane */
    size_t waiting_requests;   /* of both lanes */
    size_t running;
    JobLane next_lane; /* for workers that take from both */
    size_t alive;      /* workers that have not ended */
    pthread_t *threads;
    size_t thread_count;
} WorkQueue;

void work_queue_init(Server *server);

/* Starts `threads` workers, and one for short work only. On an error some may be running:
 * work_queue_finish ends them. */
Status work_queue_start(Server *server, size_t threads);

/* Accepts nothing more, answers waiting requests with 503, and waits at most `seconds` for the
 * workers to end their jobs, which should have been told to stop. False if some have not ended. The
 * caller holds no lock. */
bool work_queue_finish(Server *server, double seconds);

/* Frees the queue; work_queue_finish has succeeded. */
void work_queue_free(Server *server);

/* Suspends the connection and lets a worker call `work` for the request. `work` returns whether the
 * request is answered; if not, it has left the request to somebody who will resume it. If the queue
 * is full or the client has too many requests in it, sets an error as reply and returns false. */
bool work_queue_add(Request *request, JobLane lane, bool (*work)(Request *request));

/* Whether the client may cause one more move of a computer. */
bool work_queue_has_room(Server *server, const char *client);

/* If a computer is to move in this game, lets a worker do it, as work of the client in
 * game->job.client. The caller holds the registry's lock. */
void work_queue_schedule_game(Server *server, HostedGame *game);

/* The number of jobs that wait, by lane, and that run. */
typedef struct WorkQueueCounts {
    size_t waiting[JOB_LANES], running;
} WorkQueueCounts;

WorkQueueCounts work_queue_counts(Server *server);

#endif
