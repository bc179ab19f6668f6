#include "ui/client/connection.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "ui/client/event_stream.h"
#include "ui/client/transfer.h"
#include "ui/json/parse.h"

/* A stream sends something at least every fifteen seconds. */
#define SILENCE_S 45.0
#define RETRY_FIRST_S 0.5
#define RETRY_MOST_S 8.0

typedef struct Wanted {
    ConnectionAction action;
    size_t number;
    char move[GAME_TEXT_BYTES];
} Wanted;

struct Connection {
    CurlLibrary curl;
    ServerLink link;
    Lang lang;
    pthread_t thread;
    int pipe[2];

    pthread_mutex_t lock;
    RemoteGame game;
    ConnectionPhase phase;
    char message[STATUS_MESSAGE_BYTES];
    unsigned changes;
    Wanted wanted;
    bool closing;

    /* Only the thread uses what follows while it runs. */
    CURLM *multi;
    Transfer stream, request;
    bool is_fetching; /* the request fetches steps rather than sending what is wanted */
    EventStream events;
    double heard_s;                     /* when the stream sent something */
    double stream_due_s, request_due_s; /* when they may be tried again */
    double retry_s;                     /* how long to wait after the next failure */
};

/* --- what the main thread sees --- */

/* Tells the main thread. The lock is held. */
static void announce(Connection *connection) {
    connection->changes++;
    ssize_t written = write(connection->pipe[1], "c", 1);
    (void)written; /* a full pipe wakes the main thread as well */
}

static void set_phase(Connection *connection, ConnectionPhase phase) {
    pthread_mutex_lock(&connection->lock);
    if (connection->phase != phase) {
        connection->phase = phase;
        announce(connection);
    }
    pthread_mutex_unlock(&connection->lock);
}

ConnectionView connection_lock(Connection *connection) {
    pthread_mutex_lock(&connection->lock);
    return (ConnectionView){.game = &connection->game,
                            .phase = connection->phase,
                            .is_sending = connection->wanted.action != CONNECTION_NOTHING,
                            .message = connection->message,
                            .changes = connection->changes};
}

void connection_unlock(Connection *connection) {
    pthread_mutex_unlock(&connection->lock);
}

bool connection_send(Connection *connection, ConnectionAction action, size_t number,
                     const char *move) {
    pthread_mutex_lock(&connection->lock);
    bool is_free = connection->wanted.action == CONNECTION_NOTHING;
    if (is_free) {
        connection->wanted = (Wanted){.action = action, .number = number};
        snprintf(connection->wanted.move, sizeof connection->wanted.move, "%s", move ? move : "");
        connection->message[0] = '\0';
    }
    pthread_mutex_unlock(&connection->lock);
    if (is_free)
        connection->curl.multi_wakeup(connection->multi);
    return is_free;
}

int connection_file(const Connection *connection) {
    return connection->pipe[0];
}

void connection_drain(Connection *connection) {
    char bytes[64];
    ssize_t count = read(connection->pipe[0], bytes, sizeof bytes);
    (void)count; /* more bytes announce the same */
}

/* --- the game --- */

/* Applies the server's description of the game, or of a change. */
static void take_game(Connection *connection, const json_t *json) {
    pthread_mutex_lock(&connection->lock);
    Status status = remote_game_update(&connection->game, json);
    if (!status_is_ok(&status))
        snprintf(connection->message, sizeof connection->message, "%s", status.message);
    announce(connection);
    pthread_mutex_unlock(&connection->lock);
}

/* Called for each event. */
static void take_event(void *context, const char *data, size_t length) {
    Connection *connection = context;
    json_error_t error;
    json_t *json;
    if (json_parse(data, length, &json, &error) && json)
        take_game(connection, json);
    json_decref(json);
}

/* --- the stream --- */

/* Called by libcurl with a piece of the stream. */
static size_t take_stream(char *bytes, size_t size, size_t count, void *context) {
    Connection *connection = context;
    if (transfer_code(&connection->stream) == 200 &&
        !event_stream_add(&connection->events, bytes, size * count))
        return 0;
    connection->heard_s = progress_clock_s();
    return size * count;
}

/* Called by libcurl for each line of the header; the last one is empty. */
static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    Connection *connection = context;
    (void)bytes;
    connection->heard_s = progress_clock_s();
    if (size * count == 2 && transfer_code(&connection->stream) == 200) {
        connection->retry_s = RETRY_FIRST_S;
        set_phase(connection, CONNECTION_ONLINE);
    }
    return size * count;
}

static void open_stream(Connection *connection) {
    char path[64];
    pthread_mutex_lock(&connection->lock);
    snprintf(path, sizeof path, "/events?since=%llu",
             (unsigned long long)connection->game.state.version);
    pthread_mutex_unlock(&connection->lock);
    event_stream_reset(&connection->events);
    Transfer *stream = &connection->stream;
    Status status = transfer_open(stream, &connection->curl, &connection->link, path, NULL, true);
    if (!status_is_ok(&status))
        return;
    const CurlLibrary *curl = &connection->curl;
    curl->easy_setopt(stream->easy, CURLOPT_TIMEOUT, 0L);
    curl->easy_setopt(stream->easy, CURLOPT_WRITEFUNCTION, take_stream);
    curl->easy_setopt(stream->easy, CURLOPT_WRITEDATA, connection);
    curl->easy_setopt(stream->easy, CURLOPT_HEADERFUNCTION, take_header);
    curl->easy_setopt(stream->easy, CURLOPT_HEADERDATA, connection);
    curl->multi_add_handle(connection->multi, stream->easy);
    connection->heard_s = progress_clock_s();
}

/* The stream has ended, or is silent for too long. */
static void end_stream(Connection *connection) {
    long answer = transfer_code(&connection->stream);
    connection->curl.multi_remove_handle(connection->multi, connection->stream.easy);
    transfer_close(&connection->stream);
    if (answer == 404)
        set_phase(connection, CONNECTION_GONE);
    else
        set_phase(connection, CONNECTION_LOST);
    connection->stream_due_s = answer == 404 ? INFINITY : progress_clock_s() + connection->retry_s;
    connection->retry_s = fmin(2 * connection->retry_s, RETRY_MOST_S);
}

/* --- requests --- */

/* The path and the body of what is wanted. */
static void write_wanted(const Wanted *wanted, uint64_t version, char path[64],
                         char body[TRANSFER_BODY_BYTES]) {
    bool is_step = wanted->action == CONNECTION_MOVE || wanted->action == CONNECTION_THROW;
    json_t *json = json_pack("{s:I}", "number", (json_int_t)wanted->number);
    if (wanted->action == CONNECTION_MOVE)
        json_object_set_new(json, "move", json_string(wanted->move));
    else if (wanted->action != CONNECTION_UNDO)
        json_object_set_new(json, is_step ? "throw" : "decline", json_true());
    size_t length = json_dumpb(json, body, TRANSFER_BODY_BYTES - 1, JSON_COMPACT);
    body[length < TRANSFER_BODY_BYTES ? length : 0] = '\0';
    json_decref(json);
    snprintf(path, 64, "/%s?since=%llu", is_step ? "moves" : "undo", (unsigned long long)version);
}

/* Starts the request that is due: for missing steps, or with what is wanted. */
static void open_request(Connection *connection) {
    char path[64] = "", body[TRANSFER_BODY_BYTES] = "";
    pthread_mutex_lock(&connection->lock);
    const RemoteGame *game = &connection->game;
    connection->is_fetching = game->record.step_count < game->state.number;
    if (connection->is_fetching)
        snprintf(path, sizeof path, "?from=%zu", game->record.step_count);
    else if (connection->wanted.action != CONNECTION_NOTHING)
        write_wanted(&connection->wanted, game->state.version, path, body);
    pthread_mutex_unlock(&connection->lock);
    if (!path[0])
        return;
    Status status = transfer_open(&connection->request, &connection->curl, &connection->link, path,
                                  body[0] ? body : NULL, true);
    if (status_is_ok(&status))
        connection->curl.multi_add_handle(connection->multi, connection->request.easy);
}

/* The request is answered, or could not be sent. */
static void end_request(Connection *connection, CURLcode code) {
    json_t *json;
    long answer = transfer_code(&connection->request);
    Status status = transfer_read(&connection->request, code, connection->lang, &json);
    bool is_late = code != CURLE_OK || answer == 429 || answer == 503; /* try again */
    size_t had = connection->game.record.step_count; /* only this thread changes it */
    connection->curl.multi_remove_handle(connection->multi, connection->request.easy);
    transfer_close(&connection->request);
    if (json)
        take_game(connection, json);
    json_decref(json);
    size_t has = connection->game.record.step_count;
    bool is_useless = connection->is_fetching && has <= had && has < connection->game.state.number;
    if (is_late || is_useless || !status_is_ok(&status))
        connection->request_due_s = progress_clock_s() + 1;
    pthread_mutex_lock(&connection->lock);
    if (!connection->is_fetching && !is_late)
        connection->wanted.action = CONNECTION_NOTHING;
    if (!status_is_ok(&status) && code == CURLE_OK) /* otherwise the phase says it */
        snprintf(connection->message, sizeof connection->message, "%s", status.message);
    announce(connection);
    pthread_mutex_unlock(&connection->lock);
}

/* --- the thread --- */

static void finish_transfers(Connection *connection) {
    int left;
    CURLMsg *message;
    while ((message = connection->curl.multi_info_read(connection->multi, &left))) {
        CURLcode code = message->data.result;
        if (message->easy_handle == connection->stream.easy)
            end_stream(connection);
        else
            end_request(connection, code);
    }
}

static bool is_closing(Connection *connection) {
    pthread_mutex_lock(&connection->lock);
    bool is = connection->closing;
    pthread_mutex_unlock(&connection->lock);
    return is;
}

static void *run(void *context) {
    enum { WAIT_MS = 500 };
    Connection *connection = context;
    const CurlLibrary *curl = &connection->curl;
    while (!is_closing(connection)) {
        int running;
        double now_s = progress_clock_s();
        if (connection->stream.easy && now_s - connection->heard_s > SILENCE_S)
            end_stream(connection);
        if (!connection->stream.easy && now_s >= connection->stream_due_s)
            open_stream(connection);
        if (!connection->request.easy && now_s >= connection->request_due_s)
            open_request(connection);
        curl->multi_perform(connection->multi, &running);
        finish_transfers(connection);
        if (!connection->request.easy && now_s >= connection->request_due_s)
            open_request(connection); /* more steps, or what was wanted meanwhile */
        curl->multi_poll(connection->multi, NULL, 0, WAIT_MS, NULL);
    }
    return NULL;
}

/* Starts the thread with all signals blocked: they are for the main thread. */
static bool start_thread(Connection *connection) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&connection->thread, NULL, run, connection) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* --- opening and closing --- */

/* Takes the seat, or asks for the game. */
static Status join(Connection *connection, const char *key) {
    char body[TRANSFER_BODY_BYTES];
    const ServerLink *link = &connection->link;
    bool has_seat = link->token[0] != '\0';
    json_t *json;
    snprintf(body, sizeof body, "{\"token\":\"%s\",\"key\":\"%s\"}", link->token, key);
    /* Without the cookie: a seat that somebody else has taken stays theirs. */
    Status status = transfer_open(&connection->request, &connection->curl, link,
                                  has_seat ? "/join" : "", has_seat ? body : NULL, false);
    if (!status_is_ok(&status))
        return status;
    CURLcode code = connection->curl.easy_perform(connection->request.easy);
    status = transfer_read(&connection->request, code, connection->lang, &json);
    transfer_close(&connection->request);
    if (status_is_ok(&status))
        status = remote_game_open(json, &connection->game);
    json_decref(json);
    return status;
}

static void free_connection(Connection *connection) {
    if (connection->multi)
        connection->curl.multi_cleanup(connection->multi);
    event_stream_free(&connection->events);
    remote_game_close(&connection->game);
    if (connection->pipe[0] >= 0) {
        close(connection->pipe[0]);
        close(connection->pipe[1]);
    }
    pthread_mutex_destroy(&connection->lock);
    free(connection);
}

Status connection_open(const ServerLink *link, const char *key, Lang lang, Connection **opened) {
    Connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return status_make(STATUS_FAILED, "out of memory");
    json_parse_init();
    connection->link = *link;
    connection->lang = lang;
    connection->pipe[0] = connection->pipe[1] = -1;
    connection->retry_s = RETRY_FIRST_S;
    connection->events.take = take_event;
    connection->events.context = connection;
    pthread_mutex_init(&connection->lock, NULL);
    Status status = curl_library_load(&connection->curl);
    if (status_is_ok(&status))
        status = join(connection, key);
    if (status_is_ok(&status) &&
        (!(connection->multi = connection->curl.multi_init()) ||
         pipe2(connection->pipe, O_NONBLOCK | O_CLOEXEC) != 0 || !start_thread(connection)))
        status = status_make(STATUS_FAILED, "cannot start a thread");
    if (status_is_ok(&status))
        *opened = connection;
    else
        free_connection(connection);
    return status;
}

void connection_close(Connection *connection) {
    pthread_mutex_lock(&connection->lock);
    connection->closing = true;
    pthread_mutex_unlock(&connection->lock);
    connection->curl.multi_wakeup(connection->multi);
    pthread_join(connection->thread, NULL);
    Transfer *transfers[] = {&connection->stream, &connection->request};
    for (size_t i = 0; i < 2; i++) {
        if (transfers[i]->easy)
            connection->curl.multi_remove_handle(connection->multi, transfers[i]->easy);
        transfer_close(transfers[i]);
    }
    free_connection(connection);
}
