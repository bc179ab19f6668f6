/* The faces of the die and how often each comes up. */
#ifndef MALPAN_GAMES_DICE_FACES_H
#define MALPAN_GAMES_DICE_FACES_H

#include "games/dice/board.h"

typedef struct DiceFaces {
    uint16_t weights[DICE_SIDES + 1]; /* of the throws 1 to 5; entry 0 is unused */
} DiceFaces;

/* The sum of the weights. */
static inline uint64_t dice_faces_total(const DiceFaces *faces) {
    uint64_t total = 0;
    for (int face = 1; face <= DICE_SIDES; face++)
        total += faces->weights[face];
    return total;
}

/* base^exponent */
static inline uint64_t dice_power(uint64_t base, int exponent) {
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= base;
    return power;
}

#endif
