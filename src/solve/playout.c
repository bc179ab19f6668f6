#include "solve/playout.h"

#include <omp.h>
#include <stdlib.h>

enum { CHUNK_GAMES = 1024 }; /* a thread takes this many games at a time */

Move playout_chance(const Variant *variant, const State *state, Random *random) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t denominator;
    variant->game->chances(&variant->rules, state, chances, &denominator);
    uint64_t x = random_below(random, denominator);
    size_t i = 0;
    while (x >= chances[i].weight)
        x -= chances[i++].weight;
    return chances[i].move;
}

static size_t pick_move(const Variant *variant, const State *state, Random *random, Move *move) {
    Move moves[GAME_MOVES_MAX];
    if (variant->game->pick)
        return variant->game->pick(&variant->rules, state, random, move);
    size_t count = variant->game->moves(&variant->rules, state, moves);
    *move = moves[random_below(random, count)];
    return count;
}

/* Whether the game is over at `state`, and `player` alone got the most. */
static bool is_won_by(const Variant *variant, const State *state, int player) {
    const Game *game = variant->game;
    double payoffs[GAME_PLAYERS_MAX];
    if (game->actor(&variant->rules, state) != GAME_END)
        return false;
    game->payoff(&variant->rules, state, payoffs);
    for (int i = 0; i < game->player_count(&variant->rules); i++)
        if (i != player && payoffs[i] >= payoffs[player])
            return false;
    return true;
}

/* Changes the move into the first one that wins on the spot, if there is one. */
static void take_win(const Variant *variant, const State *state, int player, Move *move) {
    Move moves[GAME_MOVES_MAX];
    size_t count = variant->game->moves(&variant->rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        variant->game->apply(&variant->rules, &next, moves[i]);
        if (is_won_by(variant, &next, player)) {
            *move = moves[i];
            return;
        }
    }
}

static void play_one(const Variant *variant, Random random, bool takes_wins, PlayoutStats *stats) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    State state = game->start(rules);
    size_t length = 0, events = 0;
    stats->games++;
    for (;;) {
        int actor = game->actor(rules, &state);
        if (actor == GAME_END)
            break;
        if (length == PLAYOUT_LENGTH_MAX || events == PLAYOUT_EVENTS_MAX) {
            stats->cut_off++;
            return;
        }
        if (actor == GAME_CHANCE) {
            game->apply(rules, &state, playout_chance(variant, &state, &random));
            stats->events++;
            events++;
            continue;
        }
        Move move;
        size_t count = pick_move(variant, &state, &random, &move);
        if (takes_wins)
            take_win(variant, &state, actor, &move);
        game->apply(rules, &state, move);
        stats->moves++;
        stats->branches += count;
        if (count > stats->branching_max)
            stats->branching_max = count;
        length++;
    }
    stats->length_of[length]++;
    double payoffs[GAME_PLAYERS_MAX];
    game->payoff(rules, &state, payoffs);
    int players = game->player_count(rules), winner = 0;
    for (int i = 0; i < players; i++) {
        stats->payoffs[i] += payoffs[i];
        if (payoffs[i] > payoffs[winner])
            winner = i;
    }
    if (game->ending)
        stats->endings[game->ending(rules, &state)][winner]++;
}

static void add_stats(PlayoutStats *sum, const PlayoutStats *part) {
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
    for (int i = 0; i < GAME_ENDINGS_MAX; i++)
        for (int j = 0; j < GAME_PLAYERS_MAX; j++)
            sum->endings[i][j] += part->endings[i][j];
}

/* Chunks are played in rounds of a fixed size and added in their order, so that the sums of
 * payoffs, which are rounded, come out the same whatever thread played which chunk. */
PlayoutStats *playout_run(const Variant *variant, const PlayoutPlan *plan, int threads,
                          Progress *progress) {
    enum { ROUND_CHUNKS = 64 };
    uint64_t games = plan->games;
    PlayoutStats *sum = calloc(1, sizeof *sum);
    PlayoutStats *parts = calloc(ROUND_CHUNKS, sizeof *parts);
    if (!sum || !parts) {
        free(sum);
        free(parts);
        return NULL;
    }
    progress_start(progress, "playing");
    for (uint64_t first = 0; first < games; first += (uint64_t)ROUND_CHUNKS * CHUNK_GAMES) {
#pragma omp parallel for num_threads(threads < ROUND_CHUNKS ? threads : ROUND_CHUNKS)              \
    schedule(dynamic)
        for (int chunk = 0; chunk < ROUND_CHUNKS; chunk++) {
            uint64_t begin = first + (uint64_t)chunk * CHUNK_GAMES;
            parts[chunk] = (PlayoutStats){.games = 0};
            for (uint64_t i = begin; i < begin + CHUNK_GAMES && i < games; i++)
                play_one(variant, random_from_seed(plan->seed, i), plan->takes_wins, &parts[chunk]);
        }
        for (int chunk = 0; chunk < ROUND_CHUNKS; chunk++)
            add_stats(sum, &parts[chunk]);
        progress_report(progress, sum->games, games);
    }
    progress_finish(progress);
    free(parts);
    return sum;
}
