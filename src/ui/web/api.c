/* Requests that need no hosted game: catalogue, positions, evaluations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/json/build.h"
#include "ui/web/request.h"
#include "ui/web/view.h"

enum { KEY_BYTES = 1024 };

void api_games(Request *request) {
    reply_text(request, "application/json", strdup(request->service->games_text));
}

/* Resolves the rules and the position of the query. False: the reply is set to an error. */
static bool read_position(Request *request) {
    const char *game = request_query(request, "game");
    if (!game) {
        reply_error(request, REPLY_BAD_REQUEST,
                    (Phrase){{"the parameter `game` is missing", "game 매개변수가 없습니다"}});
        return false;
    }
    Status status =
        view_read(game, request_query(request, "rules"), request_query(request, "position"),
                  &request->variant, &request->position);
    if (!status_is_ok(&status))
        reply_status(request, &status);
    return status_is_ok(&status);
}

void api_position(Request *request) {
    const Variant *variant = &request->variant;
    State *state = &request->position;
    const char *text = request_query(request, "move");
    if (!read_position(request))
        return;
    if (text) {
        Move move;
        Status status =
            variant->game->text.parse_move(&variant->rules, state, text, LANG_EN, &move);
        if (status_is_ok(&status))
            status = variant_play(variant, state, move);
        if (!status_is_ok(&status)) {
            reply_status(request, &status);
            return;
        }
    }
    reply_json(request, REPLY_OK, view_position(variant, state));
}

/* The key of the request in the reply cache; false if it is too long for one. */
static bool print_key(const Request *request, char key[KEY_BYTES]) {
    static const char *const names[] = {"game", "rules", "position"};
    Text text = text_over(key, KEY_BYTES);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = request_query(request, names[i]);
        text_addf(&text, "%c%s\n", value ? '=' : '-', value ? value : "");
    }
    return !text.truncated;
}

/* Measures how long the start position takes, because the position of the request may be a trivial
 * one. A solver that searches is never fast. */
static double time_start(SolverPool *pool, PooledSolver *pooled) {
    const Variant *variant = &pooled->variant;
    State first = variant->game->tree.start(&variant->rules);
    double values[GAME_PLAYERS_MAX], start = solver_pool_clock_s();
    if (pooled->solver->evaluate)
        return SERVER_EVAL_S;
    solver_pool_expire(pool, pooled);
    Status status = pooled->solver->values(pooled->solver, &first, values);
    return status_is_ok(&status) ? solver_pool_clock_s() - start : SERVER_EVAL_S;
}

/* Evaluates the request's position, answers, and records how long that takes. False: it would have
 * to wait for a solver, or for memory, and may not. */
static bool evaluate(Request *request, bool may_wait) {
    SolverPool *pool = request->service->pool;
    const Variant *variant = &request->variant;
    PooledSolver *pooled;
    json_t *json = NULL;
    double start = solver_pool_clock_s();
    Status status = (may_wait ? solver_pool_acquire : solver_pool_try)(pool, variant, NULL,
                                                                       SERVER_EVAL_S, &pooled);
    if (!may_wait && status.code == STATUS_STOPPED)
        return false;
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return true;
    }
    status = view_evaluation(pooled, &request->position, &json);
    if (solver_pool_wants_more(pool, pooled, &status)) {
        solver_pool_release(pool, pooled, true);
        json_decref(json);
        return may_wait && evaluate(request, true);
    }
    double seconds = solver_pool_clock_s() - start;
    if (status_is_ok(&status) && !request->is_fast)
        seconds += time_start(pool, pooled);
    solver_pool_release(pool, pooled, false);
    solver_pool_record_time(pool, variant, NULL, status_is_ok(&status) ? seconds : SERVER_EVAL_S);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return true;
    }
    char key[KEY_BYTES];
    bool is_exact = json_is_true(json_object_get(json, "exact"));
    reply_json(request, REPLY_OK, json);
    if (request->reply.text && print_key(request, key))
        reply_cache_store(request->service->replies, key, request->reply.text,
                          is_exact ? INFINITY : SOLVER_POOL_ESTIMATES_S);
    return true;
}

static bool evaluate_by_worker(Request *request) {
    return evaluate(request, true);
}

void api_eval(Request *request) {
    char key[KEY_BYTES];
    char *cached =
        print_key(request, key) ? reply_cache_find(request->service->replies, key) : NULL;
    if (cached) {
        reply_text(request, "application/json", cached);
        return;
    }
    if (!read_position(request))
        return;
    request->is_fast = solver_pool_is_fast(request->service->pool, &request->variant, NULL);
    if (request->is_fast && evaluate(request, false))
        return;
    if (request->is_fast) /* if it still is */
        request->is_fast = solver_pool_is_fast(request->service->pool, &request->variant, NULL);
    work_queue_add(request, request->is_fast ? JOB_SHORT : JOB_LONG, evaluate_by_worker);
}
