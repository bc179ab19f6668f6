#include "play/review.h"

#include <stdlib.h>

#include "values/evaluate.h"

/* Evaluates a state and its moves, or the end of the game. */
static Status evaluate_position(const Variant *variant, Solver *solver, const State *state,
                                Evaluation *evaluation) {
    if (variant->game->tree.actor(&variant->rules, state) != GAME_END)
        return evaluate_state(variant, solver, state, evaluation);
    evaluate_end(variant, state, evaluation);
    return status_ok();
}

/* Sets the best move, and what the move that was made lost against it. */
static void set_loss(const Evaluation *evaluation, Move move, ReviewStep *step) {
    step->best = evaluation->moves[0].move;
    for (size_t i = 0; i < evaluation->move_count; i++) {
        if (evaluation->moves[i].move != move)
            continue;
        double loss = evaluation->moves[0].value - evaluation->moves[i].value;
        step->loss = loss < 0 ? -loss : loss;
        step->is_estimate = evaluation->moves[0].is_estimate || evaluation->moves[i].is_estimate;
    }
}

/* Credits the change that a step made to each player's luck, skill or the others' account. `after`
 * holds the values after the step. */
static void credit_step(Review *review, ReviewStep *step, const double after[], int players) {
    for (int i = 0; i < players; i++) {
        double change = after[i] - step->values[i];
        double *account = i != step->player ? &review->others[i]
                          : step->is_chance ? &review->luck[i]
                                            : &review->skill[i];
        *account += change;
        if (i == step->player && step->is_chance)
            step->luck = change;
    }
}

static Status review_steps(const Record *record, Solver *solver, const StopFlag *stop,
                           Evaluation *evaluation, Review *review) {
    const Variant *variant = &record->variant;
    int players = variant->game->rules.player_count(&variant->rules);
    for (size_t i = 0; i <= record->step_count; i++) {
        if (stop && *stop)
            return status_make(STATUS_STOPPED, "stopped");
        Status status = evaluate_position(variant, solver, &record->states[i], evaluation);
        if (!status_is_ok(&status))
            return status;
        bool is_estimate = evaluation->kind == VALUE_ESTIMATE;
        review->has_estimates = review->has_estimates || is_estimate;
        double *values = i < record->step_count ? review->steps[i].values : review->end;
        for (int j = 0; j < players; j++) {
            values[j] = evaluation->values[j];
            if (i == 0)
                review->start[j] = evaluation->values[j];
        }
        if (i > 0)
            credit_step(review, &review->steps[i - 1], values, players);
        if (i == record->step_count)
            break;
        ReviewStep *step = &review->steps[i];
        step->is_chance =
            variant->game->tree.actor(&variant->rules, &record->states[i]) == GAME_CHANCE;
        step->player = variant->game->tree.turn(&variant->rules, &record->states[i]);
        step->is_estimate = is_estimate;
        if (!step->is_chance)
            set_loss(evaluation, record->moves[i], step);
    }
    return status_ok();
}

Status review_make(const Record *record, Solver *solver, const StopFlag *stop, Review *review) {
    *review = (Review){.step_count = record->step_count};
    review->steps = calloc(record->step_count + 1, sizeof *review->steps);
    Evaluation *evaluation = malloc(sizeof *evaluation);
    Status status = review->steps && evaluation
                        ? review_steps(record, solver, stop, evaluation, review)
                        : status_make(STATUS_FAILED, "out of memory");
    free(evaluation);
    return status;
}

void review_close(Review *review) {
    free(review->steps);
    *review = (Review){.steps = NULL};
}
