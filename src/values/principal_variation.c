#include "values/principal_variation.h"

#include <stdlib.h>

#include "kernel/state_map.h"

enum { MEMORY_BYTES = 64 << 20 };

typedef struct Finder {
    const Variant *variant;
    Solver *solver;
    StateMap map;
    uint64_t *counts; /* [number in the map]: of best lines from that state */
    size_t capacity;
    size_t depth;
    bool has_none; /* chance is ahead, or the lines are too many or too long */
} Finder;

/* Lists the moves that keep the value of the state. */
static Status list_best_moves(Finder *finder, const State *state, Move moves[], size_t *count) {
    const Variant *variant = finder->variant;
    double value, after[GAME_PLAYERS_MAX] = {0};
    Status status = finder->solver->values(finder->solver, state, after);
    value = after[0];
    size_t all = variant->game->tree.moves(&variant->rules, state, moves);
    *count = 0;
    for (size_t i = 0; i < all && status_is_ok(&status); i++) {
        State next = *state;
        variant->game->tree.apply(&variant->rules, &next, moves[i]);
        status = finder->solver->values(finder->solver, &next, after);
        if (!solver_exceeds(value, after[0]) && !solver_exceeds(after[0], value))
            moves[(*count)++] = moves[i];
    }
    return status;
}

/* Keeps the number of best lines from a state. */
static void keep_count(Finder *finder, const State *state, uint64_t lines) {
    bool added;
    uint32_t number = state_map_add(&finder->map, state, &added);
    if (number != STATE_MAP_NONE && finder->capacity < finder->map.capacity) {
        uint64_t *larger = realloc(finder->counts, finder->map.capacity * sizeof *larger);
        if (larger) {
            finder->counts = larger;
            finder->capacity = finder->map.capacity;
        }
    }
    if (number == STATE_MAP_NONE || number >= finder->capacity)
        finder->has_none = true;
    else
        finder->counts[number] = lines;
}

static Status count_lines(Finder *finder, const State *state, uint64_t *lines) {
    const Variant *variant = finder->variant;
    Move moves[GAME_MOVES_MAX];
    size_t count = 0;
    int actor = variant->game->tree.actor(&variant->rules, state);
    uint32_t number = state_map_find(&finder->map, state);
    *lines = actor == GAME_END;
    if (actor == GAME_CHANCE || finder->depth == PRINCIPAL_VARIATION_MAX)
        finder->has_none = true;
    if (actor == GAME_END || finder->has_none)
        return status_ok();
    if (number != STATE_MAP_NONE) {
        *lines = finder->counts[number];
        return status_ok();
    }
    Status status = list_best_moves(finder, state, moves, &count);
    finder->depth++;
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        State next = *state;
        uint64_t more = 0;
        variant->game->tree.apply(&variant->rules, &next, moves[i]);
        status = count_lines(finder, &next, &more);
        if (__builtin_add_overflow(*lines, more, lines))
            finder->has_none = true;
    }
    finder->depth--;
    keep_count(finder, state, *lines);
    return status;
}

/* Follows the first best move to the end. */
static Status follow_best_moves(Finder *finder, const State *state, PrincipalVariation *line) {
    const Variant *variant = finder->variant;
    Move moves[GAME_MOVES_MAX];
    State at = *state;
    Status status = status_ok();
    while (variant->game->tree.actor(&variant->rules, &at) != GAME_END && status_is_ok(&status)) {
        size_t count;
        status = list_best_moves(finder, &at, moves, &count);
        line->moves[line->length++] = moves[0];
        variant->game->tree.apply(&variant->rules, &at, moves[0]);
    }
    return status;
}

Status principal_variation_find(const Variant *variant, Solver *solver, const State *state,
                                PrincipalVariation *line) {
    const Game *game = variant->game;
    Finder finder = {.variant = variant, .solver = solver};
    *line = (PrincipalVariation){.count = 0};
    if (game->tree.has_cycles || game->rules.player_count(&variant->rules) != 1 ||
        solver->kind == VALUE_ESTIMATE || game->tree.actor(&variant->rules, state) != 0)
        return status_ok();
    state_map_init(&finder.map, MEMORY_BYTES);
    Status status = count_lines(&finder, state, &line->count);
    if (status_is_ok(&status) && !finder.has_none)
        status = follow_best_moves(&finder, state, line);
    else
        line->count = 0;
    state_map_free(&finder.map);
    free(finder.counts);
    return status;
}
