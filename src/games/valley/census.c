/* How many positions there are (game/census.h): by random placements, as the original study did,
 * and exactly. */
#include "games/valley/valley.h"

/* Ways to put two kings on `squares` squares. */
static uint64_t king_placements(uint64_t squares) {
    return squares * (squares - 1);
}

/* Ways to put both sides' soldiers on `squares` squares. */
static uint64_t soldier_placements(int squares, int soldiers) {
    return valley_choose(squares, soldiers) * valley_choose(squares - soldiers, soldiers);
}

/* All pieces anywhere, no two on one square. */
static uint64_t placements(const Rules *rules) {
    int soldiers = valley_rules(rules).soldiers;
    return king_placements(VALLEY_SQUARES) * soldier_placements(VALLEY_SQUARES - 2, soldiers);
}

/* The rules allow every placement without a soldier in the valley. */
static bool draw_placement(const Rules *rules, Random *random) {
    int pieces = 2 + 2 * valley_rules(rules).soldiers;
    uint32_t occupied = 0;
    bool is_legal = true;
    for (int i = 0; i < pieces; i++) {
        uint32_t square;
        do
            square = (uint32_t)random_below(random, VALLEY_SQUARES);
        while (occupied & valley_bit(square));
        occupied |= valley_bit(square);
        bool is_king = i < 2;
        is_legal = is_legal && (is_king || square != VALLEY_CENTRE);
    }
    return is_legal;
}

/* Placements with the valley empty. */
static uint64_t with_empty_valley(int soldiers) {
    return king_placements(VALLEY_SQUARES - 1) * soldier_placements(VALLEY_SQUARES - 3, soldiers);
}

static uint64_t legal(const Rules *rules) {
    int soldiers = valley_rules(rules).soldiers;
    /* One king is in the valley and the other elsewhere. */
    uint64_t kings = king_placements(VALLEY_SQUARES) - king_placements(VALLEY_SQUARES - 1);
    return with_empty_valley(soldiers) + kings * soldier_placements(VALLEY_SQUARES - 2, soldiers);
}

/* Placements of the soldiers that occupy all squares of `wall`, for two kings off the valley. There
 * are none if the valley is part of the wall, as no soldier stands there. */
static uint64_t walled_placements(uint32_t wall, int soldiers) {
    int squares = (int)valley_count(wall);
    if (wall & VALLEY_CENTRE_BIT || squares > 2 * soldiers)
        return 0;
    return valley_choose(VALLEY_SQUARES - 3 - squares, 2 * soldiers - squares) *
           valley_choose(2 * soldiers, soldiers);
}

/* Positions with no king in the valley and none walled in, by inclusion and exclusion. */
static uint64_t in_progress(const Rules *rules) {
    int soldiers = valley_rules(rules).soldiers;
    uint64_t count = with_empty_valley(soldiers);
    for (uint32_t a = 0; a < VALLEY_SQUARES; a++) {
        for (uint32_t b = 0; b < VALLEY_SQUARES; b++) {
            if (a == b || a == VALLEY_CENTRE || b == VALLEY_CENTRE)
                continue;
            uint32_t kings = valley_bit(a) | valley_bit(b);
            uint32_t wall_a = valley_neighbours[a] & ~kings, wall_b = valley_neighbours[b] & ~kings;
            count -= walled_placements(wall_a, soldiers) + walled_placements(wall_b, soldiers) -
                     walled_placements(wall_a | wall_b, soldiers);
        }
    }
    return count;
}

const GameCensus valley_census = {
    .placements = placements, .draw = draw_placement, .legal = legal, .in_progress = in_progress};
