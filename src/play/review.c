#include "play/review.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/outcomes.h"

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

/* --- verdicts --- */

/* Losses up to this are rounding. */
#define NO_LOSS 1e-9

/* How good an outcome is. */
static int rank_of(OutcomeKind kind) {
    return kind == OUTCOME_LOSS ? 0 : kind == OUTCOME_ENDLESS ? 1 : 2;
}

/* The rank of the outcome to `player` before step `index`, or at the end of the record. False if it
 * is not known. */
static bool find_rank(const Record *record, const Review *review, size_t index, int player,
                      int *rank) {
    const Variant *variant = &record->variant;
    if (index < review->step_count) {
        const ReviewStep *step = &review->steps[index];
        *rank = rank_of(variant->game->outcomes->decode(step->values[player]).kind);
        return !step->is_estimate;
    }
    *rank = review->end[player] >= 1 ? 2 : review->end[player] <= 0 ? 0 : 1;
    return variant->game->tree.actor(&variant->rules, &record->states[index]) == GAME_END;
}

static ReviewVerdict judge_outcome(const Record *record, const Review *review, size_t index) {
    int before, after, player = review->steps[index].player;
    if (!find_rank(record, review, index, player, &before) ||
        !find_rank(record, review, index + 1, player, &after))
        return REVIEW_GOOD;
    return after >= before ? REVIEW_SLOW : before - after == 2 ? REVIEW_BLUNDER : REVIEW_MISTAKE;
}

static ReviewVerdict judge_loss(double loss, bool is_counted) {
    static const double limits[2][3] = {{0.02, 0.05, 0.1}, {2, 6, 15}};
    const double *limit = limits[is_counted];
    return loss >= limit[2]   ? REVIEW_BLUNDER
           : loss >= limit[1] ? REVIEW_MISTAKE
           : loss >= limit[0] ? REVIEW_SMALL
                              : REVIEW_GOOD;
}

/* Judges all steps, whose values and losses are known. */
static void judge_steps(const Record *record, Review *review) {
    const Variant *variant = &record->variant;
    bool is_counted = variant->game->rules.value_info(&variant->rules).is_counted;
    bool has_outcomes = false;
    for (size_t i = 0; i < review->step_count; i++)
        has_outcomes = has_outcomes || (variant->game->outcomes && !review->steps[i].is_estimate);
    for (size_t i = 0; i < review->step_count; i++) {
        ReviewStep *step = &review->steps[i];
        step->verdict = step->is_chance         ? REVIEW_NONE
                        : step->loss <= NO_LOSS ? REVIEW_BEST
                        : has_outcomes          ? judge_outcome(record, review, i)
                                                : judge_loss(step->loss, is_counted);
    }
}

const char *review_verdict_name(ReviewVerdict verdict) {
    static const char *const names[REVIEW_VERDICT_COUNT] = {
        [REVIEW_BEST] = "best",   [REVIEW_GOOD] = "good",       [REVIEW_SLOW] = "slow",
        [REVIEW_SMALL] = "small", [REVIEW_MISTAKE] = "mistake", [REVIEW_BLUNDER] = "blunder"};
    assert(verdict < REVIEW_VERDICT_COUNT);
    return names[verdict];
}

size_t review_list_worst(const Review *review, size_t worst[], size_t capacity) {
    size_t count = 0;
    for (size_t i = 0; i < review->step_count; i++) {
        double loss = review->steps[i].loss;
        if (review->steps[i].is_chance || loss <= NO_LOSS)
            continue;
        size_t place = count;
        while (place > 0 && review->steps[worst[place - 1]].loss < loss)
            place--;
        if (place == capacity)
            continue;
        if (count < capacity)
            count++;
        memmove(worst + place + 1, worst + place, (count - 1 - place) * sizeof worst[0]);
        worst[place] = i;
    }
    return count;
}

/* --- the review --- */

Status review_make(const Record *record, Solver *solver, const StopFlag *stop, Review *review) {
    *review = (Review){.step_count = record->step_count};
    review->steps = calloc(record->step_count + 1, sizeof *review->steps);
    Evaluation *evaluation = malloc(sizeof *evaluation);
    Status status = review->steps && evaluation
                        ? review_steps(record, solver, stop, evaluation, review)
                        : status_make(STATUS_FAILED, "out of memory");
    free(evaluation);
    if (status_is_ok(&status))
        judge_steps(record, review);
    return status;
}

void review_close(Review *review) {
    free(review->steps);
    *review = (Review){.steps = NULL};
}
