/* The original study's evaluation: it judges a move, not a position. The first case that matches
 * counts. */
#include "games/valley/valley.h"

/* Whether the king has a slide that ends in the valley. */
static bool sees_valley(const ValleyBoard *board, uint32_t king) {
    return valley_can_reach_centre(valley_occupied(board), king);
}

static bool is_next_to(uint32_t square, uint32_t king) {
    return valley_neighbours[king] & valley_bit(square);
}

double valley_move_score(const Rules *rules, const State *state, Move move) {
    (void)rules;
    ValleyState before = valley_state(state);
    ValleyBoard after = before.board;
    int me = (int)before.turn;
    uint32_t from = valley_move_from(move), to = valley_move_to(move);
    valley_move(&after, me, from, to);
    uint32_t own = after.kings[me], enemy = after.kings[1 - me];
    bool is_soldier = before.board.kings[me] != from;
    bool lands_by_own = is_soldier && is_next_to(to, own);

    ValleyEnd end = valley_end(&after, me);
    if (end == VALLEY_REACHED || end == VALLEY_WALLED)
        return 1000000;
    if (end == VALLEY_TRAPPED)
        return -1000000;
    if (sees_valley(&after, enemy))
        return -900000;
    if (sees_valley(&after, own))
        return 900000;
    if (sees_valley(&before.board, enemy))
        return 250000; /* it had a way, and has none now */
    if (is_soldier && is_next_to(from, own) && !lands_by_own)
        return 250000;
    if (lands_by_own)
        return -500000;
    if (is_soldier && is_next_to(to, enemy))
        return 500000;
    return 0;
}
