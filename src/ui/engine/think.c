/* The threads that end a search: one thinks, by iterative deepening with a game's own search or by
 * the values of a solver, and one watches the clock. */
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "game/estimate.h"
#include "game/outcomes.h"
#include "ui/engine/engine.h"
#include "values/evaluate.h"
#include "values/policy.h"

/* A line of moves, each of up to GAME_TEXT_BYTES. */
enum { LINE_TEXT_BYTES = 4096, CENTIPAWNS_MAX = 10000 };

/* Prints one line; `lock` is held. */
static void print_line(Engine *engine, const char *format, va_list arguments) {
    vfprintf(engine->out, format, arguments);
    putc('\n', engine->out);
    fflush(engine->out);
}

void engine_print(Engine *engine, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&engine->lock);
    print_line(engine, format, arguments);
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

/* Sets the best move so far and prints what is known about it, unless `bestmove` was said. */
__attribute__((format(printf, 3, 4))) static void report_best(Engine *engine, Move best,
                                                              const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&engine->lock);
    if (engine->is_thinking) {
        engine->best = best;
        print_line(engine, format, arguments);
    }
    pthread_mutex_unlock(&engine->lock);
    va_end(arguments);
}

/* Says `bestmove`, unless it was said; `lock` is held. */
static bool answer(Engine *engine) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (!engine->is_thinking)
        return false;
    engine->variant.game->text.print_move(&engine->variant.rules, position_of(engine), engine->best,
                                          LANG_EN, &text);
    fprintf(engine->out, "bestmove %s\n", bytes);
    fflush(engine->out);
    engine->is_thinking = false;
    pthread_cond_broadcast(&engine->answered);
    return true;
}

/* Adds the value as other engines write it: `cp N`, hundredths, or `mate N`, the mover's own moves
 * until the end. A chance of winning becomes the centipawns of a chess engine that expects it. */
static void add_score(const Variant *variant, double value, bool is_estimate, Text *text) {
    const GameOutcomes *outcomes = variant->game->outcomes;
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    double odds = fmax(-CENTIPAWNS_MAX, fmin(CENTIPAWNS_MAX, 400 * log10(value / (1 - value))));
    double centipawns = info.is_counted ? 100 * value : odds;
    if (info.lower_is_better)
        centipawns = -centipawns;
    if (outcomes && !is_estimate) {
        Outcome outcome = outcomes->decode(value);
        centipawns = 0; /* endless */
        if (outcome.kind != OUTCOME_ENDLESS) {
            text_addf(text, "mate %d",
                      outcome.kind == OUTCOME_WIN ? (outcome.plies + 1) / 2 : -(outcome.plies / 2));
            return;
        }
    }
    text_addf(text, "cp %.0f", centipawns);
}

static void report_depth(Engine *engine, const SearchResult *result, uint64_t nodes,
                         double seconds) {
    char line[LINE_TEXT_BYTES], number[32];
    Text pv = text_over(line, sizeof line), score = text_over(number, sizeof number);
    add_line(&engine->variant, position_of(engine), result->line, result->line_length, &pv);
    add_score(&engine->variant, result->value, !result->is_proven, &score);
    report_best(engine, result->line[0],
                "info depth %d score %s value %.6f kind %s time %.0f nodes %" PRIu64 " pv%s",
                result->depth, number, result->value, result->is_proven ? "proven" : "estimate",
                1000 * seconds, nodes, line);
}

/* Searches deeper and deeper within the goal. */
static void search_position(Engine *engine) {
    const EngineGoal *goal = &engine->goal;
    double begin_s = progress_clock_s();
    uint64_t nodes = 0;
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
        report_depth(engine, &result, nodes, progress_clock_s() - begin_s);
        if (result.is_proven)
            break;
    }
}

/* Takes the best move by the values of a solver. */
static Status look_up_position(Engine *engine) {
    static const char *const kinds[] = {[VALUE_EXACT] = "exact",
                                        [VALUE_PROVEN] = "proven",
                                        [VALUE_EQUILIBRIUM] = "equilibrium",
                                        [VALUE_ESTIMATE] = "estimate"};
    double begin_s = progress_clock_s();
    char line[LINE_TEXT_BYTES], number[32];
    Text pv = text_over(line, sizeof line), score = text_over(number, sizeof number);
    Evaluation *evaluation = malloc(sizeof *evaluation);
    Status status = evaluation ? evaluate_state(&engine->variant, engine->solver,
                                                position_of(engine), evaluation)
                               : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status)) {
        Move best = evaluation->moves[0].move;
        double value = evaluation->values[evaluation->player];
        add_line(&engine->variant, position_of(engine), &best, 1, &pv);
        add_score(&engine->variant, value, evaluation->kind == VALUE_ESTIMATE, &score);
        report_best(engine, best, "info score %s value %.6f kind %s time %.0f pv%s", number, value,
                    kinds[evaluation->kind], 1000 * (progress_clock_s() - begin_s), line);
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

void engine_prepare(Engine *engine) {
    engine->stop = false;
    open_search_or_solver(engine);
}

/* The move to play if the search ends before it has found one: the first with the best static
 * evaluation, or the first legal move where there is no evaluation. */
static Move choose_at_once(const Engine *engine) {
    const Variant *variant = &engine->variant;
    const Game *game = variant->game;
    const State *state = position_of(engine);
    Move moves[GAME_MOVES_MAX];
    size_t count = game->tree.moves(&variant->rules, state, moves), best = 0;
    int player = game->tree.actor(&variant->rules, state);
    double sign = game->rules.value_info(&variant->rules).lower_is_better ? -1 : 1, most = 0;
    for (size_t i = 0; game->estimate && i < count; i++) {
        State next = *state;
        double values[GAME_PLAYERS_MAX];
        game->tree.apply(&variant->rules, &next, moves[i]);
        game->estimate->values(&variant->rules, &next, values);
        if (i == 0 || sign * values[player] > most) {
            most = sign * values[player];
            best = i;
        }
    }
    return moves[best];
}

static void *run_thinker(void *context) {
    Engine *engine = context;
    Status status = open_search_or_solver(engine);
    if (status_is_ok(&status) && engine->search)
        search_position(engine);
    else if (status_is_ok(&status))
        status = look_up_position(engine);
    if (!status_is_ok(&status) && status.code != STATUS_STOPPED && engine_is_thinking(engine))
        engine_print(engine, "info string error: %s", status.message);
    pthread_mutex_lock(&engine->lock);
    if (!engine->goal.infinite) /* which only `stop` ends */
        answer(engine);
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

/* The scheduler's attributes of a thread, as the Linux kernel defines them. */
typedef struct SchedulerAttributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
} SchedulerAttributes;

/* Since Linux 6.12, an ordinary thread can ask for short turns, and in return is woken sooner. Its
 * share of the processor stays the same. Elsewhere, nothing happens. */
void engine_answer_promptly(void) {
#if defined(SYS_sched_setattr) && defined(SYS_sched_getattr)
    const uint64_t reset_on_fork = 1, shortest_ns = 100000;
    SchedulerAttributes attributes = {.size = sizeof attributes};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 ||
        attributes.policy != SCHED_OTHER)
        return;
    attributes.flags |= reset_on_fork;
    attributes.runtime_ns = shortest_ns;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

/* Ends the search when its time is up. */
static void *run_watcher(void *context) {
    Engine *engine = context;
    double seconds = engine->goal.seconds;
    engine_answer_promptly();
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += (time_t)seconds;
    deadline.tv_nsec += (long)(1e9 * (seconds - floor(seconds)));
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&engine->lock);
    while (engine->is_thinking &&
           pthread_cond_timedwait(&engine->answered, &engine->lock, &deadline) == 0) {
    }
    engine->stop = true;
    answer(engine);
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

Status engine_start_thinking(Engine *engine, const EngineGoal *goal) {
    engine_join_threads(engine);
    engine->goal = *goal;
    engine->thinking_about = engine->states[engine->state_count - 1];
    engine->best = choose_at_once(engine);
    engine->stop = false;
    engine->is_thinking = true;
    engine->has_thinker = pthread_create(&engine->thinker, NULL, run_thinker, engine) == 0;
    if (!engine->has_thinker) {
        engine->is_thinking = false;
        return status_make(STATUS_FAILED, "cannot start a thread");
    }
    /* Without this thread, the thinking thread still watches the clock. */
    engine->has_watcher = goal->seconds > 0 && !goal->infinite &&
                          pthread_create(&engine->watcher, NULL, run_watcher, engine) == 0;
    return status_ok();
}

bool engine_stop_thinking(Engine *engine) {
    pthread_mutex_lock(&engine->lock);
    engine->stop = true;
    bool has_answered = answer(engine);
    pthread_mutex_unlock(&engine->lock);
    return has_answered;
}

void engine_join_threads(Engine *engine) {
    if (engine->has_thinker)
        pthread_join(engine->thinker, NULL);
    if (engine->has_watcher)
        pthread_join(engine->watcher, NULL);
    engine->has_thinker = engine->has_watcher = false;
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
