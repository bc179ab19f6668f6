#include "games/yut/solve/single_fixpoint.h"

#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "games/yut/solve/single_lines.h"

enum { SHORT_SWEEPS_MAX = 5000, ENDLESS_SWEEPS_MAX = 200 };

#define SIDES_RESIDUAL 1e-10  /* wanted for three or four sides */
#define BOUNDS_BONUS 4e-9     /* the error allowed per turn for two sides */
#define BOUNDS_ROUNDING 1e-12 /* well above the rounding error of a turn */
#define BOUNDS_CUT_MAX 1e-6   /* the chance of more extras than are followed */
#define FIRST_GOAL 1e-3       /* short sweeps before the first full one end at this change */
#define SHORT_FALL 50         /* later ones end at this part of the last residual */

/* House rules that this solver does not know; NULL: none. */
static const char *find_unknown_rule(const YutRules *rules) {
    return rules->nak > 0                           ? "--nak"
           : rules->traps != 0                      ? "--traps"
           : rules->finish == YUT_FINISH_REACH      ? "--finish reach"
           : rules->finish == YUT_FINISH_SHORT      ? "--finish short"
           : rules->empty_back_do != YUT_EMPTY_SKIP ? "--empty-back-do"
           : rules->catch_bonus == YUT_BONUS_NEVER  ? "--catch-bonus never"
                                                    : NULL;
}

Status single_supports(const YutRules *rules) {
    const char *unknown = find_unknown_rule(rules);
    if (unknown)
        return status_make(STATUS_UNSUPPORTED, "yut with %s is solved for two players, not for %d",
                           unknown, rules->players);
    if (rules->pieces != 1)
        return status_make(STATUS_UNSUPPORTED,
                           "yut for %d players is solved with one piece each, not with %d",
                           rules->players, rules->pieces);
    for (int i = 1; rules->players == 4 && i < rules->players; i++)
        if (rules->animals[i] != rules->animals[0])
            return status_make(STATUS_UNSUPPORTED,
                               "yut for 4 players is only solved if all have the same animal");
    if (rules->players == 4 && rules->animals[0] == YUT_DOG)
        return status_make(STATUS_UNSUPPORTED,
                           "yut for 4 players is not solved with dogs: it would take minutes");
    SingleGame game;
    bool is_bound = rules->teams || rules->players == 2;
    single_game_init(rules, is_bound ? SINGLE_BOUNDS : SINGLE_SIDES, &game);
    if (is_bound && line_cut(&game) > BOUNDS_CUT_MAX)
        return status_make(STATUS_UNSUPPORTED,
                           "yut for two sides with one piece each is not solved if a player "
                           "throws again so often (dogs, or many yut and mo)");
    return status_ok();
}

/* The work on one table of values. */
typedef struct Work {
    SingleGame *game;
    const SolveLimits *limits;
    ThreadPool *pool;
    size_t numbers; /* in each of the arrays */
    SingleLines *brief, *full;
    double *fresh;       /* what a sweep has computed */
    double *corrections; /* what short sweeps add; NULL: nothing */
    double bonus;        /* added to upper bounds, subtracted from lower ones */
    double *changes;     /* [thread]: the largest in this sweep */
} Work;

/* --- sweeps --- */

static double bonus_of(const Work *work, size_t part) {
    return work->game->aim != SINGLE_BOUNDS ? 0 : part == SINGLE_UPPER ? work->bonus : -work->bonus;
}

static double largest_change(Work *work) {
    double largest = 0;
    for (int i = 0; i < work->limits->threads; i++) {
        largest = fmax(largest, work->changes[i]);
        work->changes[i] = 0;
    }
    return largest;
}

/* Stores the fresh value of a start. */
static void store_start(void *context, size_t index, int thread) {
    Work *work = context;
    const SingleGame *game = work->game;
    for (size_t part = 0; part < game->parts; part++) {
        size_t at = index * game->parts + part;
        double value = work->fresh[at] + bonus_of(work, part);
        if (work->corrections)
            value += work->corrections[at];
        work->changes[thread] = fmax(work->changes[thread], fabs(value - game->values[at]));
        game->values[at] = value;
    }
}

/* Recomputes every start with short lists. */
static Status sweep_short(Work *work, double *change) {
    Status status = single_lines_sweep(work->brief, work->pool, work->limits->stop, work->fresh,
                                       store_start, work);
    *change = largest_change(work);
    return status;
}

/* Computes every start with short and with full lists, changes no value, and notes by how much they
 * differ. */
static Status sweep_full(Work *work, double *residual) {
    const SingleGame *game = work->game;
    const StopFlag *stop = work->limits->stop;
    *residual = 0;
    Status status = single_lines_sweep(work->full, work->pool, stop, work->corrections, NULL, NULL);
    if (status_is_ok(&status))
        status = single_lines_sweep(work->brief, work->pool, stop, work->fresh, NULL, NULL);
    for (size_t i = 0; i < work->numbers && status_is_ok(&status); i++) {
        double value = work->corrections[i] + bonus_of(work, i % game->parts);
        /* What is not a start stays as it was in all arrays. */
        if (!isnan(work->fresh[i]))
            *residual = fmax(*residual, fabs(value - game->values[i]));
        work->corrections[i] -= work->fresh[i];
    }
    return status;
}

/* --- the iteration --- */

static void report_sweep(const Work *work, const SingleFixpoint *fixpoint, const char *stage,
                         double change) {
    progress_sweep(work->limits->progress,
                   &(ProgressSweep){.stage = stage,
                                    .number = fixpoint->short_sweeps + fixpoint->full_sweeps,
                                    .done = 1,
                                    .change = change});
}

static Status sweep_until(Work *work, double goal, SingleFixpoint *fixpoint) {
    double change;
    do {
        Status status = sweep_short(work, &change);
        if (!status_is_ok(&status))
            return status;
        fixpoint->short_sweeps++;
        report_sweep(work, fixpoint, "short lists", change);
    } while (change > goal && fixpoint->short_sweeps < SHORT_SWEEPS_MAX);
    return status_ok();
}

static Status iterate(Work *work, SingleFixpoint *fixpoint) {
    bool is_bound = work->game->aim == SINGLE_BOUNDS;
    double wanted = is_bound ? BOUNDS_BONUS - BOUNDS_ROUNDING : SIDES_RESIDUAL;
    double goal = FIRST_GOAL, residual;
    for (;;) {
        Status status = sweep_until(work, goal, fixpoint);
        if (status_is_ok(&status))
            status = sweep_full(work, &residual);
        if (!status_is_ok(&status))
            return status;
        fixpoint->full_sweeps++;
        fixpoint->residual = residual;
        report_sweep(work, fixpoint, "all lists", residual);
        if (residual <= wanted)
            return status;
        if (fixpoint->short_sweeps >= SHORT_SWEEPS_MAX)
            return status_make(STATUS_UNSUPPORTED,
                               "yut with these rules has no values: the chances of the players do "
                               "not settle (residual %.2g after %d sweeps)",
                               residual, fixpoint->short_sweeps);
        goal = fmax(residual / SHORT_FALL, wanted / 8);
    }
}

/* Half of the largest distance between two bounds. */
static double widest_gap(const Work *work) {
    double widest = 0;
    for (size_t i = 0; i < work->numbers; i += 2)
        if (!isnan(work->fresh[i]))
            widest = fmax(
                widest,
                (work->game->values[i + SINGLE_UPPER] - work->game->values[i + SINGLE_LOWER]) / 2);
    return widest;
}

/* --- memory --- */

static void work_close(Work *work) {
    single_lines_close(work->brief);
    single_lines_close(work->full);
    thread_pool_close(work->pool);
    free(work->fresh);
    free(work->corrections);
    free(work->changes);
}

/* Prepares the work on a game; its values become `first`. Without `corrects` there are only short
 * sweeps. Entries of `fresh` that are not starts are NAN. */
static Status work_open(SingleGame *game, const SolveLimits *limits, bool corrects, double first,
                        Work *work) {
    size_t numbers = (size_t)single_tables(game) * game->positions * game->parts;
    *work = (Work){.game = game, .limits = limits, .numbers = numbers, .bonus = BOUNDS_BONUS};
    work->pool = thread_pool_open(limits->threads);
    work->changes = calloc((size_t)limits->threads, sizeof(double));
    work->fresh = malloc(numbers * sizeof(double));
    work->corrections = corrects ? calloc(numbers, sizeof(double)) : NULL;
    game->values = malloc(numbers * sizeof(double));
    bool good = work->changes && work->fresh && game->values && (work->corrections || !corrects);
    for (size_t i = 0; good && i < numbers; i++) {
        work->fresh[i] = NAN;
        game->values[i] = first;
    }
    Status status = good ? single_lines_open(game, SINGLE_SHORT, limits->threads, &work->brief)
                         : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status) && corrects)
        status = single_lines_open(game, SINGLE_FULL, limits->threads, &work->full);
    if (status_is_ok(&status))
        return status;
    work_close(work);
    free(game->values);
    game->values = NULL;
    return status;
}

static Status check_memory(const SingleGame *game, const SolveLimits *limits) {
    size_t numbers = (size_t)single_tables(game) * game->positions * game->parts;
    size_t bytes = 3 * numbers * sizeof(double) +
                   single_lines_bytes(game, SINGLE_SHORT, limits->threads) +
                   single_lines_bytes(game, SINGLE_FULL, limits->threads);
    if (bytes <= limits->memory_bytes)
        return status_ok();
    return status_make(STATUS_UNSUPPORTED,
                       "solving yut for %d players needs %.0f MB, more than the memory limit of "
                       "%.0f MB (--memory)",
                       game->players, (double)bytes / (1 << 20),
                       (double)limits->memory_bytes / (1 << 20));
}

/* --- solving --- */

/* Proves that games end with probability 1: from every start, the chance that the game goes on
 * through some number of turns, even if all players want it to, is below 1. */
static Status check_games_end(const YutRules *rules, const SolveLimits *limits) {
    const double enough = 1 - 1e-9;
    SingleGame game;
    Work work;
    single_game_init(rules, SINGLE_ENDLESS, &game);
    Status status = work_open(&game, limits, false, 1, &work);
    if (!status_is_ok(&status))
        return status;
    double most = 1, change;
    for (int i = 0; i < ENDLESS_SWEEPS_MAX && status_is_ok(&status) && most > enough; i++) {
        status = sweep_short(&work, &change);
        most = 0;
        for (size_t at = 0; at < work.numbers; at++)
            if (!isnan(work.fresh[at]))
                most = fmax(most, game.values[at]);
    }
    if (status_is_ok(&status) && most > enough)
        status = status_make(STATUS_UNSUPPORTED,
                             "yut is not solved with --odds that let a game go on forever");
    work_close(&work);
    free(game.values);
    return status;
}

static Status solve_game(SingleFixpoint *fixpoint, const SolveLimits *limits, int sides) {
    Work work;
    Status status = check_games_end(&fixpoint->game.rules, limits);
    if (status_is_ok(&status))
        status = work_open(&fixpoint->game, limits, true, 1.0 / sides, &work);
    if (!status_is_ok(&status))
        return status;
    status = iterate(&work, fixpoint);
    if (status_is_ok(&status) && sides == 2)
        fixpoint->error = widest_gap(&work);
    work_close(&work);
    return status;
}

Status single_fixpoint_open(const YutRules *rules, const SolveLimits *limits,
                            SingleFixpoint *fixpoint) {
    int sides = rules->teams ? 2 : rules->players;
    *fixpoint = (SingleFixpoint){.error = INFINITY};
    Status status = single_supports(rules);
    if (!status_is_ok(&status))
        return status;
    single_game_init(rules, sides == 2 ? SINGLE_BOUNDS : SINGLE_SIDES, &fixpoint->game);
    fixpoint->cut = line_cut(&fixpoint->game);
    status = check_memory(&fixpoint->game, limits);
    if (!status_is_ok(&status))
        return status;
    progress_start(limits->progress, "solving");
    status = solve_game(fixpoint, limits, sides);
    progress_finish(limits->progress);
    if (!status_is_ok(&status))
        single_fixpoint_close(fixpoint);
    return status;
}

void single_fixpoint_close(SingleFixpoint *fixpoint) {
    free(fixpoint->game.values);
    fixpoint->game.values = NULL;
}
