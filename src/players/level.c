/* Levels for people: easy, normal, strong and best. They see the same dice as everybody, and differ
 * only in how often they pick a weaker move.
 *
 * The error model. A level knows a value of every legal move: exact where the variant has a table
 * or is solved now, else from a search of a fixed depth, else an estimate. With l_i the loss of
 * move i against the best one, m the mean loss of all n legal moves (what a random move would cost
 * here), it picks move i with a probability proportional to
 *
 *     exp(-l_i * ln(n + 1) / (temperature * m))
 *
 * So the unit of the temperature is the spread of the values in the position itself: a level makes
 * the same kind of mistakes whether values are chances, points or outcomes, and a better estimate
 * changes nothing but the quality of the moves. The logarithm keeps many bad moves together from
 * being more likely than one. Temperature 0 is the best move.
 *
 * Moves depend on the state and the random numbers alone. Searches have no time limit.
 */
#include <math.h>
#include <stdlib.h>

#include "game/outcomes.h"
#include "game/search.h"
#include "kernel/lookahead.h"
#include "players/player.h"
#include "values/evaluate.h"
#include "values/policy.h"

typedef struct Level {
    double temperature;
    int depth; /* of a search, in plies */
} Level;

static const Level easy = {.temperature = 2, .depth = 3};
static const Level normal = {.temperature = 1, .depth = 4};
static const Level strong = {.temperature = 0.5, .depth = 5};
static const Level best = {.temperature = 0, .depth = 8};

typedef struct LevelPlayer {
    Player base;
    const Variant *variant;
    const Level *level;
    Solver *solver; /* of exact values, shared, or `own`; NULL: it searches */
    Solver *own;    /* a lookahead; NULL: none */
    Search *search;
    const StopFlag *stop;
    Evaluation evaluation;
    double weights[GAME_MOVES_MAX];
} LevelPlayer;

/* --- values by search --- */

/* Searches the position itself for its best move. Proven values stored in the program may be
 * used. */
static void search_best(LevelPlayer *mine, const State *state, Move *move) {
    SearchResult result;
    const SearchBudget budget = {
        .depth = mine->level->depth, .threads = 1, .may_look_up = true, .stop = mine->stop};
    mine->search->think(mine->search, state, &budget, &result);
    *move = result.line[0];
}

/* The value of the state after a move to the player who made it. */
static double search_after(LevelPlayer *mine, const State *state, int player) {
    const Variant *variant = mine->variant;
    const Game *game = variant->game;
    double values[GAME_PLAYERS_MAX];
    if (game->tree.actor(&variant->rules, state) == GAME_END) {
        game->tree.payoff(&variant->rules, state, values);
        return values[player];
    }
    SearchResult result;
    const SearchBudget budget = {
        .depth = mine->level->depth - 1, .threads = 1, .value_only = true, .stop = mine->stop};
    mine->search->think(mine->search, state, &budget, &result);
    return game->tree.turn(&variant->rules, state) == player ? result.value : 1 - result.value;
}

/* Searches every move. The moves stay in the order of the game. */
static void search_moves(LevelPlayer *mine, const State *state) {
    const Variant *variant = mine->variant;
    const Game *game = variant->game;
    Evaluation *evaluation = &mine->evaluation;
    Move moves[GAME_MOVES_MAX];
    evaluation->player = game->tree.turn(&variant->rules, state);
    evaluation->move_count = game->tree.moves(&variant->rules, state, moves);
    for (size_t i = 0; i < evaluation->move_count; i++) {
        State next = *state;
        game->tree.apply(&variant->rules, &next, moves[i]);
        double value = search_after(mine, &next, evaluation->player);
        if (game->outcomes)
            value = game->outcomes->before_move(value);
        evaluation->moves[i] = (MoveValue){.move = moves[i], .value = value, .order = i};
    }
}

/* --- the choice --- */

/* The loss of each move against the best one, in place of the weights. Returns their mean. */
static double find_losses(LevelPlayer *mine) {
    const Evaluation *evaluation = &mine->evaluation;
    const Variant *variant = mine->variant;
    bool lower_is_better = variant->game->rules.value_info(&variant->rules).lower_is_better;
    double top = evaluation->moves[0].value, sum = 0;
    for (size_t i = 1; i < evaluation->move_count; i++)
        top = lower_is_better ? fmin(top, evaluation->moves[i].value)
                              : fmax(top, evaluation->moves[i].value);
    for (size_t i = 0; i < evaluation->move_count; i++) {
        mine->weights[i] = fabs(top - evaluation->moves[i].value);
        sum += mine->weights[i];
    }
    return sum / (double)evaluation->move_count;
}

/* Draws a move by the error model. */
static Move draw_move(LevelPlayer *mine, Random *random) {
    const Evaluation *evaluation = &mine->evaluation;
    double unit = mine->level->temperature * find_losses(mine), sum = 0;
    unit /= log((double)evaluation->move_count + 1);
    for (size_t i = 0; i < evaluation->move_count; i++) {
        mine->weights[i] = unit > 0 ? exp(-mine->weights[i] / unit) : 1;
        sum += mine->weights[i];
    }
    double left = sum * (double)(random_next(random) >> 11) * 0x1p-53;
    for (size_t i = 0; i + 1 < evaluation->move_count; i++) {
        left -= mine->weights[i];
        if (left < 0)
            return evaluation->moves[i].move;
    }
    return evaluation->moves[evaluation->move_count - 1].move;
}

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    LevelPlayer *mine = (LevelPlayer *)base;
    bool picks_best = mine->level->temperature == 0;
    Status status = status_ok();
    if (mine->solver)
        status = evaluate_state(mine->variant, mine->solver, state, &mine->evaluation);
    else if (picks_best)
        search_best(mine, state, move);
    else
        search_moves(mine, state);
    if (!status_is_ok(&status))
        return status;
    if (mine->stop && *mine->stop)
        return status_make(STATUS_STOPPED, "stopped");
    if (!picks_best)
        *move = draw_move(mine, random);
    else if (mine->solver)
        *move = mine->evaluation.moves[0].move;
    return status;
}

/* --- opening --- */

static void free_player(Player *base) {
    LevelPlayer *mine = (LevelPlayer *)base;
    if (mine->search)
        mine->search->free(mine->search);
    if (mine->own)
        mine->own->free(mine->own);
    free(mine);
}

/* Finds where values come from: the shared solver, a search, or an estimate. */
static Status open_source(LevelPlayer *mine, const SolveLimits *limits, Solver **shared) {
    const Variant *variant = mine->variant;
    const Game *game = variant->game;
    Status status = *shared ? status_ok() : values_open_exact(variant, limits, shared);
    mine->solver = *shared;
    bool is_missing = status.code == STATUS_TABLE || status.code == STATUS_UNSUPPORTED;
    if (!is_missing)
        return status;
    if (game->search && game->rules.player_count(&variant->rules) == 2)
        return game->search->open(&variant->rules, limits, &mine->search);
    Status estimated = values_open_estimate(variant, limits, &mine->own);
    mine->solver = mine->own;
    return estimated.code == STATUS_UNSUPPORTED ? status : estimated;
}

static Status open_level(const Level *level, const Variant *variant, const SolveLimits *limits,
                         Solver **shared, Player **player) {
    LevelPlayer *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->base = (Player){.choose = choose_move, .free = free_player};
    mine->variant = variant;
    mine->level = level;
    mine->stop = limits->stop;
    Status status = open_source(mine, limits, shared);
    if (!status_is_ok(&status)) {
        free_player(&mine->base);
        return status;
    }
    *player = &mine->base;
    return status;
}

Status player_easy_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                        Solver **shared, Player **player) {
    (void)setting;
    return open_level(&easy, variant, limits, shared, player);
}

Status player_normal_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player) {
    (void)setting;
    return open_level(&normal, variant, limits, shared, player);
}

Status player_strong_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player) {
    (void)setting;
    return open_level(&strong, variant, limits, shared, player);
}

Status player_best_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                        Solver **shared, Player **player) {
    (void)setting;
    return open_level(&best, variant, limits, shared, player);
}
