/* Requests about one hosted game. */
#include <stdlib.h>
#include <string.h>

#include "ui/web/game_snapshot.h"
#include "ui/web/request.h"

enum { LONG_STEPS = 200 }; /* to encode more takes milliseconds */

static void unlock_registry(Request *request) {
    pthread_mutex_unlock(&request->service->registry->lock);
}

/* Finds the game of the path and returns with the registry locked and the game settled. False,
 * unlocked, if there is no such game, with an error as reply; or if somebody is changing it: then
 * the request is started again when that is done. */
static bool find_game(Request *request, HostedGame **game) {
    GameRegistry *registry = request->service->registry;
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find(registry, request->id, game);
    if (error.code == 0 && (*game)->phase == GAME_SETTLED)
        return true;
    if (error.code == 0)
        request_wait_for_game(request, *game);
    unlock_registry(request);
    if (error.code != 0)
        reply_game_error(request, &error);
    return false;
}

/* Schedules the game's computers, unlocks the registry and replies with the game as these seats see
 * it. */
static void unlock_and_reply(Request *request, HostedGame *game, unsigned seats) {
    GameSnapshot snapshot;
    if (!game->is_scheduled)
        memcpy(game->job.client, request->client, sizeof game->job.client);
    work_queue_schedule_game(request->server, game);
    bool is_taken =
        game_snapshot_take(game, request_read_from(request, game), GAME_SNAPSHOT_PAGE, &snapshot);
    unlock_registry(request);
    reply_json(request, REPLY_OK, is_taken ? game_snapshot_encode(&snapshot, seats) : NULL);
    game_snapshot_free(&snapshot);
}

static bool reply_by_worker(Request *request) {
    GameRegistry *registry = request->service->registry;
    HostedGame *game;
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find_settled(registry, request->id, &game);
    if (error.code == 0) {
        unlock_and_reply(request, game, request_find_seats(request, game));
    } else {
        unlock_registry(request);
        reply_game_error(request, &error);
    }
    return true;
}

/* Unlocks the registry and replies with the game as these seats see it. Many steps are left to a
 * worker: a client that asks for them again and again must not hold up the others. */
static void unlock_and_show(Request *request, HostedGame *game, unsigned seats) {
    size_t from = request_read_from(request, game), count = game->record.step_count;
    bool is_long = from < count && count - from > LONG_STEPS;
    if (!is_long) {
        unlock_and_reply(request, game, seats);
        return;
    }
    unlock_registry(request);
    work_queue_add(request, JOB_SHORT, reply_by_worker);
}

void api_game(Request *request) {
    HostedGame *game;
    if (find_game(request, &game))
        unlock_and_show(request, game, request_find_seats(request, game));
}

/* Replies with the game, the seats of the token in the request included, and adds it to the cookie.
 */
static void unlock_and_reply_joined(Request *request, HostedGame *game) {
    const char *token = json_string_value(json_object_get(request->json, "token"));
    request_add_token(request, game->id, token);
    unlock_and_reply(request, game,
                     hosted_game_find_seats(game, token) | request_find_seats(request, game));
}

/* Replies once the seat is stored as taken, or could not be. */
static void reply_joined(Request *request) {
    HostedGame *game;
    request->has_joined = request->change_error.code == 0;
    if (!request->has_joined)
        reply_game_error(request, &request->change_error);
    else if (find_game(request, &game))
        unlock_and_reply_joined(request, game);
}

void api_join(Request *request) {
    const char *token = json_string_value(json_object_get(request->json, "token"));
    const char *key = json_string_value(json_object_get(request->json, "key"));
    char name[HOSTED_NAME_BYTES];
    HostedGame *game;
    if (!request_read_name(request, json_object_get(request->json, "name"), name))
        return;
    if (key && !secret_is_text(key))
        key = NULL;
    if (!find_game(request, &game))
        return;
    unsigned seats = token && secret_is_text(token) ? hosted_game_find_seats(game, token) : 0;
    if (request->has_joined) { /* started again, because somebody else changed the game */
        unlock_and_reply_joined(request, game);
        return;
    }
    if (!seats) {
        unlock_registry(request);
        reply_error(request, REPLY_FORBIDDEN,
                    (Phrase){{"this link does not belong to a seat of this game",
                              "이 게임의 자리 링크가 아닙니다"}});
        return;
    }
    GameError error = hosted_game_take_seat(request->service->registry, game, seats,
                                            request_find_seats(request, game), key, name);
    if (error.code != 0) {
        unlock_registry(request);
        reply_game_error(request, &error);
    } else if (game->phase == GAME_COMMITTING) {
        request_wait_for_change(request, game, reply_joined);
        unlock_registry(request);
    } else {
        unlock_and_reply_joined(request, game);
    }
}

/* --- changes --- */

/* Reads the number of the step that a change refers to. False: the reply is set to an error. */
static bool read_number(Request *request, size_t *number) {
    const json_t *json = json_object_get(request->json, "number");
    if (!json_is_integer(json) || json_integer_value(json) < 0) {
        reply_error(
            request, REPLY_BAD_REQUEST,
            (Phrase){{"number: expected the number of a step", "number: 단계 번호가 필요합니다"}});
        return false;
    }
    *number = (size_t)json_integer_value(json);
    return true;
}

/* Replies once a change is stored, or could not be. */
static void reply_changed(Request *request) {
    HostedGame *game;
    if (request->change_error.code != 0)
        reply_game_error(request, &request->change_error);
    else if (find_game(request, &game))
        unlock_and_reply(request, game, request_find_seats(request, game));
}

/* Unlocks the registry. Replies with the error, if there is one; otherwise with the game, as soon
 * as its change is stored. */
static void unlock_and_finish_change(Request *request, const GameError *error, HostedGame *game,
                                     unsigned seats) {
    if (error->code != 0) {
        unlock_registry(request);
        reply_game_error(request, error);
    } else if (game->phase == GAME_COMMITTING) {
        if (!game->is_scheduled)
            memcpy(game->job.client, request->client, sizeof game->job.client);
        request_wait_for_change(request, game, reply_changed);
        unlock_registry(request);
    } else {
        unlock_and_show(request, game, seats); /* there was nothing to change */
    }
}

/* Whether a move of this client may let computers move. */
static bool may_move(const Request *request, const HostedGame *game) {
    for (int i = 0; i < hosted_game_player_count(game); i++)
        if (game->seats[i].kind == SEAT_COMPUTER)
            return work_queue_has_room(request->server, request->client);
    return true;
}

void api_move(Request *request) {
    const char *move = json_string_value(json_object_get(request->json, "move"));
    bool throws = json_is_true(json_object_get(request->json, "throw"));
    size_t number;
    HostedGame *game;
    if (!read_number(request, &number))
        return;
    if ((move != NULL) == throws) {
        reply_error(request, REPLY_BAD_REQUEST,
                    (Phrase){{"expected either {\"move\": ...} or {\"throw\": true}",
                              "{\"move\": ...} 또는 {\"throw\": true} 가운데 하나가 필요합니다"}});
        return;
    }
    if (!find_game(request, &game))
        return;
    unsigned seats = request_find_seats(request, game);
    GameError error =
        may_move(request, game)
            ? hosted_game_play(request->service->registry, game, seats, number, move)
            : game_error_make(REPLY_TOO_MANY,
                              (Phrase){{"computers still have too many of your games to move in",
                                        "컴퓨터가 둘 차례인 게임이 너무 많습니다"}});
    unlock_and_finish_change(request, &error, game, seats);
}

void api_undo(Request *request) {
    UndoAnswer answer = json_is_true(json_object_get(request->json, "withdraw"))  ? UNDO_WITHDRAW
                        : json_is_true(json_object_get(request->json, "decline")) ? UNDO_DECLINE
                                                                                  : UNDO_ASK;
    size_t number;
    HostedGame *game;
    if (!read_number(request, &number) || !find_game(request, &game))
        return;
    unsigned seats = request_find_seats(request, game);
    GameError error = hosted_game_undo(request->service->registry, game, seats, number, answer);
    unlock_and_finish_change(request, &error, game, seats);
}

void api_name(Request *request) {
    char name[HOSTED_NAME_BYTES];
    HostedGame *game;
    if (!request_read_name(request, json_object_get(request->json, "name"), name) ||
        !find_game(request, &game))
        return;
    unsigned seats = request_find_seats(request, game);
    GameError error = hosted_game_set_name(request->service->registry, game, seats, name);
    unlock_and_finish_change(request, &error, game, seats);
}

void api_record(Request *request) {
    HostedGame *game;
    if (!find_game(request, &game))
        return;
    Record record;
    bool is_copied = hosted_game_copy_record(game, &record);
    unlock_registry(request);
    reply_text(request, "text/plain; charset=utf-8", is_copied ? record_print(&record) : NULL);
    record_close(&record);
}
