/* A game looked back on: what every move cost against the best one, and what chance brought.
 *
 * A step changes what the game is worth to a player. In a player's own turn, what a throw changes
 * is its luck and what a move changes is its skill, which is never above zero where values are
 * exact; what the others' turns change is neither. The three add up to what it got less what the
 * start was worth, because each step begins with the value that the one before it ended with.
 */
#ifndef MALPAN_PLAY_REVIEW_H
#define MALPAN_PLAY_REVIEW_H

#include "play/record.h"

typedef struct ReviewStep {
    bool is_chance;
    int player;                      /* whose turn it was */
    double values[GAME_PLAYERS_MAX]; /* before the step */
    bool is_estimate;                /* so are these, or the loss */
    Move best;                       /* of a move: the best one, */
    double loss;                     /* and what this one cost its player against it */
    double luck;                     /* of a throw: what it brought the player whose turn it was */
} ReviewStep;

typedef struct Review {
    size_t step_count;
    ReviewStep *steps;
    double start[GAME_PLAYERS_MAX]; /* what the start was worth */
    double end[GAME_PLAYERS_MAX];   /* the payoff; or what the game is worth where it stands */
    double luck[GAME_PLAYERS_MAX], skill[GAME_PLAYERS_MAX], others[GAME_PLAYERS_MAX];
    bool has_estimates;
} Review;

/* Looks at every step of the record by the solver, unless `stop` (may be NULL) is set meanwhile.
 * The caller closes it, also when this fails. */
Status review_make(const Record *record, Solver *solver, const StopFlag *stop, Review *review);
void review_close(Review *review);

#endif
