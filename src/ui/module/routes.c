/* The requests that a module answers, and what it says to those that need a server. */
#include <assert.h>
#include <string.h>

#include "ui/json/parse.h"
#include "ui/module/host.h"
#include "ui/web/computer.h"
#include "values/registry.h"

typedef void Answer(Request *request);

static const Phrase needs_server = {{"playing by link needs a server (malpan serve)",
                                     "링크로 함께 두려면 서버(malpan serve)가 필요합니다"}};

static void refuse(Request *request) {
    reply_error(request, REPLY_FORBIDDEN, needs_server);
}

/* Creates a game, unless a seat is for somebody with a link. */
static void create(Request *request) {
    const json_t *seats = json_object_get(request->json, "seats");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *kind = json_string_value(json_object_get(json_array_get(seats, i), "kind"));
        if (kind && strcmp(kind, "link") == 0) {
            reply_error(request, REPLY_BAD_REQUEST, needs_server);
            return;
        }
    }
    api_create(request);
}

/* --- steps of computers --- */

/* Makes the next step of a computer, whose turn it is. */
static void make_step(Request *request, HostedGame *game) {
    GameRegistry *registry = request->service->registry;
    bool is_throw;
    int seat = hosted_game_next_seat(game, &is_throw);
    if (is_throw) {
        hosted_game_add_step(registry, game, hosted_game_draw_throw(game));
        return;
    }
    Move move;
    Status status =
        computer_choose(request->service->pool, &game->record.variant, &game->record.seats[seat],
                        record_state(&game->record), record_random(&game->record), &move);
    if (status_is_ok(&status))
        hosted_game_add_step(registry, game, move);
    else
        hosted_game_report_trouble(registry, game, status.message);
}

/* Replies with the game after the step; unlike api_game, leaves it to note_settled whether the
 * computer goes on. */
static void reply_step(Request *request) {
    bool is_computer_next = request->server->is_computer_next;
    if (request->change_error.code != 0) {
        reply_game_error(request, &request->change_error);
        return;
    }
    api_game(request);
    request->server->is_computer_next = is_computer_next;
}

/* POST /api/games/ID/step: the server does this by itself, without a request. */
static void step(Request *request) {
    HostedGame *game;
    GameError error = game_registry_find(request->service->registry, request->id, &game);
    if (error.code != 0) {
        reply_game_error(request, &error);
        return;
    }
    if (hosted_game_is_computer_next(game))
        make_step(request, game);
    if (game->phase == GAME_COMMITTING)
        request_wait_for_change(request, game, reply_step);
    else
        api_game(request);
}

/* --- routes --- */

static const struct {
    const char *method, *path; /* `*` stands for the id of a game */
    Answer *answer;
} routes[] = {
    {"GET", "/api/games", api_games},
    {"GET", "/api/position", api_position},
    {"GET", "/api/eval", api_eval},
    {"POST", "/api/games", create},
    {"POST", "/api/import", api_import},
    {"GET", "/api/games/*", api_game},
    {"GET", "/api/games/*/record", api_record},
    {"GET", "/api/games/*/review", api_review},
    {"POST", "/api/games/*/moves", api_move},
    {"POST", "/api/games/*/undo", api_undo},
    {"POST", "/api/games/*/name", api_name},
    {"POST", "/api/games/*/step", step},
    {"POST", "/api/games/*/join", refuse},
    {"GET", "/api/games/*/events", refuse},
};

static bool match_path(const char *pattern, const char *path, char id[SECRET_TEXT_BYTES]) {
    const char *star = strchr(pattern, '*');
    if (!star)
        return strcmp(pattern, path) == 0;
    size_t before = (size_t)(star - pattern);
    if (strncmp(pattern, path, before) != 0)
        return false;
    size_t length = strcspn(path + before, "/");
    if (length != SECRET_TEXT_BYTES - 1 || strcmp(path + before + length, star + 1) != 0)
        return false;
    memcpy(id, path + before, length);
    id[length] = '\0';
    return true;
}

static bool read_body(Request *request) {
    json_error_t error;
    if (request->json)
        return true;
    if (!json_parse(request->body, request->body_size, &request->json, &error)) {
        reply_json(request, REPLY_OK, NULL); /* out of memory */
        return false;
    }
    if (json_is_object(request->json))
        return true;
    reply_error(request, REPLY_BAD_REQUEST, (Phrase){{"the body is not a JSON object", NULL}});
    return false;
}

void (*host_find_route(Request *request))(Request *request) {
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (strcmp(routes[i].method, request->method) != 0 ||
            !match_path(routes[i].path, request->path, request->id))
            continue;
        bool is_change = strcmp(request->method, "POST") == 0;
        return is_change && !read_body(request) ? NULL : routes[i].answer;
    }
    reply_error(request, REPLY_NOT_FOUND, (Phrase){{"no such path", "없는 주소입니다"}});
    return NULL;
}
