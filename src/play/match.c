#include "play/match.h"

#include <math.h>
#include <stdlib.h>

#include "game/search.h"
#include "play/workers.h"

enum {
    STEPS_MAX = 100000,
    PLIES_MAX = 1024, /* of a game without chance */
    OPENINGS_MAX = 1000,
    OUTCOME_OPENINGS_MAX = 100000, /* few openings may have a given outcome */
    BALANCE_DEPTH = 6 /* plies; an opening is balanced if a search this deep proves nothing */
};

/* What all workers of a match share. */
typedef struct Match {
    const Variant *variant;
    const MatchPlan *plan;
    const StopFlag *stop; /* as in SolveLimits */
} Match;

/* What a worker needs to play a game. */
typedef struct Room {
    State *seen;    /* the states of the present game, to find repetitions; NULL with chance */
    Search *search; /* to balance openings; NULL if they need not be */
} Room;

/* --- one game --- */

static bool is_balanced(const Room *room, const State *state) {
    if (!room->search)
        return true;
    const SearchBudget budget = {.depth = BALANCE_DEPTH, .threads = 1};
    SearchResult result;
    room->search->think(room->search, state, &budget, &result);
    return !result.is_proven;
}

/* Plays an opening. False if it ends the game or is not balanced. */
static bool try_opening(const Match *match, const Room *room, Random *random, State *state) {
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
    return game->tree.actor(rules, state) != GAME_END && is_balanced(room, state);
}

/* How one game went. */
typedef struct GameResult {
    double points; /* of the player at the even seats; one half if it was cut off */
    int seat;      /* of the first player */
    bool finished;
    uint64_t steps;
} GameResult;

/* Finds the seat of the first player for which the opening has the outcome that is wanted: -1 if
 * neither has. Without such a wish the seat stays as it is. */
static Status find_seat(const Match *match, Solver *solver, const State *state, int *seat) {
    double values[GAME_PLAYERS_MAX];
    if (!match->plan->has_outcome)
        return status_ok();
    Status status = solver->values(solver, state, values);
    *seat = -1;
    for (int i = 1; i >= 0 && status_is_ok(&status); i--)
        if (match->variant->game->outcomes->decode(values[i]).kind == match->plan->outcome)
            *seat = i;
    return status;
}

static Status draw_opening(const Match *match, const Worker *worker, Random *random, State *state,
                           int *seat) {
    int most = match->plan->has_outcome ? OUTCOME_OPENINGS_MAX : OPENINGS_MAX;
    for (int tries = 0; tries < most; tries++) {
        if (!try_opening(match, worker->room, random, state))
            continue;
        Status status = find_seat(match, worker->solver, state, seat);
        if (!status_is_ok(&status) || *seat >= 0)
            return status;
    }
    return status_make(STATUS_FAILED,
                       match->plan->has_outcome
                           ? "found no opening of %d random moves with this outcome; try another "
                             "--outcome or --opening"
                       : match->plan->balanced
                           ? "found no balanced opening of %d random moves; try another --opening"
                           : "every game ended within %d random moves; try a smaller --opening",
                       match->plan->opening);
}

/* The share of the even seats in the payoffs. */
static double points_of(const Match *match, const double payoffs[]) {
    const int players = match->variant->game->rules.player_count(&match->variant->rules);
    double even = 0, all = 0;
    if (players == 2)
        return payoffs[0];
    for (int seat = 0; seat < players; seat++) {
        all += payoffs[seat];
        even += seat % 2 == 0 ? payoffs[seat] : 0;
    }
    return even / all;
}

/* Plays a game to its end, or until it is cut off. `stream` is the number of its random numbers,
 * and `seat` that of the first player unless the opening decides. */
static Status play_game(const Match *match, Worker *worker, int seat, uint64_t stream,
                        GameResult *result) {
    const Game *game = match->variant->game;
    const Rules *rules = &match->variant->rules;
    const Room *room = worker->room;
    State state;
    /* Throws have their own stream, so they do not depend on how the players use theirs. */
    Random throws = random_from_seed(match->plan->seed, 2 * stream);
    Random thoughts = random_from_seed(match->plan->seed, 2 * stream + 1);
    *result = (GameResult){.points = 0.5};
    Status status = draw_opening(match, worker, &throws, &state, &seat);
    Player *const seats[2] = {worker->players[seat > 0], worker->players[seat <= 0]};
    result->seat = seat;
    const uint64_t most = room->seen ? PLIES_MAX : STEPS_MAX;
    while (status_is_ok(&status) && result->steps < most) {
        int actor = game->tree.actor(rules, &state);
        Move move;
        if (match->stop && *match->stop)
            return status_make(STATUS_STOPPED, "stopped");
        if (actor == GAME_END) {
            double payoffs[GAME_PLAYERS_MAX];
            game->tree.payoff(rules, &state, payoffs);
            result->points = points_of(match, payoffs);
            result->finished = true;
            break;
        }
        if (room->seen)
            room->seen[result->steps] = state;
        if (room->seen && variant_is_repetition(match->variant, room->seen, result->steps + 1))
            break;
        if (actor == GAME_CHANCE)
            move = variant_draw_chance(match->variant, &state, &throws);
        else
            status = seats[actor % 2]->choose(seats[actor % 2], &state, &thoughts, &move);
        if (!status_is_ok(&status))
            break;
        game->tree.apply(rules, &state, move);
        result->steps++;
    }
    return status;
}

/* The points of a pair of games. */
typedef struct PairResult {
    double of_first; /* of the first player */
    double of_seat;  /* of whoever sat at the even seats */
    uint64_t unfinished, steps;
} PairResult;

/* Plays a pair of games, the players changing seats in the second, or two games of their own. */
static Status play_pair(const void *context, Worker *worker, uint64_t pair, void *result) {
    const Match *match = context;
    PairResult points = {.of_first = 0};
    for (int order = 0; order < 2; order++) {
        GameResult game;
        uint64_t stream = match->plan->has_outcome ? 2 * pair + (uint64_t)order : pair;
        Status status = play_game(match, worker, order, stream, &game);
        if (!status_is_ok(&status))
            return status;
        points.of_first += game.seat == 0 ? game.points : 1 - game.points;
        points.of_seat += game.points;
        points.unfinished += !game.finished;
        points.steps += game.steps;
    }
    *(PairResult *)result = points;
    return status_ok();
}

/* --- all of them --- */

/* The points of pairs so far. */
typedef struct Points {
    double sum, squares;
} Points;

typedef struct MatchSum {
    Points of_first, of_seat;
    uint64_t unfinished, steps;
} MatchSum;

static void add_points(Points *points, double of_pair) {
    points->sum += of_pair;
    points->squares += of_pair * of_pair;
}

static void add_pair(void *sum, const void *result) {
    MatchSum *match = sum;
    const PairResult *pair = result;
    add_points(&match->of_first, pair->of_first);
    add_points(&match->of_seat, pair->of_seat);
    match->unfinished += pair->unfinished;
    match->steps += pair->steps;
}

/* The margin of the mean per game. Pairs are independent of each other, the games of a pair are
 * not. */
static double margin_of(const Points *points, uint64_t pairs) {
    double n = (double)pairs;
    double variance = pairs > 1 ? (points->squares - points->sum * points->sum / n) / (n - 1) : 1;
    return 1.96 * sqrt((variance > 0 ? variance : 0) / n) / 2;
}

static MatchResult result_of(const MatchSum *sum, uint64_t pairs) {
    return (MatchResult){.games = 2 * pairs,
                         .unfinished = sum->unfinished,
                         .steps = sum->steps,
                         .points = sum->of_first.sum,
                         .mean = sum->of_first.sum / (double)(2 * pairs),
                         .margin = margin_of(&sum->of_first, pairs),
                         .seat_mean = sum->of_seat.sum / (double)(2 * pairs),
                         .seat_margin = margin_of(&sum->of_seat, pairs)};
}

static void close_room(void *opened) {
    Room *room = opened;
    if (room->search)
        room->search->free(room->search);
    free(room->seen);
    free(room);
}

static Status open_room(const void *context, const SolveLimits *limits, void **opened) {
    const Match *match = context;
    const Game *game = match->variant->game;
    Status status = status_ok();
    Room *room = calloc(1, sizeof *room);
    if (!room)
        return status_make(STATUS_FAILED, "out of memory");
    if (game->tree.is_deterministic) {
        room->seen = malloc(PLIES_MAX * sizeof *room->seen);
        if (!room->seen)
            status = status_make(STATUS_FAILED, "out of memory");
    }
    if (status_is_ok(&status) && match->plan->balanced)
        status = game->search->open(&match->variant->rules, limits, &room->search);
    if (status_is_ok(&status))
        *opened = room;
    else
        close_room(room);
    return status;
}

static Status check_plan(const Variant *variant, const MatchPlan *plan) {
    int players = variant->game->rules.player_count(&variant->rules);
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    if (players < 2 || (players > 2 && (info.lower_is_better || info.is_counted)))
        return status_make(STATUS_UNSUPPORTED, "a match is between two players, not %d", players);
    for (int i = 0; i < 2; i++)
        if (!plan->players[i].kind->open)
            return status_make(STATUS_USAGE, "%s cannot play a match: it is a person",
                               plan->players[i].kind->name);
    if (plan->balanced && !variant->game->search)
        return status_make(STATUS_UNSUPPORTED, "%s has no search to balance openings with",
                           variant->game->identity.name);
    if (plan->has_outcome && !(variant->game->outcomes && variant->game->tree.is_deterministic))
        return status_make(STATUS_UNSUPPORTED, "%s has no outcomes to choose openings by",
                           variant->game->identity.name);
    return status_ok();
}

Status match_run(const Variant *variant, const MatchPlan *plan, const SolveLimits *limits,
                 MatchResult *result) {
    const Match match = {.variant = variant, .plan = plan, .stop = limits->stop};
    MatchSum sum;
    const WorkerJobs jobs = {.variant = variant,
                             .seats = plan->players,
                             .seat_count = 2,
                             .needs_solver = plan->has_outcome,
                             .count = plan->pairs,
                             .what = "playing",
                             .units = 2,
                             .result_bytes = sizeof(PairResult),
                             .sum_bytes = sizeof sum,
                             .sum = &sum,
                             .exchange = plan->exchange,
                             .context = &match,
                             .open_room = open_room,
                             .close_room = close_room,
                             .run = play_pair,
                             .add = add_pair};
    Status status = check_plan(variant, plan);
    if (status_is_ok(&status))
        status = workers_run(&jobs, limits);
    if (status_is_ok(&status))
        *result = result_of(&sum, plan->pairs);
    return status;
}
