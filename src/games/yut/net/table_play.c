#include "games/yut/net/table_play.h"

enum { ONE_IN_RANDOM = 24 };

/* The chances of the players. */
typedef struct Chances {
    double of[YUT_PLAYERS_MAX];
} Chances;

/* What is known about a step. */
typedef struct Step {
    Chances direct; /* V */
    Chances mean;   /* U */
    bool is_cut;    /* a move after it was random */
    bool is_listed; /* it is one of the positions */
} Step;

/* Steps are more than turns: throws are repeated. */
enum { STEPS_MAX = 2 * SELF_PLAY_TURNS_MAX };

typedef struct TableGame {
    const SelfPlay *self_play;
    const YutRules *rules;
    Rules packed;
    uint64_t weights[YUT_RESULTS + 1], whole; /* of the results, and of a nak */
    Random *random;
    bool explore;
    YutState state;
    size_t count, steps_count;
    PlayedPosition *positions;
    Step steps[STEPS_MAX];
} TableGame;

static bool is_over(const TableGame *game) {
    return yut_winner(game->rules, &game->state) >= 0;
}

static void value_state(const TableGame *game, const YutState *state, Chances *chances) {
    evaluator_values(&game->self_play->evaluator, game->rules, state, chances->of);
}

static YutResult draw_result(const TableGame *game) {
    uint64_t part = random_below(game->random, game->whole);
    int result = 0;
    while (part >= game->weights[result])
        part -= game->weights[result++];
    return (YutResult)result;
}

/* --- steps --- */

/* Computes U. */
static Chances mean_after_throw(const TableGame *game) {
    Chances mean = {{0}};
    for (int result = 0; result <= YUT_NAK; result++) {
        if (game->weights[result] == 0)
            continue;
        const double chance = (double)game->weights[result] / (double)game->whole;
        YutState next = game->state;
        Chances after;
        yut_throw(game->rules, &next, (YutResult)result);
        value_state(game, &next, &after);
        for (int i = 0; i < game->rules->players; i++)
            mean.of[i] += chance * after.of[i];
    }
    return mean;
}

static void play_random(TableGame *game) {
    Move moves[GAME_MOVES_MAX];
    State packed = yut_state_pack(&game->state);
    size_t count = yut_moves(&game->packed, &packed, moves);
    yut_play(game->rules, &game->state, moves[random_below(game->random, count)]);
}

/* Throws, and plays until the next throw. */
static void play_step(TableGame *game) {
    Step *step = &game->steps[game->steps_count++];
    *step = (Step){.mean = mean_after_throw(game),
                   .is_listed = game->state.throws == 1 && evaluator_is_start(&game->state)};
    value_state(game, &game->state, &step->direct);
    if (step->is_listed)
        game->positions[game->count++] = played_position(game->rules, &game->state);
    yut_throw(game->rules, &game->state, draw_result(game));
    while (!is_over(game) && game->state.throws == 0)
        if (game->explore && random_below(game->random, ONE_IN_RANDOM) == 0) {
            step->is_cut = true;
            play_random(game);
        } else {
            evaluator_play(&game->self_play->evaluator, game->rules, &game->state);
        }
}

/* --- targets --- */

/* Computes the targets of the positions from the last step back. */
static void set_targets(TableGame *game) {
    Chances later = {{0}}; /* G - V of the step after */
    size_t t = game->count;
    for (size_t i = game->steps_count; i-- > 0;) {
        const Step *step = &game->steps[i];
        /* Only a step that is one of the positions can be learned from, and counts as a step of
         * TD(lambda). */
        const double lambda = step->is_listed ? game->self_play->lambda : 1;
        t -= step->is_listed;
        for (int player = 0; player < game->rules->players; player++) {
            const double target = step->mean.of[player] + (step->is_cut ? 0 : later.of[player]);
            later.of[player] = lambda * (target - step->direct.of[player]);
            if (step->is_listed)
                game->positions[t].values[player] = (float)target;
        }
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
    while (!is_over(&game) && game.steps_count < STEPS_MAX && game.count < SELF_PLAY_TURNS_MAX)
        play_step(&game);
    set_targets(&game);
    return game.count;
}
