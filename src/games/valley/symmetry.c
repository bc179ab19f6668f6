#include "games/valley/symmetry.h"

/* Two sets of squares are transformed at once, one in each half of a 64-bit word. */
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

static void find_canonical(Symmetries *symmetries, int mine, int theirs) {
    int least = VALLEY_SQUARES * VALLEY_SQUARES;
    uint8_t *canonical = symmetries->canonical[mine][theirs];
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        int order = symmetries->squares[symmetry][mine] * VALLEY_SQUARES +
                    symmetries->squares[symmetry][theirs];
        if (order < least)
            canonical[0] = (uint8_t)symmetry;
        if (order <= least)
            canonical[1] = (uint8_t)symmetry;
        least = order < least ? order : least;
    }
}

void symmetries_init(Symmetries *symmetries) {
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++)
        for (uint32_t square = 0; square < VALLEY_SQUARES; square++)
            symmetries->squares[symmetry][square] = square_image(square, symmetry);
    /* b1 lies on no axis, so its image determines the symmetry. */
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++)
        for (int other = 0; other < SYMMETRY_COUNT; other++)
            if (symmetries->squares[other][symmetries->squares[symmetry][1]] == 1)
                symmetries->inverse[symmetry] = (uint8_t)other;
    for (int mine = 0; mine < VALLEY_SQUARES; mine++)
        for (int theirs = 0; theirs < VALLEY_SQUARES; theirs++)
            find_canonical(symmetries, mine, theirs);
}

static uint64_t apply_to_both(uint64_t sets, int symmetry) {
    if (symmetry & 1)
        sets = transpose(sets);
    if (symmetry & 2)
        sets = reverse_files(sets);
    if (symmetry & 4)
        sets = reverse_ranks(sets);
    return sets;
}

void symmetry_apply(int symmetry, uint32_t sets[2]) {
    uint64_t both_sets = apply_to_both((uint64_t)sets[1] << 32 | sets[0], symmetry);
    sets[0] = (uint32_t)both_sets;
    sets[1] = (uint32_t)(both_sets >> 32);
}

static uint64_t key_of_image(const Symmetries *symmetries, uint64_t soldiers, uint32_t mine,
                             uint32_t theirs, int symmetry) {
    return apply_to_both(soldiers, symmetry) | (uint64_t)symmetries->squares[symmetry][mine] << 25 |
           (uint64_t)symmetries->squares[symmetry][theirs] << 57;
}

uint64_t symmetry_key(const Symmetries *symmetries, const ValleyBoard *board, int mover,
                      int *symmetry) {
    uint32_t mine = board->kings[mover], theirs = board->kings[1 - mover];
    uint64_t soldiers = (uint64_t)board->soldiers[1 - mover] << 32 | board->soldiers[mover];
    const uint8_t *canonical = symmetries->canonical[mine][theirs];
    *symmetry = canonical[0];
    uint64_t key = key_of_image(symmetries, soldiers, mine, theirs, canonical[0]);
    if (canonical[1] == canonical[0])
        return key;
    uint64_t other = key_of_image(symmetries, soldiers, mine, theirs, canonical[1]);
    if (other >= key)
        return key;
    *symmetry = canonical[1];
    return other;
}
