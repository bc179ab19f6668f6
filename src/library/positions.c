/* Positions: the tree of the game. */
#include "game/move_ids.h"
#include "library/library.h"

/* Copies the state of a position of the game, or says why not. */
static Status read_position(const MalpanGame *game, const MalpanPosition *position, State *state) {
    return game ? library_read_position(game->tag, position, state) : library_expected("a game");
}

int malpan_start(const MalpanGame *game, MalpanPosition *position, MalpanError *error) {
    if (!game || !position)
        return library_finish(error, library_expected(game ? "room for the position" : "a game"));
    State state = game->variant.game->tree.start(&game->variant.rules);
    library_set_state(game->tag, &state, position);
    return library_finish(error, status_ok());
}

int malpan_actor(const MalpanGame *game, const MalpanPosition *position) {
    State state;
    return library_get_game_state(game, position, &state)
               ? game->variant.game->tree.actor(&game->variant.rules, &state)
               : MALPAN_INVALID;
}

int malpan_turn(const MalpanGame *game, const MalpanPosition *position) {
    State state;
    return library_get_game_state(game, position, &state)
               ? game->variant.game->tree.turn(&game->variant.rules, &state)
               : MALPAN_INVALID;
}

size_t malpan_moves(const MalpanGame *game, const MalpanPosition *position, MalpanMove moves[],
                    size_t capacity) {
    State state;
    if (!library_get_game_state(game, position, &state) ||
        game->variant.game->tree.actor(&game->variant.rules, &state) < 0)
        return 0;
    if (moves && capacity >= GAME_MOVES_MAX)
        return game->variant.game->tree.moves(&game->variant.rules, &state, moves);
    Move listed[GAME_MOVES_MAX];
    size_t count = game->variant.game->tree.moves(&game->variant.rules, &state, listed);
    for (size_t i = 0; moves && i < count && i < capacity; i++)
        moves[i] = listed[i];
    return count;
}

uint32_t malpan_move_bound(const MalpanGame *game) {
    const GameMoveIds *ids = game ? game->variant.game->move_ids : NULL;
    return ids ? ids->bound(&game->variant.rules) : 0;
}

size_t malpan_chances(const MalpanGame *game, const MalpanPosition *position,
                      MalpanChance chances[], size_t capacity, uint64_t *denominator) {
    State state;
    Chance listed[GAME_CHANCES_MAX];
    uint64_t whole;
    if (!library_get_game_state(game, position, &state) ||
        game->variant.game->tree.actor(&game->variant.rules, &state) != GAME_CHANCE)
        return 0;
    size_t count = game->variant.game->tree.chances(&game->variant.rules, &state, listed, &whole);
    for (size_t i = 0; chances && i < count && i < capacity; i++)
        chances[i] = (MalpanChance){.move = listed[i].move, .weight = listed[i].weight};
    if (denominator)
        *denominator = whole;
    return count;
}

int malpan_apply(const MalpanGame *game, MalpanPosition *position, MalpanMove move,
                 MalpanError *error) {
    State state;
    Status status = read_position(game, position, &state);
    if (status_is_ok(&status))
        status = variant_play(&game->variant, &state, move);
    if (status_is_ok(&status))
        library_set_state(game->tag, &state, position);
    return library_finish(error, status);
}

int malpan_apply_listed(const MalpanGame *game, MalpanPosition *position, MalpanMove move) {
    State state;
    if (!library_get_game_state(game, position, &state) ||
        game->variant.game->tree.actor(&game->variant.rules, &state) == GAME_END)
        return MALPAN_USAGE;
    game->variant.game->tree.apply(&game->variant.rules, &state, move);
    library_set_state(game->tag, &state, position);
    return MALPAN_OK;
}

int malpan_payoffs(const MalpanGame *game, const MalpanPosition *position, double payoffs[],
                   MalpanError *error) {
    State state;
    Status status = read_position(game, position, &state);
    if (status_is_ok(&status) && !payoffs)
        status = library_expected("room for the payoffs");
    if (status_is_ok(&status) &&
        game->variant.game->tree.actor(&game->variant.rules, &state) != GAME_END)
        status = status_make(STATUS_USAGE, "the game is not over");
    if (status_is_ok(&status))
        game->variant.game->tree.payoff(&game->variant.rules, &state, payoffs);
    return library_finish(error, status);
}

/* --- chance --- */

void malpan_random_seed(MalpanRandom *random, uint64_t seed, uint64_t stream) {
    if (!random)
        return;
    Random generator = random_from_seed(seed, stream);
    library_set_random(&generator, random);
}

uint64_t malpan_random_next(MalpanRandom *random) {
    if (!random)
        return 0;
    Random generator = library_get_random(random);
    uint64_t number = random_next(&generator);
    library_set_random(&generator, random);
    return number;
}

uint64_t malpan_random_below(MalpanRandom *random, uint64_t bound) {
    if (!random || bound == 0)
        return 0;
    Random generator = library_get_random(random);
    uint64_t number = random_below(&generator, bound);
    library_set_random(&generator, random);
    return number;
}

int malpan_draw_chance(const MalpanGame *game, const MalpanPosition *position, MalpanRandom *random,
                       MalpanMove *event, MalpanError *error) {
    State state;
    Status status = read_position(game, position, &state);
    if (status_is_ok(&status) && (!random || !event))
        status = library_expected(random ? "room for the event" : "a generator");
    if (status_is_ok(&status) &&
        game->variant.game->tree.actor(&game->variant.rules, &state) != GAME_CHANCE)
        status = status_make(STATUS_USAGE, "no chance event comes next");
    if (status_is_ok(&status)) {
        Random generator = library_get_random(random);
        *event = variant_draw_chance(&game->variant, &state, &generator);
        library_set_random(&generator, random);
    }
    return library_finish(error, status);
}
