/* What a position is worth, and every legal move in it, best first. */
#ifndef MALPAN_SOLVE_EVALUATE_H
#define MALPAN_SOLVE_EVALUATE_H

#include "game/solver.h"

typedef struct MoveValue {
    Move move;
    double value; /* to the player who moves */
    size_t order; /* its place in the game's own list */
} MoveValue;

typedef struct Evaluation {
    int player;                      /* whose turn it is */
    double values[GAME_PLAYERS_MAX]; /* what the position is worth to each player */
    size_t move_count;               /* 0 unless a player is to choose */
    MoveValue moves[GAME_MOVES_MAX]; /* best first; equally good ones in the game's own order */
} Evaluation;

/* Why there is no solver for the variant, or fine. */
Status evaluate_check(const Variant *variant);
bool evaluate_can_solve(const Variant *variant);

/* A solver for the variant: the game's own, or backward induction. The caller frees it. */
Status evaluate_solver(const Variant *variant, const SolveLimits *limits, Solver **solver);

/* Values the state and its moves. */
Status evaluate_state(const Variant *variant, Solver *solver, const State *state,
                      Evaluation *evaluation);

#endif
