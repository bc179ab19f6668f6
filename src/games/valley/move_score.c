/* The evaluation of the original study. It scores a move, not a position; the first case that
 * matches counts. */
#include "games/valley/valley.h"

static bool can_reach_valley(const ValleyBoard *board, uint32_t king) {
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
    bool ends_beside_own_king = is_soldier && is_next_to(to, own);

    ValleyEnd end = valley_end(&after, me);
    if (end == VALLEY_REACHED || end == VALLEY_WALLED)
        return 1000000;
    if (end == VALLEY_TRAPPED)
        return -1000000;
    if (can_reach_valley(&after, enemy))
        return -900000;
    if (can_reach_valley(&after, own))
        return 900000;
    if (can_reach_valley(&before.board, enemy))
        return 250000; /* blocks the way it had */
    if (is_soldier && is_next_to(from, own) && !ends_beside_own_king)
        return 250000;
    if (ends_beside_own_king)
        return -500000;
    if (is_soldier && is_next_to(to, enemy))
        return 500000;
    return 0;
}
