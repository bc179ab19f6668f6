/* Answers about games that are played. */
#include <stdlib.h>
#include <string.h>

#include "ui/web/server.h"
#include "ui/web/view.h"

/* Finds the game of the path with the lock held; without, and answered, where there is none. */
static bool find_game(Request *request, LiveGame **game) {
    Lives *lives = &request->server->lives;
    pthread_mutex_lock(&lives->lock);
    LiveError error = live_find(lives, request->id, game);
    if (error.code == 0)
        return true;
    pthread_mutex_unlock(&lives->lock);
    reply_error(request, error.code, error.message);
    return false;
}

static void release(Request *request) {
    pthread_mutex_unlock(&request->server->lives.lock);
}

/* Lets the game's computers think and the others go on, then answers with the game as the request's
 * seats see it. */
static void release_and_reply(Request *request, LiveGame *game, unsigned seats) {
    works_think(request->server, game);
    json_t *json = live_view(game, seats);
    release(request);
    reply_json(request, MHD_HTTP_OK, json);
}

void api_game(Request *request) {
    LiveGame *game;
    if (!find_game(request, &game))
        return;
    release_and_reply(request, game, request_seats(request, game));
}

void api_join(Request *request) {
    const char *token = json_string_value(json_object_get(request->json, "token"));
    LiveGame *game;
    if (!find_game(request, &game))
        return;
    unsigned seats = token && secret_is_text(token) ? live_seats_of(game, token) : 0;
    if (seats) {
        request_add_token(request, game->id, token);
        release_and_reply(request, game, seats | request_seats(request, game));
    } else {
        release(request);
        reply_error(request, MHD_HTTP_FORBIDDEN, "this link opens no seat");
    }
}

/* Reads the number of the step that a change is about. False: answered. */
static bool read_number(Request *request, size_t *number) {
    const json_t *json = json_object_get(request->json, "number");
    if (!json_is_integer(json) || json_integer_value(json) < 0) {
        reply_error(request, MHD_HTTP_BAD_REQUEST, "expected {\"number\": N, ...}");
        return false;
    }
    *number = (size_t)json_integer_value(json);
    return true;
}

/* Answers with the game after a change, or with what was wrong; lets go of the lock. */
static void reply_change(Request *request, const LiveError *error, LiveGame *game, unsigned seats) {
    if (error->code == 0) {
        release_and_reply(request, game, seats);
    } else {
        release(request);
        reply_error(request, error->code, error->message);
    }
}

void api_move(Request *request) {
    const char *move = json_string_value(json_object_get(request->json, "move"));
    bool throws = json_is_true(json_object_get(request->json, "throw"));
    size_t number;
    LiveGame *game;
    if (!read_number(request, &number))
        return;
    if ((move != NULL) == throws) {
        reply_error(request, MHD_HTTP_BAD_REQUEST,
                    "expected either {\"move\": ...} or {\"throw\": true}");
        return;
    }
    if (!find_game(request, &game))
        return;
    unsigned seats = request_seats(request, game);
    LiveError error = live_move(&request->server->lives, game, seats, number, move);
    reply_change(request, &error, game, seats);
}

void api_undo(Request *request) {
    bool withdraw = json_is_true(json_object_get(request->json, "withdraw"));
    size_t number;
    LiveGame *game;
    if (!read_number(request, &number) || !find_game(request, &game))
        return;
    unsigned seats = request_seats(request, game);
    LiveError error = live_undo(&request->server->lives, game, seats, number, withdraw);
    reply_change(request, &error, game, seats);
}

void api_record(Request *request) {
    LiveGame *game;
    if (!find_game(request, &game))
        return;
    char *text = live_record(game);
    release(request);
    reply_text(request, "text/plain; charset=utf-8", text);
}
