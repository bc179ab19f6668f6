/* Requests that create games: new ones, and imported records. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ui/web/server.h"
#include "ui/web/view.h"

/* --- reading the request --- */

/* Whether the server offers this setting of the player: those that move fast enough. */
static bool is_offered_setting(const Seat *seat) {
    if (!seat->setting[0])
        return true;
    for (const char *const *level = seat->kind->levels; level && *level; level++)
        if (strcmp(*level, seat->setting) == 0)
            return true;
    return false;
}

static Status read_seat(const json_t *json, SeatKind *kind, Seat *seat) {
    const char *text = json_string_value(json_object_get(json, "kind"));
    const char *player = json_string_value(json_object_get(json, "player"));
    if (text && strcmp(text, "here") == 0) {
        *kind = SEAT_HERE;
    } else if (text && strcmp(text, "link") == 0) {
        *kind = SEAT_LINK;
    } else if (text && strcmp(text, "computer") == 0) {
        *kind = SEAT_COMPUTER;
        Status status = seat_parse(player ? player : "", seat);
        if (status_is_ok(&status) && (!seat->kind->open || !is_offered_setting(seat)))
            status = status_make(STATUS_USAGE,
                                 "seats: %s is not a computer player that this server offers",
                                 quote(player).text);
        return status;
    } else {
        return status_make(STATUS_USAGE, "seats: the kind must be here, link or computer");
    }
    return status_ok();
}

static Status read_plan(const json_t *json, GamePlan *plan) {
    const char *game = json_string_value(json_object_get(json, "game"));
    const json_t *seats = json_object_get(json, "seats");
    if (!game)
        return status_make(STATUS_USAGE, "game: expected the name of a game");
    Status status = view_read(game, json_string_value(json_object_get(json, "rules")),
                              json_string_value(json_object_get(json, "position")), &plan->variant,
                              &plan->start);
    if (!status_is_ok(&status))
        return status;
    int players = plan->variant.game->rules.player_count(&plan->variant.rules);
    if (json_array_size(seats) != (size_t)players)
        return status_make(STATUS_USAGE, "seats: expected %d, found %zu", players,
                           json_array_size(seats));
    for (int i = 0; i < players && status_is_ok(&status); i++)
        status = read_seat(json_array_get(seats, (size_t)i), &plan->kinds[i], &plan->seats[i]);
    return status;
}

/* Opens each computer player of the plan once, to see whether it can play. */
static Status check_computers(Server *server, const GamePlan *plan) {
    Status status = status_ok();
    int players = plan->variant.game->rules.player_count(&plan->variant.rules);
    for (int i = 0; i < players && status_is_ok(&status); i++) {
        PooledSolver *pooled;
        if (plan->kinds[i] != SEAT_COMPUTER)
            continue;
        status = solver_pool_acquire(&server->pool, &plan->variant, &plan->seats[i], SERVER_MOVE_S,
                                     &pooled);
        if (status_is_ok(&status))
            solver_pool_release(&server->pool, pooled, false);
    }
    return status;
}

/* --- keys: a repeated request does not create a second game --- */

#define CREATING_S 60.0  /* how long a key is remembered while its game is being created, */
#define CREATED_S 3600.0 /* and after that */

static const char *request_key(const Request *request) {
    return json_string_value(json_object_get(request->json, "key"));
}

/* Unlocks the registry and replies with a new game and the tokens of its seats. */
static void unlock_and_reply_created(Request *request, HostedGame *game, const SeatTokens *tokens) {
    const Variant *variant = &game->record.variant;
    unsigned here = 0;
    json_t *links = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
        if (game->seats[i].kind == SEAT_HERE)
            here |= 1u << i;
        if (game->seats[i].kind == SEAT_LINK)
            json_array_append_new(links,
                                  json_pack("{s:i, s:s}", "seat", i, "token", tokens->links[i]));
    }
    work_queue_schedule_game(request->server, game);
    json_t *json = hosted_game_encode(game, here);
    json_object_set_new(json, "links", links);
    if (here)
        request_add_token(request, game->id, tokens->here);
    pthread_mutex_unlock(&request->server->registry.lock);
    reply_json(request, MHD_HTTP_CREATED, json);
}

/* Remembers the id and the tokens of a new game under the key of its request. */
static void remember_created(Request *request, const HostedGame *game, const SeatTokens *tokens) {
    char bytes[(2 + GAME_PLAYERS_MAX) * SECRET_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_addf(&text, "%s %s", game->id, tokens->here);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        text_addf(&text, " %s", tokens->links[i][0] ? tokens->links[i] : "-");
    if (request_key(request))
        reply_cache_store(&request->server->created, request_key(request), bytes, CREATED_S);
}

/* Copies a word; returns where the next one begins. */
static const char *read_word(const char *at, char word[SECRET_TEXT_BYTES]) {
    size_t length = strcspn(at, " ");
    assert(length < SECRET_TEXT_BYTES);
    memcpy(word, at, length);
    word[length] = '\0';
    return at + length + (at[length] == ' ');
}

/* Replies again with a game that was created before; `created` is what was remembered. */
static void reply_again(Request *request, const char *created) {
    GameRegistry *registry = &request->server->registry;
    char id[SECRET_TEXT_BYTES];
    SeatTokens tokens;
    HostedGame *game;
    if (!created[0]) {
        reply_error(request, MHD_HTTP_CONFLICT,
                    (Phrase){{"the game with this key is still being created",
                              "이 키의 게임을 아직 만드는 중입니다"}});
        return;
    }
    created = read_word(read_word(created, id), tokens.here);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        created = read_word(created, tokens.links[i]);
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find(registry, id, &game);
    if (error.code == 0) {
        unlock_and_reply_created(request, game, &tokens);
    } else {
        pthread_mutex_unlock(&registry->lock);
        reply_game_error(request, &error);
    }
}

/* Whether the request is the first with its key, or has none. If not, sets the reply. */
static bool claim_key(Request *request) {
    Server *server = request->server;
    const char *key = request_key(request);
    if (!json_object_get(request->json, "key"))
        return true;
    if (!key || !secret_is_text(key)) {
        reply_error(request, MHD_HTTP_BAD_REQUEST,
                    (Phrase){{"key: expected 22 characters: letters, digits, - or _",
                              "key: 영문자, 숫자, -, _ 22자가 필요합니다"}});
        return false;
    }
    pthread_mutex_lock(&server->registry.lock); /* of two requests at once, one is first */
    char *created = reply_cache_find(&server->created, key);
    if (!created)
        reply_cache_store(&server->created, key, "", CREATING_S);
    pthread_mutex_unlock(&server->registry.lock);
    if (created)
        reply_again(request, created);
    free(created);
    return !created;
}

/* Creates a game unless a request with the same key did. After a failure the key may be used again.
 */
static void create_once(Request *request, void (*create)(Request *request)) {
    if (!claim_key(request))
        return;
    create(request);
    if (request_key(request) && request->reply.status != MHD_HTTP_CREATED)
        reply_cache_store(&request->server->created, request_key(request), "", 0);
}

/* Unlocks the registry and replies with the new game, or with the error. */
static void unlock_and_reply_new(Request *request, const GameError *error, HostedGame *game,
                                 const SeatTokens *tokens) {
    if (error->code == 0) {
        remember_created(request, game, tokens);
        unlock_and_reply_created(request, game, tokens);
    } else {
        pthread_mutex_unlock(&request->server->registry.lock);
        reply_game_error(request, error);
    }
}

/* --- creating --- */

static void create_game(Request *request) {
    GamePlan plan = {.kinds = {SEAT_HERE}};
    SeatTokens tokens = {.here = ""};
    HostedGame *game;
    Status status = read_plan(request->json, &plan);
    if (status_is_ok(&status))
        status = check_computers(request->server, &plan);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    pthread_mutex_lock(&request->server->registry.lock);
    GameError error = game_registry_create(&request->server->registry, &plan, &tokens, &game);
    unlock_and_reply_new(request, &error, game, &tokens);
}

static void create_by_worker(Request *request) {
    create_once(request, create_game);
}

void api_create(Request *request) {
    GamePlan plan = {.kinds = {SEAT_HERE}};
    Status status = read_plan(request->json, &plan);
    bool has_computer = false;
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        has_computer = has_computer || plan.kinds[i] == SEAT_COMPUTER;
    if (has_computer)
        work_queue_add(request, create_by_worker); /* opening a player may take long */
    else
        create_by_worker(request);
}

/* Whether this server offers the computer players of a record. */
static Status check_record(Server *server, const char *text) {
    Record record;
    GamePlan plan = {.kinds = {SEAT_HERE}};
    Status status = record_parse(text, &record);
    if (!status_is_ok(&status))
        return status_make(STATUS_USAGE, "%s", status.message);
    plan.variant = record.variant;
    for (int i = 0; i < record.variant.game->rules.player_count(&record.variant.rules); i++) {
        plan.seats[i] = record.seats[i];
        plan.kinds[i] = record.seats[i].kind->open ? SEAT_COMPUTER : SEAT_HERE;
        if (!is_offered_setting(&record.seats[i]) && status_is_ok(&status))
            status = status_make(STATUS_USAGE, "a computer player of the record takes too long "
                                               "for this server");
    }
    record_close(&record);
    return status_is_ok(&status) ? check_computers(server, &plan) : status;
}

static void import_game(Request *request) {
    GameRegistry *registry = &request->server->registry;
    const char *text = json_string_value(json_object_get(request->json, "record"));
    SeatTokens tokens = {.here = ""};
    HostedGame *game;
    Status status = check_record(request->server, text);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_import(registry, text, &tokens, &game);
    unlock_and_reply_new(request, &error, game, &tokens);
}

static void import_by_worker(Request *request) {
    create_once(request, import_game);
}

void api_import(Request *request) {
    if (json_is_string(json_object_get(request->json, "record")))
        work_queue_add(request, import_by_worker);
    else
        reply_error(request, MHD_HTTP_BAD_REQUEST,
                    (Phrase){{"record: expected the text of a game", "record: 기보가 필요합니다"}});
}
