/* Perft: counts move paths. The moves of the last ply are counted without being made. */
#include "games/valley/valley.h"

static uint64_t count_paths(ValleyState *valley, int depth) {
    uint32_t from[VALLEY_SOLDIERS_MAX + 1], to[VALLEY_SOLDIERS_MAX + 1];
    int mover = (int)valley->turn;
    size_t pieces = valley_destinations(valley, from, to);
    uint64_t paths = 0;
    if (depth == 1) {
        for (size_t i = 0; i < pieces; i++)
            paths += valley_count(to[i]);
        return paths;
    }
    valley->ply++;
    valley->turn = 1 - valley->turn;
    for (size_t i = 0; i < pieces; i++) {
        for (uint32_t set = to[i]; set; set &= set - 1) {
            uint32_t square = valley_lowest(set);
            valley_move(&valley->board, mover, from[i], square);
            if (valley_end(&valley->board, mover) == VALLEY_ONGOING)
                paths += count_paths(valley, depth - 1);
            valley_move(&valley->board, mover, square, from[i]);
        }
    }
    valley->turn = (uint32_t)mover;
    valley->ply--;
    return paths;
}

uint64_t valley_perft(const Rules *rules, const State *state, int depth) {
    (void)rules;
    ValleyState valley = valley_state(state);
    if (depth == 0)
        return 1;
    return valley_state_end(&valley) == VALLEY_ONGOING ? count_paths(&valley, depth) : 0;
}
