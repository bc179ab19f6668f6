/* Requests that create games: new ones, and imported records. */
#include <stdio.h>
#include <string.h>

#include "ui/json/build.h"
#include "ui/web/game_snapshot.h"
#include "ui/web/request.h"
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

/* Reads the name of the person at this browser. */
static Status read_seat_name(const json_t *json, char name[HOSTED_NAME_BYTES]) {
    const json_t *found = json_object_get(json, "name");
    const char *text = json_string_value(found);
    if (!found)
        return status_ok();
    if (!text || strlen(text) != json_string_length(found) || !hosted_game_is_name(text))
        return status_make(STATUS_USAGE, "seats: a name has at most %d letters",
                           HOSTED_NAME_LETTERS);
    snprintf(name, HOSTED_NAME_BYTES, "%s", text);
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
    for (int i = 0; i < players && status_is_ok(&status); i++) {
        const json_t *seat = json_array_get(seats, (size_t)i);
        status = read_seat(seat, &plan->kinds[i], &plan->seats[i]);
        if (status_is_ok(&status) && plan->kinds[i] == SEAT_HERE)
            status = read_seat_name(seat, plan->names[i]);
    }
    return status;
}

/* Opens each computer player of the plan once, to see whether it can play. */
static Status check_computers(SolverPool *pool, const GamePlan *plan) {
    Status status = status_ok();
    int players = plan->variant.game->rules.player_count(&plan->variant.rules);
    for (int i = 0; i < players && status_is_ok(&status); i++) {
        PooledSolver *pooled;
        if (plan->kinds[i] != SEAT_COMPUTER)
            continue;
        status = solver_pool_acquire(pool, &plan->variant, &plan->seats[i], SERVER_MOVE_S, &pooled);
        if (status_is_ok(&status))
            solver_pool_release(pool, pooled, false);
    }
    return status;
}

/* --- creating --- */

/* Reads the key that protects a request from creating a second game when it is repeated. False: the
 * reply is set to an error. */
static bool read_key(Request *request, const char **key) {
    const json_t *json = json_object_get(request->json, "key");
    *key = json_string_value(json);
    if (!json || (*key && secret_is_text(*key)))
        return true;
    reply_error(request, REPLY_BAD_REQUEST,
                (Phrase){{"key: expected 22 characters: letters, digits, - or _",
                          "key: 영문자, 숫자, -, _ 22자가 필요합니다"}});
    return false;
}

/* The tokens of the seats with links. */
static json_t *encode_links(const GameSnapshot *snapshot, const SeatTokens *tokens) {
    json_t *links = json_array();
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (snapshot->kinds[i] == SEAT_LINK)
            links = json_with_item(links,
                                   json_pack("{s:i, s:s}", "seat", i, "token", tokens->links[i]));
    return links;
}

/* Unlocks the registry and replies with a settled game and the tokens of its seats. */
static void unlock_and_reply_created(Request *request, HostedGame *game, const SeatTokens *tokens) {
    GameSnapshot snapshot;
    unsigned here = 0;
    bool is_taken =
        game_snapshot_take(game, request_read_from(request, game), GAME_SNAPSHOT_PAGE, &snapshot);
    for (int i = 0; i < hosted_game_player_count(game); i++)
        here |= (unsigned)(game->seats[i].kind == SEAT_HERE) << i;
    pthread_mutex_unlock(&request->service->registry->lock);
    if (here)
        request_add_token(request, snapshot.id, tokens->here);
    reply_json(request, REPLY_CREATED,
               is_taken ? json_with(game_snapshot_encode(&snapshot, here), "links",
                                    encode_links(&snapshot, tokens))
                        : NULL);
    game_snapshot_free(&snapshot);
}

/* Replies once the new game is stored, or could not be. */
static void reply_created(Request *request) {
    GameRegistry *registry = request->service->registry;
    HostedGame *game;
    GameError error = request->change_error;
    pthread_mutex_lock(&registry->lock);
    if (error.code == 0)
        error = game_registry_find(registry, request->id, &game);
    if (error.code == 0 && game->phase == GAME_SETTLED) {
        unlock_and_reply_created(request, game, &request->tokens);
        return;
    }
    if (error.code == 0) { /* a computer has begun to play */
        request_suspend(request, reply_created);
        game_registry_wait(game, &request->waiter);
    }
    pthread_mutex_unlock(&registry->lock);
    if (error.code != 0)
        reply_game_error(request, &error);
}

/* Adds a prepared game, or NULL for lack of memory, and waits until it is stored. Returns whether
 * the request is answered already. */
static bool add_game(Request *request, HostedGame *made, const char *key) {
    GameRegistry *registry = request->service->registry;
    HostedGame *game;
    if (!made) {
        reply_error(request, REPLY_UNAVAILABLE, (Phrase){{"out of memory", "메모리가 부족합니다"}});
        return true;
    }
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_add(registry, made, key, &request->tokens, &game);
    if (error.code != 0) {
        pthread_mutex_unlock(&registry->lock);
        reply_game_error(request, &error);
        return true;
    }
    if (game->phase == GAME_SETTLED) { /* created by an earlier request */
        unlock_and_reply_created(request, game, &request->tokens);
        return true;
    }
    if (game == made) {
        memcpy(request->id, game->id, sizeof request->id);
        memcpy(game->job.client, request->client, sizeof game->job.client);
        request_wait_for_change(request, game, reply_created);
    } else {
        request_wait_for_game(request, game);
    }
    pthread_mutex_unlock(&registry->lock);
    return false;
}

/* --- new games --- */

static bool create_game(Request *request) {
    GamePlan plan = {.kinds = {SEAT_HERE}};
    const char *key;
    Status status = read_plan(request->json, &plan);
    if (status_is_ok(&status))
        status = check_computers(request->service->pool, &plan);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return true;
    }
    return !read_key(request, &key) ||
           add_game(request, new_game_prepare(&plan, key, &request->tokens), key);
}

/* Whether the computer players of the plan are known to start and move fast. */
static JobLane find_lane(SolverPool *pool, const GamePlan *plan) {
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (plan->kinds[i] == SEAT_COMPUTER &&
            !solver_pool_is_fast(pool, &plan->variant, &plan->seats[i]))
            return JOB_LONG;
    return JOB_SHORT;
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
    if (has_computer) /* opening a player may take long */
        work_queue_add(request, find_lane(request->service->pool, &plan), create_game);
    else
        create_game(request);
}

/* --- records --- */

/* Whether this server offers the computer players of a record. */
static Status check_record(SolverPool *pool, const Record *record) {
    GamePlan plan = {.variant = record->variant, .kinds = {SEAT_HERE}};
    if (record->step_count > HOSTED_GAME_STEPS_MAX)
        return status_make(STATUS_USAGE, "the record has more than %d steps",
                           HOSTED_GAME_STEPS_MAX);
    for (int i = 0; i < record->variant.game->rules.player_count(&record->variant.rules); i++) {
        plan.seats[i] = record->seats[i];
        plan.kinds[i] = record->seats[i].kind->open ? SEAT_COMPUTER : SEAT_HERE;
        if (!is_offered_setting(&record->seats[i]))
            return status_make(STATUS_USAGE, "a computer player of the record takes too long "
                                             "for this server");
    }
    return check_computers(pool, &plan);
}

static bool import_game(Request *request) {
    const char *key, *text = json_string_value(json_object_get(request->json, "record"));
    Record record;
    if (!read_key(request, &key))
        return true;
    Status status = record_parse(text, &record);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return true;
    }
    status = check_record(request->service->pool, &record);
    if (!status_is_ok(&status)) {
        record_close(&record);
        reply_status(request, &status);
        return true;
    }
    return add_game(request, new_game_prepare_import(&record, key, &request->tokens), key);
}

void api_import(Request *request) {
    if (json_is_string(json_object_get(request->json, "record")))
        work_queue_add(request, JOB_LONG, import_game);
    else
        reply_error(request, REPLY_BAD_REQUEST,
                    (Phrase){{"record: expected the text of a game", "record: 기보가 필요합니다"}});
}
