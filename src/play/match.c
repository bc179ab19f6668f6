#include "play/match.h"

#include <math.h>

#include "solve/playout.h"

enum { STEPS_MAX = 100000 };

/* One game; the points of the player at seat 0. False: it was cut off. */
static Status play_game(const Variant *variant, Player *const seats[2], uint64_t seed,
                        uint64_t pair, double *points, bool *finished) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    State state = game->start(rules);
    /* Throws have a stream of their own: they do not depend on who throws, or thinks how long. */
    Random throws = random_from_seed(seed, 2 * pair);
    Random thoughts = random_from_seed(seed, 2 * pair + 1);
    *finished = false;
    *points = 0.5;
    for (int step = 0; step < STEPS_MAX; step++) {
        int actor = game->actor(rules, &state);
        Move move;
        if (actor == GAME_END) {
            double payoffs[GAME_PLAYERS_MAX];
            game->payoff(rules, &state, payoffs);
            *points = payoffs[0];
            *finished = true;
            return status_ok();
        }
        if (actor == GAME_CHANCE) {
            move = playout_chance(variant, &state, &throws);
        } else {
            Status status = seats[actor]->choose(seats[actor], &state, &thoughts, &move);
            if (!status_is_ok(&status))
                return status;
        }
        game->apply(rules, &state, move);
    }
    return status_ok();
}

/* A pair of games, seats changed in the second; the points in both of the first player, and of
 * seat 0. */
static Status play_pair(const Variant *variant, Player *const players[2], uint64_t seed,
                        uint64_t pair, double *of_first, double *of_seat, uint64_t *unfinished) {
    *of_first = *of_seat = 0;
    for (int order = 0; order < 2; order++) {
        Player *const seats[2] = {players[order], players[1 - order]};
        double at_seat_0;
        bool finished;
        Status status = play_game(variant, seats, seed, pair, &at_seat_0, &finished);
        if (!status_is_ok(&status))
            return status;
        *of_first += order == 0 ? at_seat_0 : 1 - at_seat_0;
        *of_seat += at_seat_0;
        *unfinished += !finished;
    }
    return status_ok();
}

/* The points of pairs so far. */
typedef struct Points {
    double sum, squares;
} Points;

static void add_points(Points *points, double of_pair) {
    points->sum += of_pair;
    points->squares += of_pair * of_pair;
}

/* Of a game. The pairs are independent of each other, the games of a pair are not. */
static double margin_of(const Points *points, uint64_t pairs) {
    double n = (double)pairs;
    double variance = pairs > 1 ? (points->squares - points->sum * points->sum / n) / (n - 1) : 1;
    return 1.96 * sqrt((variance > 0 ? variance : 0) / n) / 2;
}

static Status play_all(const Variant *variant, Player *const players[2], uint64_t pairs,
                       uint64_t seed, Progress *progress, MatchResult *result) {
    Points of_first = {.sum = 0}, of_seat = {.sum = 0};
    *result = (MatchResult){.games = 2 * pairs};
    progress_start(progress, "playing");
    for (uint64_t pair = 0; pair < pairs; pair++) {
        double first, seat;
        Status status = play_pair(variant, players, seed, pair, &first, &seat, &result->unfinished);
        if (!status_is_ok(&status))
            return status;
        add_points(&of_first, first);
        add_points(&of_seat, seat);
        progress_report(progress, 2 * (pair + 1), 2 * pairs);
    }
    progress_finish(progress);
    result->points = of_first.sum;
    result->mean = of_first.sum / (double)(2 * pairs);
    result->margin = margin_of(&of_first, pairs);
    result->seat_mean = of_seat.sum / (double)(2 * pairs);
    result->seat_margin = margin_of(&of_seat, pairs);
    return status_ok();
}

Status match_run(const Variant *variant, const PlayerKind *first, const PlayerKind *second,
                 uint64_t pairs, uint64_t seed, const SolveLimits *limits, MatchResult *result) {
    const PlayerKind *kinds[2] = {first, second};
    Player *players[2] = {NULL, NULL};
    Solver *solver = NULL;
    Status status = status_ok();
    if (variant->game->player_count(&variant->rules) != 2)
        return status_make(STATUS_UNSUPPORTED, "a match is between two players, not %d",
                           variant->game->player_count(&variant->rules));
    for (int i = 0; i < 2 && status_is_ok(&status); i++) {
        if (!kinds[i]->open)
            status =
                status_make(STATUS_USAGE, "%s cannot play a match: it is a person", kinds[i]->name);
        else
            status = kinds[i]->open(variant, limits, &solver, &players[i]);
    }
    if (status_is_ok(&status))
        status = play_all(variant, players, pairs, seed, limits->progress, result);
    for (int i = 0; i < 2; i++)
        if (players[i])
            players[i]->free(players[i]);
    if (solver)
        solver->free(solver);
    return status;
}
