/* The thinking thread: iterative deepening with a game's own search, or the values of a solver. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "ui/engine/engine.h"
#include "values/evaluate.h"
#include "values/policy.h"

/* A line of moves, each of up to GAME_TEXT_BYTES. */
enum { LINE_TEXT_BYTES = 4096 };

void engine_print(Engine *engine, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&engine->lock);
    vfprintf(engine->out, format, arguments);
    putc('\n', engine->out);
    fflush(engine->out);
    pthread_mutex_unlock(&engine->lock);
    va_end(arguments);
}

static const State *position_of(const Engine *engine) {
    return &engine->thinking_about;
}

static void add_line(const Variant *variant, const State *first, const Move line[], size_t count,
                     Text *text) {
    State state = *first;
    for (size_t i = 0; i < count; i++) {
        text_add_char(text, ' ');
        variant->game->text.print_move(&variant->rules, &state, line[i], LANG_EN, text);
        variant->game->tree.apply(&variant->rules, &state, line[i]);
    }
}

static void print_info(Engine *engine, const SearchResult *result, uint64_t nodes, double seconds) {
    char pv[LINE_TEXT_BYTES];
    Text text = text_over(pv, sizeof pv);
    add_line(&engine->variant, position_of(engine), result->line, result->line_length, &text);
    engine_print(engine, "info depth %d score value %.6f kind %s time %.0f nodes %" PRIu64 " pv%s",
                 result->depth, result->value, result->is_proven ? "proven" : "estimate",
                 1000 * seconds, nodes, pv);
}

/* Searches deeper and deeper within the goal. Returns the best move. */
static Move search_position(Engine *engine) {
    const EngineGoal *goal = &engine->goal;
    double begin_s = progress_clock_s();
    uint64_t nodes = 0;
    Move best = 0;
    int depth_max = goal->depth > 0 ? goal->depth : SEARCH_DEPTH_MAX;
    for (int depth = 1; depth <= depth_max; depth++) {
        double left_s = goal->seconds - (progress_clock_s() - begin_s);
        bool is_out_of_time = goal->seconds > 0 && left_s <= 0;
        if (depth > 1 && (engine->stop || is_out_of_time || (goal->nodes && nodes >= goal->nodes)))
            break;
        SearchBudget budget = {.depth = depth,
                               .seconds = goal->seconds > 0 && depth > 1 ? left_s : 0,
                               .threads = engine->limits.threads,
                               .stop = &engine->stop};
        SearchResult result;
        engine->search->think(engine->search, position_of(engine), &budget, &result);
        nodes += result.nodes;
        if (depth > 1 && !result.is_proven && result.depth < depth)
            break; /* not completed: the depth before counts */
        best = result.line[0];
        print_info(engine, &result, nodes, progress_clock_s() - begin_s);
        if (result.is_proven)
            break;
    }
    return best;
}

/* Takes the best move by the values of a solver. */
static Status look_up_position(Engine *engine, Move *best) {
    static const char *const kinds[] = {[VALUE_EXACT] = "exact",
                                        [VALUE_PROVEN] = "proven",
                                        [VALUE_EQUILIBRIUM] = "equilibrium",
                                        [VALUE_ESTIMATE] = "estimate"};
    double begin_s = progress_clock_s();
    char pv[LINE_TEXT_BYTES];
    Text text = text_over(pv, sizeof pv);
    Evaluation *evaluation = malloc(sizeof *evaluation);
    Status status = evaluation ? evaluate_state(&engine->variant, engine->solver,
                                                position_of(engine), evaluation)
                               : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status)) {
        *best = evaluation->moves[0].move;
        add_line(&engine->variant, position_of(engine), best, 1, &text);
        engine_print(engine, "info score value %.6f kind %s time %.0f pv%s",
                     evaluation->values[evaluation->player], kinds[evaluation->kind],
                     1000 * (progress_clock_s() - begin_s), pv);
    }
    free(evaluation);
    return status;
}

/* Opens a solver, or the game's search where there are no exact values. */
static Status open_search_or_solver(Engine *engine) {
    const Game *game = engine->variant.game;
    if (engine->search || engine->solver)
        return status_ok();
    SolveLimits limits = engine->limits;
    limits.stop = &engine->stop;
    Status exact = values_check(&engine->variant, VALUES_EXACT, &limits);
    return game->search && !status_is_ok(&exact)
               ? game->search->open(&engine->variant.rules, &limits, &engine->search)
               : values_open(&engine->variant, VALUES_ANY, &limits, &engine->solver, NULL);
}

/* `go infinite` answers only after `stop`. */
static void wait_for_stop(Engine *engine) {
    pthread_mutex_lock(&engine->lock);
    while (engine->goal.infinite && !engine->stop)
        pthread_cond_wait(&engine->stopped, &engine->lock);
    pthread_mutex_unlock(&engine->lock);
}

/* The first legal move: what is played when `stop` comes before there is anything better. */
static Move first_move(const Engine *engine) {
    Move moves[GAME_MOVES_MAX];
    engine->variant.game->tree.moves(&engine->variant.rules, position_of(engine), moves);
    return moves[0];
}

static void *run_thinker(void *context) {
    Engine *engine = context;
    Move best = first_move(engine);
    Status status = open_search_or_solver(engine);
    if (status_is_ok(&status) && engine->search)
        best = search_position(engine);
    else if (status_is_ok(&status))
        status = look_up_position(engine, &best);
    wait_for_stop(engine);
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    engine->variant.game->text.print_move(&engine->variant.rules, position_of(engine), best,
                                          LANG_EN, &text);
    if (!status_is_ok(&status) && status.code != STATUS_STOPPED)
        engine_print(engine, "info string error: %s", status.message);
    pthread_mutex_lock(&engine->lock);
    fprintf(engine->out, "bestmove %s\n", bytes);
    fflush(engine->out);
    engine->is_thinking = false;
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

Status engine_start_thinking(Engine *engine, const EngineGoal *goal) {
    engine_finish_thinking(engine, false);
    engine->goal = *goal;
    engine->thinking_about = engine->states[engine->state_count - 1];
    engine->stop = false;
    engine->is_thinking = true;
    if (pthread_create(&engine->thinker, NULL, run_thinker, engine) != 0) {
        engine->is_thinking = false;
        return status_make(STATUS_FAILED, "cannot start a thread");
    }
    engine->has_thinker = true;
    return status_ok();
}

void engine_finish_thinking(Engine *engine, bool now) {
    if (!engine->has_thinker)
        return;
    if (now) {
        pthread_mutex_lock(&engine->lock);
        engine->stop = true;
        pthread_cond_signal(&engine->stopped);
        pthread_mutex_unlock(&engine->lock);
    }
    pthread_join(engine->thinker, NULL);
    engine->has_thinker = false;
}

bool engine_is_thinking(Engine *engine) {
    pthread_mutex_lock(&engine->lock);
    bool is_thinking = engine->is_thinking;
    pthread_mutex_unlock(&engine->lock);
    return is_thinking;
}

void engine_clear(Engine *engine) {
    if (engine->search)
        engine->search->free(engine->search);
    if (engine->solver)
        engine->solver->free(engine->solver);
    engine->search = NULL;
    engine->solver = NULL;
}
