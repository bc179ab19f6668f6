/* Positions numbered: a block for every way to place the two kings, and in it a place for every way
 * to place the soldiers.
 *
 * Turned and mirrored, the 552 ways to place two kings off the valley become 75; of each, the image
 * counts that fold.h prefers. On the 22 squares that are left, whoever moves has its n soldiers in
 * C(22, n) ways, the rows of a block; on what is left then, the other side has C(22 - n, n), the
 * columns. Sets are numbered in the order of the numbers that they are as words:
 *
 *     {0,1} {0,2} {1,2} {0,3} ...     the set with p < q has the number C(p, 1) + C(q, 2)
 *
 * In twelve blocks both kings stand on one axis, and a position and its mirror image have two
 * places. The lower one counts; the other is not used. A position that is its own mirror image has
 * one place, but every move in it that is not on the axis has a twin.
 */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_RANK_H
#define MALPAN_GAMES_VALLEY_SOLVE_RANK_H

#include "games/valley/symmetry.h"

enum {
    NUMBERS_BLOCKS = 75,
    NUMBERS_SQUARES = VALLEY_SQUARES - 3, /* without the valley and two kings */
    NUMBERS_ROWS_MAX = 7315,              /* C(22, 4) */
    NUMBERS_COLUMNS_MAX = 3060,           /* C(18, 4) */
    NUMBERS_HALF = NUMBERS_SQUARES / 2,
    NUMBERS_NO_BLOCK = 255
};

/* One way to place the kings. */
typedef struct NumbersBlock {
    uint32_t kings[2]; /* of whoever moves, of the other */
    uint32_t squares;  /* what is left for soldiers */
    int mirror;        /* the other symmetry that keeps both kings; 0: none */
    /* Each of those squares among them: gathered, as a set of its own. */
    uint32_t gathered[VALLEY_SQUARES];
} NumbersBlock;

typedef struct Numbers {
    Fold fold;
    bool has_pext; /* the machine gathers and spreads bits by itself */
    int soldiers;
    uint32_t rows, columns, block_size;
    NumbersBlock blocks[NUMBERS_BLOCKS];
    uint8_t block_of[VALLEY_SQUARES][VALLEY_SQUARES];    /* by the kings; or NUMBERS_NO_BLOCK */
    uint8_t symmetry_of[VALLEY_SQUARES][VALLEY_SQUARES]; /* that leads there */
    uint32_t row_sets[NUMBERS_ROWS_MAX];                 /* of 22 squares, by number */
    uint32_t column_sets[NUMBERS_COLUMNS_MAX];           /* of the rest */
    /* The number of a set: its lower half, and its upper half by how many are in the lower. */
    uint16_t low[1 << NUMBERS_HALF], high[VALLEY_SOLDIERS_MAX + 1][1 << NUMBERS_HALF];
} Numbers;

/* Fills all of it, for so many soldiers a side. */
void numbers_init(Numbers *numbers, int soldiers);

/* The soldiers at a place: of whoever moves, of the other. */
void numbers_soldiers(const Numbers *numbers, const NumbersBlock *block, uint32_t place,
                      uint32_t *mine, uint32_t *theirs);

/* Those of `board` that are in `squares`, moved together to the lowest bits. */
static inline uint32_t numbers_gather(const Numbers *numbers, uint32_t board, uint32_t squares) {
#if defined(__x86_64__)
    if (numbers->has_pext) {
        uint32_t set;
        __asm__("pextl %2, %1, %0" : "=r"(set) : "r"(board), "r"(squares));
        return set;
    }
#endif
    /* Close the gaps, the highest first: what is above moves down. */
    (void)numbers;
    for (uint32_t gaps = ~squares & VALLEY_ALL; gaps;) {
        uint32_t below = (1u << (31 - __builtin_clz(gaps))) - 1;
        board = (board & below) | (board >> 1 & ~below);
        gaps &= below;
    }
    return board;
}

/* The number of a set of gathered squares. */
static inline uint32_t numbers_of_set(const Numbers *numbers, uint32_t set) {
    uint32_t low = set & ((1u << NUMBERS_HALF) - 1), high = set >> NUMBERS_HALF;
    return (uint32_t)numbers->low[low] + numbers->high[valley_count(low)][high];
}

/* The place of two sets of soldiers that are gathered from the squares of a block, without regard
 * to mirror images. */
static inline uint32_t numbers_place_gathered(const Numbers *numbers, uint32_t mine,
                                              uint32_t theirs) {
    return numbers_of_set(numbers, mine) * numbers->columns +
           numbers_of_set(numbers, numbers_gather(numbers, theirs, VALLEY_ALL & ~mine));
}

/* The place of two sets of soldiers in a block, without regard to mirror images. */
uint32_t numbers_place_as_is(const Numbers *numbers, const NumbersBlock *block, uint32_t mine,
                             uint32_t theirs);

/* The place that counts; `images` is 2 for a position that is its own mirror image, else 1. */
uint32_t numbers_place(const Numbers *numbers, const NumbersBlock *block, uint32_t mine,
                       uint32_t theirs, uint32_t *images);

/* The position at a place, `mover` to move. */
void numbers_board(const Numbers *numbers, uint32_t block, uint32_t place, ValleyBoard *board,
                   int mover);

/* The block and place of a position with `mover` to move. */
uint32_t numbers_find(const Numbers *numbers, const ValleyBoard *board, int mover, uint32_t *block);

#endif
