#include "play/rating.h"

#include <math.h>
#include <stdlib.h>

#include "values/evaluate.h"
#include "values/playout.h"
#include "values/policy.h"

enum { STEPS_MAX = 100000 };

/* One of the states of a random game at which somebody chooses, each as likely. False when the game
 * had none. */
static bool draw_position(const Variant *variant, Random *random, State *position) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    State state = game->tree.start(rules);
    uint64_t choices = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
        int actor = game->tree.actor(rules, &state);
        if (actor == GAME_END)
            break;
        Move move;
        if (actor == GAME_CHANCE) {
            move = variant_draw_chance(variant, &state, random);
        } else {
            Move moves[GAME_MOVES_MAX];
            /* The n-th takes the place of the one before with a chance of 1 in n. */
            if (random_below(random, ++choices) == 0)
                *position = state;
            move = moves[random_below(random, game->tree.moves(rules, &state, moves))];
        }
        game->tree.apply(rules, &state, move);
    }
    return choices > 0;
}

static void judge(const Variant *variant, const Evaluation *evaluation, Move chosen,
                  Rating *rating) {
    double best = evaluation->moves[0].value, worth = best;
    for (size_t i = 0; i < evaluation->move_count; i++)
        if (evaluation->moves[i].move == chosen)
            worth = evaluation->moves[i].value;
    double lost = fabs(best - worth);
    rating->positions++;
    rating->best += !solver_exceeds(lost, SOLVER_TIE * fabs(best));
    rating->given_away += lost;
    if (variant->game->rules.value_info(&variant->rules).lower_is_better)
        return;
    rating->won += best > 0.5;
    rating->kept += best > 0.5 && worth > 0.5;
}

static Status rate(const Variant *variant, const RatingPlan *plan, Player *player, Solver *solver,
                   Progress *progress, Rating *rating) {
    Evaluation *evaluation = malloc(sizeof *evaluation);
    Status status = evaluation ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    *rating = (Rating){.positions = 0};
    progress_start(progress, "rating");
    for (uint64_t i = 0; i < plan->positions && status_is_ok(&status); i++) {
        State position;
        Move chosen;
        Random random = random_from_seed(plan->seed, i);
        if (!draw_position(variant, &random, &position)) {
            status = status_make(STATUS_UNSUPPORTED, "nobody chooses anything in this game");
            break;
        }
        status = player->choose(player, &position, &random, &chosen);
        if (status_is_ok(&status))
            status = evaluate_state(variant, solver, &position, evaluation);
        if (status_is_ok(&status))
            judge(variant, evaluation, chosen, rating);
        progress_report(progress, i + 1, plan->positions);
    }
    progress_finish(progress);
    if (rating->positions > 0)
        rating->given_away /= (double)rating->positions;
    free(evaluation);
    return status;
}

Status rating_run(const Variant *variant, const RatingPlan *plan, const SolveLimits *limits,
                  Rating *rating) {
    Solver *solver = NULL;
    Player *player = NULL;
    if (!plan->player.kind->open)
        return status_make(STATUS_USAGE, "%s cannot be rated: it is a person",
                           plan->player.kind->name);
    Status status = values_open_exact(variant, limits, &solver);
    if (!status_is_ok(&status))
        return status;
    status = seat_open(&plan->player, variant, limits, &solver, &player);
    if (status_is_ok(&status)) {
        status = rate(variant, plan, player, solver, limits->progress, rating);
        player->free(player);
    }
    solver->free(solver);
    return status;
}
