#include "games/box/fits.h"

#include <stdlib.h>

/* Appends the sets after an open set and a roll, making room if needed. */
static bool add_sets(const Rules *packed, const BoxState *s, BoxFits *fits, size_t *count,
                     size_t *capacity) {
    if (*capacity < *count + GAME_MOVES_MAX) {
        *capacity = 2 * (*capacity + GAME_MOVES_MAX);
        TileSet *larger = realloc(fits->after, *capacity * sizeof *larger);
        if (!larger)
            return false;
        fits->after = larger;
    }
    State state = box_state_pack(s);
    size_t added = box_moves(packed, &state, fits->after + *count);
    for (size_t i = 0; i < added; i++)
        fits->after[*count + i] ^= s->open;
    *count += added;
    return true;
}

static void find_weights(const BoxRules *rules, BoxFits *fits) {
    for (int i = 0; i < 2; i++) {
        uint64_t weights[BOX_ROLL_MAX + 1];
        double denominator = (double)box_roll_weights(rules, i == 0 ? 1 : rules->dice, weights);
        for (int roll = 0; roll <= BOX_ROLL_MAX; roll++)
            fits->weights[i][roll] = (double)weights[roll] / denominator;
    }
}

bool box_fits_list(const BoxRules *rules, BoxFits *fits) {
    Rules packed = box_rules_pack(rules);
    size_t entries = ((size_t)box_all_tiles(rules) + 1) * (BOX_ROLL_MAX + 1);
    size_t count = 0, capacity = 0;
    *fits = (BoxFits){.first = malloc((entries + 1) * sizeof *fits->first)};
    find_weights(rules, fits);
    for (size_t i = 0; i < entries && fits->first; i++) {
        BoxState s = {.open = (TileSet)(i / (BOX_ROLL_MAX + 1)),
                      .roll = (uint8_t)(i % (BOX_ROLL_MAX + 1))};
        fits->first[i] = (uint32_t)count;
        if (s.roll == 0 || s.roll > box_roll_max(rules, rules->dice) ||
            box_is_stuck(rules, s.open, s.roll))
            continue;
        if (!add_sets(&packed, &s, fits, &count, &capacity))
            return false;
    }
    if (fits->first)
        fits->first[entries] = (uint32_t)count;
    return fits->first != NULL;
}

void box_fits_free(BoxFits *fits) {
    free(fits->first);
    free(fits->after);
    *fits = (BoxFits){.first = NULL};
}

uint64_t box_fits_bytes(const BoxRules *rules) {
    return ((uint64_t)1 << rules->tiles) * (BOX_ROLL_MAX + 1) * 2 * sizeof(uint32_t);
}
