#include "games/valley/solve/rank.h"

#include <assert.h>

/* Lists all sets of `size` bits out of `squares`, by rank. Returns how many there are. */
static uint32_t list_sets(uint32_t squares, uint32_t size, uint32_t sets[]) {
    uint32_t count = 0;
    for (uint32_t set = (1u << size) - 1; set < 1u << squares;) {
        sets[count++] = set;
        if (set == 0)
            break;
        /* The next larger number with as many bits. */
        uint32_t lowest = set & -set, above = set + lowest;
        set = above | (set ^ above) / lowest >> 2;
    }
    return count;
}

/* What the bits of `set`, shifted up by `from`, contribute to the rank of a set in which `before`
 * bits are lower. */
static uint16_t partial_rank(uint32_t set, uint32_t from, uint32_t before) {
    uint64_t rank = 0;
    for (; set; set &= set - 1)
        rank += valley_choose((int)(from + valley_lowest(set)), (int)++before);
    return (uint16_t)rank;
}

static void init_sets(Ranking *ranking) {
    uint32_t soldiers = (uint32_t)ranking->soldiers;
    ranking->rows = list_sets(RANK_SQUARES, soldiers, ranking->row_sets);
    ranking->columns = list_sets(RANK_SQUARES - soldiers, soldiers, ranking->column_sets);
    ranking->block_size = ranking->rows * ranking->columns;
    for (uint32_t set = 0; set < 1u << RANK_HALF_BITS; set++) {
        if (valley_count(set) <= VALLEY_SOLDIERS_MAX)
            ranking->low[set] = partial_rank(set, 0, 0);
        for (uint32_t before = 0; before <= VALLEY_SOLDIERS_MAX; before++)
            if (before + valley_count(set) <= VALLEY_SOLDIERS_MAX)
                ranking->high[before][set] = partial_rank(set, RANK_HALF_BITS, before);
    }
}

static void init_block(Ranking *ranking, uint32_t block, uint32_t mine, uint32_t theirs) {
    const uint8_t *canonical = ranking->symmetries.canonical[mine][theirs];
    uint32_t taken = VALLEY_CENTRE_BIT | valley_bit(mine) | valley_bit(theirs);
    RankingBlock *one = &ranking->blocks[block];
    *one = (RankingBlock){.kings = {mine, theirs},
                          .squares = VALLEY_ALL & ~taken,
                          .mirror = canonical[1] == canonical[0] ? 0 : canonical[1]};
    assert(canonical[0] == 0); /* the kings are their own canonical image */
    for (uint32_t square = 0; square < VALLEY_SQUARES; square++)
        one->extracted_bit[square] =
            rank_extract_bits(ranking, valley_bit(square) & one->squares, one->squares);
}

void ranking_init(Ranking *ranking, int soldiers) {
    uint32_t blocks = 0;
    assert(soldiers >= 0 && soldiers <= VALLEY_SOLDIERS_MAX);
    ranking->soldiers = soldiers;
#if defined(__x86_64__)
    ranking->has_pext = __builtin_cpu_supports("bmi2");
#else
    ranking->has_pext = false;
#endif
    symmetries_init(&ranking->symmetries);
    init_sets(ranking);
    for (uint32_t mine = 0; mine < VALLEY_SQUARES; mine++) {
        for (uint32_t theirs = 0; theirs < VALLEY_SQUARES; theirs++) {
            int symmetry = ranking->symmetries.canonical[mine][theirs][0];
            const uint8_t *squares = ranking->symmetries.squares[symmetry];
            bool is_pair = mine != theirs && mine != VALLEY_CENTRE && theirs != VALLEY_CENTRE;
            ranking->symmetry_of[mine][theirs] = (uint8_t)symmetry;
            ranking->block_of[mine][theirs] = RANK_NO_BLOCK;
            if (is_pair && squares[mine] == mine && squares[theirs] == theirs) {
                ranking->block_of[mine][theirs] = (uint8_t)blocks;
                init_block(ranking, blocks++, mine, theirs);
            }
        }
    }
    assert(blocks == RANK_BLOCKS);
    /* Other placements of the kings have the block of their canonical image. */
    for (uint32_t mine = 0; mine < VALLEY_SQUARES; mine++) {
        for (uint32_t theirs = 0; theirs < VALLEY_SQUARES; theirs++) {
            const uint8_t *squares =
                ranking->symmetries.squares[ranking->symmetry_of[mine][theirs]];
            ranking->block_of[mine][theirs] = ranking->block_of[squares[mine]][squares[theirs]];
        }
    }
}

/* The inverse of rank_extract_bits (PDEP): puts the lowest bits of `set` at `squares`. */
static uint32_t deposit_bits(const Ranking *ranking, uint32_t set, uint32_t squares) {
#if defined(__x86_64__)
    if (ranking->has_pext) {
        uint32_t board;
        __asm__("pdepl %2, %1, %0" : "=r"(board) : "r"(set), "r"(squares));
        return board;
    }
#endif
    (void)ranking;
    for (uint32_t gaps = ~squares & VALLEY_ALL; gaps; gaps &= gaps - 1) {
        uint32_t below = (gaps & -gaps) - 1;
        set = (set & below) | (set & ~below) << 1;
    }
    return set;
}

void unrank_soldiers(const Ranking *ranking, const RankingBlock *block, uint32_t index,
                     uint32_t *mine, uint32_t *theirs) {
    *mine = deposit_bits(ranking, ranking->row_sets[index / ranking->columns], block->squares);
    *theirs = deposit_bits(ranking, ranking->column_sets[index % ranking->columns],
                           block->squares & ~*mine);
}

/* --- ranking --- */

uint32_t rank_soldiers_unfolded(const Ranking *ranking, const RankingBlock *block, uint32_t mine,
                                uint32_t theirs) {
    return rank_extracted(ranking, rank_extract_bits(ranking, mine, block->squares),
                          rank_extract_bits(ranking, theirs, block->squares));
}

uint32_t rank_soldiers(const Ranking *ranking, const RankingBlock *block, uint32_t mine,
                       uint32_t theirs, uint32_t *self_images) {
    uint32_t index = rank_soldiers_unfolded(ranking, block, mine, theirs);
    *self_images = 1;
    if (!block->mirror)
        return index;
    uint32_t mirrored[2] = {mine, theirs};
    symmetry_apply(block->mirror, mirrored);
    uint32_t other = rank_soldiers_unfolded(ranking, block, mirrored[0], mirrored[1]);
    *self_images = other == index ? 2 : 1;
    return other < index ? other : index;
}

void unrank_board(const Ranking *ranking, uint32_t block, uint32_t index, ValleyBoard *board,
                  int mover) {
    const RankingBlock *one = &ranking->blocks[block];
    uint32_t mine, theirs;
    unrank_soldiers(ranking, one, index, &mine, &theirs);
    board->kings[mover] = one->kings[0];
    board->kings[1 - mover] = one->kings[1];
    board->soldiers[mover] = mine;
    board->soldiers[1 - mover] = theirs;
}

uint32_t rank_board(const Ranking *ranking, const ValleyBoard *board, int mover, uint32_t *block) {
    uint32_t mine = board->kings[mover], theirs = board->kings[1 - mover], self_images;
    uint32_t soldiers[2] = {board->soldiers[mover], board->soldiers[1 - mover]};
    assert(ranking->block_of[mine][theirs] != RANK_NO_BLOCK);
    *block = ranking->block_of[mine][theirs];
    symmetry_apply(ranking->symmetry_of[mine][theirs], soldiers);
    return rank_soldiers(ranking, &ranking->blocks[*block], soldiers[0], soldiers[1], &self_images);
}
