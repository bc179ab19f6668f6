#include "ui/web/work_queue.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/web/computer.h"
#include "ui/web/server.h"

static Request *request_of(Job *job) {
    return (Request *)((char *)job - offsetof(Request, job));
}

static HostedGame *game_of(Job *job) {
    return (HostedGame *)((char *)job - offsetof(HostedGame, job));
}

/* --- the lines; the caller holds the queue's lock --- */

/* The client's entry; NULL if it has none. */
static QueueClient *find_client(WorkQueue *queue, const char *name) {
    for (size_t i = 0; i < WORK_QUEUE_CLIENTS_MAX; i++)
        if (strcmp(queue->clients[i].name, name) == 0)
            return &queue->clients[i];
    return NULL;
}

/* The client's entry, a new one if necessary; NULL if all are in use. */
static QueueClient *find_or_add_client(WorkQueue *queue, const char *name) {
    QueueClient *client = find_client(queue, name);
    if (!client && (client = find_client(queue, "")))
        memcpy(client->name, name, strlen(name) + 1);
    return client;
}

/* Appends the client to the ring of a lane. */
static void push_client(WorkQueue *queue, QueueClient *client, JobLane lane) {
    client->next[lane] = NULL;
    if (queue->ring_first[lane])
        queue->ring_last[lane]->next[lane] = client;
    else
        queue->ring_first[lane] = client;
    queue->ring_last[lane] = client;
}

/* Appends the job to its client's line. False if there are too many clients. */
static bool push_job(WorkQueue *queue, Job *job) {
    QueueClient *client = find_or_add_client(queue, job->client);
    if (!client)
        return false;
    bool waits = client->first[job->lane];
    job->next = NULL;
    *(waits ? &client->last[job->lane]->next : &client->first[job->lane]) = job;
    client->last[job->lane] = job;
    if (!waits)
        push_client(queue, client, job->lane);
    client->pending[job->kind]++;
    queue->waiting[job->lane]++;
    queue->waiting_requests += job->kind == JOB_REQUEST;
    return true;
}

/* Takes the next job of the lane, which is not empty. Its client goes to the end of the ring. */
static Job *pop_job(WorkQueue *queue, JobLane lane) {
    QueueClient *client = queue->ring_first[lane];
    assert(queue->waiting[lane] > 0 && client && client->first[lane]);
    Job *job = client->first[lane];
    queue->ring_first[lane] = client->next[lane];
    client->first[lane] = job->next;
    if (job->next)
        push_client(queue, client, lane);
    queue->waiting[lane]--;
    queue->waiting_requests -= job->kind == JOB_REQUEST;
    return job;
}

/* Notes that a job of the client has ended. */
static void end_job(QueueClient *client, JobKind kind) {
    assert(client->pending[kind] > 0);
    client->pending[kind]--;
    if (client->pending[JOB_REQUEST] + client->pending[JOB_STEP] == 0)
        client->name[0] = '\0';
}

/* --- moves of computers --- */

/* Whether the next step of the game is known to be fast. */
static JobLane find_lane(Server *server, const HostedGame *game) {
    bool is_throw;
    int seat = hosted_game_next_seat(game, &is_throw);
    bool is_short = is_throw || solver_pool_is_fast(&server->pool, &game->record.variant,
                                                    &game->record.seats[seat]);
    return is_short ? JOB_SHORT : JOB_LONG;
}

/* Wakes a worker for a job in this lane. The one for short work would not take a long job. */
static void wake_worker(WorkQueue *queue, JobLane lane) {
    if (lane == JOB_SHORT)
        pthread_cond_signal(&queue->ready);
    else
        pthread_cond_broadcast(&queue->ready);
}

void work_queue_schedule_game(Server *server, HostedGame *game) {
    WorkQueue *queue = &server->queue;
    if (game->is_scheduled || game->phase != GAME_SETTLED || server->phase != SERVER_SERVING ||
        !hosted_game_is_computer_next(game))
        return;
    game->job.kind = JOB_STEP;
    game->job.lane = find_lane(server, game);
    if (!game->job.client[0])
        strcpy(game->job.client, "-"); /* nobody has asked for it since it was loaded */
    pthread_mutex_lock(&queue->lock);
    const QueueClient *client = find_client(queue, game->job.client);
    if (queue->phase == WORK_QUEUE_RUNNING &&
        (!client || client->pending[JOB_STEP] < WORK_QUEUE_STEPS_MAX))
        game->is_scheduled = push_job(queue, &game->job);
    wake_worker(queue, game->job.lane);
    pthread_mutex_unlock(&queue->lock);
}

bool work_queue_has_room(Server *server, const char *client) {
    WorkQueue *queue = &server->queue;
    pthread_mutex_lock(&queue->lock);
    const QueueClient *found = find_client(queue, client);
    bool has_room =
        found ? found->pending[JOB_STEP] < WORK_QUEUE_STEPS_MAX : find_client(queue, "") != NULL;
    pthread_mutex_unlock(&queue->lock);
    return has_room;
}

/* Plays a computer's move. The caller holds the registry's lock, which is released while the
 * computer thinks; the game stays where it is because it is scheduled. */
static void play_move(Server *server, HostedGame *game, int seat_number) {
    GameRegistry *registry = &server->registry;
    Variant variant = game->record.variant;
    Seat seat = game->record.seats[seat_number];
    State state = *record_state(&game->record);
    Random random = record_random(&game->record);
    uint64_t version = game->version;
    Move move;
    pthread_mutex_unlock(&registry->lock);
    Status status = computer_choose(&server->pool, &variant, &seat, &state, random, &move);
    pthread_mutex_lock(&registry->lock);
    /* If somebody has changed the game in the meantime, the computer chooses again. */
    if (game->phase != GAME_SETTLED || game->version != version || server->phase != SERVER_SERVING)
        return;
    if (status_is_ok(&status))
        hosted_game_add_step(registry, game, move);
    else
        hosted_game_report_trouble(registry, game, status.message);
}

/* Plays the next step of a computer, unless it is no longer its turn. When the step is stored, the
 * game is scheduled again. */
static void play_step(Server *server, HostedGame *game) {
    GameRegistry *registry = &server->registry;
    bool is_throw;
    pthread_mutex_lock(&registry->lock);
    uint64_t version = game->version;
    if (game->phase == GAME_SETTLED && server->phase == SERVER_SERVING &&
        hosted_game_is_computer_next(game)) {
        int seat = hosted_game_next_seat(game, &is_throw);
        if (is_throw)
            hosted_game_add_step(registry, game, hosted_game_draw_throw(game));
        else
            play_move(server, game, seat);
    }
    game->is_scheduled = false;
    if (game->version != version) /* it was changed while the computer was thinking */
        work_queue_schedule_game(server, game);
    pthread_mutex_unlock(&registry->lock);
}

/* --- workers --- */

/* Does the job. The caller holds the queue's lock, which is released meanwhile. */
static void run_job(Server *server, Job *job) {
    WorkQueue *queue = &server->queue;
    QueueClient *client = find_client(queue, job->client);
    JobKind kind = job->kind;
    queue->running++;
    pthread_mutex_unlock(&queue->lock);
    if (kind == JOB_STEP) {
        play_step(server, game_of(job));
    } else {
        Request *request = request_of(job);
        if (request->work(request))
            request_resume(request); /* it is no longer ours */
    }
    pthread_mutex_lock(&queue->lock);
    queue->running--;
    end_job(client, kind);
}

/* The lane from which a worker takes its next job; both lanes take turns. False if there is no job
 * for it. */
static bool choose_lane(WorkQueue *queue, bool short_only, JobLane *lane) {
    *lane = JOB_SHORT;
    if (!short_only) {
        *lane = queue->next_lane;
        if (queue->waiting[*lane] == 0)
            *lane = *lane == JOB_SHORT ? JOB_LONG : JOB_SHORT;
        queue->next_lane = *lane == JOB_SHORT ? JOB_LONG : JOB_SHORT;
    }
    return queue->waiting[*lane] > 0;
}

static void run_worker(Server *server, bool short_only) {
    WorkQueue *queue = &server->queue;
    JobLane lane;
    pthread_mutex_lock(&queue->lock);
    while (queue->phase == WORK_QUEUE_RUNNING) {
        if (choose_lane(queue, short_only, &lane))
            run_job(server, pop_job(queue, lane));
        else
            pthread_cond_wait(&queue->ready, &queue->lock);
    }
    queue->alive--;
    pthread_cond_signal(&queue->finished);
    pthread_mutex_unlock(&queue->lock);
}

static void *run_any_worker(void *server) {
    run_worker(server, false);
    return NULL;
}

static void *run_short_worker(void *server) {
    run_worker(server, true);
    return NULL;
}

void work_queue_init(Server *server) {
    WorkQueue *queue = &server->queue;
    assert(queue->phase == WORK_QUEUE_IDLE);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->ready, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->finished, &attributes);
    pthread_condattr_destroy(&attributes);
}

Status work_queue_start(Server *server, size_t threads) {
    WorkQueue *queue = &server->queue;
    assert(queue->phase == WORK_QUEUE_IDLE);
    queue->phase = WORK_QUEUE_RUNNING; /* before there is a thread that could read it */
    queue->threads = calloc(threads + 1, sizeof *queue->threads);
    if (!queue->threads)
        return status_make(STATUS_FAILED, "out of memory");
    for (size_t i = 0; i <= threads; i++) {
        pthread_mutex_lock(&queue->lock);
        queue->alive++;
        pthread_mutex_unlock(&queue->lock);
        if (pthread_create(&queue->threads[i], NULL, i == 0 ? run_short_worker : run_any_worker,
                           server) != 0) {
            pthread_mutex_lock(&queue->lock);
            queue->alive--;
            pthread_mutex_unlock(&queue->lock);
            return status_make(STATUS_FAILED, "cannot create threads");
        }
        queue->thread_count++;
    }
    return status_ok();
}

/* --- stopping --- */

/* Takes all jobs out of the queue: games are scheduled no longer, requests are put in a list. The
 * caller holds the registry's and the queue's lock. */
static Job *take_all_jobs(WorkQueue *queue) {
    Job *requests = NULL;
    for (int lane = 0; lane < JOB_LANES; lane++) {
        while (queue->waiting[lane] > 0) {
            QueueClient *client = queue->ring_first[lane];
            Job *job = pop_job(queue, (JobLane)lane);
            end_job(client, job->kind);
            if (job->kind == JOB_STEP) {
                game_of(job)->is_scheduled = false;
            } else {
                job->next = requests;
                requests = job;
            }
        }
    }
    return requests;
}

/* Waits until all workers have ended. The caller holds the queue's lock. */
static bool wait_for_workers(WorkQueue *queue, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int code = 0;
    while (queue->alive > 0 && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&queue->finished, &queue->lock, &until);
    return queue->alive == 0;
}

bool work_queue_finish(Server *server, double seconds) {
    WorkQueue *queue = &server->queue;
    pthread_mutex_lock(&server->registry.lock);
    pthread_mutex_lock(&queue->lock);
    assert(queue->phase != WORK_QUEUE_FINISHING);
    queue->phase = WORK_QUEUE_FINISHING;
    Job *requests = take_all_jobs(queue);
    pthread_cond_broadcast(&queue->ready);
    pthread_mutex_unlock(&queue->lock);
    pthread_mutex_unlock(&server->registry.lock);
    while (requests) {
        Request *request = request_of(requests);
        requests = requests->next;
        reply_closing(request);
        request_resume(request);
    }
    pthread_mutex_lock(&queue->lock);
    bool is_done = wait_for_workers(queue, seconds);
    pthread_mutex_unlock(&queue->lock);
    /* Workers that have not ended are left alone; they end with the process. */
    for (size_t i = 0; i < queue->thread_count; i++)
        is_done ? pthread_join(queue->threads[i], NULL) : pthread_detach(queue->threads[i]);
    return is_done;
}

void work_queue_free(Server *server) {
    WorkQueue *queue = &server->queue;
    assert(queue->phase == WORK_QUEUE_FINISHING && queue->alive == 0);
    free(queue->threads);
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->ready);
    pthread_cond_destroy(&queue->finished);
}

/* --- requests --- */

bool work_queue_add(Request *request, JobLane lane, bool (*work)(Request *request)) {
    WorkQueue *queue = &request->server->queue;
    assert(request->phase == REQUEST_RUNNING && !request->is_answered);
    request->work = work;
    request->job = (Job){.kind = JOB_REQUEST, .lane = lane};
    memcpy(request->job.client, request->client, sizeof request->job.client);
    pthread_mutex_lock(&queue->lock);
    const QueueClient *client = find_client(queue, request->client);
    bool may = !client || client->pending[JOB_REQUEST] < WORK_QUEUE_REQUESTS_MAX;
    bool is_closing = queue->phase != WORK_QUEUE_RUNNING;
    bool has_room =
        queue->waiting_requests < WORK_QUEUE_WAITING_MAX && (client || find_client(queue, ""));
    bool is_added = may && has_room && !is_closing;
    if (is_added) {
        request_suspend(request, NULL); /* before a worker can be done with it */
        push_job(queue, &request->job);
        wake_worker(queue, lane);
    }
    pthread_mutex_unlock(&queue->lock);
    if (is_closing)
        reply_closing(request);
    else if (!may)
        reply_error(
            request, MHD_HTTP_TOO_MANY_REQUESTS,
            (Phrase){{"you have too many requests under way", "처리 중인 요청이 너무 많습니다"}});
    else if (!has_room)
        reply_error(
            request, MHD_HTTP_TOO_MANY_REQUESTS,
            (Phrase){{"too many requests are under way", "지금 처리 중인 요청이 너무 많습니다"}});
    return is_added;
}

WorkQueueCounts work_queue_counts(Server *server) {
    WorkQueue *queue = &server->queue;
    WorkQueueCounts counts;
    pthread_mutex_lock(&queue->lock);
    memcpy(counts.waiting, queue->waiting, sizeof counts.waiting);
    counts.running = queue->running;
    pthread_mutex_unlock(&queue->lock);
    return counts;
}
