/* A match: many games between two players, and how sure the result is.
 *
 * Games come in pairs. In the second, the players change seats and get the same throws in the same
 * order. This reduces the influence of luck, and a player against itself comes out even.
 *
 * With more than two seats the players alternate: one has the seats 0, 2, ..., the other 1, 3, ...
 * So in teams they play side against side, and among three a player has two seats in one game of
 * the pair and one in the other. The points of a game are the share of the payoffs; over a pair, a
 * half is fair.
 *
 * In a game without chance, games differ by their openings: a number of random moves, the same in
 * both games of a pair. A position that occurs for the fifth time ends such a game without a
 * winner.
 *
 * A match may be limited to openings with a given outcome for the first player, by exact values.
 * Then every game has an opening of its own, and the opening decides who sits where.
 */
#ifndef MALPAN_PLAY_MATCH_H
#define MALPAN_PLAY_MATCH_H

#include "game/outcomes.h"
#include "kernel/exchange.h"
#include "players/player.h"

typedef struct MatchResult {
    uint64_t games;
    uint64_t unfinished; /* games that were cut off: half a point to each */
    uint64_t steps;      /* moves and chance events in all games, openings left out */
    double points;       /* of the first player, in all games */
    double mean;         /* of the first player's points per game */
    double margin;       /* of the mean, with 95 % confidence */
    /* The same for whoever sat at seat 0 (and 2), since the first move may be an advantage. */
    double seat_mean, seat_margin;
} MatchResult;

/* What to play. Pair i depends only on the seed and on i, unless a player depends on time. */
typedef struct MatchPlan {
    Seat players[2];
    uint64_t pairs;
    uint64_t seed;
    int opening;   /* random moves before the players take over */
    bool balanced; /* redraw openings in which a short search proves the winner */
    bool has_outcome;
    OutcomeKind outcome; /* of the openings to the first player, if has_outcome */
    Exchange *exchange;  /* the ranks that share the work; each gets the result; NULL: none */
} MatchPlan;

/* Plays a match on up to limits->threads threads; the result does not depend on their number
 * (play/workers.h). For games of two players in which one's gain is the other's loss, and of more
 * whose values are chances of winning.
 * STATUS_STOPPED when limits->stop was set. */
Status match_run(const Variant *variant, const MatchPlan *plan, const SolveLimits *limits,
                 MatchResult *result);

#endif
