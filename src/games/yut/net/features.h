/* The inputs of Yut's two networks.
 *
 * A network values states in which a turn begins: one throw is due and nothing is in hand. Players
 * are counted from the one about to throw (seat 0). An input is either absent or counted once for
 * each time it occurs; a position is the list of its inputs.
 *
 *     duel, two players without animals:
 *       square  (seat, square, how many of the seat's pieces came before on that square)
 *       pair    (square of seat 0, square of seat 1), both on the board
 *
 *     table, everything else: three or four players, teams, animals
 *       square  as above, for up to four seats
 *       animal  (seat), a pig's; (seat, square, animal) for each piece of the others
 *       shape   two players, three, four, or teams
 *       threat  (attacking seat, seat attacked, square), often and rarely (table_inputs.h)
 *
 * Missing pieces are home: with three pieces each, the fourth of each side is on square 30. So a
 * game with fewer pieces is the end of one with four, and one network covers both.
 *
 * Worked example: `0,5/7,7 0 -`, a duel with two pieces each. The thrower has 0 5 30 30 and the
 * other player 7 7 30 30. Squares: (0, 0, first) (0, 5, first) (0, 30, first) (0, 30, second)
 * (1, 7, first) (1, 7, second) (1, 30, first) (1, 30, second). Pairs: (5, 7) twice.
 *
 * Pairs tell at once how far a piece is from those it can catch and those that can catch it, which
 * is what a turn is mostly about. Without them the first layer would have to find 841 distances.
 */
#ifndef MALPAN_GAMES_YUT_NET_FEATURES_H
#define MALPAN_GAMES_YUT_NET_FEATURES_H

#include "games/yut/yut.h"

enum {
    FEATURES_BOARD = 29, /* squares 1 to 29 */
    FEATURES_SQUARES = YUT_SQUARES * YUT_PIECES_MAX,
    FEATURES_PAIRS = FEATURES_BOARD * FEATURES_BOARD,
    FEATURES_SHAPES = 4,
    FEATURES_DUEL = 2 * FEATURES_SQUARES + FEATURES_PAIRS,
    FEATURES_TABLE = YUT_PLAYERS_MAX * (FEATURES_SQUARES + 1 + (YUT_NO_ANIMAL - 1) * YUT_SQUARES) +
                     FEATURES_SHAPES + 2 * YUT_PLAYERS_MAX * (YUT_PLAYERS_MAX - 1) * FEATURES_BOARD,
    /* Inputs of one position. A duel has 16 pieces and pairs at most; at a table it would take a
     * position that does not occur to have more threats, and those are dropped. */
    FEATURES_MAX = 160
};

typedef enum NetworkKind { NETWORK_DUEL, NETWORK_TABLE, NETWORK_KINDS } NetworkKind;

/* Which network is for these rules. */
NetworkKind features_kind(const YutRules *rules);

/* How many inputs a network has. */
int features_count(NetworkKind kind);

/* Lists the inputs of a position whose player `state->turn` is about to throw; its list of results
 * is ignored. Returns how many. The order of the pieces does not matter beyond the order of the
 * list. */
int features_list(const YutRules *rules, const YutState *state, uint16_t inputs[FEATURES_MAX]);

#endif
