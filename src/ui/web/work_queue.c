/* What takes long: searches that were asked for, and the moves of computers. A few threads do it,
 * so that the answers to everything else need not wait. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/web/server.h"

enum { WAITING_MAX = 64, SENDING_MAX = 100 };

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
    Status status = solvers_take(&server->solvers, variant, seat, SERVER_MOVE_S, &brain);
    if (!status_is_ok(&status))
        return status;
    status = brain->player->choose(brain->player, state, &random, move);
    solvers_give(&server->solvers, brain, false);
    return status;
}

/* Whether somebody is there to see it: else a game of computers goes on only when it is asked for.
 */
static bool is_seen(const LiveGame *game) {
    const Variant *variant = &game->record.variant;
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        if (game->seats[i].kind != LIVE_COMPUTER)
            return true;
    return game->listeners != NULL;
}

/* Chooses the step that is next and makes it, the lock being let go meanwhile. `game` may be
 * another place in memory afterwards, or NULL. False: it could not be made. */
static bool make_step(Server *server, const char *id, LiveGame **game) {
    Lives *lives = &server->lives;
    const Record *record = &(*game)->record;
    bool is_throw;
    int number = live_turn(*game, &is_throw);
    if (is_throw)
        return live_add(lives, *game, live_throw(*game)).code == 0;
    Variant variant = record->variant;
    Seat seat = record->seats[number];
    State state = *record_state(record);
    Random random = record_random(record);
    size_t step = record->step_count;
    pthread_mutex_unlock(&lives->lock);
    Move move;
    Status status = choose(server, &variant, &seat, &state, random, &move);
    pthread_mutex_lock(&lives->lock);
    if (live_find(lives, id, game).code != 0) {
        *game = NULL;
        return false;
    }
    record = &(*game)->record;
    /* Meanwhile somebody may have taken a move back: then it has to look again. */
    bool is_same =
        record->step_count == step && memcmp(record_state(record), &state, sizeof state) == 0;
    if (!is_same)
        return true;
    if (status_is_ok(&status))
        return live_add(lives, *game, move).code == 0;
    if (!server->is_closing)
        live_tell_trouble(lives, *game, status.message);
    return false;
}

/* Makes one step of the game's computers. False: there is none to make, or it cannot be made. */
static bool think_once(Server *server, const char *id) {
    Lives *lives = &server->lives;
    LiveGame *game = NULL;
    bool more = false;
    pthread_mutex_lock(&lives->lock);
    if (live_find(lives, id, &game).code == 0 && !server->is_closing && live_computer_is_next(game))
        more = make_step(server, id, &game) && is_seen(game);
    if (game)
        game->is_thinking = more;
    pthread_mutex_unlock(&lives->lock);
    return more;
}

void works_look(Server *server) {
    for (size_t i = 0; i < LIVE_BUCKETS; i++)
        for (LiveGame *game = server->lives.buckets[i]; game; game = game->next)
            if (game->listeners)
                works_think(server, game);
}

/* --- the threads --- */

static void answer(Request *request) {
    Server *server = request->server;
    request->work(request);
    limiter_done(&server->limiter, request->client);
    MHD_resume_connection(request->connection);
}

/* There is no room on the list: whoever asks for the game next puts it there again. */
static void forget_thinking(Server *server, const char *id) {
    LiveGame *game;
    pthread_mutex_unlock(&server->works.lock);
    pthread_mutex_lock(&server->lives.lock);
    if (live_find(&server->lives, id, &game).code == 0)
        game->is_thinking = false;
    pthread_mutex_unlock(&server->lives.lock);
    pthread_mutex_lock(&server->works.lock);
}

static void *work(void *context) {
    Server *server = context;
    Works *works = &server->works;
    pthread_mutex_lock(&works->lock);
    for (;;) {
        while (!works->first && works->thinking_count == 0 && !works->is_closing)
            pthread_cond_wait(&works->ready, &works->lock);
        bool thinks = works->thinking_count > 0 && (works->thinks_next || !works->first);
        works->thinks_next = !thinks;
        if (works->first && !thinks) {
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
            if (more && !add_thinking(works, id))
                forget_thinking(server, id);
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
    /* The answers are on their way; who does not take them in is not waited for. */
    struct timespec pause = {.tv_nsec = 10000000};
    for (int i = 0; i < SENDING_MAX; i++) {
        pthread_mutex_lock(&works->lock);
        bool is_done = works->unsent == 0;
        pthread_mutex_unlock(&works->lock);
        if (is_done)
            break;
        nanosleep(&pause, NULL);
    }
}

void works_sent(Server *server) {
    pthread_mutex_lock(&server->works.lock);
    server->works.unsent--;
    pthread_mutex_unlock(&server->works.lock);
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
        works->unsent++;
        pthread_cond_signal(&works->ready);
    }
    pthread_mutex_unlock(&works->lock);
    if (!has_room) {
        limiter_done(&server->limiter, request->client);
        reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too many searches at once");
    }
    return has_room;
}
