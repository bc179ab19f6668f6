/* Changes of a game as server-sent events. While nothing happens, a listener's connection is
 * suspended and costs nothing. A change resumes it, and so does a keep-alive every fifteen seconds,
 * which also shows whether the client is still there. libmicrohttpd drops clients that stop
 * reading.
 *
 * Everybody who listens to a game receives the same text, which exists once. A long change is not
 * sent: the listener is told to fetch it, at its own pace.
 *
 * Who asks for it also hears who is there: which seats have an open stream, and how many streams
 * belong to nobody who plays. That is announced at most once a second.
 *
 * A stream keeps a connection for as long as its client likes. A quarter of the connections are
 * left for requests: if all others are streams, one is ended for each that is opened, of the client
 * with the most of them (stream_clients.h). A browser that is still there opens it again.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/progress.h"
#include "ui/json/build.h"
#include "ui/json/print.h"
#include "ui/web/event_text.h"
#include "ui/web/game_snapshot.h"
#include "ui/web/server.h"

#define KEEP_ALIVE_S 5.0 /* no keep-alive is sent so soon after anything else */

static const char keep_alive[] = ":\n\n";

/* One open stream. It belongs to the request thread of its connection, except for `is_suspended`
 * and the links, which the registry's lock guards: whoever changes the game wakes it. The game
 * stays in memory as long as it has listeners. */
struct Listener {
    Stream stream;  /* in server->streams, unless it is ending; guarded as the links are */
    bool is_ending; /* it was one too many; guarded as the links are */
    Server *server;
    struct MHD_Connection *connection;
    HostedGame *game;
    unsigned seats; /* of its browser */
    bool wants_presence;
    uint64_t presence; /* the last one sent */
    uint64_t version;  /* the last one sent */
    double sent_s;     /* when something was last sent */
    bool is_suspended;
    EventText *text;        /* being sent, or NULL */
    size_t sent;            /* bytes of it */
    Listener *next, **link; /* in its game's list */
};

/* The caller holds the registry's lock. */
static void wake_listener(Listener *listener) {
    if (listener->is_suspended) {
        listener->is_suspended = false;
        MHD_resume_connection(listener->connection);
    }
}

void events_wake(HostedGame *game) {
    for (Listener *listener = game->listeners; listener; listener = listener->next)
        wake_listener(listener);
}

void events_wake_all(Server *server) {
    for (HostedGame *game = server->registry.oldest; game; game = game->newer)
        events_wake(game);
}

/* Encodes a change as an event; NULL if out of memory. */
static EventText *encode_event(uint64_t since, const GameSnapshot *snapshot) {
    json_t *json = game_snapshot_encode_change(snapshot);
    char *data = json_print(json);
    EventText *text = data ? event_text_make(since, snapshot->version, data) : NULL;
    json_decref(json);
    free(data);
    return text;
}

/* Finds or makes the event that leads from the listener's version to the present one. The caller
 * holds the registry's lock, which is released while the event is encoded. NULL if out of memory.
 */
static EventText *make_event(Listener *listener) {
    GameRegistry *registry = &listener->server->registry;
    HostedGame *game = listener->game;
    GameSnapshot snapshot;
    if (game->event && game->event->version == game->version &&
        game->event->since == listener->version)
        return event_text_share(game->event);
    size_t from = game_snapshot_first_change(game, listener->version);
    bool is_taken = game_snapshot_take(game, from, GAME_SNAPSHOT_EVENT, &snapshot);
    pthread_mutex_unlock(&registry->lock);
    EventText *text = is_taken ? encode_event(listener->version, &snapshot) : NULL;
    game_snapshot_free(&snapshot);
    pthread_mutex_lock(&registry->lock);
    if (text && text->version == game->version) { /* for the other listeners */
        event_text_release(game->event);
        game->event = event_text_share(text);
    }
    return text;
}

/* Copies as much of the event as there is room for. */
static ssize_t copy_event(Listener *listener, char *buffer, size_t room) {
    size_t rest = listener->text->length - listener->sent;
    size_t now = rest < room ? rest : room;
    memcpy(buffer, listener->text->bytes + listener->sent, now);
    listener->sent += now;
    if (listener->sent == listener->text->length) {
        event_text_release(listener->text);
        listener->text = NULL;
    }
    return (ssize_t)now;
}

void events_announce_presence(HostedGame *game) {
    if (!game->is_presence_new)
        return;
    game->is_presence_new = false;
    game->presence++;
    events_wake(game);
}

/* Who is there, as an event; NULL if out of memory. The caller holds the registry's lock. */
static EventText *make_presence(const HostedGame *game) {
    unsigned seats = 0;
    json_int_t watchers = 0;
    json_t *list = json_array();
    for (const Listener *one = game->listeners; one; one = one->next) {
        seats |= one->seats;
        watchers += one->seats == 0;
    }
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (seats >> i & 1)
            list = json_with_item(list, json_integer(i));
    json_t *json = json_pack("{s:o, s:I}", "seats", list, "watchers", watchers);
    char *data = json_print(json);
    EventText *text = data ? event_text_make_named("presence", data) : NULL;
    json_decref(json);
    free(data);
    return text;
}

/* Starts to tell who is there, if that is new. The caller holds the registry's lock. */
static void begin_presence(Listener *listener) {
    if (!listener->wants_presence || listener->presence == listener->game->presence)
        return;
    listener->text = make_presence(listener->game);
    if (!listener->text)
        return;
    listener->presence = listener->game->presence;
    listener->sent_s = progress_clock_s();
    listener->sent = 0;
}

/* Starts to send the next event, if there is one. The caller holds the registry's lock. */
static void begin_event(Listener *listener) {
    const HostedGame *game = listener->game;
    if (listener->version == game->version || game->phase != GAME_SETTLED)
        return;
    listener->text = make_event(listener);
    if (!listener->text)
        return;
    listener->version = listener->text->version;
    listener->sent_s = progress_clock_s();
    listener->sent = 0;
}

static ssize_t read_events(void *context, uint64_t position, char *buffer, size_t room) {
    (void)position;
    Listener *listener = context;
    Server *server = listener->server;
    ssize_t count = 0;
    if (listener->text)
        return copy_event(listener, buffer, room);
    pthread_mutex_lock(&server->registry.lock);
    double now = progress_clock_s();
    begin_event(listener);
    if (!listener->text)
        begin_presence(listener);
    if (server->phase >= SERVER_CLOSING || listener->is_ending) {
        count = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (listener->text) {
        count = copy_event(listener, buffer, room);
    } else if (now - listener->sent_s >= KEEP_ALIVE_S && room >= sizeof keep_alive) {
        listener->sent_s = now;
        count = sizeof keep_alive - 1;
        memcpy(buffer, keep_alive, sizeof keep_alive - 1);
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
    listener->game->is_presence_new = true;
    *listener->link = listener->next;
    if (listener->next)
        listener->next->link = listener->link;
    if (!listener->is_ending)
        stream_clients_remove(&server->streams, &listener->stream);
    pthread_mutex_unlock(&server->registry.lock);
    event_text_release(listener->text);
    free(listener);
}

/* Ends streams until there is room for one more. The caller holds the registry's lock. */
static void make_room(Server *server) {
    while (server->streams.count >= server->connections.max / 4 * 3) {
        Stream *excess = stream_clients_find_excess(&server->streams);
        Listener *ended = (Listener *)((char *)excess - offsetof(Listener, stream));
        stream_clients_remove(&server->streams, excess);
        ended->is_ending = true;
        /* If it does not read the end, its connection can be closed. */
        connections_set_stage(&server->connections, ended->connection, REQUEST_STAGE_SENDING);
        wake_listener(ended);
    }
}

/* The version that the client has seen; one that no game has if it has seen none. */
static uint64_t read_version(const Request *request) {
    const char *since = request_query(request, "since"),
               *last = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                   "Last-Event-ID");
    const char *seen = last ? last : since;
    uint64_t version;
    return seen && number_read(seen, &version) ? version : UINT64_MAX;
}

/* Adds a listener to the game. The caller holds the registry's lock. NULL if out of memory. */
static Listener *add_listener(Request *request, HostedGame *game) {
    Listener *listener = calloc(1, sizeof *listener);
    if (!listener)
        return NULL;
    make_room(request->server);
    *listener = (Listener){.server = request->server,
                           .connection = request->connection,
                           .game = game,
                           .seats = request_find_seats(request, game),
                           .wants_presence = request_query(request, "presence") != NULL,
                           .presence = game->presence,
                           .version = read_version(request),
                           .sent_s = progress_clock_s(),
                           .next = game->listeners,
                           .link = &game->listeners};
    if (game->listeners)
        game->listeners->link = &listener->next;
    game->listeners = listener;
    game->is_presence_new = true;
    stream_clients_add(&request->server->streams, &listener->stream, request->client);
    if (!game->is_scheduled)
        memcpy(game->job.client, request->client, sizeof game->job.client);
    work_queue_schedule_game(request->server, game);
    return listener;
}

static enum MHD_Result send_events(Request *request, Listener *listener) {
    enum { BLOCK_BYTES = 4 << 10 };
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_events, listener, close_listener);
    if (!response)
        close_listener(listener); /* otherwise the response does */
    bool is_complete = response && reply_add_headers(response, REPLY_NO_FRAME) &&
                       reply_add_header(response, "Content-Type", "text/event-stream");
    return reply_queue(request, MHD_HTTP_OK, (Response){response, 0, is_complete});
}

/* Answers HEAD: what the header of a stream would be. */
static enum MHD_Result send_no_events(Request *request) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    bool is_complete = response && reply_add_headers(response, REPLY_NO_FRAME) &&
                       reply_add_header(response, "Content-Type", "text/event-stream");
    return reply_queue(request, MHD_HTTP_OK, (Response){response, 0, is_complete});
}

enum MHD_Result events_open(Request *request) {
    GameRegistry *registry = &request->server->registry;
    bool is_head = strcmp(request->method, "HEAD") == 0;
    HostedGame *game;
    Listener *listener = NULL;
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find(registry, request->id, &game);
    if (error.code == 0 && game->phase != GAME_SETTLED) {
        request_wait_for_game(request, game);
        pthread_mutex_unlock(&registry->lock);
        return MHD_YES;
    }
    if (error.code == 0 && !is_head)
        listener = add_listener(request, game);
    pthread_mutex_unlock(&registry->lock);
    if (error.code == 0 && is_head)
        return send_no_events(request);
    if (listener)
        return send_events(request, listener);
    if (error.code != 0)
        reply_game_error(request, &error);
    else
        reply_error(request, MHD_HTTP_SERVICE_UNAVAILABLE,
                    (Phrase){{"out of memory", "메모리가 부족합니다"}});
    return reply_send(request);
}
