/* Reviews a finished or unfinished game: what each move lost against the best one, and what chance
 * contributed.
 *
 * Each step changes the value of the game to a player. In the player's own turn, the change by a
 * chance event is luck and the change by a move is skill, which is at most zero if values are
 * exact. What changes in other players' turns is counted apart. The three sums add up to the final
 * value minus the value of the start, because each step starts from the value the one before it
 * ended with.
 */
#ifndef MALPAN_PLAY_REVIEW_H
#define MALPAN_PLAY_REVIEW_H

#include "play/record.h"

/* What to say about a move. Where values are outcomes, a move that does not change the outcome is
 * at most slow, and one that does is a mistake, or a blunder from a win to a loss. Otherwise the
 * loss decides: from 2, 5 and 10 percentage points, or 2, 6 and 15 points. */
typedef enum ReviewVerdict {
    REVIEW_NONE, /* of a chance event */
    REVIEW_BEST,
    REVIEW_GOOD,
    REVIEW_SLOW,
    REVIEW_SMALL, /* an inaccuracy */
    REVIEW_MISTAKE,
    REVIEW_BLUNDER,
    REVIEW_VERDICT_COUNT
} ReviewVerdict;

typedef struct ReviewStep {
    bool is_chance;
    int player;                      /* whose turn it was */
    double values[GAME_PLAYERS_MAX]; /* before the step */
    bool is_estimate;                /* of the values or of the loss */
    Move best;                       /* of a move: the best one, */
    double loss;                     /* and how much worse this one is to its player */
    double luck; /* of a chance event: the change in value to the player in turn */
    ReviewVerdict verdict;
} ReviewStep;

typedef struct Review {
    size_t step_count;
    ReviewStep *steps;
    double start[GAME_PLAYERS_MAX]; /* the value of the start */
    double end[GAME_PLAYERS_MAX];   /* the payoff, or the value of the last position */
    double luck[GAME_PLAYERS_MAX], skill[GAME_PLAYERS_MAX], others[GAME_PLAYERS_MAX];
    bool has_estimates;
} Review;

/* Evaluates every step of the record with the solver. The caller closes the review, also when this
 * fails. STATUS_STOPPED when `stop` (may be NULL) was set; other errors are the solver's. The
 * solver belongs to the calling thread. */
Status review_make(const Record *record, Solver *solver, const StopFlag *stop, Review *review);
void review_close(Review *review);

/* "best", "good", ...; NULL for REVIEW_NONE. */
const char *review_verdict_name(ReviewVerdict verdict);

/* Lists the numbers of the costliest moves, the worst first. Returns how many there are, at most
 * `capacity`. */
size_t review_list_worst(const Review *review, size_t worst[], size_t capacity);

#endif
