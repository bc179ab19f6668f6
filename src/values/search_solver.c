#include "values/search_solver.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "game/outcomes.h"

#define DEFAULT_SECONDS 5

typedef struct SearchSolver {
    Solver base;
    Variant variant;
    Search *search;
    SearchBudget budget;
} SearchSolver;

static void describe_depth(const SearchResult *result, Text *text) {
    if (result->source) {
        text_addf(text, "from %s", result->source);
        return;
    }
    text_addf(text, "%d plies ahead, %" PRIu64 " positions in %.2f s", result->depth, result->nodes,
              result->seconds);
    if (result->seconds > 0.01)
        text_addf(text, ", %.1f million a second", 1e-6 * (double)result->nodes / result->seconds);
}

void search_solver_describe(const Variant *variant, const State *state, const SearchResult *result,
                            Text *text) {
    State at = *state;
    describe_depth(result, text);
    text_add(text, "; best line");
    for (size_t i = 0; i < result->line_length; i++) {
        text_add_char(text, ' ');
        variant->game->text.print_move(&variant->rules, &at, result->line[i], LANG_EN, text);
        variant->game->tree.apply(&variant->rules, &at, result->line[i]);
    }
}

/* Sets the value to each player from the value to the player to move. */
static void set_values(const SearchSolver *solver, const State *state, double value,
                       double values[]) {
    int player = solver->variant.game->tree.turn(&solver->variant.rules, state);
    values[player] = value;
    values[1 - player] = 1 - value;
}

/* --- the position alone --- */

static void evaluate_position(SearchSolver *solver, const State *state, Evaluation *evaluation) {
    SearchResult result;
    Text note = text_over(evaluation->note, sizeof evaluation->note);
    solver->search->think(solver->search, state, &solver->budget, &result);
    set_values(solver, state, result.value, evaluation->values);
    evaluation->kind = result.is_proven ? VALUE_PROVEN : VALUE_ESTIMATE;
    evaluation->move_count = 1;
    evaluation->moves[0] = (MoveValue){
        .move = result.line[0], .value = result.value, .is_estimate = !result.is_proven};
    search_solver_describe(&solver->variant, state, &result, &note);
}

static Status values(Solver *base, const State *state, double values[]) {
    SearchSolver *solver = (SearchSolver *)base;
    const Variant *variant = &solver->variant;
    if (variant->game->tree.actor(&variant->rules, state) == GAME_END) {
        variant->game->tree.payoff(&variant->rules, state, values);
        return status_ok();
    }
    SearchResult result;
    solver->search->think(solver->search, state, &solver->budget, &result);
    set_values(solver, state, result.value, values);
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    describe_depth(&result, &text);
    return result.is_proven ? status_ok()
                            : status_make(STATUS_TABLE, "no proof: searched %s", bytes);
}

/* --- the position and its moves --- */

/* A search of every move of a position, one ply deeper each time. */
typedef struct MoveSearch {
    SearchSolver *solver;
    const State *state;
    double end_s; /* when to stop, as progress_clock_s tells time */
    Evaluation *evaluation;
    SearchResult *results; /* of the states after the moves; line_length 0: not searched */
    uint64_t nodes;
    const char *source; /* where the position was looked up, so that moves may be, too; or NULL */
} MoveSearch;

/* Searches the state after a move to `depth` plies. False if the time did not suffice. */
static bool search_move(MoveSearch *work, size_t at, int depth) {
    SearchSolver *solver = work->solver;
    const Variant *variant = &solver->variant;
    const GameOutcomes *outcomes = variant->game->outcomes;
    MoveValue *move = &work->evaluation->moves[at];
    double values[GAME_PLAYERS_MAX];
    State next = *work->state;
    variant->game->tree.apply(&variant->rules, &next, move->move);
    if (variant->game->tree.actor(&variant->rules, &next) == GAME_END) {
        variant->game->tree.payoff(&variant->rules, &next, values);
        move->is_estimate = false;
    } else {
        SearchResult result;
        SearchBudget budget = solver->budget;
        budget.depth = depth;
        budget.value_only = true;
        budget.may_look_up = work->source != NULL;
        budget.seconds = work->end_s - progress_clock_s();
        if (depth > 1 && budget.seconds <= 0)
            return false;
        if (budget.seconds <= 0)
            budget.seconds = 1e-9;
        solver->search->think(solver->search, &next, &budget, &result);
        work->nodes += result.nodes;
        if (depth > 1 && !result.is_proven && result.depth < depth)
            return false;
        work->results[at] = result;
        set_values(solver, &next, result.value, values);
        move->is_estimate = !result.is_proven;
    }
    double value = values[work->evaluation->player];
    move->value = outcomes ? outcomes->before_move(value) : value;
    return true;
}

/* Iterative deepening over all moves that have no proof yet. Returns the depth to which all of them
 * were searched. */
static int deepen_moves(MoveSearch *work) {
    Evaluation *evaluation = work->evaluation;
    int depth = 0;
    bool is_open = true;
    while (is_open && depth < SEARCH_DEPTH_MAX - 1) {
        is_open = false;
        for (size_t i = 0; i < evaluation->move_count; i++) {
            if (depth > 0 && !evaluation->moves[i].is_estimate)
                continue;
            if (!search_move(work, i, depth + 1))
                return depth;
            is_open = is_open || evaluation->moves[i].is_estimate;
        }
        depth++;
    }
    return depth;
}

/* The value of the position is that of its best move. It is proven if that move wins, or if all
 * moves are proven. */
static void finish_evaluation(const MoveSearch *work, int depth, double seconds) {
    SearchSolver *solver = work->solver;
    Evaluation *evaluation = work->evaluation;
    size_t best = 0;
    bool all = true;
    for (size_t i = 0; i < evaluation->move_count; i++) {
        all = all && !evaluation->moves[i].is_estimate;
        if (evaluation->moves[i].value > evaluation->moves[best].value)
            best = i;
    }
    double value = evaluation->moves[best].value;
    bool wins = !evaluation->moves[best].is_estimate && value > 0.5;
    set_values(solver, work->state, value, evaluation->values);
    evaluation->kind = wins || all ? VALUE_PROVEN : VALUE_ESTIMATE;
    SearchResult result = {.source = all ? work->source : NULL,
                           .depth = depth + 1,
                           .nodes = work->nodes,
                           .seconds = seconds,
                           .line_length = 1,
                           .line = {evaluation->moves[best].move}};
    const SearchResult *rest = &work->results[best];
    for (size_t i = 0; i < rest->line_length && result.line_length < SEARCH_LINE_MAX; i++)
        result.line[result.line_length++] = rest->line[i];
    Text note = text_over(evaluation->note, sizeof evaluation->note);
    search_solver_describe(&solver->variant, work->state, &result, &note);
}

static Status evaluate(Solver *base, const State *state, bool with_moves, Evaluation *evaluation) {
    SearchSolver *solver = (SearchSolver *)base;
    const Variant *variant = &solver->variant;
    if (!with_moves) {
        evaluate_position(solver, state, evaluation);
        return status_ok();
    }
    double begin_s = progress_clock_s();
    Move moves[GAME_MOVES_MAX];
    evaluation->move_count = variant->game->tree.moves(&variant->rules, state, moves);
    MoveSearch work = {.solver = solver,
                       .state = state,
                       .end_s = begin_s + solver->budget.seconds,
                       .evaluation = evaluation,
                       .results = malloc(evaluation->move_count * sizeof *work.results)};
    if (!work.results)
        return status_make(STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < evaluation->move_count; i++) {
        evaluation->moves[i] = (MoveValue){.move = moves[i], .order = i};
        work.results[i].line_length = 0;
    }
    SearchResult glance;
    const SearchBudget least = {
        .depth = 1, .threads = 1, .value_only = true, .may_look_up = solver->budget.may_look_up};
    solver->search->think(solver->search, state, &least, &glance);
    work.source = glance.source;
    int depth = deepen_moves(&work);
    finish_evaluation(&work, depth, progress_clock_s() - begin_s);
    free(work.results);
    return status_ok();
}

static void free_search_solver(Solver *base) {
    SearchSolver *solver = (SearchSolver *)base;
    solver->search->free(solver->search);
    free(solver);
}

Status search_solver_new(const Variant *variant, const SolveLimits *limits, Solver **opened) {
    assert(variant->game->search && variant->game->rules.player_count(&variant->rules) == 2);
    SearchSolver *solver = calloc(1, sizeof *solver);
    if (!solver)
        return status_make(STATUS_FAILED, "out of memory");
    solver->base = (Solver){.method = "search",
                            .kind = VALUE_PROVEN,
                            .values = values,
                            .evaluate = evaluate,
                            .free = free_search_solver};
    solver->variant = *variant;
    solver->budget =
        (SearchBudget){.seconds = limits->seconds > 0 ? limits->seconds : DEFAULT_SECONDS,
                       .threads = limits->threads,
                       .may_look_up = !limits->search_only,
                       .stop = limits->stop};
    Status status = variant->game->search->open(&variant->rules, limits, &solver->search);
    if (!status_is_ok(&status)) {
        free(solver);
        return status;
    }
    *opened = &solver->base;
    return status;
}
