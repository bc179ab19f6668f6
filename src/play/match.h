/* Many games between two players, and what they say about who is better.
 *
 * Games come in pairs: in the second, the players change seats and meet the same throws, one after
 * the other. So luck weighs less, and a player against itself comes out even.
 *
 * Where nothing is left to chance, games differ by their openings: a number of random moves, the
 * same in both games of a pair. There a position that comes back for the fifth time ends the game
 * without a winner.
 */
#ifndef MALPAN_PLAY_MATCH_H
#define MALPAN_PLAY_MATCH_H

#include "players/player.h"

typedef struct MatchResult {
    uint64_t games;
    uint64_t unfinished; /* games without an end, cut off: half a point to each */
    uint64_t steps;      /* moves and chance events in all games, openings left out */
    double points;       /* of the first player: what it got in all games */
    double mean;         /* of a game */
    double margin;       /* the true mean lies within this of it, with 95 % confidence */
    /* The same of whoever sat at seat 0, for games in which the seats are not alike. */
    double seat_mean, seat_margin;
} MatchResult;

/* What to play: pair i depends on the seed and i alone, as far as the players do. */
typedef struct MatchPlan {
    Seat players[2];
    uint64_t pairs;
    uint64_t seed;
    int opening; /* random moves before the players take over */
    bool
        balanced; /* only openings after which a short search proves nothing; where it can search */
} MatchPlan;

/* Only for games of two players in which one's gain is the other's loss. */
Status match_run(const Variant *variant, const MatchPlan *plan, const SolveLimits *limits,
                 MatchResult *result);

#endif
