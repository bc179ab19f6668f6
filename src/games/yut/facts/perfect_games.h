/* Games between two perfect players, and statistics of their moves. */
#ifndef MALPAN_GAMES_YUT_FACTS_PERFECT_GAMES_H
#define MALPAN_GAMES_YUT_FACTS_PERFECT_GAMES_H

#include "games/yut/facts/start_grid.h"

/* Kinds of move. A move may be of several kinds. */
typedef enum MoveKind {
    MOVE_ENTERS, /* brings a piece from 0 onto the board */
    MOVE_RUNS,   /* moves a piece that is already on the board */
    MOVE_CATCHES,
    MOVE_STACKS,
    MOVE_ARRIVES,
    MOVE_KINDS
} MoveKind;

/* A fraction of a whole, or a mean. The true value is within `margin` with 95 % confidence. */
typedef struct Share {
    bool known; /* false: there was nothing to count */
    double mean, margin;
} Share;

typedef struct PerfectGames {
    uint64_t games, seed;
    uint64_t moves;           /* in all games */
    Share turns;              /* in a game */
    Share first_won;          /* games that the first player won */
    Share done[MOVE_KINDS];   /* moves of this kind, among all moves */
    Share chosen[MOVE_KINDS]; /* the same, where only some of the legal moves are */
    /* Decisions with more than one legal move, among all moves. The fields below refer to these. */
    Share choices;
    Share only;   /* any other move costs at least a hundredth of a game */
    Share same;   /* the second best move costs less than a ten-thousandth */
    Share second; /* the mean cost of the second best move */
    Share last;   /* the mean cost of the worst move */
} PerfectGames;

/* Plays `games` games (at least 2). Game i depends only on the seed and i. `grid` holds the values
 * of the variant. If it is NULL, the values come from `solver`, which takes longer. */
Status perfect_games_play(const GameServices *services, const Variant *variant, StartGrid *grid,
                          Solver *solver, uint64_t games, uint64_t seed, const SolveLimits *limits,
                          PerfectGames *result);

#endif
