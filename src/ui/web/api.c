/* Answers that need no game being played: what there is, positions, values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/web/server.h"
#include "ui/web/view.h"

enum { QUESTION_BYTES = 1024 };

void api_health(Request *request) {
    Server *server = request->server;
    uint64_t games = 0;
    pthread_mutex_lock(&server->lives.lock);
    Status status = archive_count(server->lives.archive, &games);
    size_t listeners = server->listener_count;
    pthread_mutex_unlock(&server->lives.lock);
    pthread_mutex_lock(&server->works.lock);
    size_t works = server->works.waiting + server->works.running;
    pthread_mutex_unlock(&server->works.lock);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    reply_json(request, MHD_HTTP_OK,
               json_pack("{s:b, s:s, s:I, s:I, s:I}", "ok", 1, "version", MALPAN_VERSION, "games",
                         (json_int_t)games, "listeners", (json_int_t)listeners, "searches",
                         (json_int_t)works));
}

void api_games(Request *request) {
    reply_text(request, "application/json", strdup(request->server->games_text));
}

/* Reads the variant and the position that the query names. False: answered. */
static bool read_position(Request *request) {
    const char *game = request_query(request, "game");
    if (!game) {
        reply_error(request, MHD_HTTP_BAD_REQUEST, "expected ?game=...");
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

/* What is asked, as one text; false where it is too long to be remembered. */
static bool print_question(const Request *request, char question[QUESTION_BYTES]) {
    static const char *const names[] = {"game", "rules", "position"};
    Text text = text_over(question, QUESTION_BYTES);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = request_query(request, names[i]);
        text_addf(&text, "%c%s\n", value ? '=' : '-', value ? value : "");
    }
    return !text.truncated;
}

/* Seconds of work of this thread: a busy machine does not make a game slow. */
static double work_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* How long the start takes: it tells how much work a variant is, where another position may be next
 * to none. What searches is never quick. */
static double try_start(Solvers *solvers, Brain *brain) {
    const Variant *variant = &brain->variant;
    State first = variant->game->tree.start(&variant->rules);
    double values[GAME_PLAYERS_MAX], start = work_s();
    if (brain->solver->evaluate)
        return SERVER_EVAL_S;
    solvers_hurry(solvers, brain);
    Status status = brain->solver->values(brain->solver, &first, values);
    return status_is_ok(&status) ? work_s() - start : SERVER_EVAL_S;
}

/* Values the request's position, and notes how long that takes. */
static void evaluate(Request *request) {
    Solvers *solvers = &request->server->solvers;
    const Variant *variant = &request->variant;
    Brain *brain;
    json_t *json = NULL;
    double start = work_s();
    Status status = solvers_take(solvers, variant, NULL, SERVER_EVAL_S, &brain);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    status = view_evaluation(brain, &request->position, &json);
    double seconds = work_s() - start;
    if (status_is_ok(&status) && !request->is_quick)
        seconds += try_start(solvers, brain);
    solvers_give(solvers, brain, false);
    solvers_note(solvers, variant, status_is_ok(&status) ? seconds : SERVER_EVAL_S);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    char question[QUESTION_BYTES];
    bool is_exact = json_is_true(json_object_get(json, "exact"));
    reply_json(request, MHD_HTTP_OK, json);
    if (request->reply.text && print_question(request, question))
        answers_keep(&request->server->answers, question, request->reply.text,
                     is_exact ? INFINITY : SOLVERS_ESTIMATES_S);
}

void api_eval(Request *request) {
    char question[QUESTION_BYTES];
    char *answer = print_question(request, question)
                       ? answers_find(&request->server->answers, question)
                       : NULL;
    if (answer) {
        reply_text(request, "application/json", answer);
        return;
    }
    if (!read_position(request))
        return;
    request->is_quick = solvers_is_quick(&request->server->solvers, &request->variant);
    if (request->is_quick)
        evaluate(request);
    else
        works_add(request, evaluate);
}
