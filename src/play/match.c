#include "play/match.h"

#include <math.h>
#include <stdlib.h>

#include "game/search.h"
#include "values/playout.h"

enum {
    STEPS_MAX = 100000,
    PLIES_MAX = 1024, /* the same where nothing is left to chance */
    OPENINGS_MAX = 1000,
    BALANCE_DEPTH = 6 /* how far ahead nothing may be decided in a balanced opening */
};

/* A match being played. */
typedef struct Match {
    const Variant *variant;
    const MatchPlan *plan;
    Player *players[2];
    State *seen;    /* the states of this game, where nothing is left to chance; else NULL */
    Search *search; /* where openings have to be balanced; else NULL */
} Match;

/* --- one game --- */

static bool is_balanced(const Match *match, const State *state) {
    if (!match->search)
        return true;
    const SearchBudget budget = {.depth = BALANCE_DEPTH, .threads = 1};
    SearchResult result;
    match->search->think(match->search, state, &budget, &result);
    return !result.is_proven;
}

/* Plays the opening; false when the game ended in it, or is as good as decided. */
static bool open_game(const Match *match, Random *random, State *state) {
    const Game *game = match->variant->game;
    const Rules *rules = &match->variant->rules;
    *state = game->tree.start(rules);
    for (int made = 0; made < match->plan->opening;) {
        Move moves[GAME_MOVES_MAX];
        int actor = game->tree.actor(rules, state);
        if (actor == GAME_END)
            return false;
        if (actor == GAME_CHANCE) {
            game->tree.apply(rules, state, variant_draw_chance(match->variant, state, random));
            continue;
        }
        size_t count = game->tree.moves(rules, state, moves);
        game->tree.apply(rules, state, moves[random_below(random, count)]);
        made++;
    }
    return game->tree.actor(rules, state) != GAME_END && is_balanced(match, state);
}

/* One game; the points of the player at seat 0. Not finished: it was cut off. */
static Status play_game(const Match *match, Player *const seats[2], uint64_t pair, double *points,
                        bool *finished) {
    const Game *game = match->variant->game;
    const Rules *rules = &match->variant->rules;
    State state;
    /* Throws have a stream of their own: they do not depend on who throws, or thinks how long. */
    Random throws = random_from_seed(match->plan->seed, 2 * pair);
    Random thoughts = random_from_seed(match->plan->seed, 2 * pair + 1);
    *finished = false;
    *points = 0.5;
    int tries = 0;
    while (!open_game(match, &throws, &state))
        if (++tries == OPENINGS_MAX)
            return status_make(
                STATUS_FAILED,
                match->plan->balanced
                    ? "every opening of %d random moves is decided: expected another"
                    : "no game goes on for %d random moves: expected another opening",
                match->plan->opening);
    for (int step = 0; step < (match->seen ? PLIES_MAX : STEPS_MAX); step++) {
        int actor = game->tree.actor(rules, &state);
        Move move;
        if (actor == GAME_END) {
            double payoffs[GAME_PLAYERS_MAX];
            game->tree.payoff(rules, &state, payoffs);
            *points = payoffs[0];
            *finished = true;
            return status_ok();
        }
        if (match->seen)
            match->seen[step] = state;
        if (match->seen && variant_is_repetition(match->variant, match->seen, (size_t)step + 1))
            return status_ok();
        if (actor == GAME_CHANCE) {
            move = variant_draw_chance(match->variant, &state, &throws);
        } else {
            Status status = seats[actor]->choose(seats[actor], &state, &thoughts, &move);
            if (!status_is_ok(&status))
                return status;
        }
        game->tree.apply(rules, &state, move);
    }
    return status_ok();
}

/* A pair of games, seats changed in the second; the points in both of the first player, and of
 * seat 0. */
static Status play_pair(const Match *match, uint64_t pair, double *of_first, double *of_seat,
                        uint64_t *unfinished) {
    *of_first = *of_seat = 0;
    for (int order = 0; order < 2; order++) {
        Player *const seats[2] = {match->players[order], match->players[1 - order]};
        double at_seat_0;
        bool finished;
        Status status = play_game(match, seats, pair, &at_seat_0, &finished);
        if (!status_is_ok(&status))
            return status;
        *of_first += order == 0 ? at_seat_0 : 1 - at_seat_0;
        *of_seat += at_seat_0;
        *unfinished += !finished;
    }
    return status_ok();
}

/* --- all of them --- */

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

static Status play_all(const Match *match, Progress *progress, MatchResult *result) {
    uint64_t pairs = match->plan->pairs;
    Points of_first = {.sum = 0}, of_seat = {.sum = 0};
    *result = (MatchResult){.games = 2 * pairs};
    progress_start(progress, "playing");
    for (uint64_t pair = 0; pair < pairs; pair++) {
        double first, seat;
        Status status = play_pair(match, pair, &first, &seat, &result->unfinished);
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

static Status open_players(Match *match, const SolveLimits *limits, Solver **solver) {
    Status status = status_ok();
    for (int i = 0; i < 2 && status_is_ok(&status); i++) {
        const Seat *seat = &match->plan->players[i];
        if (!seat->kind->open)
            status = status_make(STATUS_USAGE, "%s cannot play a match: it is a person",
                                 seat->kind->name);
        else
            status = seat_open(seat, match->variant, limits, solver, &match->players[i]);
    }
    return status;
}

Status match_run(const Variant *variant, const MatchPlan *plan, const SolveLimits *limits,
                 MatchResult *result) {
    Match match = {.variant = variant, .plan = plan};
    Solver *solver = NULL;
    if (variant->game->rules.player_count(&variant->rules) != 2)
        return status_make(STATUS_UNSUPPORTED, "a match is between two players, not %d",
                           variant->game->rules.player_count(&variant->rules));
    if (variant->game->tree.is_deterministic) {
        match.seen = calloc(PLIES_MAX, sizeof *match.seen);
        if (!match.seen)
            return status_make(STATUS_FAILED, "out of memory");
    }
    Status status = open_players(&match, limits, &solver);
    if (status_is_ok(&status) && plan->balanced)
        status = variant->game->search
                     ? variant->game->search->open(&variant->rules, limits, &match.search)
                     : status_make(STATUS_UNSUPPORTED, "%s has no search to balance openings with",
                                   variant->game->identity.name);
    if (status_is_ok(&status))
        status = play_all(&match, limits->progress, result);
    for (int i = 0; i < 2; i++)
        if (match.players[i])
            match.players[i]->free(match.players[i]);
    if (match.search)
        match.search->free(match.search);
    if (solver)
        solver->free(solver);
    free(match.seen);
    return status;
}
