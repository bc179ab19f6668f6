#include "values/perft.h"

#include "base/threads.h"
#include "game/perft.h"

uint64_t perft_count_plain(const Variant *variant, const State *state, int depth) {
    Move steps[GAME_MOVES_MAX];
    uint64_t paths = 0;
    if (depth == 0)
        return 1;
    size_t count = variant_steps(variant, state, steps);
    if (depth == 1)
        return count;
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        variant->game->tree.apply(&variant->rules, &next, steps[i]);
        paths += perft_count_plain(variant, &next, depth - 1);
    }
    return paths;
}

uint64_t perft_count(const Variant *variant, const State *state, int depth) {
    return variant->game->perft ? variant->game->perft->count(&variant->rules, state, depth)
                                : perft_count_plain(variant, state, depth);
}

typedef struct Division {
    const Variant *variant;
    const State *state;
    int depth;
    const Move *moves;
    uint64_t *counts;
} Division;

/* Counts the paths after the first step i. */
static void count_part(void *context, size_t i, int thread) {
    const Division *division = context;
    const Variant *variant = division->variant;
    State next = *division->state;
    (void)thread;
    variant->game->tree.apply(&variant->rules, &next, division->moves[i]);
    division->counts[i] = perft_count(variant, &next, division->depth - 1);
}

size_t perft_divide(const Variant *variant, const State *state, int depth, int threads,
                    Move moves[], uint64_t counts[]) {
    size_t count = depth > 0 ? variant_steps(variant, state, moves) : 0;
    Division division = {
        .variant = variant, .state = state, .depth = depth, .moves = moves, .counts = counts};
    threads_run(threads, count, count_part, &division);
    return count;
}
