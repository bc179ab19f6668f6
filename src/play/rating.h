/* How good a player's moves are, by exact values: at positions that random games come to. */
#ifndef MALPAN_PLAY_RATING_H
#define MALPAN_PLAY_RATING_H

#include "players/player.h"

typedef struct RatingPlan {
    Seat player;
    uint64_t positions;
    uint64_t seed; /* position i depends on the seed and i alone */
} RatingPlan;

typedef struct Rating {
    uint64_t positions;
    uint64_t best;     /* where no move would have been better */
    double given_away; /* the mean of what the best move is worth more */
    uint64_t won;      /* positions worth more than one half to who moves */
    uint64_t kept;     /* of those, where the move was too */
} Rating;

/* Fails where there are no exact values. */
Status rating_run(const Variant *variant, const RatingPlan *plan, const SolveLimits *limits,
                  Rating *rating);

#endif
