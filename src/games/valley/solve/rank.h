/* Ranking of positions: a number for every position up to symmetry, and back.
 *
 * A position's number is a block and an index in it. The block is the placement of the two kings:
 * off the valley there are 24 * 23 = 552, and 75 up to symmetry, each represented by its canonical
 * image (symmetry.h). The index is the placement of the soldiers on the 22 squares that are left:
 *
 *     index = row * columns + column
 *     row      rank of the mover's n soldiers among the 22 squares               C(22, n) rows
 *     column   rank of the other n soldiers among the 22 - n squares left then   C(22 - n, n)
 *
 * Sets of equal size are ranked in the order of their bit patterns (the combinatorial number
 * system): {0,1} {0,2} {1,2} {0,3} ..., and the set {p < q < r < ...} has rank
 * C(p, 1) + C(q, 2) + C(r, 3) + ...
 *
 * Example, two soldiers a side. The squares left are numbered 0 to 21 in board order. The mover's
 * soldiers on the second and fourth, {1,3}, have rank C(1, 1) + C(3, 2) = 4. Without these the
 * others are numbered 0 to 19; the other side's soldiers on the first and third square are {0,1}
 * there, with rank 0. There are C(20, 2) = 190 columns, so the index is 4 * 190 + 0 = 760.
 *
 * In twelve blocks both kings stand on one axis. There a position and its mirror image have two
 * indices; only the lower one is used. A position that is its own mirror image has one index, but
 * every move in it off the axis has a twin (unmove.c accounts for that).
 *
 * A Ranking is constant after ranking_init; any number of threads may share it. It is large (about
 * 100 kB): allocate it.
 */
#ifndef MALPAN_GAMES_VALLEY_SOLVE_RANK_H
#define MALPAN_GAMES_VALLEY_SOLVE_RANK_H

#include <assert.h>

#include "games/valley/symmetry.h"

enum {
    RANK_BLOCKS = 75,
    RANK_SQUARES = VALLEY_SQUARES - 3, /* without the valley and two kings */
    RANK_ROWS_MAX = 7315,              /* C(22, 4) */
    RANK_COLUMNS_MAX = 3060,           /* C(18, 4) */
    RANK_HALF_BITS = RANK_SQUARES / 2,
    RANK_NO_BLOCK = 255
};

static_assert(2 * RANK_HALF_BITS == RANK_SQUARES, "a set splits into two halves");
static_assert(RANK_BLOCKS < RANK_NO_BLOCK, "no block has the number of none");

/* One placement of the kings. */
typedef struct RankingBlock {
    uint32_t kings[2]; /* the mover's, the other's */
    uint32_t squares;  /* the 22 squares left for soldiers */
    int mirror;        /* the symmetry other than 0 that keeps both kings; 0: none */
    uint32_t extracted_bit[VALLEY_SQUARES]; /* rank_extract_bits of each single square */
} RankingBlock;

typedef struct Ranking {
    Symmetries symmetries;
    bool has_pext; /* the CPU extracts and deposits bits with one instruction */
    int soldiers;
    uint32_t rows, columns, block_size;
    RankingBlock blocks[RANK_BLOCKS];
    uint8_t block_of[VALLEY_SQUARES][VALLEY_SQUARES];    /* by the kings; or RANK_NO_BLOCK */
    uint8_t symmetry_of[VALLEY_SQUARES][VALLEY_SQUARES]; /* leads to the block's kings */
    uint32_t row_sets[RANK_ROWS_MAX];                    /* unranking: sets of 22 bits by rank */
    uint32_t column_sets[RANK_COLUMNS_MAX];              /* sets of 22 - n bits by rank */
    /* Ranking: the parts of a set's rank that its lower and upper half contribute, the latter by
     * how many bits are in the lower half. */
    uint16_t low[1 << RANK_HALF_BITS], high[VALLEY_SOLDIERS_MAX + 1][1 << RANK_HALF_BITS];
} Ranking;

/* Fills the tables for so many soldiers a side, 0 to VALLEY_SOLDIERS_MAX. */
void ranking_init(Ranking *ranking, int soldiers);

/* Extracts the bits of `board` at `squares` and packs them into the lowest bits (PEXT). */
static inline uint32_t rank_extract_bits(const Ranking *ranking, uint32_t board, uint32_t squares) {
#if defined(__x86_64__)
    if (ranking->has_pext) {
        uint32_t set;
        __asm__("pextl %2, %1, %0" : "=r"(set) : "r"(board), "r"(squares));
        return set;
    }
#endif
    /* Close the gaps, the highest first: the bits above each move down by one. */
    (void)ranking;
    for (uint32_t gaps = ~squares & VALLEY_ALL; gaps;) {
        uint32_t below = (1u << (31 - __builtin_clz(gaps))) - 1;
        board = (board & below) | (board >> 1 & ~below);
        gaps &= below;
    }
    return board;
}

/* The rank of a set of extracted bits among those of its size. */
static inline uint32_t rank_set(const Ranking *ranking, uint32_t set) {
    uint32_t low = set & ((1u << RANK_HALF_BITS) - 1), high = set >> RANK_HALF_BITS;
    return (uint32_t)ranking->low[low] + ranking->high[valley_count(low)][high];
}

/* The index of two sets of soldiers, both extracted from the squares of the block. Ignores mirror
 * images. */
static inline uint32_t rank_extracted(const Ranking *ranking, uint32_t mine, uint32_t theirs) {
    return rank_set(ranking, mine) * ranking->columns +
           rank_set(ranking, rank_extract_bits(ranking, theirs, VALLEY_ALL & ~mine));
}

/* The index of two sets of soldiers on the board, whose kings are those of the block. Ignores
 * mirror images. */
uint32_t rank_soldiers_unfolded(const Ranking *ranking, const RankingBlock *block, uint32_t mine,
                                uint32_t theirs);

/* The same, the lower index of the position and its mirror image. `self_images` is set to the
 * number of symmetries that leave the position as it is: 2 for its own mirror image, else 1. */
uint32_t rank_soldiers(const Ranking *ranking, const RankingBlock *block, uint32_t mine,
                       uint32_t theirs, uint32_t *self_images);

/* The block and index of a position with `mover` to move. No king may stand in the valley. */
uint32_t rank_board(const Ranking *ranking, const ValleyBoard *board, int mover, uint32_t *block);

/* The soldiers at an index of a block: the mover's, the other's. */
void unrank_soldiers(const Ranking *ranking, const RankingBlock *block, uint32_t index,
                     uint32_t *mine, uint32_t *theirs);

/* The position at an index of a block, `mover` to move. */
void unrank_board(const Ranking *ranking, uint32_t block, uint32_t index, ValleyBoard *board,
                  int mover);

#endif
