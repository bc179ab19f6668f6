/* Best play from a placement: with known throws, online, and for all inputs at once.
 *
 * Thread safety: each struct belongs to one thread at a time. */
#ifndef MALPAN_GAMES_DICE_BEST_PLAY_H
#define MALPAN_GAMES_DICE_BEST_PLAY_H

#include "game/solver.h"
#include "games/dice/dice.h"
#include "games/dice/memo.h"

/* The puzzle: the throws are known. */
typedef struct DiceKnown {
    DiceMoveTable table;
    uint8_t throws[DICE_THROWS_MAX];
    int count;
    DiceMemo memo;
} DiceKnown;

/* Sets the throws. Results are kept if `throws` is a suffix of the previous list. */
void dice_known_set(DiceKnown *known, const uint8_t throws[], int count);

/* The most points that the last `left` throws can score. */
int dice_known_best(DiceKnown *known, DicePlacement placement, int left);

/* The online game. Values are integers: sums over all sequences of throws, each counted as often as
 * the product of its faces' weights says. */
typedef struct DiceOnline {
    DiceMoveTable table;
    DiceFaces faces;
    uint64_t total; /* of the weights */
    DiceMemo memo;
} DiceOnline;

DiceOnline dice_online_make(const DiceFaces *faces);

/* The points of best play with `left` throws to come, summed over their total^left sequences. */
uint64_t dice_online_sum(DiceOnline *online, DicePlacement placement, int left);

/* The same with the present throw known, summed over the total^(left-1) sequences of the others.
 * `best` (may be NULL) receives the index of the first best step, or -1 if there is no step. */
uint64_t dice_online_sum_after_throw(DiceOnline *online, DicePlacement placement, int left,
                                     int throw, int *best);

/* A set of inputs: a placement and the throws to come. */
typedef struct DiceInputs {
    DicePlacement placement;
    int count;                       /* throws */
    uint8_t throws[DICE_THROWS_MAX]; /* 0: any */
    DiceOnline *online_player;       /* NULL: score best play with known throws; else online play */
    const StopFlag *stop;            /* as in SolveLimits */
} DiceInputs;

/* Scores each input; the index of an input is its throws read as digits in base 5. The caller frees
 * `points`. Fails if memory runs out; STATUS_STOPPED soon after the stop flag is set. */
Status dice_score_inputs(const DiceInputs *inputs, int16_t **points, size_t *count);

#endif
