/* Requests about one hosted game. */
#include <stdlib.h>
#include <string.h>

#include "ui/web/server.h"
#include "ui/web/view.h"

/* Finds the game of the path and returns with the registry locked. False, unlocked and with an
 * error as reply, if there is no such game. */
static bool find_game(Request *request, HostedGame **game) {
    GameRegistry *registry = &request->server->registry;
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find(registry, request->id, game);
    if (error.code == 0)
        return true;
    pthread_mutex_unlock(&registry->lock);
    reply_game_error(request, &error);
    return false;
}

static void unlock_registry(Request *request) {
    pthread_mutex_unlock(&request->server->registry.lock);
}

/* Schedules the game's computers, unlocks the registry and replies with the game as these seats see
 * it. */
static void unlock_and_reply(Request *request, HostedGame *game, unsigned seats) {
    work_queue_schedule_game(request->server, game);
    json_t *json = hosted_game_encode(game, seats);
    unlock_registry(request);
    reply_json(request, MHD_HTTP_OK, json);
}

void api_game(Request *request) {
    HostedGame *game;
    if (!find_game(request, &game))
        return;
    unlock_and_reply(request, game, request_find_seats(request, game));
}

void api_join(Request *request) {
    const char *token = json_string_value(json_object_get(request->json, "token"));
    HostedGame *game;
    if (!find_game(request, &game))
        return;
    unsigned seats = token && secret_is_text(token) ? hosted_game_find_seats(game, token) : 0;
    if (seats) {
        request_add_token(request, game->id, token);
        unlock_and_reply(request, game, seats | request_find_seats(request, game));
    } else {
        unlock_registry(request);
        reply_error(request, MHD_HTTP_FORBIDDEN,
                    (Phrase){{"this link does not belong to a seat of this game",
                              "이 게임의 자리 링크가 아닙니다"}});
    }
}

/* Reads the number of the step that a change refers to. False: the reply is set to an error. */
static bool read_number(Request *request, size_t *number) {
    const json_t *json = json_object_get(request->json, "number");
    if (!json_is_integer(json) || json_integer_value(json) < 0) {
        reply_error(
            request, MHD_HTTP_BAD_REQUEST,
            (Phrase){{"number: expected the number of a step", "number: 단계 번호가 필요합니다"}});
        return false;
    }
    *number = (size_t)json_integer_value(json);
    return true;
}

/* Unlocks the registry and replies with the changed game, or with the error. */
static void reply_change(Request *request, const GameError *error, HostedGame *game,
                         unsigned seats) {
    if (error->code == 0) {
        unlock_and_reply(request, game, seats);
    } else {
        unlock_registry(request);
        reply_game_error(request, error);
    }
}

void api_move(Request *request) {
    const char *move = json_string_value(json_object_get(request->json, "move"));
    bool throws = json_is_true(json_object_get(request->json, "throw"));
    size_t number;
    HostedGame *game;
    if (!read_number(request, &number))
        return;
    if ((move != NULL) == throws) {
        reply_error(request, MHD_HTTP_BAD_REQUEST,
                    (Phrase){{"expected either {\"move\": ...} or {\"throw\": true}",
                              "{\"move\": ...} 또는 {\"throw\": true} 가운데 하나가 필요합니다"}});
        return;
    }
    if (!find_game(request, &game))
        return;
    unsigned seats = request_find_seats(request, game);
    GameError error = hosted_game_play(&request->server->registry, game, seats, number, move);
    reply_change(request, &error, game, seats);
}

void api_undo(Request *request) {
    bool withdraw = json_is_true(json_object_get(request->json, "withdraw"));
    size_t number;
    HostedGame *game;
    if (!read_number(request, &number) || !find_game(request, &game))
        return;
    unsigned seats = request_find_seats(request, game);
    GameError error = hosted_game_undo(&request->server->registry, game, seats, number, withdraw);
    reply_change(request, &error, game, seats);
}

void api_record(Request *request) {
    HostedGame *game;
    if (!find_game(request, &game))
        return;
    char *text = hosted_game_print_record(game);
    unlock_registry(request);
    reply_text(request, "text/plain; charset=utf-8", text);
}
