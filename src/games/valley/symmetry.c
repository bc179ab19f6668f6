#include "games/valley/symmetry.h"

/* Both halves of a word are sets of squares; what is done to one is done to the other. */
static uint64_t both(uint32_t set) {
    return (uint64_t)set << 32 | set;
}

static uint64_t reverse_files(uint64_t sets) {
    const uint64_t file = both(0x108421);
    return (sets & file) << 4 | (sets & file << 1) << 2 | (sets & file << 2) |
           (sets & file << 3) >> 2 | (sets & file << 4) >> 4;
}

static uint64_t reverse_ranks(uint64_t sets) {
    const uint64_t rank = both(31);
    return (sets & rank) << 20 | (sets & rank << 5) << 10 | (sets & rank << 10) |
           (sets & rank << 15) >> 10 | (sets & rank << 20) >> 20;
}

/* Exchanges files and ranks: 5 r + f becomes 5 f + r, so a square moves by 4 (f - r). */
static uint64_t transpose(uint64_t sets) {
    uint64_t result = sets & both(valley_rising[4].squares);
    for (int distance = 1; distance <= 4; distance++) {
        result |= (sets & both(valley_rising[4 + distance].squares)) << 4 * distance;
        result |= (sets & both(valley_rising[4 - distance].squares)) >> 4 * distance;
    }
    return result;
}

static uint8_t square_image(uint32_t square, int symmetry) {
    uint32_t file = square % VALLEY_WIDTH, rank = square / VALLEY_WIDTH;
    if (symmetry & 1) {
        uint32_t kept = file;
        file = rank;
        rank = kept;
    }
    if (symmetry & 2)
        file = VALLEY_WIDTH - 1 - file;
    if (symmetry & 4)
        rank = VALLEY_WIDTH - 1 - rank;
    return (uint8_t)(VALLEY_WIDTH * rank + file);
}

static void find_best(Fold *fold, int mine, int theirs) {
    int least = VALLEY_SQUARES * VALLEY_SQUARES;
    uint8_t *best = fold->best[mine][theirs];
    for (int symmetry = 0; symmetry < FOLD_SYMMETRIES; symmetry++) {
        int order =
            fold->squares[symmetry][mine] * VALLEY_SQUARES + fold->squares[symmetry][theirs];
        if (order < least)
            best[0] = (uint8_t)symmetry;
        if (order <= least)
            best[1] = (uint8_t)symmetry;
        least = order < least ? order : least;
    }
}

void fold_init(Fold *fold) {
    for (int symmetry = 0; symmetry < FOLD_SYMMETRIES; symmetry++)
        for (uint32_t square = 0; square < VALLEY_SQUARES; square++)
            fold->squares[symmetry][square] = square_image(square, symmetry);
    /* b1 lies on no axis, so where it goes tells the symmetry. */
    for (int symmetry = 0; symmetry < FOLD_SYMMETRIES; symmetry++)
        for (int back = 0; back < FOLD_SYMMETRIES; back++)
            if (fold->squares[back][fold->squares[symmetry][1]] == 1)
                fold->inverse[symmetry] = (uint8_t)back;
    for (int mine = 0; mine < VALLEY_SQUARES; mine++)
        for (int theirs = 0; theirs < VALLEY_SQUARES; theirs++)
            find_best(fold, mine, theirs);
}

static uint64_t turn_both(uint64_t sets, int symmetry) {
    if (symmetry & 1)
        sets = transpose(sets);
    if (symmetry & 2)
        sets = reverse_files(sets);
    if (symmetry & 4)
        sets = reverse_ranks(sets);
    return sets;
}

void fold_turn(int symmetry, uint32_t sets[2]) {
    uint64_t both_sets = turn_both((uint64_t)sets[1] << 32 | sets[0], symmetry);
    sets[0] = (uint32_t)both_sets;
    sets[1] = (uint32_t)(both_sets >> 32);
}

static uint64_t key_of_image(const Fold *fold, uint64_t soldiers, uint32_t mine, uint32_t theirs,
                             int symmetry) {
    return turn_both(soldiers, symmetry) | (uint64_t)fold->squares[symmetry][mine] << 25 |
           (uint64_t)fold->squares[symmetry][theirs] << 57;
}

uint64_t fold_key(const Fold *fold, const ValleyBoard *board, int mover, int *symmetry) {
    uint32_t mine = board->kings[mover], theirs = board->kings[1 - mover];
    uint64_t soldiers = (uint64_t)board->soldiers[1 - mover] << 32 | board->soldiers[mover];
    const uint8_t *best = fold->best[mine][theirs];
    *symmetry = best[0];
    uint64_t key = key_of_image(fold, soldiers, mine, theirs, best[0]);
    if (best[1] == best[0])
        return key;
    uint64_t other = key_of_image(fold, soldiers, mine, theirs, best[1]);
    if (other >= key)
        return key;
    *symmetry = best[1];
    return other;
}
