#include "values/evaluate.h"

#include <stdlib.h>

#include "game/outcomes.h"

static int by_rising_value(const void *a, const void *b) {
    double x = ((const MoveValue *)a)->value, y = ((const MoveValue *)b)->value;
    return (x > y) - (x < y);
}

static int by_falling_value(const void *a, const void *b) {
    return by_rising_value(b, a);
}

static int by_order(const void *a, const void *b) {
    size_t x = ((const MoveValue *)a)->order, y = ((const MoveValue *)b)->order;
    return (x > y) - (x < y);
}

/* Sorts by value, then puts each run of equally good moves into the game's own order. */
static void sort_moves(Evaluation *evaluation, bool lower_is_better) {
    MoveValue *moves = evaluation->moves;
    size_t count = evaluation->move_count;
    double sense = lower_is_better ? -1 : 1;
    qsort(moves, count, sizeof *moves, lower_is_better ? by_rising_value : by_falling_value);
    for (size_t first = 0; first < count;) {
        size_t next = first + 1;
        while (next < count &&
               !solver_exceeds(sense * moves[first].value, sense * moves[next].value))
            next++;
        qsort(moves + first, next - first, sizeof *moves, by_order);
        first = next;
    }
}

/* Evaluates each move by the state it leads to. */
static Status evaluate_moves(const Variant *variant, Solver *solver, const State *state,
                             Evaluation *evaluation) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    const GameOutcomes *outcomes = game->outcomes;
    Move moves[GAME_MOVES_MAX];
    evaluation->move_count = game->tree.moves(rules, state, moves);
    for (size_t i = 0; i < evaluation->move_count; i++) {
        State next = *state;
        double values[GAME_PLAYERS_MAX];
        game->tree.apply(rules, &next, moves[i]);
        Status status = solver->values(solver, &next, values);
        if (!status_is_ok(&status))
            return status;
        double value = values[evaluation->player];
        evaluation->moves[i] = (MoveValue){.move = moves[i],
                                           .value = outcomes ? outcomes->before_move(value) : value,
                                           .is_estimate = solver->kind == VALUE_ESTIMATE,
                                           .order = i};
    }
    return status_ok();
}

static Status evaluate(const Variant *variant, Solver *solver, const State *state, bool with_moves,
                       Evaluation *evaluation) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    ValueInfo info = game->rules.value_info(rules);
    bool is_choice = game->tree.actor(rules, state) >= 0;
    evaluation->player = game->tree.turn(rules, state);
    evaluation->move_count = 0;
    evaluation->kind = solver->kind;
    Text note = text_over(evaluation->note, sizeof evaluation->note);
    text_add(&note, solver->note ? solver->note : "");
    solver->widening = 0;
    if (solver->begin)
        solver->begin(solver, state);
    Status status = solver->evaluate && is_choice
                        ? solver->evaluate(solver, state, with_moves, evaluation)
                        : solver->values(solver, state, evaluation->values);
    if (status_is_ok(&status) && with_moves && is_choice && !solver->evaluate)
        status = evaluate_moves(variant, solver, state, evaluation);
    if (!status_is_ok(&status))
        return status;
    bool is_estimate = evaluation->kind == VALUE_ESTIMATE;
    evaluation->error = is_estimate ? INFINITY : solver->error + solver->widening;
    evaluation->typical_error =
        is_estimate && solver->typical_error > 0 ? solver->typical_error : NAN;
    if (solver->widening > 0 && !evaluation->note[0])
        text_addf(&note, "for lack of memory (--memory) these values are only known to within %.2g",
                  evaluation->error);
    sort_moves(evaluation, info.lower_is_better);
    return status;
}

Status evaluate_value(const Variant *variant, Solver *solver, const State *state,
                      Evaluation *evaluation) {
    return evaluate(variant, solver, state, false, evaluation);
}

Status evaluate_state(const Variant *variant, Solver *solver, const State *state,
                      Evaluation *evaluation) {
    return evaluate(variant, solver, state, true, evaluation);
}

void evaluate_end(const Variant *variant, const State *state, Evaluation *evaluation) {
    evaluation->player = variant->game->tree.turn(&variant->rules, state);
    evaluation->kind = VALUE_EXACT;
    evaluation->error = 0;
    evaluation->typical_error = NAN;
    evaluation->move_count = 0;
    evaluation->note[0] = '\0';
    variant->game->tree.payoff(&variant->rules, state, evaluation->values);
}

bool evaluate_has_estimates(const Evaluation *evaluation) {
    for (size_t i = 0; i < evaluation->move_count; i++)
        if (evaluation->moves[i].is_estimate)
            return true;
    return evaluation->kind == VALUE_ESTIMATE;
}
