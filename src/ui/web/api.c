/* Requests that need no hosted game: health, catalogue, positions, evaluations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/web/server.h"
#include "ui/web/view.h"

enum { KEY_BYTES = 1024 };

void api_health(Request *request) {
    Server *server = request->server;
    uint64_t games = 0;
    pthread_mutex_lock(&server->registry.lock);
    Status status = archive_count(server->registry.archive, &games);
    size_t listeners = server->listener_count;
    pthread_mutex_unlock(&server->registry.lock);
    pthread_mutex_lock(&server->queue.lock);
    size_t searches = server->queue.waiting + server->queue.running;
    pthread_mutex_unlock(&server->queue.lock);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    reply_json(request, MHD_HTTP_OK,
               json_pack("{s:b, s:s, s:I, s:I, s:I}", "ok", 1, "version", MALPAN_VERSION, "games",
                         (json_int_t)games, "listeners", (json_int_t)listeners, "searches",
                         (json_int_t)searches));
}

void api_games(Request *request) {
    reply_text(request, "application/json", strdup(request->server->games_text));
}

/* Resolves the rules and the position of the query. False: the reply is set to an error. */
static bool read_position(Request *request) {
    const char *game = request_query(request, "game");
    if (!game) {
        reply_error(request, MHD_HTTP_BAD_REQUEST,
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
    reply_json(request, MHD_HTTP_OK, view_position(variant, state));
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

/* CPU seconds of this thread, so that a busy machine does not make a game look slow. */
static double thread_cpu_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Measures how long the start position takes, because the position of the request may be a trivial
 * one. A solver that searches is never fast. */
static double time_start(SolverPool *pool, PooledSolver *pooled) {
    const Variant *variant = &pooled->variant;
    State first = variant->game->tree.start(&variant->rules);
    double values[GAME_PLAYERS_MAX], start = thread_cpu_s();
    if (pooled->solver->evaluate)
        return SERVER_EVAL_S;
    solver_pool_expire(pool, pooled);
    Status status = pooled->solver->values(pooled->solver, &first, values);
    return status_is_ok(&status) ? thread_cpu_s() - start : SERVER_EVAL_S;
}

/* Evaluates the request's position and records how long that takes. */
static void evaluate_request(Request *request) {
    SolverPool *pool = &request->server->pool;
    const Variant *variant = &request->variant;
    PooledSolver *pooled;
    json_t *json = NULL;
    double start = thread_cpu_s();
    Status status = solver_pool_acquire(pool, variant, NULL, SERVER_EVAL_S, &pooled);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    status = view_evaluation(pooled, &request->position, &json);
    double seconds = thread_cpu_s() - start;
    if (status_is_ok(&status) && !request->is_fast)
        seconds += time_start(pool, pooled);
    solver_pool_release(pool, pooled, false);
    solver_pool_record_time(pool, variant, status_is_ok(&status) ? seconds : SERVER_EVAL_S);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    char key[KEY_BYTES];
    bool is_exact = json_is_true(json_object_get(json, "exact"));
    reply_json(request, MHD_HTTP_OK, json);
    if (request->reply.text && print_key(request, key))
        reply_cache_store(&request->server->replies, key, request->reply.text,
                          is_exact ? INFINITY : SOLVER_POOL_ESTIMATES_S);
}

void api_eval(Request *request) {
    char key[KEY_BYTES];
    char *cached =
        print_key(request, key) ? reply_cache_find(&request->server->replies, key) : NULL;
    if (cached) {
        reply_text(request, "application/json", cached);
        return;
    }
    if (!read_position(request))
        return;
    request->is_fast = solver_pool_is_fast(&request->server->pool, &request->variant);
    if (request->is_fast)
        evaluate_request(request);
    else
        work_queue_add(request, evaluate_request);
}
