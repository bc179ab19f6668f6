#include "ui/module/host.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ui/json/parse.h"
#include "ui/json/print.h"
#include "ui/web/view.h"

/* As the server's, so that both choose the same solvers. */
#define SEARCH_S 2.0

enum { SHOWN_SHARES = 64 };

static bool read_object(const char *text, json_t **json) {
    json_error_t error;
    return json_parse(text, strlen(text), json, &error) && json_is_object(*json);
}

bool host_open(Server *host, size_t memory_bytes) {
    const SolveLimits limits = {.memory_bytes = memory_bytes, .threads = 1, .seconds = SEARCH_S};
    json_parse_init();
    *host = (Server){.phase = HOST_IDLE};
    solver_pool_init(&host->pool, &limits);
    reply_cache_init(&host->replies);
    /* The players are only opened, not asked: little memory will do. */
    SolveLimits shown = limits;
    shown.memory_bytes = memory_bytes / SHOWN_SHARES;
    json_t *games = view_games(&shown);
    host->games_text = json_print(games);
    json_decref(games);
    host->service = (Service){.registry = &host->registry,
                              .pool = &host->pool,
                              .replies = &host->replies,
                              .games_text = host->games_text};
    return host->games_text != NULL;
}

/* --- one request --- */

/* Remembers whether a computer goes on by itself once the request is answered. */
static void note_settled(GameRegistry *registry, HostedGame *game, bool is_stored) {
    Server *host = (Server *)((char *)registry - offsetof(Server, registry));
    host->is_next_known = true;
    host->has_person = hosted_game_has_person(game);
    host->is_computer_next = is_stored && !game->trouble[0] && hosted_game_is_computer_next(game);
}

/* Lets the API run until the request is answered or its change has to be stored. */
static void run(Server *host) {
    Request *request = &host->request;
    while (!request->is_answered && !host->commit) {
        void (*resume)(Request *) = request->resume;
        bool (*work)(Request *) = request->work;
        request->phase = REQUEST_RUNNING;
        request->resume = NULL;
        request->work = NULL;
        if (work)
            work(request);
        else
            resume(request);
    }
    if (!host->commit) {
        host->phase = HOST_ANSWERED;
        return;
    }
    host->commit_text = store_print(host->commit);
    if (host->commit_text)
        host->phase = HOST_STORING;
    else
        host_stored(host, false);
}

void host_begin(Server *host, const char *method, const char *path, const char *query,
                const char *body, const char *stored) {
    Request *request = &host->request;
    assert(host->phase == HOST_IDLE);
    host->phase = HOST_RUNNING;
    game_registry_init(&host->registry, NULL, 0);
    host->registry.archive = (Archive *)host;
    host->registry.on_settled = note_settled;
    host->is_next_known = host->is_computer_next = host->has_person = false;
    *request = (Request){.server = host,
                         .service = &host->service,
                         .method = method,
                         .path = path,
                         .body_size = strlen(body),
                         .client = "page"};
    if (!read_object(query, &host->query)) {
        reply_error(request, REPLY_BAD_REQUEST, (Phrase){{"the query is no object", NULL}});
    } else if (stored[0] && !read_object(stored, &host->stored)) {
        reply_error(request, REPLY_UNAVAILABLE,
                    (Phrase){{"the stored game is damaged", "저장된 게임이 손상되었습니다"}});
    } else {
        request->body = (char *)body;
        request->resume = host_find_route(request);
    }
    run(host);
}

void host_stored(Server *host, bool is_stored) {
    Commit *commit = host->commit;
    Status status =
        is_stored ? status_ok() : status_make(STATUS_FAILED, "the change could not be stored");
    assert(commit);
    host->commit = NULL;
    host->phase = HOST_RUNNING;
    commit->done(commit, &status);
    run(host);
}

void host_end(Server *host) {
    assert(host->phase == HOST_ANSWERED);
    game_registry_free(&host->registry);
    json_decref(host->request.json);
    json_decref(host->query);
    json_decref(host->stored);
    free(host->request.reply.text);
    free(host->commit_text);
    host->query = host->stored = NULL;
    host->commit_text = NULL;
    host->phase = HOST_IDLE;
}

/* --- what request.h and work_queue.h ask of a host --- */

const char *request_query(const Request *request, const char *name) {
    return json_string_value(json_object_get(request->server->query, name));
}

/* Whoever uses the page plays all seats of people. */
unsigned request_find_seats(const Request *request, const HostedGame *game) {
    unsigned seats = 0;
    (void)request;
    for (int i = 0; i < hosted_game_player_count(game); i++)
        seats |= (unsigned)(game->seats[i].kind == SEAT_HERE) << i;
    return seats;
}

void request_add_token(Request *request, const char *id, const char *token) {
    (void)request, (void)id, (void)token;
}

void request_suspend(Request *request, void (*resume)(Request *request)) {
    request->resume = resume;
    request->phase = REQUEST_SUSPENDED;
}

static void resume_waiter(GameWaiter *waiter, const GameError *error) {
    Request *request = (Request *)((char *)waiter - offsetof(Request, waiter));
    request->change_error = *error;
    request->phase = REQUEST_RESUMED;
}

void request_wait_for_game(Request *request, HostedGame *game) {
    request->waiter.resume = resume_waiter;
    request_suspend(request, host_find_route(request));
    game_registry_wait(game, &request->waiter);
}

void request_wait_for_change(Request *request, HostedGame *game, void (*resume)(Request *request)) {
    assert(game->phase == GAME_COMMITTING && !game->change.waiter);
    request->waiter.resume = resume_waiter;
    request_suspend(request, resume);
    game->change.waiter = &request->waiter;
}

bool work_queue_add(Request *request, JobLane lane, bool (*work)(Request *request)) {
    (void)lane;
    request_suspend(request, NULL);
    request->work = work;
    return true;
}

bool work_queue_has_room(Server *server, const char *client) {
    (void)server, (void)client;
    return true;
}

/* The page asks for the step. */
void work_queue_schedule_game(Server *server, HostedGame *game) {
    server->is_next_known = true;
    server->has_person = hosted_game_has_person(game);
    server->is_computer_next = hosted_game_is_computer_next(game);
}
