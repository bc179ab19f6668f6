/* The board of King's Valley: where the pieces stand, how they slide, how a game ends.
 *
 *     5  20 21 22 23 24      A square is a number from 0 to 24, a set of squares a word with a bit
 *     4  15 16 17 18 19      for each: a1 is bit 0, e1 bit 4, a2 bit 5, e5 bit 24. The valley is
 *     3  10 11 12 13 14      c3, square 12.
 *     2   5  6  7  8  9      A piece on b2 (6) stands on four lines: its rank 5-9, its file
 *     1   0  1  2  3  4      1 6 11 16 21, and the diagonals 0 6 12 18 24 and 2 6 10.
 *         a  b  c  d  e
 *
 * Slides are looked up line by line. The occupied squares of a line are packed into five bits, a
 * small table gives the bits where a piece at one of the five positions stops, and these are
 * unpacked to squares again. On a diagonal every square has a file of its own, so the file is its
 * position; files without a square on the diagonal count as occupied.
 *
 *     the diagonal 2 6 10 with a piece on 2:  files 2 1 0, occupied 00100, not on it 11000
 *     from 6 (position 1), occupied 11100:    stops at position 0, which is square 10
 *
 * Everything here is a pure function; any thread may call it.
 */
#ifndef MALPAN_GAMES_VALLEY_BOARD_H
#define MALPAN_GAMES_VALLEY_BOARD_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { VALLEY_WIDTH = 5, VALLEY_SQUARES = 25, VALLEY_CENTRE = 12, VALLEY_SOLDIERS_MAX = 4 };
enum { VALLEY_MOVES_MAX = 40 }; /* five pieces in eight directions */

static_assert(VALLEY_SQUARES == VALLEY_WIDTH * VALLEY_WIDTH, "the board is square");
static_assert(VALLEY_CENTRE == VALLEY_SQUARES / 2, "the valley is its middle");
enum { VALLEY_WHITE = 0, VALLEY_BLACK = 1 };

#define VALLEY_ALL 0x1ffffffu
#define VALLEY_CENTRE_BIT (1u << VALLEY_CENTRE)

typedef struct ValleyBoard {
    uint32_t soldiers[2]; /* [colour]: a set */
    uint32_t kings[2];    /* [colour]: a square */
} ValleyBoard;

/* Whether and how the game ended with the last move; "the mover" made it. */
typedef enum ValleyEnd {
    VALLEY_ONGOING,
    VALLEY_REACHED, /* the mover's king stopped in the valley */
    VALLEY_WALLED,  /* the mover walled in the other king */
    VALLEY_TRAPPED  /* the mover walled in its own king only, and loses */
} ValleyEnd;

/* [position][occupied]: where a piece at one of five positions stops, sliding to both sides. */
extern const uint8_t valley_stops[VALLEY_WIDTH][32];
/* [position][occupied]: from where a piece that stopped at a position may have slid: from a side
 * whose opposite is blocked. */
extern const uint8_t valley_origins[VALLEY_WIDTH][32];
/* [five bits]: the same bits as squares of file a. */
extern const uint32_t valley_file_a[32];
/* A diagonal: its squares, and the files on which it has none. Rising ones are indexed by
 * file - rank + 4, falling ones by file + rank. */
typedef struct ValleyDiagonal {
    uint32_t squares;
    uint32_t missing;
} ValleyDiagonal;
extern const ValleyDiagonal valley_rising[9], valley_falling[9];
/* [square]: the squares next to it. */
extern const uint32_t valley_neighbours[VALLEY_SQUARES];
/* [square]: the way from it to the valley. A king gets there if all squares between are free and
 * the one beyond, which stops it, is not. If no line leads there, all squares are between. */
typedef struct ValleyPath {
    uint32_t between, beyond;
} ValleyPath;
extern const ValleyPath valley_paths[VALLEY_SQUARES];

static inline uint32_t valley_bit(uint32_t square) {
    return 1u << square;
}

/* The lowest square of a set, which must not be empty. */
static inline uint32_t valley_lowest(uint32_t set) {
    assert(set != 0);
    return (uint32_t)__builtin_ctz(set);
}

/* How many squares a set has. Sums pairs of bits, then groups of four and eight, in parallel; a
 * plain build may not use the instruction for it. */
static inline uint32_t valley_count(uint32_t set) {
    set -= set >> 1 & 0x55555555u;
    set = (set & 0x33333333u) + (set >> 2 & 0x33333333u);
    return ((set + (set >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

static inline uint32_t valley_occupied(const ValleyBoard *board) {
    return board->soldiers[0] | board->soldiers[1] | valley_bit(board->kings[0]) |
           valley_bit(board->kings[1]);
}

static inline uint32_t valley_on_diagonal(const uint8_t table[][32], const ValleyDiagonal *line,
                                          uint32_t occupied, uint32_t file) {
    enum { EVERY_RANK = 0x108421 };
    uint32_t positions = (occupied & line->squares) * EVERY_RANK >> 20 & 31;
    return table[file][positions | line->missing] * (uint32_t)EVERY_RANK & line->squares;
}

/* The union of what `table` gives for the four lines through `square`. */
static inline uint32_t valley_on_lines(const uint8_t table[][32], uint32_t occupied,
                                       uint32_t square) {
    enum { FILE_A = 0x108421, GATHER = 0x11111 };
    uint32_t rank = square / VALLEY_WIDTH, file = square % VALLEY_WIDTH;
    uint32_t shift = square - file;
    uint32_t along = table[file][occupied >> shift & 31];
    uint32_t up = table[rank][(occupied >> file & FILE_A) * GATHER >> 16 & 31];
    return along << shift | valley_file_a[up] << file |
           valley_on_diagonal(table, &valley_rising[file + 4 - rank], occupied, file) |
           valley_on_diagonal(table, &valley_falling[file + rank], occupied, file);
}

/* The squares where a piece that slides from `square` may stop. */
static inline uint32_t valley_slides(uint32_t occupied, uint32_t square) {
    return valley_on_lines(valley_stops, occupied, square);
}

/* The squares from which the piece on `square` may have slid there. */
static inline uint32_t valley_slide_origins(uint32_t occupied, uint32_t square) {
    return valley_on_lines(valley_origins, occupied, square);
}

/* Whether a king on `square` has a slide that ends in the valley. */
static inline bool valley_can_reach_centre(uint32_t occupied, uint32_t square) {
    return !(occupied & valley_paths[square].between) && occupied & valley_paths[square].beyond;
}

/* The squares that a soldier may move to. */
static inline uint32_t valley_soldier_moves(uint32_t occupied, uint32_t square) {
    return valley_slides(occupied, square) & ~VALLEY_CENTRE_BIT;
}

/* Moves a piece of `colour`. Exchange `from` and `to` to take the move back. */
static inline void valley_move(ValleyBoard *board, int colour, uint32_t from, uint32_t to) {
    if (board->kings[colour] == from)
        board->kings[colour] = to;
    else
        board->soldiers[colour] ^= valley_bit(from) | valley_bit(to);
}

/* Whether a king on this square has no free square beside it. */
static inline bool valley_is_walled(uint32_t occupied, uint32_t king) {
    return (valley_neighbours[king] & ~occupied) == 0;
}

/* Whether one of the pieces can slide onto a square of `free`. */
bool valley_can_fill(uint32_t occupied, uint32_t free, uint32_t pieces);

/* Whether a side has a winning move: its king into the valley, or a piece that is not yet beside
 * the other king onto the only free square beside it. `pieces` includes its king. The second test
 * is rare: mostly there is more than one free square. */
static inline bool valley_side_can_win(uint32_t occupied, uint32_t own_king, uint32_t pieces,
                                       uint32_t other_king) {
    uint32_t beside = valley_neighbours[other_king], free = beside & ~occupied;
    return valley_can_reach_centre(occupied, own_king) ||
           (!(free & (free - 1)) && !(free & VALLEY_CENTRE_BIT) &&
            valley_can_fill(occupied, free, pieces & ~beside));
}

static inline bool valley_can_win(const ValleyBoard *board, int mover) {
    uint32_t king = board->kings[mover];
    return valley_side_can_win(valley_occupied(board), king,
                               board->soldiers[mover] | valley_bit(king), board->kings[1 - mover]);
}

/* The binomial coefficient C(n, k), for n up to 25, where nothing overflows. */
static inline uint64_t valley_choose(int n, int k) {
    uint64_t ways = 1;
    if (k > n)
        return 0;
    for (int i = 1; i <= k; i++)
        ways = ways * (uint64_t)(n - k + i) / (uint64_t)i;
    return ways;
}

/* Whether and how the game ended with a move of `mover`. */
static inline ValleyEnd valley_end(const ValleyBoard *board, int mover) {
    uint32_t occupied = valley_occupied(board);
    if (board->kings[mover] == VALLEY_CENTRE)
        return VALLEY_REACHED;
    if (valley_is_walled(occupied, board->kings[1 - mover]))
        return VALLEY_WALLED;
    return valley_is_walled(occupied, board->kings[mover]) ? VALLEY_TRAPPED : VALLEY_ONGOING;
}

#endif
