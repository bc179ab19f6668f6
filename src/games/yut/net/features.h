/* The inputs of Yut's two networks.
 *
 * A network values states in which a turn begins: one throw is due and nothing is in hand. Players
 * are counted from the one about to throw (seat 0). An input is either absent or counted once for
 * each time it occurs; a position is the list of its inputs.
 *
 *     duel, two players without animals:
 *       square  (seat, square, how many of the seat's pieces came before on that square)
 *       hit     (who hits whom, result, square): with the result a piece of one seat comes to the
 *               square, on which the other, or the same, seat has a piece
 *
 *     table, everything else: three or four players, teams, animals
 *       square  as above, for up to four seats
 *       animal  (seat), a pig's; (seat, square, animal) for each piece of the others
 *       shape   two players, three, four, or teams
 *       catch   (attacking seat, seat attacked, result)
 *       threat  (attacking seat, seat attacked, square), often and rarely (table_inputs.h)
 *
 * Missing pieces are home: with three pieces each, the fourth of each side is on square 30. So a
 * game with fewer pieces is the end of one with four, and one network covers both.
 *
 * Worked example: `0,5/7,7 0 -`, a duel with two pieces each. The thrower has 0 5 30 30 and the
 * other player 7 7 30 30. Squares: (0, 0, first) (0, 5, first) (0, 30, first) (0, 30, second)
 * (1, 7, first) (1, 7, second) (1, 30, first) (1, 30, second). Hits: none. On `0,5/6,6 0 -` seat 1
 * can catch the 5 with a back-do: (1 hits 0, back-do, 5).
 *
 * Hits tell at once what each result would catch or stack, which is what a turn is mostly about: a
 * result that catches in two ways counts once, as it should. With the same two million samples, the
 * network's mean error with three pieces is 0.0128 with hits, 0.0146 with all pairs of squares.
 * Routes without options are assumed; that is an approximation, as all inputs are.
 */
#ifndef MALPAN_GAMES_YUT_NET_FEATURES_H
#define MALPAN_GAMES_YUT_NET_FEATURES_H

#include "games/yut/yut.h"

enum {
    FEATURES_BOARD = 29, /* squares 1 to 29 */
    FEATURES_SQUARES = YUT_SQUARES * YUT_PIECES_MAX,
    FEATURES_SHAPES = 4,
    FEATURES_HITS = YUT_RESULTS * FEATURES_BOARD,
    FEATURES_DUEL = 2 * FEATURES_SQUARES + 4 * FEATURES_HITS,
    FEATURES_TABLE = YUT_PLAYERS_MAX * (FEATURES_SQUARES + 1 + (YUT_NO_ANIMAL - 1) * YUT_SQUARES) +
                     FEATURES_SHAPES +
                     YUT_PLAYERS_MAX * (YUT_PLAYERS_MAX - 1) * (YUT_RESULTS + 2 * FEATURES_BOARD),
    /* Inputs of one position. Of a duel: the pieces, and what each result hits. At a table it would
     * take a position that does not occur to have more threats, and those are dropped. */
    FEATURES_DUEL_MAX = 2 * YUT_PIECES_MAX + 4 * YUT_RESULTS * YUT_PIECES_MAX,
    FEATURES_TABLE_MAX = 160,
    FEATURES_MAX = FEATURES_DUEL_MAX > FEATURES_TABLE_MAX ? FEATURES_DUEL_MAX : FEATURES_TABLE_MAX,
    FEATURES_COUNT_MAX = FEATURES_DUEL > FEATURES_TABLE ? FEATURES_DUEL : FEATURES_TABLE
};

typedef enum NetworkKind { NETWORK_DUEL, NETWORK_TABLE, NETWORK_KINDS } NetworkKind;

/* Which network is for these rules. */
NetworkKind features_kind(const YutRules *rules);

/* How many inputs a network has. */
int features_count(NetworkKind kind);

/* How many of them are wide, that is, reach all hidden units: the squares. The others reach some
 * only. */
int features_wide(NetworkKind kind);

/* Lists the inputs of a position whose player `state->turn` is about to throw; its list of results
 * is ignored. Returns how many. The order of the pieces does not matter beyond the order of the
 * list. Wide inputs come first. */
int features_list(const YutRules *rules, const YutState *state, uint16_t inputs[FEATURES_MAX]);

#endif
