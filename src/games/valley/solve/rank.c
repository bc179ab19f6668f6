#include "games/valley/solve/rank.h"

#include <assert.h>

/* All sets of `size` out of `squares`, in their order. Returns how many there are. */
static uint32_t list_sets(uint32_t squares, uint32_t size, uint32_t sets[]) {
    uint32_t count = 0;
    for (uint32_t set = (1u << size) - 1; set < 1u << squares;) {
        sets[count++] = set;
        if (set == 0)
            break;
        uint32_t lowest = set & -set, above = set + lowest;
        set = above | (set ^ above) / lowest >> 2;
    }
    return count;
}

/* The part of a set's number that its squares from `from` on have, `before` being in the set
 * already.
 */
static uint16_t number_of(uint32_t set, uint32_t from, uint32_t before) {
    uint64_t number = 0;
    for (; set; set &= set - 1)
        number += valley_choose((int)(from + valley_lowest(set)), (int)++before);
    return (uint16_t)number;
}

static void init_sets(Numbers *numbers) {
    uint32_t soldiers = (uint32_t)numbers->soldiers;
    numbers->rows = list_sets(NUMBERS_SQUARES, soldiers, numbers->row_sets);
    numbers->columns = list_sets(NUMBERS_SQUARES - soldiers, soldiers, numbers->column_sets);
    numbers->block_size = numbers->rows * numbers->columns;
    for (uint32_t set = 0; set < 1u << NUMBERS_HALF; set++) {
        if (valley_count(set) <= VALLEY_SOLDIERS_MAX)
            numbers->low[set] = number_of(set, 0, 0);
        for (uint32_t before = 0; before <= VALLEY_SOLDIERS_MAX; before++)
            if (before + valley_count(set) <= VALLEY_SOLDIERS_MAX)
                numbers->high[before][set] = number_of(set, NUMBERS_HALF, before);
    }
}

static void init_block(Numbers *numbers, uint32_t block, uint32_t mine, uint32_t theirs) {
    const uint8_t *best = numbers->fold.best[mine][theirs];
    uint32_t taken = VALLEY_CENTRE_BIT | valley_bit(mine) | valley_bit(theirs);
    NumbersBlock *one = &numbers->blocks[block];
    *one = (NumbersBlock){.kings = {mine, theirs},
                          .squares = VALLEY_ALL & ~taken,
                          .mirror = best[1] == best[0] ? 0 : best[1]};
    assert(best[0] == 0); /* the image that counts is its own */
    for (uint32_t square = 0; square < VALLEY_SQUARES; square++)
        one->gathered[square] =
            numbers_gather(numbers, valley_bit(square) & one->squares, one->squares);
}

void numbers_init(Numbers *numbers, int soldiers) {
    uint32_t blocks = 0;
    numbers->soldiers = soldiers;
#if defined(__x86_64__)
    numbers->has_pext = __builtin_cpu_supports("bmi2");
#else
    numbers->has_pext = false;
#endif
    fold_init(&numbers->fold);
    init_sets(numbers);
    for (uint32_t mine = 0; mine < VALLEY_SQUARES; mine++) {
        for (uint32_t theirs = 0; theirs < VALLEY_SQUARES; theirs++) {
            int symmetry = numbers->fold.best[mine][theirs][0];
            const uint8_t *squares = numbers->fold.squares[symmetry];
            bool is_pair = mine != theirs && mine != VALLEY_CENTRE && theirs != VALLEY_CENTRE;
            numbers->symmetry_of[mine][theirs] = (uint8_t)symmetry;
            numbers->block_of[mine][theirs] = NUMBERS_NO_BLOCK;
            if (is_pair && squares[mine] == mine && squares[theirs] == theirs) {
                numbers->block_of[mine][theirs] = (uint8_t)blocks;
                init_block(numbers, blocks++, mine, theirs);
            }
        }
    }
    assert(blocks == NUMBERS_BLOCKS);
    /* The others have the block of their image. */
    for (uint32_t mine = 0; mine < VALLEY_SQUARES; mine++) {
        for (uint32_t theirs = 0; theirs < VALLEY_SQUARES; theirs++) {
            const uint8_t *squares = numbers->fold.squares[numbers->symmetry_of[mine][theirs]];
            numbers->block_of[mine][theirs] = numbers->block_of[squares[mine]][squares[theirs]];
        }
    }
}

/* What numbers_gather does, the other way. */
static uint32_t spread(const Numbers *numbers, uint32_t set, uint32_t squares) {
#if defined(__x86_64__)
    if (numbers->has_pext) {
        uint32_t board;
        __asm__("pdepl %2, %1, %0" : "=r"(board) : "r"(set), "r"(squares));
        return board;
    }
#endif
    (void)numbers;
    for (uint32_t gaps = ~squares & VALLEY_ALL; gaps; gaps &= gaps - 1) {
        uint32_t below = (gaps & -gaps) - 1;
        set = (set & below) | (set & ~below) << 1;
    }
    return set;
}

void numbers_soldiers(const Numbers *numbers, const NumbersBlock *block, uint32_t place,
                      uint32_t *mine, uint32_t *theirs) {
    *mine = spread(numbers, numbers->row_sets[place / numbers->columns], block->squares);
    *theirs =
        spread(numbers, numbers->column_sets[place % numbers->columns], block->squares & ~*mine);
}

/* --- numbers --- */

uint32_t numbers_place_as_is(const Numbers *numbers, const NumbersBlock *block, uint32_t mine,
                             uint32_t theirs) {
    return numbers_place_gathered(numbers, numbers_gather(numbers, mine, block->squares),
                                  numbers_gather(numbers, theirs, block->squares));
}

uint32_t numbers_place(const Numbers *numbers, const NumbersBlock *block, uint32_t mine,
                       uint32_t theirs, uint32_t *images) {
    uint32_t place = numbers_place_as_is(numbers, block, mine, theirs);
    *images = 1;
    if (!block->mirror)
        return place;
    uint32_t mirrored[2] = {mine, theirs};
    fold_turn(block->mirror, mirrored);
    uint32_t other = numbers_place_as_is(numbers, block, mirrored[0], mirrored[1]);
    *images = other == place ? 2 : 1;
    return other < place ? other : place;
}

void numbers_board(const Numbers *numbers, uint32_t block, uint32_t place, ValleyBoard *board,
                   int mover) {
    const NumbersBlock *one = &numbers->blocks[block];
    uint32_t mine, theirs;
    numbers_soldiers(numbers, one, place, &mine, &theirs);
    board->kings[mover] = one->kings[0];
    board->kings[1 - mover] = one->kings[1];
    board->soldiers[mover] = mine;
    board->soldiers[1 - mover] = theirs;
}

uint32_t numbers_find(const Numbers *numbers, const ValleyBoard *board, int mover,
                      uint32_t *block) {
    uint32_t mine = board->kings[mover], theirs = board->kings[1 - mover], images;
    uint32_t soldiers[2] = {board->soldiers[mover], board->soldiers[1 - mover]};
    *block = numbers->block_of[mine][theirs];
    fold_turn(numbers->symmetry_of[mine][theirs], soldiers);
    return numbers_place(numbers, &numbers->blocks[*block], soldiers[0], soldiers[1], &images);
}
