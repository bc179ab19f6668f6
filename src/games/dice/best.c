#include "games/dice/best.h"

static uint64_t key_of(DicePlacing placing, int left) {
    return (uint64_t)placing << 4 | (uint64_t)left;
}

uint64_t dice_power(int exponent) {
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= DICE_SIDES;
    return power;
}

void dice_known_set(DiceKnown *known, const uint8_t throws[], int count) {
    if (count <= known->count &&
        memcmp(known->throws + known->count - count, throws, (size_t)count) == 0)
        return;
    dice_memo_free(&known->memo);
    memcpy(known->throws, throws, (size_t)count);
    known->count = count;
}

int dice_known_best(DiceKnown *known, DicePlacing placing, int left) {
    uint64_t seen;
    if (left == 0)
        return 0;
    int throw = known->throws[known->count - left], best = 0;
    /* The last turn, half of all, is sooner played than looked up. */
    if (left == 1)
        return dice_most_points(&known->ways, placing, throw);
    if (dice_memo_get(&known->memo, key_of(placing, left), &seen))
        return (int)seen;
    DiceStep steps[DICE_PIECES];
    int count = dice_steps(&known->ways, placing, throw, steps);
    for (int i = 0; i < count; i++) {
        int points =
            dice_squares[steps[i].to].points + dice_known_best(known, steps[i].placing, left - 1);
        if (points > best)
            best = points;
    }
    dice_memo_add(&known->memo, key_of(placing, left), (uint64_t)best);
    return best;
}

uint64_t dice_unseen_sum_with(DiceUnseen *unseen, DicePlacing placing, int left, int throw,
                              int *best) {
    DiceStep steps[DICE_PIECES];
    int count = dice_steps(&unseen->ways, placing, throw, steps), first = -1;
    uint64_t most = 0, others = dice_power(left - 1);
    for (int i = 0; i < count; i++) {
        uint64_t sum = dice_squares[steps[i].to].points * others +
                       dice_unseen_sum(unseen, steps[i].placing, left - 1);
        if (first < 0 || sum > most) {
            most = sum;
            first = i;
        }
    }
    if (best)
        *best = first;
    return most;
}

uint64_t dice_unseen_sum(DiceUnseen *unseen, DicePlacing placing, int left) {
    uint64_t sum = 0;
    if (left == 0 || dice_memo_get(&unseen->memo, key_of(placing, left), &sum))
        return sum;
    sum = 0;
    for (int throw = 1; throw <= DICE_SIDES; throw ++)
        sum += dice_unseen_sum_with(unseen, placing, left, throw, NULL);
    dice_memo_add(&unseen->memo, key_of(placing, left), sum);
    return sum;
}
