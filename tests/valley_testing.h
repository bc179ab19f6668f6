/* What the tests of King's Valley share: variants, positions, images. */
#ifndef MALPAN_TESTS_VALLEY_TESTING_H
#define MALPAN_TESTS_VALLEY_TESTING_H

#include <stdio.h>

#include "games/valley/symmetry.h"
#include "games/valley/valley.h"
#include "testing.h"

static inline Variant with_soldiers(int soldiers) {
    Variant variant = variant_default(&valley_game);
    char number[16];
    snprintf(number, sizeof number, "%d", soldiers);
    assert_ok(valley_rules_set(&variant.rules, "soldiers", number));
    return variant;
}

/* A state so many random moves from the start, the game going on. */
static inline State wander(const Variant *variant, Random *random, int steps) {
    for (;;) {
        State state = valley_start(&variant->rules);
        for (int i = 0; i < steps && valley_actor(&variant->rules, &state) != GAME_END; i++) {
            Move move;
            valley_pick(&variant->rules, &state, random, &move);
            valley_apply(&variant->rules, &state, move);
        }
        if (valley_actor(&variant->rules, &state) != GAME_END)
            return state;
    }
}

/* The board turned or mirrored, square by square. */
static inline ValleyBoard image_of(const Symmetries *symmetries, const ValleyBoard *board,
                                   int symmetry) {
    ValleyBoard image = {.soldiers = {0, 0}};
    for (int colour = 0; colour < 2; colour++) {
        image.kings[colour] = symmetries->squares[symmetry][board->kings[colour]];
        for (uint32_t set = board->soldiers[colour]; set; set &= set - 1)
            image.soldiers[colour] |= valley_bit(symmetries->squares[symmetry][valley_lowest(set)]);
    }
    return image;
}

#endif
