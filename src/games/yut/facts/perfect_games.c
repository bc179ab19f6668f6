#include "games/yut/facts/perfect_games.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"

enum { TURNS_MAX = 10000 };

/* The accuracy of the values. Moves that matter differ by far more. */
#define OPEN 1e-5

/* A move that costs less than COST_NONE counts as equal to the best. One that costs at least
 * COST_MISTAKE counts as a mistake. */
#define COST_NONE 1e-4
#define COST_MISTAKE 1e-2

/* The figures that are collected. Each is a part of a whole. */
typedef enum Count {
    COUNT_TURNS,
    COUNT_FIRST_WON,
    COUNT_CHOICES,
    COUNT_ONLY,
    COUNT_SAME,
    COUNT_SECOND,
    COUNT_LAST,
    COUNT_DONE,
    COUNT_CHOSEN = COUNT_DONE + MOVE_KINDS,
    COUNTS = COUNT_CHOSEN + MOVE_KINDS
} Count;

/* The figures of one game. */
typedef struct Tally {
    double part[COUNTS], whole[COUNTS];
    uint64_t moves;
} Tally;

static void tally_count(Tally *tally, int what, double part) {
    tally->part[what] += part;
    tally->whole[what] += 1;
}

static bool move_does(const YutRules *rules, const YutState *state, Move move, MoveKind kind) {
    YutOutcome outcome = yut_outcome(rules, state, move);
    switch (kind) {
    case MOVE_ENTERS:
        return yut_move_square(move) == 0 && outcome.moved > 0;
    case MOVE_RUNS:
        return yut_move_square(move) != 0;
    case MOVE_CATCHES:
        return outcome.caught > 0;
    case MOVE_STACKS:
        return outcome.stacked;
    default:
        return outcome.destination == YUT_ARRIVED;
    }
}

/* Counts which kinds of move the best move is, and how often there was an alternative. */
static void count_kinds(const YutRules *rules, const YutState *state, const Evaluation *evaluation,
                        Tally *tally) {
    for (int kind = 0; kind < MOVE_KINDS; kind++) {
        size_t doing = 0;
        for (size_t i = 0; i < evaluation->move_count; i++)
            doing += move_does(rules, state, evaluation->moves[i].move, (MoveKind)kind);
        bool done = move_does(rules, state, evaluation->moves[0].move, (MoveKind)kind);
        tally_count(tally, COUNT_DONE + kind, done);
        if (doing > 0 && doing < evaluation->move_count)
            tally_count(tally, COUNT_CHOSEN + kind, done);
    }
}

static void count_costs(const Evaluation *evaluation, Tally *tally) {
    size_t moves = evaluation->move_count;
    tally_count(tally, COUNT_CHOICES, moves > 1);
    if (moves < 2)
        return;
    double best = evaluation->moves[0].value;
    double second = best - evaluation->moves[1].value;
    tally_count(tally, COUNT_ONLY, second >= COST_MISTAKE);
    tally_count(tally, COUNT_SAME, second < COST_NONE);
    tally_count(tally, COUNT_SECOND, second);
    tally_count(tally, COUNT_LAST, best - evaluation->moves[moves - 1].value);
}

/* The resources of one thread. */
typedef struct Seat {
    const GameServices *services;
    Solver *solver;
    Evaluation evaluation;
} Seat;

static Status play_game(const Variant *variant, Seat *seat, Random random, Tally *tally) {
    const Rules *rules = &variant->rules;
    YutRules yut = yut_rules(rules);
    State state = yut_start(rules);
    int turns = 1;
    assert(seat->services);
    for (int actor; (actor = yut_actor(rules, &state)) != GAME_END;) {
        YutState s = yut_state(&state);
        Move move;
        if (actor == GAME_CHANCE) {
            move = variant_draw_chance(variant, &state, &random);
        } else {
            Status status =
                seat->services->evaluate(variant, seat->solver, &state, &seat->evaluation);
            if (!status_is_ok(&status))
                return status;
            tally->moves++;
            count_kinds(&yut, &s, &seat->evaluation, tally);
            count_costs(&seat->evaluation, tally);
            move = seat->evaluation.moves[0].move;
        }
        yut_apply(rules, &state, move);
        turns += yut_turn(rules, &state) != s.turn;
        if (turns > TURNS_MAX)
            return status_make(STATUS_UNSUPPORTED, "yut: games under these rules take too long");
    }
    double payoffs[YUT_PLAYERS_MAX];
    yut_payoff(rules, &state, payoffs);
    tally_count(tally, COUNT_FIRST_WON, payoffs[0]);
    tally_count(tally, COUNT_TURNS, turns);
    return status_ok();
}

/* The share over all games and its margin. The margin assumes that games are independent. */
static Share share_of(const Tally tallies[], uint64_t games, int what) {
    double part = 0, whole = 0, squares = 0;
    for (uint64_t i = 0; i < games; i++) {
        part += tallies[i].part[what];
        whole += tallies[i].whole[what];
    }
    if (whole == 0)
        return (Share){.known = false};
    for (uint64_t i = 0; i < games; i++) {
        double off = tallies[i].part[what] - part / whole * tallies[i].whole[what];
        squares += off * off;
    }
    double n = (double)games;
    return (Share){true, part / whole, 1.96 * sqrt(squares * n / (n - 1)) / whole};
}

static void summarize_games(const Tally tallies[], PerfectGames *result) {
    uint64_t games = result->games;
    for (uint64_t i = 0; i < games; i++)
        result->moves += tallies[i].moves;
    result->turns = share_of(tallies, games, COUNT_TURNS);
    result->first_won = share_of(tallies, games, COUNT_FIRST_WON);
    result->choices = share_of(tallies, games, COUNT_CHOICES);
    result->only = share_of(tallies, games, COUNT_ONLY);
    result->same = share_of(tallies, games, COUNT_SAME);
    result->second = share_of(tallies, games, COUNT_SECOND);
    result->last = share_of(tallies, games, COUNT_LAST);
    for (int kind = 0; kind < MOVE_KINDS; kind++) {
        result->done[kind] = share_of(tallies, games, COUNT_DONE + kind);
        result->chosen[kind] = share_of(tallies, games, COUNT_CHOSEN + kind);
    }
}

/* --- sources of values --- */

static Status value_from_solver(const YutStarts *starts, const YutState *state, double *value) {
    Solver *solver = starts->source;
    State packed = yut_state_pack(state);
    double values[2];
    Status status = solver->values(solver, &packed, values);
    *value = values[state->turn];
    return status;
}

static void close_nothing(YutStarts *starts) {
    (void)starts;
}

static Status open_seats(const Rules *rules, YutStarts starts, const SolveLimits *limits,
                         int threads, Seat *seats) {
    Status status = status_ok();
    for (int i = 0; i < threads && status_is_ok(&status); i++)
        status = yut_solver_over(rules, starts, "values", OPEN, limits, &seats[i].solver);
    return status;
}

/* Shared by the threads that play. Game i is the only one to write tallies[i]. */
typedef struct Playing {
    const Variant *variant;
    Seat *seats; /* [thread] */
    uint64_t seed;
    Tally *tallies; /* [game] */
} Playing;

static Status play_numbered(void *context, size_t i, int thread) {
    const Playing *playing = context;
    return play_game(playing->variant, &playing->seats[thread], random_from_seed(playing->seed, i),
                     &playing->tallies[i]);
}

static Status play_all(Playing *playing, uint64_t games, int threads, const SolveLimits *limits) {
    progress_start(limits->progress, "playing");
    Status status = threads_try(threads, &(ThreadLoop){.count = games,
                                                       .step = play_numbered,
                                                       .context = playing,
                                                       .stop = limits->stop,
                                                       .progress = limits->progress});
    progress_finish(limits->progress);
    return status;
}

Status perfect_games_play(const GameServices *services, const Variant *variant, StartGrid *grid,
                          Solver *solver, uint64_t games, uint64_t seed, const SolveLimits *limits,
                          PerfectGames *result) {
    int threads = grid ? limits->threads : 1;
    YutStarts starts = {.source = solver, .value = value_from_solver, .close = close_nothing};
    if (grid)
        starts = start_grid_starts(grid);
    *result = (PerfectGames){.games = games, .seed = seed};
    Seat *seats = calloc((size_t)threads, sizeof *seats);
    Tally *tallies = calloc(games, sizeof *tallies);
    Status status = seats && tallies ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    for (int i = 0; seats && i < threads; i++)
        seats[i].services = services;
    if (status_is_ok(&status))
        status = open_seats(&variant->rules, starts, limits, threads, seats);
    if (status_is_ok(&status))
        status = play_all(
            &(Playing){.variant = variant, .seats = seats, .seed = seed, .tallies = tallies}, games,
            threads, limits);
    if (status_is_ok(&status))
        summarize_games(tallies, result);
    for (int i = 0; seats && i < threads; i++)
        if (seats[i].solver)
            seats[i].solver->free(seats[i].solver);
    free(seats);
    free(tallies);
    return status;
}
