#include "games/yut/net/table_play.h"

enum { ONE_IN_RANDOM = 24 };

/* The chances of the players. */
typedef struct Chances {
    double of[YUT_PLAYERS_MAX];
} Chances;

/* What is known about a step. */
typedef struct Step {
    Chances direct;   /* V */
    Chances mean;     /* U */
    Chances expected; /* B(r) */
    bool is_cut;      /* the move was random */
} Step;

typedef struct TableGame {
    const SelfPlay *self_play;
    const YutRules *rules;
    Rules packed;
    uint64_t weights[YUT_RESULTS + 1], whole; /* of the results, and of a nak */
    Random *random;
    bool explore;
    YutState state;
    size_t count;
    PlayedPosition *positions;
    Step steps[SELF_PLAY_TURNS_MAX];
} TableGame;

static bool is_over(const TableGame *game) {
    return yut_winner(game->rules, &game->state) >= 0;
}

static void value_state(const TableGame *game, const YutState *state, Chances *chances) {
    evaluator_values(&game->self_play->evaluator, game->rules, state, chances->of);
}

/* --- moves --- */

static YutResult draw_result(const TableGame *game) {
    uint64_t part = random_below(game->random, game->whole);
    int result = 0;
    while (part >= game->weights[result])
        part -= game->weights[result++];
    return (YutResult)result;
}

static size_t list_moves(const TableGame *game, const YutState *state, Move moves[]) {
    State packed = yut_state_pack(state);
    return yut_moves(&game->packed, &packed, moves);
}

/* The state with this result alone in hand. The player throws again if the result says so. */
static YutState with_result(const TableGame *game, const YutState *state, YutResult result) {
    YutState next = *state;
    memset(next.list, 0, sizeof next.list);
    next.list[result] = 1;
    next.throws = yut_throws_again(game->rules, state->turn, result);
    return next;
}

/* The best move with one result; B(r). A nak has no move. */
static Move value_result(const TableGame *game, YutResult result, Chances *best) {
    Move moves[GAME_MOVES_MAX], best_move = 0;
    const int player = game->state.turn;
    if (result == YUT_NAK) {
        YutState next = game->state;
        yut_throw(game->rules, &next, result);
        value_state(game, &next, best);
        return 0;
    }
    const YutState before = with_result(game, &game->state, result);
    size_t count = list_moves(game, &before, moves);
    for (size_t i = 0; i < count; i++) {
        YutState next = before;
        Chances chances = {{0}};
        yut_play(game->rules, &next, moves[i]);
        value_state(game, &next, &chances);
        if (i == 0 || chances.of[player] > best->of[player]) {
            *best = chances;
            best_move = moves[i];
        }
    }
    return best_move;
}

/* --- steps --- */

/* Throws and plays until nothing is in hand, or the turn or the game is over. */
static void play_list(TableGame *game) {
    const int player = game->state.turn;
    while (!is_over(game) && game->state.turn == player && !evaluator_is_start(&game->state))
        if (game->state.throws > 0)
            yut_throw(game->rules, &game->state, draw_result(game));
        else
            evaluator_play(&game->self_play->evaluator, game->rules, &game->state);
}

/* Whether exactly one result is left to play and no throw. */
static bool plays_one(const YutState *state) {
    int length = 0;
    for (int i = 0; i < YUT_RESULTS; i++)
        length += state->list[i];
    return length == 1 && state->throws == 0;
}

static void play_step(TableGame *game) {
    Step *step = &game->steps[game->count];
    PlayedPosition *position = &game->positions[game->count++];
    const int player = game->state.turn;
    Chances after[YUT_RESULTS + 1] = {{{0}}};
    Move moves[YUT_RESULTS + 1];
    *position = played_position(game->rules, &game->state);
    *step = (Step){.is_cut = false};
    value_state(game, &game->state, &step->direct);
    for (int result = 0; result <= YUT_NAK; result++) {
        if (game->weights[result] == 0)
            continue;
        moves[result] = value_result(game, (YutResult)result, &after[result]);
        const double chance = (double)game->weights[result] / (double)game->whole;
        for (int i = 0; i < game->rules->players; i++)
            step->mean.of[i] += chance * after[result].of[i];
    }
    const YutResult thrown = draw_result(game);
    step->expected = after[thrown];
    yut_throw(game->rules, &game->state, thrown);
    if (game->state.turn != player || !plays_one(&game->state)) {
        play_list(game);
        return;
    }
    if (game->explore && random_below(game->random, ONE_IN_RANDOM) == 0) {
        Move all[GAME_MOVES_MAX];
        size_t count = list_moves(game, &game->state, all);
        step->is_cut = true;
        yut_play(game->rules, &game->state, all[random_below(game->random, count)]);
    } else {
        yut_play(game->rules, &game->state, moves[thrown]);
    }
}

/* Throws where two throws are owed: such a state is not a step. */
static void play_owed(TableGame *game) {
    yut_throw(game->rules, &game->state, draw_result(game));
    play_list(game);
}

/* --- targets --- */

/* Computes the targets of the steps from the last one back. */
static void set_targets(TableGame *game) {
    Chances later = {{0}}, direct = {{0}}; /* G and V of the step after */
    bool is_known = is_over(game);
    if (is_known)
        value_state(game, &game->state, &later);
    direct = later;
    for (size_t t = game->count; t-- > 0;) {
        const Step *step = &game->steps[t];
        for (int i = 0; i < game->rules->players; i++) {
            double target = step->mean.of[i];
            if (is_known && !step->is_cut)
                target += direct.of[i] - step->expected.of[i] +
                          game->self_play->lambda * (later.of[i] - direct.of[i]);
            later.of[i] = target;
            game->positions[t].values[i] = (float)target;
        }
        direct = step->direct;
        is_known = true;
    }
}

size_t table_play(const SelfPlay *self_play, const YutRules *rules, const YutState *state,
                  bool explore, Random *random, PlayedPosition positions[]) {
    TableGame game = {.self_play = self_play,
                      .rules = rules,
                      .packed = yut_rules_pack(rules),
                      .random = random,
                      .explore = explore,
                      .state = *state,
                      .positions = positions};
    game.whole = yut_weights(rules, game.weights);
    while (!is_over(&game) && game.count < SELF_PLAY_TURNS_MAX)
        if (game.state.throws > 1)
            play_owed(&game);
        else
            play_step(&game);
    set_targets(&game);
    return game.count;
}
