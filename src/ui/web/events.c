/* Changes of a game as server-sent events. A listener whose game stands still is suspended and
 * costs nothing; a change wakes all, and so does a sign of life every fifteen seconds, by which
 * those who have gone are noticed. One that takes nothing in for long is dropped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/progress.h"
#include "ui/web/server.h"

#define SIGN_OF_LIFE_S 5.0 /* no sign is needed so soon after anything else */

struct Listener {
    Server *server;
    struct MHD_Connection *connection;
    char id[SECRET_TEXT_BYTES];
    uint64_t version; /* that it has been told */
    double told;      /* when */
    bool is_suspended;
    char *text; /* being sent */
    size_t length, sent;
    Listener *next, **link; /* in its game's list */
};

/* Under the lock of the lives, as all below. */
void events_wake(LiveGame *game) {
    for (Listener *listener = game->listeners; listener; listener = listener->next) {
        if (listener->is_suspended) {
            listener->is_suspended = false;
            MHD_resume_connection(listener->connection);
        }
    }
}

void events_wake_all(Server *server) {
    for (size_t i = 0; i < LIVE_BUCKETS; i++)
        for (LiveGame *game = server->lives.buckets[i]; game; game = game->next)
            events_wake(game);
}

/* The next thing to send: a change, or a sign of life. False: nothing now. */
static bool find_text(Listener *listener) {
    LiveGame *game;
    if (live_find(&listener->server->lives, listener->id, &game).code != 0)
        return false;
    double now = progress_clock_s();
    char *text = NULL;
    if (listener->version != game->version) {
        json_t *json = live_change(game, listener->version);
        char *data = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
        json_decref(json);
        if (data &&
            asprintf(&text, "id: %llu\ndata: %s\n\n", (unsigned long long)game->version, data) < 0)
            text = NULL;
        free(data);
        if (text)
            listener->version = game->version;
    } else if (now - listener->told >= SIGN_OF_LIFE_S) {
        text = strdup(":\n\n");
    }
    if (!text)
        return false;
    listener->told = now;
    listener->text = text;
    listener->length = strlen(text);
    listener->sent = 0;
    return true;
}

static ssize_t read_events(void *context, uint64_t position, char *buffer, size_t room) {
    (void)position;
    Listener *listener = context;
    Server *server = listener->server;
    ssize_t count = 0;
    pthread_mutex_lock(&server->lives.lock);
    if (server->is_closing) {
        count = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (listener->text || find_text(listener)) {
        size_t rest = listener->length - listener->sent;
        size_t now = rest < room ? rest : room;
        memcpy(buffer, listener->text + listener->sent, now);
        listener->sent += now;
        count = (ssize_t)now;
        if (listener->sent == listener->length) {
            free(listener->text);
            listener->text = NULL;
        }
    } else {
        listener->is_suspended = true;
        MHD_suspend_connection(listener->connection);
    }
    pthread_mutex_unlock(&server->lives.lock);
    return count;
}

static void close_listener(void *context) {
    Listener *listener = context;
    Server *server = listener->server;
    pthread_mutex_lock(&server->lives.lock);
    *listener->link = listener->next;
    if (listener->next)
        listener->next->link = listener->link;
    server->listener_count--;
    pthread_mutex_unlock(&server->lives.lock);
    free(listener->text);
    free(listener);
}

/* Puts a listener into the list of its game; NULL, and answered, where there is no such game. */
static Listener *add_listener(Request *request) {
    Lives *lives = &request->server->lives;
    LiveGame *game;
    const char *since = request_query(request, "since"),
               *last = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                   "Last-Event-ID");
    const char *told = last ? last : since;
    uint64_t version;
    if (!told || !number_read(told, &version))
        version = UINT64_MAX; /* of no game: all is told */
    Listener *listener = calloc(1, sizeof *listener);
    pthread_mutex_lock(&lives->lock);
    LiveError error = live_find(lives, request->id, &game);
    if (error.code == 0 && listener) {
        *listener = (Listener){.server = request->server,
                               .connection = request->connection,
                               .version = version,
                               .told = progress_clock_s(),
                               .next = game->listeners,
                               .link = &game->listeners};
        memcpy(listener->id, game->id, sizeof listener->id);
        if (game->listeners)
            game->listeners->link = &listener->next;
        game->listeners = listener;
        request->server->listener_count++;
        works_think(request->server, game);
    }
    pthread_mutex_unlock(&lives->lock);
    if (error.code != 0) {
        free(listener);
        reply_error(request, error.code, error.message);
        return NULL;
    }
    if (!listener)
        reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory");
    return listener;
}

enum MHD_Result events_open(Request *request) {
    enum { BLOCK_BYTES = 16 << 10 };
    Listener *listener = add_listener(request);
    if (!listener)
        return reply_send(request);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_events, listener, close_listener);
    if (!response) {
        close_listener(listener);
        return MHD_NO;
    }
    reply_add_headers(response);
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    enum MHD_Result result = MHD_queue_response(request->connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}
