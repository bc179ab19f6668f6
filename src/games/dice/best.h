/* Best play from a placing on: where the throws are known, and where they are not. */
#ifndef MALPAN_GAMES_DICE_BEST_H
#define MALPAN_GAMES_DICE_BEST_H

#include "game/solver.h"
#include "games/dice/dice.h"
#include "games/dice/memo.h"

/* The puzzle with the throws given. */
typedef struct DiceKnown {
    DiceWays ways;
    uint8_t throws[DICE_THROWS];
    int count;
    DiceMemo memo;
} DiceKnown;

/* Takes up a list of throws. What is known of the turns at the end of the last one stays. */
void dice_known_set(DiceKnown *known, const uint8_t throws[], int count);

/* The most points that the last `left` of the throws can bring. */
int dice_known_best(DiceKnown *known, DicePlacing placing, int left);

/* The online game. All its values are whole numbers: sums over all sequences of throws. */
typedef struct DiceUnseen {
    DiceWays ways;
    DiceMemo memo;
} DiceUnseen;

/* What best play brings from `left` throws on, summed over the 5^left sequences of them. */
uint64_t dice_unseen_sum(DiceUnseen *unseen, DicePlacing placing, int left);

/* The same with the present throw known: over 5^(left-1) sequences of the others. `best` (may be
 * NULL) becomes the first of the best steps, or -1 where there is none. */
uint64_t dice_unseen_sum_with(DiceUnseen *unseen, DicePlacing placing, int left, int throw,
                              int *best);

/* Every input at once. */
typedef struct DiceInputs {
    DicePlacing placing;
    int count;                   /* throws */
    uint8_t throws[DICE_THROWS]; /* 0: any */
    DiceUnseen *unseen;          /* NULL: the throws are known; else what the online player makes */
} DiceInputs;

/* The points of best play for each input, in the order of its throws as digits. The caller frees
 * them. */
Status dice_all(const DiceInputs *inputs, int16_t **points, size_t *count);

/* 5^exponent */
uint64_t dice_power(int exponent);

#endif
