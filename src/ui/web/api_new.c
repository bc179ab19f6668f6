/* Making games: new ones, and those of a record. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ui/web/server.h"
#include "ui/web/view.h"

/* --- what is asked for --- */

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
    int players = plan->variant.game->rules.player_count(&plan->variant.rules);
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
    int players = plan->variant.game->rules.player_count(&plan->variant.rules);
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

/* --- keys: who asks twice gets one game --- */

#define MAKING_S 60.0 /* a key whose game is still being made is kept that long, */
#define MADE_S 3600.0 /* and one whose game is there that long */

static const char *key_of(const Request *request) {
    return json_string_value(json_object_get(request->json, "key"));
}

/* Lets go of the lock, then answers with a new game and the tokens of its seats. */
static void release_and_reply_made(Request *request, LiveGame *game, const LiveTokens *tokens) {
    const Variant *variant = &game->record.variant;
    unsigned here = 0;
    json_t *links = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
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
    pthread_mutex_unlock(&request->server->lives.lock);
    reply_json(request, MHD_HTTP_CREATED, json);
}

/* What is remembered under a key: the game and its tokens. */
static void keep_made(Request *request, const LiveGame *game, const LiveTokens *tokens) {
    char bytes[(2 + GAME_PLAYERS_MAX) * SECRET_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_addf(&text, "%s %s", game->id, tokens->here);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        text_addf(&text, " %s", tokens->links[i][0] ? tokens->links[i] : "-");
    if (key_of(request))
        answers_keep(&request->server->made, key_of(request), bytes, MADE_S);
}

/* Copies a word; the place after it and its space. */
static const char *read_word(const char *at, char word[SECRET_TEXT_BYTES]) {
    size_t length = strcspn(at, " ");
    assert(length < SECRET_TEXT_BYTES);
    memcpy(word, at, length);
    word[length] = '\0';
    return at + length + (at[length] == ' ');
}

/* Answers again with a game that was made before. */
static void reply_again(Request *request, const char *made) {
    Lives *lives = &request->server->lives;
    char id[SECRET_TEXT_BYTES];
    LiveTokens tokens;
    LiveGame *game;
    if (!made[0]) {
        reply_error(request, MHD_HTTP_CONFLICT, "the game of this key is being made");
        return;
    }
    made = read_word(read_word(made, id), tokens.here);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        made = read_word(made, tokens.links[i]);
    pthread_mutex_lock(&lives->lock);
    LiveError error = live_find(lives, id, &game);
    if (error.code == 0) {
        release_and_reply_made(request, game, &tokens);
    } else {
        pthread_mutex_unlock(&lives->lock);
        reply_error(request, error.code, error.message);
    }
}

/* Whether a game is to be made for this request; else it is answered. */
static bool is_new(Request *request) {
    Server *server = request->server;
    const char *key = key_of(request);
    if (!json_object_get(request->json, "key"))
        return true;
    if (!key || !secret_is_text(key)) {
        reply_error(request, MHD_HTTP_BAD_REQUEST, "key: expected 22 letters, digits, - or _");
        return false;
    }
    pthread_mutex_lock(&server->lives.lock); /* so that of two who ask at once one is the first */
    char *made = answers_find(&server->made, key);
    if (!made)
        answers_keep(&server->made, key, "", MAKING_S);
    pthread_mutex_unlock(&server->lives.lock);
    if (made)
        reply_again(request, made);
    free(made);
    return !made;
}

/* Makes a game unless that has been done. Where it fails, the next request with this key may. */
static void make_once(Request *request, void (*make)(Request *request)) {
    if (!is_new(request))
        return;
    make(request);
    if (key_of(request) && request->reply.status != MHD_HTTP_CREATED)
        answers_keep(&request->server->made, key_of(request), "", 0);
}

/* Answers with a new game, or with what was wrong; lets go of the lock. */
static void reply_new(Request *request, const LiveError *error, LiveGame *game,
                      const LiveTokens *tokens) {
    if (error->code == 0) {
        keep_made(request, game, tokens);
        release_and_reply_made(request, game, tokens);
    } else {
        pthread_mutex_unlock(&request->server->lives.lock);
        reply_error(request, error->code, error->message);
    }
}

/* --- making --- */

static void create(Request *request) {
    LivePlan plan = {.kinds = {LIVE_HERE}};
    LiveTokens tokens = {.here = ""};
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

static void create_once(Request *request) {
    make_once(request, create);
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
        works_add(request, create_once); /* it may have to be solved first */
    else
        create_once(request);
}

/* Whether the computers of a record can play here. */
static Status check_record(Server *server, const char *text) {
    Record record;
    LivePlan plan = {.kinds = {LIVE_HERE}};
    Status status = record_parse(text, &record);
    if (!status_is_ok(&status))
        return status_make(STATUS_USAGE, "%s", status.message);
    plan.variant = record.variant;
    for (int i = 0; i < record.variant.game->rules.player_count(&record.variant.rules); i++) {
        plan.seats[i] = record.seats[i];
        plan.kinds[i] = record.seats[i].kind->open ? LIVE_COMPUTER : LIVE_HERE;
        if (!is_level(&record.seats[i]) && status_is_ok(&status))
            status = status_make(STATUS_USAGE, "a computer player of the record thinks too long "
                                               "for this page");
    }
    record_close(&record);
    return status_is_ok(&status) ? try_computers(server, &plan) : status;
}

static void import(Request *request) {
    Lives *lives = &request->server->lives;
    const char *text = json_string_value(json_object_get(request->json, "record"));
    LiveTokens tokens = {.here = ""};
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

static void import_once(Request *request) {
    make_once(request, import);
}

void api_import(Request *request) {
    if (json_is_string(json_object_get(request->json, "record")))
        works_add(request, import_once);
    else
        reply_error(request, MHD_HTTP_BAD_REQUEST, "expected {\"record\": ...}");
}
