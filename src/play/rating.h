/* Rates a player by exact values: how good its moves are at positions from random games. */
#ifndef MALPAN_PLAY_RATING_H
#define MALPAN_PLAY_RATING_H

#include "kernel/exchange.h"
#include "players/player.h"

typedef struct RatingPlan {
    Seat player;
    uint64_t positions;
    uint64_t seed;      /* position i depends on the seed and i alone */
    Exchange *exchange; /* the ranks that share the work; each gets the result; NULL: none */
} RatingPlan;

typedef struct Rating {
    uint64_t positions;
    uint64_t best;     /* of these, how often no move was better */
    double given_away; /* mean value of the best move minus that of the chosen one */
    uint64_t won;      /* positions worth more than one half to the player to move */
    uint64_t kept;     /* of these, how often the chosen move was worth that, too */
} Rating;

/* Rates a player at plan->positions positions, on up to limits->threads threads; the result does
 * not depend on their number (play/workers.h). Fails if there are no exact values
 * (values/policy.h); STATUS_STOPPED when limits->stop was set. */
Status rating_run(const Variant *variant, const RatingPlan *plan, const SolveLimits *limits,
                  Rating *rating);

#endif
