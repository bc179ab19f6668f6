#include "values/playout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "game/sampler.h"
#include "kernel/rounds.h"
#include "values/evaluate.h"

/* A thread takes a chunk of games at a time; games of best play take longer. */
enum { RANDOM_CHUNK_GAMES = 1024, SOLVER_CHUNK_GAMES = 16, ROUND_CHUNKS = 64 };

static size_t pick_move(const Variant *variant, const State *state, Random *random, Move *move) {
    Move moves[GAME_MOVES_MAX];
    if (variant->game->sampler)
        return variant->game->sampler->pick(&variant->rules, state, random, move);
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    *move = moves[random_below(random, count)];
    return count;
}

typedef enum MoveEnd { ENDS_NOT, ENDS_WON, ENDS_LOST } MoveEnd;

/* What a move means to the player who makes it: the game goes on (or ends without a single winner),
 * the player wins at once, or somebody else does. */
static MoveEnd end_of_move(const Variant *variant, const State *state, int player, Move move) {
    const Game *game = variant->game;
    State next = *state;
    double payoffs[GAME_PLAYERS_MAX], best_other = -INFINITY;
    game->tree.apply(&variant->rules, &next, move);
    if (game->tree.actor(&variant->rules, &next) != GAME_END)
        return ENDS_NOT;
    game->tree.payoff(&variant->rules, &next, payoffs);
    for (int i = 0; i < game->rules.player_count(&variant->rules); i++)
        if (i != player && payoffs[i] > best_other)
            best_other = payoffs[i];
    return payoffs[player] > best_other   ? ENDS_WON
           : payoffs[player] < best_other ? ENDS_LOST
                                          : ENDS_NOT;
}

/* Replaces the move by the first one that wins at once, if there is one; else, if it loses at once,
 * by a random one that does not, if there is one. */
static void replace_move(const Variant *variant, const State *state, int player, Random *random,
                         Move *move) {
    Move moves[GAME_MOVES_MAX], safe[GAME_MOVES_MAX];
    size_t count = variant->game->tree.moves(&variant->rules, state, moves), safe_count = 0;
    for (size_t i = 0; i < count; i++) {
        MoveEnd end = end_of_move(variant, state, player, moves[i]);
        if (end == ENDS_WON) {
            *move = moves[i];
            return;
        }
        if (end == ENDS_NOT)
            safe[safe_count++] = moves[i];
    }
    if (safe_count > 0 && end_of_move(variant, state, player, *move) == ENDS_LOST)
        *move = safe[random_below(random, safe_count)];
}

/* What a thread plays with. */
typedef struct Players {
    const Variant *variant;
    const PlayoutPlan *plan;
    const StopFlag *stop;   /* as in SolveLimits */
    Solver *solver;         /* the thread's own; NULL: random moves */
    Evaluation *evaluation; /* the solver's; NULL without one */
} Players;

/* Picks the next move. `count` receives the number of legal moves. */
static Status choose_move(const Players *players, const State *state, int actor, Random *random,
                          Move *move, size_t *count) {
    if (players->solver) {
        Status status =
            evaluate_state(players->variant, players->solver, state, players->evaluation);
        *count = players->evaluation->move_count;
        *move = players->evaluation->moves[0].move;
        return status;
    }
    *count = pick_move(players->variant, state, random, move);
    if (players->plan->takes_wins)
        replace_move(players->variant, state, actor, random, move);
    return status_ok();
}

/* Counts how a game ended. */
static void count_end(const Variant *variant, const State *state, PlayoutStats *stats) {
    const Game *game = variant->game;
    double payoffs[GAME_PLAYERS_MAX];
    game->tree.payoff(&variant->rules, state, payoffs);
    int players = game->rules.player_count(&variant->rules), winner = 0;
    for (int i = 0; i < players; i++) {
        stats->payoffs[i] += payoffs[i];
        if (payoffs[i] > payoffs[winner])
            winner = i;
    }
    double score = payoffs[0];
    if (score >= 0 && score <= PLAYOUT_SCORE_MAX && score == (double)(int)score)
        stats->score_of[(int)score]++;
    else
        stats->unscored++;
    if (game->endings)
        stats->endings[game->endings->classify(&variant->rules, state)][winner]++;
}

static Status play_one(const Players *players, Random random, PlayoutStats *stats) {
    const Variant *variant = players->variant;
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    State state = game->tree.start(rules);
    size_t length = 0, events = 0;
    stats->games++;
    for (;;) {
        int actor = game->tree.actor(rules, &state);
        if (actor == GAME_END)
            break;
        if (length == PLAYOUT_LENGTH_MAX || events == PLAYOUT_EVENTS_MAX) {
            stats->cut_off++;
            return status_ok();
        }
        if (actor == GAME_CHANCE) {
            game->tree.apply(rules, &state, variant_draw_chance(variant, &state, &random));
            stats->events++;
            events++;
            continue;
        }
        Move move;
        size_t count;
        Status status = choose_move(players, &state, actor, &random, &move, &count);
        if (!status_is_ok(&status))
            return status;
        game->tree.apply(rules, &state, move);
        stats->moves++;
        stats->branches += count;
        if (count > stats->branching_max)
            stats->branching_max = count;
        length++;
    }
    stats->length_of[length]++;
    count_end(variant, &state, stats);
    return status_ok();
}

static void add_stats(void *whole, const void *result) {
    PlayoutStats *sum = whole;
    const PlayoutStats *part = result;
    sum->games += part->games;
    sum->cut_off += part->cut_off;
    sum->moves += part->moves;
    sum->events += part->events;
    sum->branches += part->branches;
    if (part->branching_max > sum->branching_max)
        sum->branching_max = part->branching_max;
    for (size_t i = 0; i <= PLAYOUT_LENGTH_MAX; i++)
        sum->length_of[i] += part->length_of[i];
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        sum->payoffs[i] += part->payoffs[i];
    for (int i = 0; i <= PLAYOUT_SCORE_MAX; i++)
        sum->score_of[i] += part->score_of[i];
    sum->unscored += part->unscored;
    for (int i = 0; i < GAME_ENDINGS_MAX; i++)
        for (int j = 0; j < GAME_PLAYERS_MAX; j++)
            sum->endings[i][j] += part->endings[i][j];
}

/* Plays games from `begin` to `end`. */
static Status play_chunk(const Players *players, uint64_t begin, uint64_t end,
                         PlayoutStats *stats) {
    Status status = status_ok();
    *stats = (PlayoutStats){.games = 0};
    for (uint64_t i = begin; i < end && status_is_ok(&status); i++)
        status = players->stop && *players->stop
                     ? status_make(STATUS_STOPPED, "stopped")
                     : play_one(players, random_from_seed(players->plan->seed, i), stats);
    return status;
}

/* Games in chunks, and what each thread plays them with. */
typedef struct Chunks {
    const Players *players; /* [thread] */
    uint64_t chunk_games;
} Chunks;

static Status play_part(void *context, uint64_t chunk, int thread, void *part) {
    const Chunks *chunks = context;
    const Players *players = &chunks->players[thread];
    uint64_t games = players->plan->games, begin = chunk * chunks->chunk_games;
    uint64_t end = begin + chunks->chunk_games < games ? begin + chunks->chunk_games : games;
    return play_chunk(players, begin, end, part);
}

static Status play_chunks(const Players players[], int threads, Progress *progress,
                          PlayoutStats *sum) {
    assert(threads > 0 && players->plan);
    Chunks chunks = {.players = players,
                     .chunk_games = players->solver ? SOLVER_CHUNK_GAMES : RANDOM_CHUNK_GAMES};
    const Rounds rounds = {.count =
                               (players->plan->games + chunks.chunk_games - 1) / chunks.chunk_games,
                           .round_jobs = ROUND_CHUNKS,
                           .result_bytes = sizeof *sum,
                           .sum = sum,
                           .context = &chunks,
                           .run = play_part,
                           .add = add_stats,
                           .stop = players->stop,
                           .progress = progress,
                           .units = chunks.chunk_games};
    return rounds_run(&rounds, threads, players->plan->exchange);
}

static void close_players(Players players[], int threads) {
    for (int i = 0; players && i < threads; i++)
        free(players[i].evaluation);
    free(players);
}

/* What each of the threads plays with; NULL when there is not enough memory. */
static Players *open_players(const Variant *variant, const PlayoutPlan *plan,
                             const SolveLimits *limits, int threads) {
    Players *players = calloc((size_t)threads, sizeof *players);
    bool complete = players != NULL;
    for (int i = 0; i < threads && complete; i++) {
        players[i] = (Players){.variant = variant, .plan = plan, .stop = limits->stop};
        if (plan->solver_count == 0)
            continue;
        players[i].solver = plan->solvers[i];
        players[i].evaluation = malloc(sizeof *players[i].evaluation);
        complete = players[i].evaluation != NULL;
    }
    if (complete)
        return players;
    close_players(players, threads);
    return NULL;
}

Status playout_run(const Variant *variant, const PlayoutPlan *plan, const SolveLimits *limits,
                   PlayoutStats **stats) {
    int threads = limits->threads < ROUND_CHUNKS ? limits->threads : ROUND_CHUNKS;
    if (plan->solver_count > 0 && threads > plan->solver_count)
        threads = plan->solver_count;
    PlayoutStats *sum = calloc(1, sizeof *sum);
    Players *players = open_players(variant, plan, limits, threads);
    Status status = sum && players ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    status = exchange_agree(plan->exchange, status);
    assert(!status_is_ok(&status) || (sum && players));
    if (status_is_ok(&status)) {
        progress_start(limits->progress, "playing");
        status = play_chunks(players, threads, limits->progress, sum);
        progress_finish(limits->progress);
    }
    close_players(players, threads);
    *stats = status_is_ok(&status) ? sum : NULL;
    if (!*stats)
        free(sum);
    return status;
}
