#include "values/search_solver.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "game/outcomes.h"

#define USUAL_SECONDS 5

typedef struct Searching {
    Solver base;
    Variant variant;
    Search *search;
    SearchBudget budget;
} Searching;

static void tell_depth(const SearchResult *result, Text *text) {
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
    tell_depth(result, text);
    text_add(text, "; best line");
    for (size_t i = 0; i < result->line_length; i++) {
        text_add_char(text, ' ');
        variant->game->text.print_move(&variant->rules, &at, result->line[i], LANG_EN, text);
        variant->game->tree.apply(&variant->rules, &at, result->line[i]);
    }
}

/* What a search found, to both players. */
static void spread(const Searching *searching, const State *state, double value, double values[]) {
    int player = searching->variant.game->tree.turn(&searching->variant.rules, state);
    values[player] = value;
    values[1 - player] = 1 - value;
}

/* --- the position alone --- */

static void evaluate_position(Searching *searching, const State *state, Evaluation *evaluation) {
    SearchResult result;
    Text note = text_over(evaluation->note, sizeof evaluation->note);
    searching->search->think(searching->search, state, &searching->budget, &result);
    spread(searching, state, result.value, evaluation->values);
    evaluation->is_estimate = !result.is_proven;
    evaluation->move_count = 1;
    evaluation->moves[0] = (MoveValue){
        .move = result.line[0], .value = result.value, .is_estimate = !result.is_proven};
    search_solver_describe(&searching->variant, state, &result, &note);
}

static Status values(Solver *base, const State *state, double values[]) {
    Searching *searching = (Searching *)base;
    const Variant *variant = &searching->variant;
    if (variant->game->tree.actor(&variant->rules, state) == GAME_END) {
        variant->game->tree.payoff(&variant->rules, state, values);
        return status_ok();
    }
    SearchResult result;
    searching->search->think(searching->search, state, &searching->budget, &result);
    spread(searching, state, result.value, values);
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    tell_depth(&result, &text);
    return result.is_proven ? status_ok() : status_make(STATUS_TABLE, "no proof: looked %s", bytes);
}

/* --- and its moves --- */

typedef struct Weighing {
    Searching *searching;
    const State *state;
    double end; /* the time to stop at */
    Evaluation *evaluation;
    SearchResult results[GAME_MOVES_MAX]; /* of the states after the moves */
    uint64_t nodes;
    const char *source; /* where the position was looked up, so that moves can be, too; or NULL */
} Weighing;

/* Looks `depth` plies ahead from where a move leads to. False when there was no time for it. */
static bool weigh_move(Weighing *weighing, size_t at, int depth) {
    Searching *searching = weighing->searching;
    const Variant *variant = &searching->variant;
    const GameOutcomes *outcomes = variant->game->outcomes;
    MoveValue *move = &weighing->evaluation->moves[at];
    double values[GAME_PLAYERS_MAX];
    State next = *weighing->state;
    variant->game->tree.apply(&variant->rules, &next, move->move);
    if (variant->game->tree.actor(&variant->rules, &next) == GAME_END) {
        variant->game->tree.payoff(&variant->rules, &next, values);
        move->is_estimate = false;
    } else {
        SearchResult result;
        SearchBudget budget = searching->budget;
        budget.depth = depth;
        budget.value_only = true;
        budget.may_look_up = weighing->source != NULL;
        budget.seconds = weighing->end - progress_clock_s();
        if (depth > 1 && budget.seconds <= 0)
            return false;
        if (budget.seconds <= 0)
            budget.seconds = 1e-9;
        searching->search->think(searching->search, &next, &budget, &result);
        weighing->nodes += result.nodes;
        if (depth > 1 && !result.is_proven && result.depth < depth)
            return false;
        weighing->results[at] = result;
        spread(searching, &next, result.value, values);
        move->is_estimate = !result.is_proven;
    }
    double value = values[weighing->evaluation->player];
    move->value = outcomes ? outcomes->before_move(value) : value;
    return true;
}

/* Deeper and deeper, every move that has no proof yet. Returns how deep all of them were looked
 * at. */
static int weigh_moves(Weighing *weighing) {
    Evaluation *evaluation = weighing->evaluation;
    int depth = 0;
    bool is_open = true;
    while (is_open && depth < SEARCH_DEPTH_MAX - 1) {
        is_open = false;
        for (size_t i = 0; i < evaluation->move_count; i++) {
            if (depth > 0 && !evaluation->moves[i].is_estimate)
                continue;
            if (!weigh_move(weighing, i, depth + 1))
                return depth;
            is_open = is_open || evaluation->moves[i].is_estimate;
        }
        depth++;
    }
    return depth;
}

/* The position is worth its best move; that is proven when it wins, or when all are. */
static void conclude(const Weighing *weighing, int depth, double seconds) {
    Searching *searching = weighing->searching;
    Evaluation *evaluation = weighing->evaluation;
    size_t best = 0;
    bool all = true;
    for (size_t i = 0; i < evaluation->move_count; i++) {
        all = all && !evaluation->moves[i].is_estimate;
        if (evaluation->moves[i].value > evaluation->moves[best].value)
            best = i;
    }
    double value = evaluation->moves[best].value;
    bool wins = !evaluation->moves[best].is_estimate && value > 0.5;
    spread(searching, weighing->state, value, evaluation->values);
    evaluation->is_estimate = !wins && !all;
    SearchResult result = {.source = all ? weighing->source : NULL,
                           .depth = depth + 1,
                           .nodes = weighing->nodes,
                           .seconds = seconds,
                           .line_length = 1,
                           .line = {evaluation->moves[best].move}};
    const SearchResult *rest = &weighing->results[best];
    for (size_t i = 0; i < rest->line_length && result.line_length < SEARCH_LINE_MAX; i++)
        result.line[result.line_length++] = rest->line[i];
    Text note = text_over(evaluation->note, sizeof evaluation->note);
    search_solver_describe(&searching->variant, weighing->state, &result, &note);
}

static Status evaluate(Solver *base, const State *state, bool with_moves, Evaluation *evaluation) {
    Searching *searching = (Searching *)base;
    const Variant *variant = &searching->variant;
    if (!with_moves) {
        evaluate_position(searching, state, evaluation);
        return status_ok();
    }
    Weighing *weighing = calloc(1, sizeof *weighing);
    Move moves[GAME_MOVES_MAX];
    if (!weighing)
        return status_make(STATUS_FAILED, "out of memory");
    double begin = progress_clock_s();
    weighing->searching = searching;
    weighing->state = state;
    weighing->evaluation = evaluation;
    weighing->end = begin + searching->budget.seconds;
    evaluation->move_count = variant->game->tree.moves(&variant->rules, state, moves);
    for (size_t i = 0; i < evaluation->move_count; i++)
        evaluation->moves[i] = (MoveValue){.move = moves[i], .order = i};
    SearchResult glance;
    const SearchBudget least = {
        .depth = 1, .threads = 1, .value_only = true, .may_look_up = searching->budget.may_look_up};
    searching->search->think(searching->search, state, &least, &glance);
    weighing->source = glance.source;
    int depth = weigh_moves(weighing);
    conclude(weighing, depth, progress_clock_s() - begin);
    free(weighing);
    return status_ok();
}

static void free_searching(Solver *base) {
    Searching *searching = (Searching *)base;
    searching->search->free(searching->search);
    free(searching);
}

Status search_solver_new(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    assert(variant->game->search && variant->game->rules.player_count(&variant->rules) == 2);
    Searching *searching = calloc(1, sizeof *searching);
    if (!searching)
        return status_make(STATUS_FAILED, "out of memory");
    searching->base = (Solver){.method = "search",
                               .kind = VALUE_PROVEN,
                               .values = values,
                               .evaluate = evaluate,
                               .free = free_searching};
    searching->variant = *variant;
    searching->budget =
        (SearchBudget){.seconds = limits->seconds > 0 ? limits->seconds : USUAL_SECONDS,
                       .threads = limits->threads,
                       .may_look_up = !limits->search_only,
                       .stop = limits->stop};
    Status status = variant->game->search->open(&variant->rules, limits, &searching->search);
    if (!status_is_ok(&status)) {
        free(searching);
        return status;
    }
    *solver = &searching->base;
    return status;
}
