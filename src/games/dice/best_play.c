#include "games/dice/best_play.h"

static uint64_t key_of(DicePlacement placement, int left) {
    return (uint64_t)placement << 4 | (uint64_t)left;
}

void dice_known_set(DiceKnown *known, const uint8_t throws[], int count) {
    if (count <= known->count &&
        memcmp(known->throws + known->count - count, throws, (size_t)count) == 0)
        return;
    dice_memo_free(&known->memo);
    memcpy(known->throws, throws, (size_t)count);
    known->count = count;
}

int dice_known_best(DiceKnown *known, DicePlacement placement, int left) {
    uint64_t seen;
    if (left == 0)
        return 0;
    int throw = known->throws[known->count - left], best = 0;
    /* Half of all visited turns are last turns. Playing one is faster than looking it up. */
    if (left == 1)
        return dice_most_points(&known->table, placement, throw);
    if (dice_memo_get(&known->memo, key_of(placement, left), &seen))
        return (int)seen;
    DiceStep steps[DICE_PIECES];
    int count = dice_steps(&known->table, placement, throw, steps);
    for (int i = 0; i < count; i++) {
        int points =
            dice_squares[steps[i].to].points + dice_known_best(known, steps[i].placement, left - 1);
        if (points > best)
            best = points;
    }
    dice_memo_add(&known->memo, key_of(placement, left), (uint64_t)best);
    return best;
}

DiceOnline dice_online_make(const DiceFaces *faces) {
    return (DiceOnline){
        .table = dice_move_table(), .faces = *faces, .total = dice_faces_total(faces)};
}

uint64_t dice_online_sum_after_throw(DiceOnline *online, DicePlacement placement, int left,
                                     int throw, int *best) {
    DiceStep steps[DICE_PIECES];
    int count = dice_steps(&online->table, placement, throw, steps), first = -1;
    uint64_t most = 0, others = dice_power(online->total, left - 1);
    for (int i = 0; i < count; i++) {
        uint64_t sum = dice_squares[steps[i].to].points * others +
                       dice_online_sum(online, steps[i].placement, left - 1);
        if (first < 0 || sum > most) {
            most = sum;
            first = i;
        }
    }
    if (best)
        *best = first;
    return most;
}

uint64_t dice_online_sum(DiceOnline *online, DicePlacement placement, int left) {
    uint64_t sum = 0;
    if (left == 0 || dice_memo_get(&online->memo, key_of(placement, left), &sum))
        return sum;
    sum = 0;
    for (int throw = 1; throw <= DICE_SIDES; throw ++)
        if (online->faces.weights[throw] > 0)
            sum += online->faces.weights[throw] *
                   dice_online_sum_after_throw(online, placement, left, throw, NULL);
    dice_memo_add(&online->memo, key_of(placement, left), sum);
    return sum;
}
