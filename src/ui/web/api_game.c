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

/* --- making games --- */

/* Whether this setting of the player answers soon enough for a page. */
static bool is_level(const Seat *seat) {
    if (!seat->setting[0])
        return true;
    for (const char *const *level = seat->kind->levels; level && *level; level++)
        if (strcmp(*level, seat->setting) == 0)
            return true;
    return false;
}

/* Reads one of the seats. */
static Status read_seat(const json_t *json, LiveKind *kind, Seat *seat) {
    const char *text = json_string_value(json_object_get(json, "kind"));
    const char *player = json_string_value(json_object_get(json, "player"));
    if (text && strcmp(text, "here") == 0) {
        *kind = LIVE_HERE;
    } else if (text && strcmp(text, "link") == 0) {
        *kind = LIVE_LINK;
    } else if (text && strcmp(text, "computer") == 0) {
        *kind = LIVE_COMPUTER;
        Status status = seat_parse(player ? player : "", seat);
        if (status_is_ok(&status) && (!seat->kind->open || !is_level(seat)))
            status = status_make(STATUS_USAGE, "seats: %s is no computer player of this page",
                                 quote(player).text);
        return status;
    } else {
        return status_make(STATUS_USAGE, "seats: expected kind here, link or computer");
    }
    return status_ok();
}

static Status read_plan(const json_t *json, LivePlan *plan) {
    const char *game = json_string_value(json_object_get(json, "game"));
    const json_t *seats = json_object_get(json, "seats");
    if (!game)
        return status_make(STATUS_USAGE, "expected {\"game\": ..., \"seats\": [...]}");
    Status status = view_read(game, json_string_value(json_object_get(json, "rules")),
                              json_string_value(json_object_get(json, "position")), &plan->variant,
                              &plan->start);
    if (!status_is_ok(&status))
        return status;
    int players = plan->variant.game->player_count(&plan->variant.rules);
    if (json_array_size(seats) != (size_t)players)
        return status_make(STATUS_USAGE, "seats: expected %d of them, not %zu", players,
                           json_array_size(seats));
    for (int i = 0; i < players && status_is_ok(&status); i++)
        status = read_seat(json_array_get(seats, (size_t)i), &plan->kinds[i], &plan->seats[i]);
    return status;
}

/* Whether all computers of the plan can play it. */
static Status try_computers(Server *server, const LivePlan *plan) {
    Status status = status_ok();
    int players = plan->variant.game->player_count(&plan->variant.rules);
    for (int i = 0; i < players && status_is_ok(&status); i++) {
        Brain *brain;
        if (plan->kinds[i] != LIVE_COMPUTER)
            continue;
        status =
            solvers_take(&server->solvers, &plan->variant, &plan->seats[i], SERVER_MOVE_S, &brain);
        if (status_is_ok(&status))
            solvers_give(&server->solvers, brain, false);
    }
    return status;
}

/* The same for a new game, with the tokens of its seats. */
static void release_and_reply_new(Request *request, LiveGame *game, const LiveTokens *tokens) {
    const Variant *variant = &game->record.variant;
    unsigned here = 0;
    json_t *links = json_array();
    for (int i = 0; i < variant->game->player_count(&variant->rules); i++) {
        if (game->seats[i].kind == LIVE_HERE)
            here |= 1u << i;
        if (game->seats[i].kind == LIVE_LINK)
            json_array_append_new(links,
                                  json_pack("{s:i, s:s}", "seat", i, "token", tokens->links[i]));
    }
    works_think(request->server, game);
    json_t *json = live_view(game, here);
    json_object_set_new(json, "links", links);
    if (here)
        request_add_token(request, game->id, tokens->here);
    release(request);
    reply_json(request, MHD_HTTP_CREATED, json);
}

/* Answers with a new game, or with what was wrong; lets go of the lock. */
static void reply_new(Request *request, const LiveError *error, LiveGame *game,
                      const LiveTokens *tokens) {
    if (error->code == 0) {
        release_and_reply_new(request, game, tokens);
    } else {
        release(request);
        reply_error(request, error->code, error->message);
    }
}

static void create_by_worker(Request *request) {
    LivePlan plan = {.kinds = {LIVE_HERE}};
    LiveTokens tokens;
    LiveGame *game;
    Status status = read_plan(request->json, &plan);
    if (status_is_ok(&status))
        status = try_computers(request->server, &plan);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    pthread_mutex_lock(&request->server->lives.lock);
    LiveError error = live_create(&request->server->lives, &plan, &tokens, &game);
    reply_new(request, &error, game, &tokens);
}

void api_create(Request *request) {
    LivePlan plan = {.kinds = {LIVE_HERE}};
    Status status = read_plan(request->json, &plan);
    bool has_computer = false;
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        has_computer = has_computer || plan.kinds[i] == LIVE_COMPUTER;
    if (has_computer)
        works_add(request, create_by_worker); /* it may have to be solved first */
    else
        create_by_worker(request);
}

/* Whether the computers of a record can play here. */
static Status check_record(Server *server, const char *text) {
    Record record;
    LivePlan plan = {.kinds = {LIVE_HERE}};
    Status status = record_parse(text, &record);
    if (!status_is_ok(&status))
        return status_make(STATUS_USAGE, "%s", status.message);
    plan.variant = record.variant;
    for (int i = 0; i < record.variant.game->player_count(&record.variant.rules); i++) {
        plan.seats[i] = record.seats[i];
        plan.kinds[i] = record.seats[i].kind->open ? LIVE_COMPUTER : LIVE_HERE;
        if (!is_level(&record.seats[i]) && status_is_ok(&status))
            status = status_make(STATUS_USAGE, "a computer player of the record thinks too long "
                                               "for this page");
    }
    record_close(&record);
    return status_is_ok(&status) ? try_computers(server, &plan) : status;
}

static void import_by_worker(Request *request) {
    Lives *lives = &request->server->lives;
    const char *text = json_string_value(json_object_get(request->json, "record"));
    LiveTokens tokens;
    LiveGame *game;
    Status status = check_record(request->server, text);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    pthread_mutex_lock(&lives->lock);
    LiveError error = live_import(lives, text, &tokens, &game);
    reply_new(request, &error, game, &tokens);
}

void api_import(Request *request) {
    if (json_is_string(json_object_get(request->json, "record")))
        works_add(request, import_by_worker);
    else
        reply_error(request, MHD_HTTP_BAD_REQUEST, "expected {\"record\": ...}");
}

/* --- in a game --- */

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
