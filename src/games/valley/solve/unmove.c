/* The first codes of positions, and the moves that lead to them.
 *
 * Places are positions up to symmetry, so moves have to be counted with care. Let a place x have a
 * position that is its own image under i symmetries (1, or 2 on an axis), and y likewise under j.
 * From one position of x, the moves into y are
 *
 *     i / j  times  the moves that can be taken back from one position of y into x,
 *
 * since both count the pairs of a position of x and one of y with a move between them, and x has
 * 8 / i positions, y has 8 / j. So a move that is taken back counts
 *
 *     i times                  where y is not its own mirror image (j = 1);
 *     once                     where both are (i = j = 2);
 *     half                     where only y is (i = 1, j = 2): then it has a twin on the other side
 *                              of the axis that leads to x as well, and only one of them counts.
 */
#include "games/valley/solve/unmove.h"

#include "games/valley/valley.h"

/* --- the first codes --- */

/* Whether a move loses at once: it walls in the own king, or lets the other side win. */
static inline bool is_blunder(uint32_t occupied, uint32_t own_king, uint32_t other_king,
                              uint32_t other_pieces) {
    return valley_is_walled(occupied, own_king) ||
           valley_side_can_win(occupied, other_king, other_pieces, own_king);
}

/* The code of a position in which the king of whoever moves is kings[0]. A king that is free has a
 * move, and never walls itself in by it: where it came from is free. So nobody is lost in one. */
static uint8_t first_code(const uint32_t kings[2], uint32_t mine, uint32_t theirs) {
    uint32_t own = valley_bit(kings[0]), others = theirs | valley_bit(kings[1]);
    uint32_t occupied = mine | own | others;
    unsigned moves = 0;
    if (valley_is_walled(occupied, kings[0]) || valley_is_walled(occupied, kings[1]))
        return RETRO_NONE;
    if (valley_side_can_win(occupied, kings[0], mine | own, kings[1]))
        return retro_code(1);
    for (uint32_t pieces = mine; pieces; pieces &= pieces - 1) {
        uint32_t left = occupied ^ (pieces & -pieces);
        for (uint32_t to = valley_soldier_moves(occupied, valley_lowest(pieces)); to; to &= to - 1)
            moves += !is_blunder(left | (to & -to), kings[0], kings[1], others);
    }
    for (uint32_t to = valley_slides(occupied, kings[0]); to; to &= to - 1)
        moves += !is_blunder((occupied ^ own) | (to & -to), valley_lowest(to), kings[1], others);
    return moves > 0 ? (uint8_t)moves : retro_code(2);
}

static void begin(const RetroGame *base, uint32_t block, uint8_t codes[]) {
    const Numbers *numbers = &((const ValleyRetro *)base)->numbers;
    const NumbersBlock *one = &numbers->blocks[block];
    for (uint32_t place = 0; place < numbers->block_size; place++) {
        uint32_t mine, theirs, images;
        numbers_soldiers(numbers, one, place, &mine, &theirs);
        bool counts = !one->mirror || numbers_place(numbers, one, mine, theirs, &images) == place;
        codes[place] = counts ? first_code(one->kings, mine, theirs) : RETRO_NONE;
    }
}

/* --- moves taken back --- */

/* A position that moves are taken back from, kings[0] moving next. */
typedef struct Scene {
    const Numbers *numbers;
    RetroSink *sink;
    uint32_t kings[2], mine, theirs;
    int mirror; /* the symmetry under which it is its own image; 0: none */
} Scene;

/* Of a move back and its mirror image, the first one by the squares it goes between. */
static bool is_first_of_twins(const Scene *scene, uint32_t from, uint32_t to) {
    const uint8_t *squares = scene->numbers->fold.squares[scene->mirror];
    uint32_t image = (uint32_t)squares[from] * VALLEY_SQUARES + squares[to];
    return image >= from * VALLEY_SQUARES + to;
}

/* Hands on the position in `block` from which a piece went from `to` back to `from`. */
static void hand_on(const Scene *scene, uint32_t block, uint32_t mover, uint32_t other,
                    uint32_t from, uint32_t to) {
    uint32_t images;
    uint32_t place =
        numbers_place(scene->numbers, &scene->numbers->blocks[block], mover, other, &images);
    if (scene->mirror && images == 1 && !is_first_of_twins(scene, from, to))
        return;
    retro_hand_on(scene->sink, block, place, scene->mirror ? 1 : images);
}

/* The other side's soldiers, as they stand in the block of the kings with sides changed. */
static void take_back_soldiers(const Scene *scene) {
    const Numbers *numbers = scene->numbers;
    uint32_t number = numbers->block_of[scene->kings[1]][scene->kings[0]];
    int symmetry = numbers->symmetry_of[scene->kings[1]][scene->kings[0]];
    const NumbersBlock *block = &numbers->blocks[number];
    const uint8_t *back = numbers->fold.squares[numbers->fold.inverse[symmetry]];
    uint32_t sets[2] = {scene->theirs, scene->mine};
    fold_turn(symmetry, sets);
    uint32_t occupied =
        sets[0] | sets[1] | valley_bit(block->kings[0]) | valley_bit(block->kings[1]);
    uint32_t movers = numbers_gather(numbers, sets[0], block->squares);
    uint32_t others = numbers_gather(numbers, sets[1], block->squares);
    for (uint32_t pieces = sets[0]; pieces; pieces &= pieces - 1) {
        uint32_t to = valley_lowest(pieces);
        uint32_t left = movers ^ block->gathered[to];
        uint32_t origins = valley_slides_back(occupied, to) & ~VALLEY_CENTRE_BIT;
        for (; origins; origins &= origins - 1) {
            uint32_t from = valley_lowest(origins);
            if (block->mirror)
                hand_on(scene, number, sets[0] ^ valley_bit(to) ^ valley_bit(from), sets[1],
                        back[from], back[to]);
            else
                retro_hand_on(scene->sink, number,
                              numbers_place_gathered(numbers, left | block->gathered[from], others),
                              1);
        }
    }
}

static void take_back_king(const Scene *scene) {
    const Numbers *numbers = scene->numbers;
    uint32_t own = scene->kings[0], king = scene->kings[1];
    uint32_t occupied = scene->mine | scene->theirs | valley_bit(own) | valley_bit(king);
    uint32_t origins = valley_slides_back(occupied, king) & ~VALLEY_CENTRE_BIT;
    for (; origins; origins &= origins - 1) {
        uint32_t from = valley_lowest(origins);
        uint32_t sets[2] = {scene->theirs, scene->mine};
        fold_turn(numbers->symmetry_of[from][own], sets);
        hand_on(scene, numbers->block_of[from][own], sets[0], sets[1], from, king);
    }
}

static void take_back(const RetroGame *base, uint32_t block, const uint32_t places[], size_t count,
                      RetroSink *sink) {
    const Numbers *numbers = &((const ValleyRetro *)base)->numbers;
    const NumbersBlock *one = &numbers->blocks[block];
    for (size_t i = 0; i < count; i++) {
        Scene scene = {.numbers = numbers, .sink = sink, .kings = {one->kings[0], one->kings[1]}};
        numbers_soldiers(numbers, one, places[i], &scene.mine, &scene.theirs);
        if (one->mirror) {
            uint32_t sets[2] = {scene.mine, scene.theirs};
            fold_turn(one->mirror, sets);
            if (sets[0] == scene.mine && sets[1] == scene.theirs)
                scene.mirror = one->mirror;
        }
        take_back_soldiers(&scene);
        take_back_king(&scene);
    }
}

void valley_retro_init(ValleyRetro *retro, int soldiers) {
    numbers_init(&retro->numbers, soldiers);
    retro->base = (RetroGame){.block_count = NUMBERS_BLOCKS,
                              .block_size = retro->numbers.block_size,
                              .plies_known = 1,
                              .begin = begin,
                              .take_back = take_back};
}
