/* One turn of several players' game, solved for a few positions side by side.
 *
 * A turn depends on the position before it only through what each score is worth to each player:
 * its `stuck` rows. So turns of the same player that differ in these alone are lanes of one
 * induction over the open sets, from the empty one up. A row is one score or one open set:
 *
 *     component 0: lane 0, lane 1, ... | component 1: lane 0, lane 1, ... | ...
 *
 * Component p is the value to player p. The player whose turn it is takes the best of its own; of
 * equally good sets the first, which decides what the others get.
 *
 * Thread safety: a LaneTurn belongs to one thread at a time; BoxFits may be shared.
 */
#ifndef MALPAN_GAMES_BOX_LANE_TURN_H
#define MALPAN_GAMES_BOX_LANE_TURN_H

#include "games/box/fits.h"

enum { BOX_LANES = 8 };

typedef struct LaneTurn {
    const BoxRules *rules;
    const BoxFits *fits;
    double *table; /* a row for each open set */
    double *stuck; /* a row for each score, filled by the caller before lane_turn_solve */
} LaneTurn;

/* False if there is no memory; lane_turn_close is safe then, too. */
bool lane_turn_open(const BoxRules *rules, const BoxFits *fits, LaneTurn *turn);
void lane_turn_close(LaneTurn *turn);

static inline size_t lane_turn_row(const BoxRules *rules) {
    return (size_t)rules->players * BOX_LANES;
}

/* The value of a row to a player in a lane. */
static inline double *lane_turn_at(const LaneTurn *turn, double *rows, size_t row, int player,
                                   size_t lane) {
    return &rows[row * lane_turn_row(turn->rules) + (size_t)player * BOX_LANES + lane];
}

/* Fills the table for a turn of this player. */
void lane_turn_solve(LaneTurn *turn, int player);

/* The set that the player opens up to after this roll, in lane 0; the turn must be solved. The roll
 * must fit. */
TileSet lane_turn_choose(const LaneTurn *turn, int player, TileSet open, int roll);

#endif
