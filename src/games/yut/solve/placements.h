/* Placements of a player's pieces, and their ranks: the multisets of K pieces over the 31 squares.
 *
 * Ranks follow the order of the sorted squares: with two pieces 0,0 has rank 0, 0,1 rank 1, ... and
 * 30,30 (both home) the last. So the placements with the most pieces waiting at the start (on 0)
 * come first: ranks below with_waiting[n] have at least n there.
 *
 * For each rank and result a table lists where the moves lead, so that a solver never looks at a
 * piece. Rank 32 of K = 2 is the pieces 1,2. With gae, slot 0 moves the 1 to 3 and slot 1 the 2 to
 * 4, so next[GAE] holds, from index 32 * slots on, the ranks of 2,3 and 1,4.
 *
 * Thread safety: nothing changes after placements_open and placement_moves_open.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_PLACEMENTS_H
#define MALPAN_GAMES_YUT_SOLVE_PLACEMENTS_H

#include "games/yut/yut.h"

enum {
    PLACEMENT_SLOTS_MAX = 2 * YUT_PIECES_MAX, /* a piece at 5, 10 or 22 may have two ways */
    PLACEMENT_WAITING_MAX = YUT_PIECES_MAX + 1
};

typedef struct Placements {
    int pieces;
    uint32_t count;
    uint32_t with_waiting[PLACEMENT_WAITING_MAX]; /* how many have at least n pieces on 0 */
    uint8_t (*squares)[YUT_PIECES_MAX];           /* unrank: the squares, ascending */
    uint32_t *occupied;                           /* bit q: a piece on the square q, 1 to 29 */
    uint8_t *waiting;                             /* how many pieces are on 0 */
    uint32_t *lookup;                             /* see placement_rank */
    /* The ranks with a piece on square q, ascending: holding[holding_from[q]] up to, without it,
     * holding[holding_from[q + 1]]. */
    uint32_t holding_from[YUT_SQUARES + 1];
    uint32_t *holding;
} Placements;

/* The moves of one player; players with different animals have different ones. A slot without a
 * move of its own repeats another. From placements that the player cannot have (cows off their
 * route, pieces on traps), all moves lead home. */
typedef struct PlacementMoves {
    int slots;
    uint32_t *next[YUT_RESULTS]; /* [rank * slots + slot] */
} PlacementMoves;

/* Fails for lack of memory alone. The caller closes it. */
Status placements_open(int pieces, Placements *placements);
void placements_close(Placements *placements);

/* The rank of the pieces on these squares, in any order. */
uint32_t placement_rank(const Placements *placements, const uint8_t squares[]);

/* The rank after every piece on `square` is sent back to the start. */
uint32_t placement_send_back(const Placements *placements, uint32_t rank, int square);

/* Fails for lack of memory alone. The caller closes it. */
Status placement_moves_open(const Placements *placements, const YutRules *rules, int player,
                            PlacementMoves *moves);
void placement_moves_close(PlacementMoves *moves);

#endif
