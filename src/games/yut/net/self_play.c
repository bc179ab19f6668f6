#include "games/yut/net/self_play.h"

#include "game/variant.h"
#include "games/yut/net/table_play.h"
#include "games/yut/net/table_prior.h"
#include "kernel/lookahead.h"

enum { RANDOM_TURNS_MAX = 40, LOOKAHEAD_BYTES = 16 << 20 };

/* A game in progress. */
typedef struct PlayedGame {
    const SelfPlay *self_play;
    Variant variant;
    YutRules rules;
    YutState state;
    Random random;
    Solver *lookahead;
    PlayedPosition *positions;
    size_t count;
    double looked[SELF_PLAY_TURNS_MAX][GAME_PLAYERS_MAX]; /* U */
    double direct[SELF_PLAY_TURNS_MAX][GAME_PLAYERS_MAX]; /* V */
} PlayedGame;

/* --- positions --- */

PlayedPosition played_position(const YutRules *rules, const YutState *state) {
    PlayedPosition position = {.players = rules->players,
                               .pieces = rules->pieces,
                               .teams = rules->teams,
                               .turn = state->turn};
    memcpy(position.animals, rules->animals, sizeof position.animals);
    memcpy(position.squares, state->pieces, sizeof position.squares);
    return position;
}

YutState played_state(const PlayedPosition *position) {
    YutState state = {.turn = position->turn, .throws = 1};
    memcpy(state.pieces, position->squares, sizeof state.pieces);
    return state;
}

void played_sample(const PlayedPosition *position, TrainerSample *sample) {
    YutRules rules = {
        .players = position->players, .pieces = position->pieces, .teams = position->teams};
    memcpy(rules.animals, position->animals, sizeof rules.animals);
    YutState state = played_state(position);
    sample->count = (uint8_t)features_list(&rules, &state, sample->inputs);
    sample->sides = rules.teams ? 2 : rules.players;
    memset(sample->prior, 0, sizeof sample->prior);
    if (features_kind(&rules) == NETWORK_TABLE)
        table_prior(&rules, &state, sample->prior);
    for (int side = 0; side < sample->sides; side++)
        sample->targets[side] = position->values[(state.turn + side) % rules.players];
}

/* --- how a game begins --- */

/* In teams there are no cows: a partner can carry a cow's piece off its route. */
static uint8_t draw_animal(Random *random, bool teams) {
    uint8_t animal = (uint8_t)random_below(random, YUT_NO_ANIMAL + 1);
    return teams && animal == YUT_COW ? YUT_NO_ANIMAL : animal;
}

YutRules self_play_rules(const SelfPlay *self_play, uint64_t number) {
    Random random = random_from_seed(~self_play->seed, number);
    YutRules rules = self_play->rules;
    const ExactValues *exact = self_play->evaluator.exact;
    int solved = exact ? exact->pieces : 0;
    rules.pieces = (uint8_t)(solved + 1 + (int)random_below(&random, (uint64_t)(4 - solved)));
    if (self_play->evaluator.network.kind == NETWORK_DUEL)
        return rules;
    int shape = (int)random_below(&random, 4); /* a duel with animals, 3, 4, teams */
    rules.players = (uint8_t)(shape == 0 ? 2 : shape == 1 ? 3 : 4);
    rules.teams = shape == 3;
    bool with_animals = shape == 0 || random_below(&random, 3) == 0;
    if (random_below(&random, 2) == 0)
        rules.pieces = YUT_PIECES_MAX;
    for (int player = 0; player < rules.players && with_animals; player++)
        rules.animals[player] = draw_animal(&random, rules.teams);
    if (shape == 0 && features_kind(&rules) == NETWORK_DUEL)
        rules.animals[0] = (uint8_t)random_below(&random, YUT_NO_ANIMAL);
    if (with_animals)
        rules.pieces = YUT_PIECES_MAX;
    return rules;
}

/* Draws all pieces at random: waiting, home, or anywhere. */
static void draw_pieces(PlayedGame *game) {
    Rules packed = yut_rules_pack(&game->rules);
    State position;
    Status status;
    do {
        game->state = (YutState){.throws = 1};
        game->state.turn = (uint8_t)random_below(&game->random, game->rules.players);
        for (int player = 0; player < game->rules.players; player++) {
            uint8_t *pieces = game->state.pieces[player];
            for (int i = 0; i < game->rules.pieces; i++) {
                uint64_t choice = random_below(&game->random, 8);
                uint8_t piece = choice < 2    ? 0
                                : choice == 2 ? YUT_ARRIVED
                                              : (uint8_t)random_below(&game->random, YUT_SQUARES);
                int at = i;
                for (; at > 0 && pieces[at - 1] > piece; at--)
                    pieces[at] = pieces[at - 1];
                pieces[at] = piece;
            }
        }
        position = yut_state_pack(&game->state);
        status = yut_check(&packed, &position);
    } while (!status_is_ok(&status));
}

/* Throws. */
static void throw_sticks(PlayedGame *game) {
    State position = yut_state_pack(&game->state);
    yut_throw(&game->rules, &game->state,
              (YutResult)variant_draw_chance(&game->variant, &position, &game->random));
}

/* Plays a random move. */
static void play_random(PlayedGame *game) {
    Move moves[GAME_MOVES_MAX];
    State position = yut_state_pack(&game->state);
    size_t count = yut_moves(&game->variant.rules, &position, moves);
    yut_play(&game->rules, &game->state, moves[random_below(&game->random, count)]);
}

static bool is_over(const PlayedGame *game) {
    return yut_winner(&game->rules, &game->state) >= 0;
}

/* Plays random turns from the start of the game. False if that ended it. */
static bool play_random_turns(PlayedGame *game) {
    uint64_t turns = random_below(&game->random, RANDOM_TURNS_MAX);
    for (uint64_t i = 0; i < turns && !is_over(game); i++) {
        uint8_t player = game->state.turn;
        while (!is_over(game) && game->state.turn == player)
            if (game->state.throws > 0)
                throw_sticks(game);
            else
                play_random(game);
    }
    return !is_over(game);
}

static void begin_game(PlayedGame *game) {
    uint64_t how = random_below(&game->random, 4);
    State start = yut_start(&game->variant.rules);
    game->state = yut_state(&start);
    if (game->self_play->evaluator.network.kind == NETWORK_TABLE)
        how = how == 0 ? 0 : how - 1; /* more of them from the start */
    if (how == 1 && !play_random_turns(game))
        game->state = yut_state(&start);
    if (how > 1)
        draw_pieces(game);
}

/* --- a game --- */

static void estimate_leaf(void *context, const State *state, double values[]) {
    const PlayedGame *game = context;
    YutState s = yut_state(state);
    evaluator_values(&game->self_play->evaluator, &game->rules, &s, values);
}

/* Plays the best move by the lookahead. */
static Status play_best(PlayedGame *game) {
    Move moves[GAME_MOVES_MAX], best = 0;
    double best_value = -1;
    State position = yut_state_pack(&game->state);
    size_t count = yut_moves(&game->variant.rules, &position, moves);
    for (size_t i = 0; i < count && count > 1; i++) {
        State next = position;
        double values[GAME_PLAYERS_MAX];
        yut_apply(&game->variant.rules, &next, moves[i]);
        Status status = game->lookahead->values(game->lookahead, &next, values);
        if (!status_is_ok(&status))
            return status;
        if (values[game->state.turn] > best_value) {
            best_value = values[game->state.turn];
            best = moves[i];
        }
    }
    yut_play(&game->rules, &game->state, count > 1 ? best : moves[0]);
    return status_ok();
}

/* Plays the turn that begins here. */
static Status play_turn(PlayedGame *game) {
    State start = yut_state_pack(&game->state);
    uint8_t player = game->state.turn;
    Status status = status_ok();
    game->positions[game->count] = played_position(&game->rules, &game->state);
    evaluator_values(&game->self_play->evaluator, &game->rules, &game->state,
                     game->direct[game->count]);
    game->lookahead->begin(game->lookahead, &start);
    status = game->lookahead->values(game->lookahead, &start, game->looked[game->count]);
    game->count++;
    while (status_is_ok(&status) && !is_over(game) && game->state.turn == player)
        if (game->state.throws > 0)
            throw_sticks(game);
        else
            status = play_best(game);
    return status;
}

/* Plays on where values are exact: there they are the targets, and moves need no lookahead. For the
 * sake of variety a few moves are random; in half of the games, all. */
static void play_known(PlayedGame *game, const ExactValues *exact) {
    const uint64_t random_share = random_below(&game->random, 2) == 0 ? 1 : 8;
    while (!is_over(game) && game->count < SELF_PLAY_TURNS_MAX) {
        double value;
        if (evaluator_is_start(&game->state) &&
            exact_find(exact, &game->rules, &game->state, &value)) {
            PlayedPosition *position = &game->positions[game->count++];
            *position = played_position(&game->rules, &game->state);
            position->values[game->state.turn] = (float)value;
            position->values[1 - game->state.turn] = (float)(1 - value);
        }
        if (game->state.throws > 0)
            throw_sticks(game);
        else if (random_below(&game->random, random_share) == 0)
            play_random(game);
        else
            evaluator_play(&game->self_play->evaluator, &game->rules, &game->state);
    }
}

/* Computes the targets of the first `count` positions from the last one back. */
static void set_targets(PlayedGame *game, size_t count) {
    double later[GAME_PLAYERS_MAX] = {0}; /* G - V of the turn after */
    for (size_t t = count; t-- > 0;)
        for (int player = 0; player < game->rules.players; player++) {
            double target = game->looked[t][player] + game->self_play->lambda * later[player];
            later[player] = target - game->direct[t][player];
            target = target < 0 ? 0 : target > 1 ? 1 : target;
            game->positions[t].values[player] = (float)target;
        }
}

static Status play_game(PlayedGame *game, size_t *looked) {
    const ExactValues *exact = game->self_play->evaluator.exact;
    double value;
    Status status = status_ok();
    while (status_is_ok(&status) && !is_over(game) && game->count < SELF_PLAY_TURNS_MAX &&
           !(exact && exact_find(exact, &game->rules, &game->state, &value)))
        status = play_turn(game);
    set_targets(game, game->count);
    if (looked)
        *looked = game->count;
    if (status_is_ok(&status) && exact)
        play_known(game, exact);
    return status;
}

/* Opens the lookahead, plays and closes it. */
static Status run_game(PlayedGame *game, size_t *looked) {
    LookaheadPlan plan = {.turns = 1, .estimate = estimate_leaf, .context = game};
    Status status = lookahead_new(
        &game->variant, &plan, &(SolveLimits){.memory_bytes = LOOKAHEAD_BYTES}, &game->lookahead);
    if (!status_is_ok(&status))
        return status;
    status = play_game(game, looked);
    game->lookahead->free(game->lookahead);
    return status;
}

static PlayedGame open_game(const SelfPlay *self_play, const YutRules *rules, uint64_t number,
                            PlayedPosition positions[]) {
    return (PlayedGame){.self_play = self_play,
                        .variant = {.game = &yut_game, .rules = yut_rules_pack(rules)},
                        .rules = *rules,
                        .random = random_from_seed(self_play->seed, number),
                        .positions = positions};
}

Status self_play_game(const SelfPlay *self_play, const YutRules *rules, uint64_t number,
                      PlayedPosition positions[], size_t *count, size_t *looked) {
    PlayedGame game = open_game(self_play, rules, number, positions);
    if (self_play->evaluator.network.kind == NETWORK_TABLE) {
        begin_game(&game);
        *count = table_play(self_play, rules, &game.state, true, &game.random, positions);
        if (looked)
            *looked = *count;
        return status_ok();
    }
    begin_game(&game);
    Status status = run_game(&game, looked);
    *count = game.count;
    return status;
}

Status self_play_value(const SelfPlay *self_play, const YutRules *rules, const YutState *state,
                       uint64_t number, double values[]) {
    PlayedPosition positions[SELF_PLAY_TURNS_MAX];
    PlayedGame game = open_game(self_play, rules, number, positions);
    game.state = *state;
    Status status = status_ok();
    if (self_play->evaluator.network.kind == NETWORK_TABLE)
        (void)table_play(self_play, rules, state, false, &game.random, positions);
    else
        status = run_game(&game, NULL);
    for (int player = 0; player < rules->players; player++)
        values[player] = (double)positions[0].values[player];
    return status;
}
