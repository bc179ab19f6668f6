/* Changes of a game as server-sent events. While nothing happens, a listener's connection is
 * suspended and costs nothing. A change resumes it, and so does a keep-alive every fifteen seconds,
 * which also shows whether the client is still there. libmicrohttpd drops clients that stop
 * reading.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/progress.h"
#include "ui/web/server.h"

#define KEEP_ALIVE_S 5.0 /* no keep-alive is sent so soon after anything else */

/* One open stream. The registry's lock guards all of it: request threads send from it, and whoever
 * changes the game wakes it. It is freed by the request thread that closes the connection. */
struct Listener {
    Server *server;
    struct MHD_Connection *connection;
    char id[SECRET_TEXT_BYTES];
    uint64_t version; /* the last one sent */
    double sent_s;    /* when something was last sent */
    bool is_suspended;
    char *text; /* being sent */
    size_t length, sent;
    Listener *next, **link; /* in its game's list */
};

void events_wake(HostedGame *game) {
    for (Listener *listener = game->listeners; listener; listener = listener->next) {
        if (listener->is_suspended) {
            listener->is_suspended = false;
            MHD_resume_connection(listener->connection);
        }
    }
}

void events_wake_all(Server *server) {
    for (size_t i = 0; i < GAME_REGISTRY_BUCKETS; i++)
        for (HostedGame *game = server->registry.buckets[i]; game; game = game->next)
            events_wake(game);
}

/* Prepares what to send next: a change or a keep-alive. False if there is nothing to send. */
static bool prepare_text(Listener *listener) {
    HostedGame *game;
    if (game_registry_find(&listener->server->registry, listener->id, &game).code != 0)
        return false;
    double now = progress_clock_s();
    char *text = NULL;
    if (listener->version != game->version) {
        json_t *json = hosted_game_encode_change(game, listener->version);
        char *data = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
        json_decref(json);
        if (data &&
            asprintf(&text, "id: %llu\ndata: %s\n\n", (unsigned long long)game->version, data) < 0)
            text = NULL;
        free(data);
        if (text)
            listener->version = game->version;
    } else if (now - listener->sent_s >= KEEP_ALIVE_S) {
        text = strdup(":\n\n");
    }
    if (!text)
        return false;
    listener->sent_s = now;
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
    pthread_mutex_lock(&server->registry.lock);
    if (server->phase >= SERVER_CLOSING) {
        count = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (listener->text || prepare_text(listener)) {
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
    pthread_mutex_unlock(&server->registry.lock);
    return count;
}

static void close_listener(void *context) {
    Listener *listener = context;
    Server *server = listener->server;
    pthread_mutex_lock(&server->registry.lock);
    *listener->link = listener->next;
    if (listener->next)
        listener->next->link = listener->link;
    server->listener_count--;
    pthread_mutex_unlock(&server->registry.lock);
    free(listener->text);
    free(listener);
}

/* Adds a listener to its game. NULL: the reply is set to an error. */
static Listener *add_listener(Request *request) {
    GameRegistry *registry = &request->server->registry;
    HostedGame *game;
    const char *since = request_query(request, "since"),
               *last = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                   "Last-Event-ID");
    const char *seen = last ? last : since;
    uint64_t version;
    if (!seen || !number_read(seen, &version))
        version = UINT64_MAX; /* no game has it: everything is sent */
    Listener *listener = calloc(1, sizeof *listener);
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find(registry, request->id, &game);
    if (error.code == 0 && listener) {
        *listener = (Listener){.server = request->server,
                               .connection = request->connection,
                               .version = version,
                               .sent_s = progress_clock_s(),
                               .next = game->listeners,
                               .link = &game->listeners};
        memcpy(listener->id, game->id, sizeof listener->id);
        if (game->listeners)
            game->listeners->link = &listener->next;
        game->listeners = listener;
        request->server->listener_count++;
        work_queue_schedule_game(request->server, game);
    }
    pthread_mutex_unlock(&registry->lock);
    if (error.code != 0) {
        free(listener);
        reply_game_error(request, &error);
        return NULL;
    }
    if (!listener)
        reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR,
                    (Phrase){{"out of memory", "메모리가 부족합니다"}});
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
