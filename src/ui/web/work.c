/* What takes long: searches that were asked for, and the moves of computers. A few threads do it,
 * so that the answers to everything else need not wait. */
#include <stdlib.h>
#include <string.h>

#include "ui/web/server.h"

enum { WAITING_MAX = 64 };

/* --- computers --- */

/* Puts the game on the list; false: no memory. */
static bool add_thinking(Works *works, const char *id) {
    if (works->thinking_count == works->thinking_capacity) {
        size_t capacity = works->thinking_capacity ? 2 * works->thinking_capacity : 64;
        void *larger = realloc(works->thinking, capacity * sizeof *works->thinking);
        if (!larger)
            return false;
        works->thinking = larger;
        works->thinking_capacity = capacity;
    }
    memcpy(works->thinking[works->thinking_count++], id, SECRET_TEXT_BYTES);
    return true;
}

void works_think(Server *server, LiveGame *game) {
    Works *works = &server->works;
    if (game->is_thinking || !live_computer_is_next(game))
        return;
    pthread_mutex_lock(&works->lock);
    game->is_thinking = add_thinking(works, game->id);
    pthread_cond_signal(&works->ready);
    pthread_mutex_unlock(&works->lock);
}

/* The next step of a computer, chosen without the lock. */
static Status choose(Server *server, const Variant *variant, const Seat *seat, const State *state,
                     Random random, Move *move) {
    Brain *brain;
    Status status = solvers_take(&server->solvers, variant, seat, &brain);
    if (!status_is_ok(&status))
        return status;
    status = brain->player->choose(brain->player, state, &random, move);
    solvers_give(&server->solvers, brain);
    return status;
}

/* Makes one step of the game's computers. False: there is none to make, or none can be made. */
static bool think_once(Server *server, const char *id) {
    Lives *lives = &server->lives;
    LiveGame *game;
    bool is_throw, more = false;
    pthread_mutex_lock(&lives->lock);
    LiveError error = live_find(lives, id, &game);
    if (error.code != 0 || server->is_closing || !live_computer_is_next(game)) {
        if (error.code == 0)
            game->is_thinking = false;
        pthread_mutex_unlock(&lives->lock);
        return false;
    }
    int seat_number = live_turn(game, &is_throw);
    if (is_throw) {
        error = live_add(lives, game, live_throw(game));
        more = error.code == 0;
    } else {
        Variant variant = game->record.variant;
        Seat seat = game->record.seats[seat_number];
        State state = *record_state(&game->record);
        Random random = record_random(&game->record);
        uint64_t version = game->version;
        pthread_mutex_unlock(&lives->lock);
        Move move;
        Status status = choose(server, &variant, &seat, &state, random, &move);
        pthread_mutex_lock(&lives->lock);
        error = live_find(lives, id, &game);
        more = error.code == 0 && status_is_ok(&status);
        /* Meanwhile somebody may have taken a move back: then it has to look again. */
        if (more && game->version == version)
            more = live_add(lives, game, move).code == 0;
    }
    if (error.code == 0 && !more)
        game->is_thinking = false;
    pthread_mutex_unlock(&lives->lock);
    return more;
}

/* --- the threads --- */

static void answer(Request *request) {
    Server *server = request->server;
    request->work(request);
    limiter_done(&server->limiter, request->client);
    MHD_resume_connection(request->connection);
}

static void *work(void *context) {
    Server *server = context;
    Works *works = &server->works;
    pthread_mutex_lock(&works->lock);
    for (;;) {
        while (!works->first && works->thinking_count == 0 && !works->is_closing)
            pthread_cond_wait(&works->ready, &works->lock);
        if (works->first) {
            Request *request = works->first;
            works->first = request->next;
            works->waiting--;
            works->running++;
            pthread_mutex_unlock(&works->lock);
            answer(request);
            pthread_mutex_lock(&works->lock);
            works->running--;
        } else if (works->is_closing) {
            break;
        } else {
            char id[SECRET_TEXT_BYTES];
            memcpy(id, works->thinking[0], sizeof id);
            memmove(works->thinking, works->thinking + 1,
                    --works->thinking_count * sizeof *works->thinking);
            works->running++;
            pthread_mutex_unlock(&works->lock);
            bool more = think_once(server, id);
            pthread_mutex_lock(&works->lock);
            works->running--;
            /* Behind the others, so that games take turns. */
            if (more)
                add_thinking(works, id);
        }
    }
    pthread_mutex_unlock(&works->lock);
    return NULL;
}

void works_init(Server *server) {
    pthread_mutex_init(&server->works.lock, NULL);
    pthread_cond_init(&server->works.ready, NULL);
}

Status works_open(Server *server, size_t threads) {
    Works *works = &server->works;
    works->threads = calloc(threads, sizeof *works->threads);
    if (!works->threads)
        return status_make(STATUS_FAILED, "out of memory");
    for (; works->thread_count < threads; works->thread_count++)
        if (pthread_create(&works->threads[works->thread_count], NULL, work, server) != 0)
            return status_make(STATUS_FAILED, "no threads to work with");
    return status_ok();
}

void works_close(Server *server) {
    Works *works = &server->works;
    pthread_mutex_lock(&works->lock);
    works->is_closing = true;
    pthread_cond_broadcast(&works->ready);
    pthread_mutex_unlock(&works->lock);
    for (size_t i = 0; i < works->thread_count; i++)
        pthread_join(works->threads[i], NULL);
}

void works_free(Server *server) {
    Works *works = &server->works;
    free(works->threads);
    free(works->thinking);
    pthread_mutex_destroy(&works->lock);
    pthread_cond_destroy(&works->ready);
}

bool works_add(Request *request, void (*what)(Request *request)) {
    Server *server = request->server;
    Works *works = &server->works;
    if (!limiter_begin(&server->limiter, request->client)) {
        reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too many searches of yours at once");
        return false;
    }
    pthread_mutex_lock(&works->lock);
    bool has_room = works->waiting < WAITING_MAX && !works->is_closing;
    if (has_room) {
        request->work = what;
        request->next = NULL;
        request->is_queued = true;
        /* Before a worker can be done with it. */
        MHD_suspend_connection(request->connection);
        if (works->first)
            works->last->next = request;
        else
            works->first = request;
        works->last = request;
        works->waiting++;
        pthread_cond_signal(&works->ready);
    }
    pthread_mutex_unlock(&works->lock);
    if (!has_room) {
        limiter_done(&server->limiter, request->client);
        reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too many searches at once");
    }
    return has_room;
}
