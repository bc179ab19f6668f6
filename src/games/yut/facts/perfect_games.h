/* Games between two perfect players, and what their moves do. */
#ifndef MALPAN_GAMES_YUT_FACTS_PERFECT_GAMES_H
#define MALPAN_GAMES_YUT_FACTS_PERFECT_GAMES_H

#include "games/yut/facts/start_grid.h"

/* What a move does; one may do several of these. */
typedef enum MoveKind {
    MOVE_ENTERS, /* brings a piece from 0 onto the board */
    MOVE_RUNS,   /* moves what is on the board already */
    MOVE_CATCHES,
    MOVE_STACKS,
    MOVE_ARRIVES,
    MOVE_KINDS
} MoveKind;

/* A part of a whole, or a mean; the true one is within `margin` of it with 95 % confidence. */
typedef struct Share {
    bool known; /* false: there was nothing to count */
    double mean, margin;
} Share;

typedef struct PerfectGames {
    uint64_t games, seed;
    uint64_t moves;           /* in all games */
    Share turns;              /* of a game */
    Share first_won;          /* games that the first player won */
    Share done[MOVE_KINDS];   /* of all moves: those that do it */
    Share chosen[MOVE_KINDS]; /* of the moves where some would do it and others not: those */
    /* Of all moves, those with a choice; and of these: */
    Share choices;
    Share only;   /* any other move costs a hundredth of the games or more */
    Share same;   /* the second best costs less than a ten-thousandth */
    Share second; /* what the second best costs */
    Share last;   /* what the worst costs */
} PerfectGames;

/* Plays `games` games (at least 2); game i depends on the seed and i alone. `grid` holds the values
 * of the variant; without one (NULL), `solver` is asked, which takes longer. */
Status perfect_games_play(const GameServices *services, const Variant *variant, StartGrid *grid,
                          Solver *solver, uint64_t games, uint64_t seed, const SolveLimits *limits,
                          PerfectGames *result);

#endif
