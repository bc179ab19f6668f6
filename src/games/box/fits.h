/* The sets that are open after each open set and roll: what all turns of a game share.
 *
 *     after[first[i]] up to after[first[i + 1]]      where i = open * (BOX_ROLL_MAX + 1) + roll
 *
 * in the order of moves(); none if the player is stuck. Made once, then read by any thread.
 */
#ifndef MALPAN_GAMES_BOX_FITS_H
#define MALPAN_GAMES_BOX_FITS_H

#include "games/box/box.h"

typedef struct BoxFits {
    uint32_t *first;
    TileSet *after;
    double weights[2][BOX_ROLL_MAX + 1]; /* one die, all dice: chances of the sums */
} BoxFits;

/* The sets after one open set and roll. */
typedef struct BoxFit {
    const TileSet *sets;
    size_t count;
} BoxFit;

/* False if there is no memory; box_fits_free is safe then, too. */
bool box_fits_list(const BoxRules *rules, BoxFits *fits);
void box_fits_free(BoxFits *fits);

/* The memory for this many tiles, but for the sets. */
uint64_t box_fits_bytes(const BoxRules *rules);

static inline BoxFit box_fits_after(const BoxFits *fits, TileSet open, int roll) {
    size_t at = (size_t)open * (BOX_ROLL_MAX + 1) + (size_t)roll;
    return (BoxFit){fits->after + fits->first[at], fits->first[at + 1] - fits->first[at]};
}

/* The chances of the sums with these tiles open. */
static inline const double *box_fits_weights(const BoxFits *fits, int dice) {
    return fits->weights[dice == 1 ? 0 : 1];
}

#endif
