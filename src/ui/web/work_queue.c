/* The work queue: evaluations, reviews and new games, and the moves of computers. A few workers do
 * them, so that request threads are never blocked for long. Requests are answered in the order in
 * which they arrive; games get one computer's step at a time, in turn. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/web/server.h"

enum {
    WAITING_MAX = 64,  /* requests in the queue */
    SEND_WAIT_MS = 10, /* at the end, replies get SEND_WAITS such pauses to be sent */
    SEND_WAITS = 100
};

/* --- moves of computers --- */

/* Appends the game; false if out of memory. The caller holds the queue's lock. */
static bool push_game(WorkQueue *queue, const char *id) {
    if (queue->game_count == queue->game_capacity) {
        size_t capacity = queue->game_capacity ? 2 * queue->game_capacity : 64;
        void *larger = realloc(queue->games, capacity * sizeof *queue->games);
        if (!larger)
            return false;
        queue->games = larger;
        queue->game_capacity = capacity;
    }
    memcpy(queue->games[queue->game_count++], id, SECRET_TEXT_BYTES);
    return true;
}

/* Removes the first game. The caller holds the queue's lock. */
static void pop_game(WorkQueue *queue, char id[SECRET_TEXT_BYTES]) {
    assert(queue->game_count > 0);
    memcpy(id, queue->games[0], SECRET_TEXT_BYTES);
    memmove(queue->games, queue->games + 1, --queue->game_count * sizeof *queue->games);
}

void work_queue_schedule_game(Server *server, HostedGame *game) {
    WorkQueue *queue = &server->queue;
    if (game->is_scheduled || !hosted_game_is_computer_next(game))
        return;
    pthread_mutex_lock(&queue->lock);
    game->is_scheduled = push_game(queue, game->id);
    pthread_cond_signal(&queue->ready);
    pthread_mutex_unlock(&queue->lock);
}

void work_queue_schedule_watched_games(Server *server) {
    for (size_t i = 0; i < GAME_REGISTRY_BUCKETS; i++)
        for (HostedGame *game = server->registry.buckets[i]; game; game = game->next)
            if (game->listeners)
                work_queue_schedule_game(server, game);
}

/* Lets the computer player choose a move. No lock is held. */
static Status choose_move(Server *server, const Variant *variant, const Seat *seat,
                          const State *state, Random random, Move *move) {
    PooledSolver *pooled;
    Status status = solver_pool_acquire(&server->pool, variant, seat, SERVER_MOVE_S, &pooled);
    if (!status_is_ok(&status))
        return status;
    status = pooled->player->choose(pooled->player, state, &random, move);
    solver_pool_release(&server->pool, pooled, false);
    return status;
}

/* Whether anybody takes part in the game or watches it. A game of computers alone goes on only
 * while it is requested. */
static bool has_audience(const HostedGame *game) {
    const Variant *variant = &game->record.variant;
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        if (game->seats[i].kind != SEAT_COMPUTER)
            return true;
    return game->listeners != NULL;
}

/* Plays the next step of a computer. The caller holds the registry's lock, which is released while
 * the computer thinks; `game` may be at another address afterwards, or NULL. False if the step
 * could not be played. */
static bool play_step(Server *server, const char *id, HostedGame **game) {
    GameRegistry *registry = &server->registry;
    const Record *record = &(*game)->record;
    bool is_throw;
    int seat_number = hosted_game_next_seat(*game, &is_throw);
    if (is_throw)
        return hosted_game_add_step(registry, *game, hosted_game_draw_throw(*game)).code == 0;
    Variant variant = record->variant;
    Seat seat = record->seats[seat_number];
    State state = *record_state(record);
    Random random = record_random(record);
    size_t step = record->step_count;
    pthread_mutex_unlock(&registry->lock);
    Move move;
    Status status = choose_move(server, &variant, &seat, &state, random, &move);
    pthread_mutex_lock(&registry->lock);
    if (game_registry_find(registry, id, game).code != 0) {
        *game = NULL;
        return false;
    }
    record = &(*game)->record;
    /* Somebody may have taken a move back in the meantime: then the computer chooses again. */
    bool is_same =
        record->step_count == step && memcmp(record_state(record), &state, sizeof state) == 0;
    if (!is_same)
        return true;
    if (status_is_ok(&status))
        return hosted_game_add_step(registry, *game, move).code == 0;
    if (server->phase == SERVER_SERVING)
        hosted_game_report_trouble(registry, *game, status.message);
    return false;
}

/* Plays one step of a computer. Returns whether the game stays in the queue. */
static bool play_computer_step(Server *server, const char *id) {
    GameRegistry *registry = &server->registry;
    HostedGame *game = NULL;
    bool more = false;
    pthread_mutex_lock(&registry->lock);
    if (game_registry_find(registry, id, &game).code == 0 && server->phase < SERVER_CLOSING &&
        hosted_game_is_computer_next(game))
        more = play_step(server, id, &game) && has_audience(game);
    if (game)
        game->is_scheduled = more;
    pthread_mutex_unlock(&registry->lock);
    return more;
}

/* Takes a game out of the queue for lack of memory; the next request for it schedules it again. The
 * caller holds the queue's lock, which is released meanwhile because of the lock order. */
static void unschedule_game(Server *server, const char *id) {
    HostedGame *game;
    pthread_mutex_unlock(&server->queue.lock);
    pthread_mutex_lock(&server->registry.lock);
    if (game_registry_find(&server->registry, id, &game).code == 0)
        game->is_scheduled = false;
    pthread_mutex_unlock(&server->registry.lock);
    pthread_mutex_lock(&server->queue.lock);
}

/* --- workers --- */

/* Answers the first request. The caller holds the queue's lock, which is released meanwhile. */
static void run_request(Server *server) {
    WorkQueue *queue = &server->queue;
    Request *request = queue->first;
    queue->first = request->next;
    queue->waiting--;
    queue->running++;
    pthread_mutex_unlock(&queue->lock);
    request->work(request);
    limiter_end_job(&server->limiter, request->client);
    MHD_resume_connection(request->connection); /* the request is no longer ours */
    pthread_mutex_lock(&queue->lock);
    queue->running--;
}

/* Gives the first game its step, then appends it again. The caller holds the queue's lock, which is
 * released meanwhile. */
static void run_game(Server *server) {
    WorkQueue *queue = &server->queue;
    char id[SECRET_TEXT_BYTES];
    pop_game(queue, id);
    queue->running++;
    pthread_mutex_unlock(&queue->lock);
    bool more = play_computer_step(server, id);
    pthread_mutex_lock(&queue->lock);
    queue->running--;
    if (more && !push_game(queue, id))
        unschedule_game(server, id);
}

static void *run_worker(void *context) {
    Server *server = context;
    WorkQueue *queue = &server->queue;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->first && queue->game_count == 0 && queue->phase == WORK_QUEUE_RUNNING)
            pthread_cond_wait(&queue->ready, &queue->lock);
        bool takes_game = queue->game_count > 0 && (queue->games_next || !queue->first);
        queue->games_next = !takes_game;
        if (queue->first && !takes_game)
            run_request(server);
        else if (queue->phase == WORK_QUEUE_FINISHING)
            break;
        else
            run_game(server);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

void work_queue_init(Server *server) {
    assert(server->queue.phase == WORK_QUEUE_IDLE);
    pthread_mutex_init(&server->queue.lock, NULL);
    pthread_cond_init(&server->queue.ready, NULL);
}

Status work_queue_start(Server *server, size_t threads) {
    WorkQueue *queue = &server->queue;
    assert(queue->phase == WORK_QUEUE_IDLE);
    queue->phase = WORK_QUEUE_RUNNING; /* before there is a thread that could read it */
    queue->threads = calloc(threads, sizeof *queue->threads);
    if (!queue->threads)
        return status_make(STATUS_FAILED, "out of memory");
    for (; queue->thread_count < threads; queue->thread_count++)
        if (pthread_create(&queue->threads[queue->thread_count], NULL, run_worker, server) != 0)
            return status_make(STATUS_FAILED, "cannot create threads");
    return status_ok();
}

void work_queue_finish(Server *server) {
    WorkQueue *queue = &server->queue;
    pthread_mutex_lock(&queue->lock);
    assert(queue->phase != WORK_QUEUE_FINISHING);
    queue->phase = WORK_QUEUE_FINISHING;
    pthread_cond_broadcast(&queue->ready);
    pthread_mutex_unlock(&queue->lock);
    for (size_t i = 0; i < queue->thread_count; i++)
        pthread_join(queue->threads[i], NULL);
    /* The replies are being sent; a client that does not read its reply is not waited for. */
    struct timespec pause = {.tv_nsec = SEND_WAIT_MS * 1000000L};
    for (int i = 0; i < SEND_WAITS; i++) {
        pthread_mutex_lock(&queue->lock);
        bool is_sent = queue->unsent == 0;
        pthread_mutex_unlock(&queue->lock);
        if (is_sent)
            break;
        nanosleep(&pause, NULL);
    }
}

void work_queue_free(Server *server) {
    WorkQueue *queue = &server->queue;
    assert(queue->phase == WORK_QUEUE_FINISHING && !queue->first);
    free(queue->threads);
    free(queue->games);
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->ready);
}

/* --- requests --- */

void work_queue_note_sent(Server *server) {
    pthread_mutex_lock(&server->queue.lock);
    assert(server->queue.unsent > 0);
    server->queue.unsent--;
    pthread_mutex_unlock(&server->queue.lock);
}

/* Appends the request. The caller holds the queue's lock. */
static void push_request(WorkQueue *queue, Request *request) {
    request->next = NULL;
    if (queue->first)
        queue->last->next = request;
    else
        queue->first = request;
    queue->last = request;
    queue->waiting++;
    queue->unsent++;
    pthread_cond_signal(&queue->ready);
}

bool work_queue_add(Request *request, void (*work)(Request *request)) {
    Server *server = request->server;
    WorkQueue *queue = &server->queue;
    assert(!request->is_queued && !request->is_answered);
    if (!limiter_begin_job(&server->limiter, request->client)) {
        reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS,
                    (Phrase){{"you have too many searches running", "계산 요청이 너무 많습니다"}});
        return false;
    }
    pthread_mutex_lock(&queue->lock);
    bool has_room = queue->waiting < WAITING_MAX && queue->phase == WORK_QUEUE_RUNNING;
    if (has_room) {
        request->work = work;
        request->is_queued = true;
        /* Before a worker can be done with it. */
        MHD_suspend_connection(request->connection);
        push_request(queue, request);
    }
    pthread_mutex_unlock(&queue->lock);
    if (!has_room) {
        limiter_end_job(&server->limiter, request->client);
        reply_error(
            request, MHD_HTTP_TOO_MANY_REQUESTS,
            (Phrase){{"too many searches are running", "지금 계산 중인 요청이 너무 많습니다"}});
    }
    return has_room;
}
