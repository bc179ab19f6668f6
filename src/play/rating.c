#include "play/rating.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "play/workers.h"
#include "values/evaluate.h"

enum { STEPS_MAX = 100000 };

/* Draws one of the states of a random game at which a player chooses, all with the same chance.
 * False if there was none. */
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
            /* Reservoir sampling: the n-th replaces the one before with a chance of 1 in n. */
            if (random_below(random, ++choices) == 0)
                *position = state;
            move = moves[random_below(random, game->tree.moves(rules, &state, moves))];
        }
        game->tree.apply(rules, &state, move);
    }
    return choices > 0;
}

/* What all workers of a rating share. */
typedef struct RatingWork {
    const Variant *variant;
    const RatingPlan *plan;
} RatingWork;

/* What the chosen move is worth beside the best one. */
typedef struct Choice {
    double best, chosen;
} Choice;

static Choice find_choice(const Evaluation *evaluation, Move move) {
    size_t chosen = 0;
    while (evaluation->moves[chosen].move != move) {
        chosen++;
        assert(chosen < evaluation->move_count);
    }
    return (Choice){.best = evaluation->moves[0].value, .chosen = evaluation->moves[chosen].value};
}

static Status rate_position(const void *context, Worker *worker, uint64_t index, void *result) {
    const RatingWork *work = context;
    const Variant *variant = work->variant;
    Evaluation *evaluation = worker->room;
    State position;
    Move move;
    Random random = random_from_seed(work->plan->seed, index);
    if (!draw_position(variant, &random, &position))
        return status_make(STATUS_UNSUPPORTED, "no player ever has a choice in this game");
    Status status = worker->players[0]->choose(worker->players[0], &position, &random, &move);
    if (status_is_ok(&status))
        status = evaluate_state(variant, worker->solver, &position, evaluation);
    if (status_is_ok(&status))
        *(Choice *)result = find_choice(evaluation, move);
    return status;
}

static void add_choice(void *sum, const void *result) {
    Rating *rating = sum;
    const Choice *choice = result;
    double lost = fabs(choice->best - choice->chosen);
    rating->positions++;
    rating->best += !solver_exceeds(lost, SOLVER_TIE * fabs(choice->best));
    rating->given_away += lost;
    rating->won += choice->best > 0.5;
    rating->kept += choice->best > 0.5 && choice->chosen > 0.5;
}

static Status open_room(const void *context, const SolveLimits *limits, void **room) {
    (void)context, (void)limits;
    *room = malloc(sizeof(Evaluation));
    return *room ? status_ok() : status_make(STATUS_FAILED, "out of memory");
}

Status rating_run(const Variant *variant, const RatingPlan *plan, const SolveLimits *limits,
                  Rating *rating) {
    const RatingWork work = {.variant = variant, .plan = plan};
    const WorkerJobs jobs = {.variant = variant,
                             .seats = &plan->player,
                             .seat_count = 1,
                             .needs_solver = true,
                             .count = plan->positions,
                             .what = "rating",
                             .units = 1,
                             .result_bytes = sizeof(Choice),
                             .sum_bytes = sizeof *rating,
                             .sum = rating,
                             .exchange = plan->exchange,
                             .context = &work,
                             .open_room = open_room,
                             .close_room = free,
                             .run = rate_position,
                             .add = add_choice};
    if (!plan->player.kind->open)
        return status_make(STATUS_USAGE, "%s cannot be rated: it is a person",
                           plan->player.kind->name);
    Status status = workers_run(&jobs, limits);
    if (!status_is_ok(&status))
        return status;
    rating->given_away /= (double)rating->positions;
    if (variant->game->rules.value_info(&variant->rules).lower_is_better)
        rating->won = rating->kept = 0;
    return status;
}
