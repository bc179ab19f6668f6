/* Initial codes and unmoves.
 *
 * An index stands for a position and its images, so moves have to be counted with care. Let i be
 * the number of symmetries that leave a position of index x as it is (1, or 2 on an axis), and j
 * that of index y. Then x has 8 / i images and y has 8 / j. Counting the pairs of an image of x and
 * an image of y with a move between them in both directions gives
 *
 *     moves from one position of x into y  =  i / j  *  unmoves from one position of y into x.
 *
 * So an unmove from y into x counts
 *
 *     i times     if y is not its own mirror image (j = 1);
 *     once        if both are their own mirror images (i = j = 2);
 *     half        if only y is (i = 1, j = 2): then its mirror image is an unmove into x as well,
 *                 and only one of the two counts.
 */
#include "games/valley/solve/unmove.h"

#include "games/valley/valley.h"

static_assert((int)VALLEY_MOVES_MAX <= (int)RETRO_COUNTER_MAX, "a code holds any number of moves");

/* --- initial codes --- */

/* Whether a move loses at once: it walls in its own king, or lets the other side win in one. */
static inline bool is_blunder(uint32_t occupied, uint32_t own_king, uint32_t other_king,
                              uint32_t other_pieces) {
    return valley_is_walled(occupied, own_king) ||
           valley_side_can_win(occupied, other_king, other_pieces, own_king);
}

/* The initial code of a position; kings[0] is the mover's. Nobody is lost in one: a king that is
 * not walled in has a move, and never walls itself in by it, as the square it left is free. */
static uint8_t initial_code(const uint32_t kings[2], uint32_t mine, uint32_t theirs) {
    uint32_t own = valley_bit(kings[0]), others = theirs | valley_bit(kings[1]);
    uint32_t occupied = mine | own | others;
    unsigned moves = 0;
    if (valley_is_walled(occupied, kings[0]) || valley_is_walled(occupied, kings[1]))
        return RETRO_UNUSED;
    if (valley_side_can_win(occupied, kings[0], mine | own, kings[1]))
        return retro_decided_code(1);
    for (uint32_t pieces = mine; pieces; pieces &= pieces - 1) {
        uint32_t left = occupied ^ (pieces & -pieces);
        for (uint32_t to = valley_soldier_moves(occupied, valley_lowest(pieces)); to; to &= to - 1)
            moves += !is_blunder(left | (to & -to), kings[0], kings[1], others);
    }
    for (uint32_t to = valley_slides(occupied, kings[0]); to; to &= to - 1)
        moves += !is_blunder((occupied ^ own) | (to & -to), valley_lowest(to), kings[1], others);
    return moves > 0 ? (uint8_t)moves : retro_decided_code(2);
}

static void init_codes(const RetroGame *base, uint32_t block, uint32_t first, uint32_t count,
                       uint8_t codes[]) {
    const Ranking *ranking = &((const ValleyRetrograde *)base)->ranking;
    const RankingBlock *one = &ranking->blocks[block];
    for (uint32_t index = first; index < first + count; index++) {
        uint32_t mine, theirs, self_images;
        unrank_soldiers(ranking, one, index, &mine, &theirs);
        bool counts =
            !one->mirror || rank_soldiers(ranking, one, mine, theirs, &self_images) == index;
        codes[index - first] = counts ? initial_code(one->kings, mine, theirs) : RETRO_UNUSED;
    }
}

/* --- unmoves --- */

/* A position to take moves back from. kings[0] belongs to the side to move; the other side made the
 * last move. */
typedef struct Unmove {
    const Ranking *ranking;
    RetroSink *sink;
    uint32_t kings[2], mine, theirs;
    int mirror; /* the symmetry that leaves the position as it is; 0: none */
} Unmove;

/* Whether an unmove comes before its mirror image, in the order of from and to. */
static bool is_first_of_twins(const Unmove *unmove, uint32_t from, uint32_t to) {
    const uint8_t *squares = unmove->ranking->symmetries.squares[unmove->mirror];
    uint32_t image = (uint32_t)squares[from] * VALLEY_SQUARES + squares[to];
    return image >= from * VALLEY_SQUARES + to;
}

/* Emits the predecessor in `block` from which a piece moved from `from` to `to`. */
static void emit_predecessor(const Unmove *unmove, uint32_t block, uint32_t mover, uint32_t other,
                             uint32_t from, uint32_t to) {
    uint32_t self_images;
    uint32_t index =
        rank_soldiers(unmove->ranking, &unmove->ranking->blocks[block], mover, other, &self_images);
    if (unmove->mirror && self_images == 1 && !is_first_of_twins(unmove, from, to))
        return;
    retro_emit(unmove->sink, block, index, unmove->mirror ? 1 : self_images);
}

/* Takes back moves of the other side's soldiers. The kings stay, so all predecessors are in the
 * block of the kings with sides exchanged; the position is mapped there once. */
static void unmove_soldiers(const Unmove *unmove) {
    const Ranking *ranking = unmove->ranking;
    uint32_t number = ranking->block_of[unmove->kings[1]][unmove->kings[0]];
    int symmetry = ranking->symmetry_of[unmove->kings[1]][unmove->kings[0]];
    const RankingBlock *block = &ranking->blocks[number];
    const uint8_t *back = ranking->symmetries.squares[ranking->symmetries.inverse[symmetry]];
    uint32_t sets[2] = {unmove->theirs, unmove->mine};
    symmetry_apply(symmetry, sets);
    uint32_t occupied =
        sets[0] | sets[1] | valley_bit(block->kings[0]) | valley_bit(block->kings[1]);
    uint32_t movers = rank_extract_bits(ranking, sets[0], block->squares);
    uint32_t others = rank_extract_bits(ranking, sets[1], block->squares);
    for (uint32_t pieces = sets[0]; pieces; pieces &= pieces - 1) {
        uint32_t to = valley_lowest(pieces);
        uint32_t left = movers ^ block->extracted_bit[to];
        uint32_t origins = valley_slide_origins(occupied, to) & ~VALLEY_CENTRE_BIT;
        for (; origins; origins &= origins - 1) {
            uint32_t from = valley_lowest(origins);
            if (block->mirror)
                emit_predecessor(unmove, number, sets[0] ^ valley_bit(to) ^ valley_bit(from),
                                 sets[1], back[from], back[to]);
            else
                retro_emit(unmove->sink, number,
                           rank_extracted(ranking, left | block->extracted_bit[from], others), 1);
        }
    }
}

static void unmove_king(const Unmove *unmove) {
    const Ranking *ranking = unmove->ranking;
    uint32_t own = unmove->kings[0], king = unmove->kings[1];
    uint32_t occupied = unmove->mine | unmove->theirs | valley_bit(own) | valley_bit(king);
    uint32_t origins = valley_slide_origins(occupied, king) & ~VALLEY_CENTRE_BIT;
    for (; origins; origins &= origins - 1) {
        uint32_t from = valley_lowest(origins);
        uint32_t sets[2] = {unmove->theirs, unmove->mine};
        symmetry_apply(ranking->symmetry_of[from][own], sets);
        emit_predecessor(unmove, ranking->block_of[from][own], sets[0], sets[1], from, king);
    }
}

static void unmove_batch(const RetroGame *base, uint32_t block, const uint32_t indices[],
                         size_t count, RetroSink *sink) {
    const Ranking *ranking = &((const ValleyRetrograde *)base)->ranking;
    const RankingBlock *one = &ranking->blocks[block];
    for (size_t i = 0; i < count; i++) {
        Unmove unmove = {.ranking = ranking, .sink = sink, .kings = {one->kings[0], one->kings[1]}};
        unrank_soldiers(ranking, one, indices[i], &unmove.mine, &unmove.theirs);
        if (one->mirror) {
            uint32_t sets[2] = {unmove.mine, unmove.theirs};
            symmetry_apply(one->mirror, sets);
            if (sets[0] == unmove.mine && sets[1] == unmove.theirs)
                unmove.mirror = one->mirror;
        }
        unmove_soldiers(&unmove);
        unmove_king(&unmove);
    }
}

void valley_retrograde_init(ValleyRetrograde *retro, int soldiers) {
    ranking_init(&retro->ranking, soldiers);
    retro->base = (RetroGame){.block_count = RANK_BLOCKS,
                              .block_size = retro->ranking.block_size,
                              .initial_plies = 1,
                              .init = init_codes,
                              .unmove = unmove_batch};
}
