#include "players/shallow.h"

#include <math.h>

#include "game/move_score.h"

double shallow_search(const Variant *variant, const State *state, Move move, int depth,
                      const StopFlag *stop) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    State next = *state;
    game->tree.apply(rules, &next, move);
    if (depth == 1 || game->tree.actor(rules, &next) == GAME_END)
        return game->move_score->score(rules, state, move);
    Move replies[GAME_MOVES_MAX];
    size_t count = game->tree.moves(rules, &next, replies);
    double best = -INFINITY;
    for (size_t i = 0; i < count && !(stop && *stop); i++)
        best = fmax(best, shallow_search(variant, &next, replies[i], depth - 1, stop));
    return -best;
}
