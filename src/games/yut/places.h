/* Where a side's pieces stand, as a number: the multisets of K pieces over the 31 places.
 *
 * They are numbered in the order of their sorted squares: with two pieces 0,0 is number 0, 0,1
 * number 1, ... and 30,30 (both home) the last. For each number and each result there are tables of
 * what the pieces can do, so that a solver never looks at a piece:
 *
 *     number 64 of K = 2 is the pieces 2,3; with gae, slot 0 moves the 2 to 4 and slot 1 the 3 to
 * 5: next[GAE][0][64] = number of 3,4    target[GAE][0][64] = 4 next[GAE][1][64] = number of 2,5
 * target[GAE][1][64] = 5
 *
 * A slot that has no move holds PLACES_NONE.
 */
#ifndef MALPAN_GAMES_YUT_PLACES_H
#define MALPAN_GAMES_YUT_PLACES_H

#include "games/yut/yut.h"

enum { PLACES_SLOTS_MAX = 2 * YUT_PIECES_MAX }; /* a piece at 5 or 10 may have two ways */
#define PLACES_NONE UINT32_MAX

typedef struct Places {
    int pieces;
    uint32_t count;
    uint8_t (*squares)[YUT_PIECES_MAX]; /* of each number, ascending */
    uint32_t *occupied;                 /* bit q: a piece on the square q, 1 to 29 */
    uint8_t *home;                      /* how many pieces are on 0 */
    uint32_t *lookup;                   /* see places_number */
} Places;

/* What the pieces of one player can do; players with different animals have different ones. */
typedef struct PlacesMoves {
    int slots;
    uint32_t *next[YUT_RESULTS][PLACES_SLOTS_MAX];
    uint8_t *target[YUT_RESULTS][PLACES_SLOTS_MAX]; /* the square on the board, or 0 */
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
