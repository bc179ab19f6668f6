/* Where a side's pieces stand, as a number: the multisets of K pieces over the 31 places.
 *
 * They are numbered in the order of their sorted squares: with two pieces 0,0 is number 0, 0,1
 * number 1, ... and 30,30 (both home) the last. So those with the most pieces at home (on 0) come
 * first: `with_home` of them have at least one there, and are the numbers below it.
 *
 * For each number and result there is a table of what the pieces can do, so that a solver never
 * looks at a piece: number 32 of K = 2 is the pieces 1,2; with gae, slot 0 moves the 1 to 3 and
 * slot 1 the 2 to 4, and so next[GAE] holds, from place 32 * slots on, the numbers of 2,3 and 1,4.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_PLACES_H
#define MALPAN_GAMES_YUT_SOLVE_PLACES_H

#include "games/yut/yut.h"

enum {
    PLACES_SLOTS_MAX = 2 * YUT_PIECES_MAX, /* a piece at 5 or 10 may have two ways */
    PLACES_HOME_MAX = YUT_PIECES_MAX + 1
};

typedef struct Places {
    int pieces;
    uint32_t count;
    uint32_t with_home[PLACES_HOME_MAX]; /* how many have at least so many pieces on 0 */
    uint8_t (*squares)[YUT_PIECES_MAX];  /* of each number, ascending */
    uint32_t *occupied;                  /* bit q: a piece on the square q, 1 to 29 */
    uint8_t *home;                       /* how many pieces are on 0 */
    uint32_t *lookup;                    /* see places_number */
    /* The numbers with a piece on square q, ascending, are holding[holding_from[q]] and on, up to
     * holding_from[q + 1]. */
    uint32_t holding_from[YUT_SQUARES + 1];
    uint32_t *holding;
} Places;

/* What the pieces of one player can do; players with different animals have different ones. A slot
 * without a move of its own repeats another; from where no cow can be, all lead home. */
typedef struct PlacesMoves {
    int slots;
    uint32_t *next[YUT_RESULTS]; /* [number * slots + slot] */
} PlacesMoves;

Status places_open(int pieces, Places *places);
void places_close(Places *places);

/* The number of the pieces on these squares, in any order. */
uint32_t places_number(const Places *places, const uint8_t squares[]);

/* The number after every piece on `square` is sent back to 0. */
uint32_t places_sent_home(const Places *places, uint32_t number, int square);

Status places_open_moves(const Places *places, const YutRules *rules, int player,
                         PlacesMoves *moves);
void places_close_moves(PlacesMoves *moves);

#endif
