/* The sums of a network's first layer for the last position, updated for the next one.
 *
 * A move changes few inputs. So, as in NNUE, the rows of the inputs that are gone are subtracted
 * from the sums and the rows of those that are new are added. If that would take more rows than the
 * position has, the sums are computed from scratch. They are sums of integers, so the scores do not
 * depend on the positions before.
 *
 *     last   (0, 5, first) (0, 0, first) (1, 7, first) ...      subtract the row of (0, 5, first),
 *     next   (0, 7, first) (0, 0, first) (1, 0, third) ...      add that of (0, 7, first), ...
 *
 * Thread safety: an accumulator belongs to one thread.
 */
#ifndef MALPAN_GAMES_YUT_NET_ACCUMULATOR_H
#define MALPAN_GAMES_YUT_NET_ACCUMULATOR_H

#include "games/yut/net/network.h"

/* Starts as all zeros. */
typedef struct Accumulator {
    const int16_t *first; /* the first layer that the sums belong to; NULL: no sums yet */
    int count;            /* of inputs in the sums */
    uint16_t inputs[FEATURES_MAX];
    uint8_t times[FEATURES_COUNT_MAX]; /* how often each of them is in the list */
    _Alignas(64) int32_t sums[NETWORK_HIDDEN_MAX];
} Accumulator;

/* Updates the sums to those of a list of inputs. Returns how many rows were added and subtracted.
 */
int accumulator_update(Accumulator *accumulator, const Network *network, const uint16_t inputs[],
                       int count);

/* As network_values, and with the same result; leaves the sums in the accumulator. */
void accumulator_values(Accumulator *accumulator, const Network *network, const YutRules *rules,
                        const YutState *state, double values[]);

#endif
