#include "games/yut/solve/catches.h"

/* Merges the last catch, which has a single lane, with others that lead to the same placement.
 * False if there is no room for another group of these. */
static bool join_same(Catches *catches) {
    const Catch *last = &catches->runs[catches->count - 1];
    int i = 0;
    while (i < catches->same_count && catches->same[i].without != last->without)
        i++;
    if (i == LANES)
        return false;
    if (i == catches->same_count)
        catches->same[catches->same_count++] = (SameCatch){.without = last->without};
    catches->same[i].squares[last->lane] |= (uint32_t)1 << last->square;
    return true;
}

void catches_find(const Placements *placements, uint32_t first, uint32_t last, Catches *catches) {
    catches->count = catches->same_count = 0;
    for (int square = 1; square < YUT_ARRIVED; square++) {
        Catch *run = NULL;
        for (uint32_t other = first; other <= last; other++) {
            bool is_there = other < last && placements->occupied[other] >> square & 1;
            uint32_t without = is_there ? placement_send_back(placements, other, square) : 0;
            if (run && is_there && without == run->without + (uint32_t)run->lanes &&
                without % LANES != 0) {
                run->lanes++;
                continue;
            }
            if (run && run->lanes == 1 && join_same(catches))
                catches->count--;
            run = is_there ? &catches->runs[catches->count++] : NULL;
            if (run)
                *run = (Catch){square, (int)(other % LANES), 1, without};
        }
    }
}

size_t catches_pick(const Placements *placements, const SameCatch *same, PackedPick *picks) {
    uint32_t lanes_of[YUT_SQUARES] = {0}; /* [square] */
    size_t count = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (int square = 1; square < YUT_ARRIVED; square++)
            lanes_of[square] |= (same->squares[lane] >> square & 1) << lane;
    for (uint32_t own = 0; own < placements->count; own++) {
        uint32_t lanes = 0;
        for (int piece = 0; piece < placements->pieces; piece++)
            lanes |= lanes_of[placements->squares[own][piece]];
        picks[count] = (PackedPick){own, lanes};
        count += lanes != 0;
    }
    return count;
}
