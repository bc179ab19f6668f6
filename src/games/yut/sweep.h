/* One sweep of value iteration over all positions of two-player Yut that are about to throw.
 *
 * A position is (own pieces, other's pieces), the owner about to throw. For a fixed other side O,
 * the kernel works on whole rows: one number for every placing of the own pieces. With L a list of
 * results,
 *
 *     play[L]    what it is worth to play L
 *     throw[L]   what it is worth to throw with L pending
 *
 *     play[{}](c)  = 1 - value(O to throw, against c)
 *     play[L](c)   = the best, over results r of L and pieces, of play[L - r](c after the move),
 *                    or, where the move catches, of throw[L - r] against O with those pieces sent
 * home throw[L](c)  = the mean over what is thrown: play[L + r], or throw[L + r] where r throws
 * again value(c, O)  = throw[{}](c)
 *
 * A catch sends pieces home, so sides with more pieces at home come first, and what throw[L] is
 * worth against them is kept: it is always that of the present sweep.
 *
 * Rows of play[L] are stored in one array with the rows that a catch leads to behind them,
 *
 *     play[L] | throw[L] against O without its 1st square | ... its 2nd square | ... | a zero
 *
 * so that a move is just a number: its place in that array. A result played by a piece is then one
 * gather, whether it catches or not.
 *
 * Long lists are rare, and dear. So there are two kinds of sweeps: a full one with all lists, and a
 * short one with the shortest alone. A full sweep notes by how much each value would differ in a
 * short one, and the short sweeps that follow add that: they end where the next full sweep finds
 * almost nothing to change.
 *
 * Values are whole numbers up to SWEEP_ONE. Sides are taken in batches that read only what was
 * there before the batch, so the outcome does not depend on the number of threads.
 */
#ifndef MALPAN_GAMES_YUT_SWEEP_H
#define MALPAN_GAMES_YUT_SWEEP_H

#include "games/yut/lists.h"
#include "games/yut/places.h"

#define SWEEP_ONE INT32_MAX  /* certain to win */
#define SWEEP_TURN (1 << 18) /* one turn, where turns are counted */

/* What is being computed. */
typedef enum SweepAim {
    SWEEP_VALUE, /* the chance that the owner wins, both playing best */
    SWEEP_TURNS  /* how many turns the game still has, both making it as long as they can */
} SweepAim;

/* With which lists a sweep works. */
typedef enum SweepKind { SWEEP_SHORT, SWEEP_FULL, SWEEP_KINDS } SweepKind;

/* The lists of a player, and throw[L] against every side with a piece at home: the row of L against
 * O is number first[O] + rank[most lasts possible][L]. */
typedef struct SweepLists {
    ResultLists lists;
    int32_t *pending;
    uint64_t *first;
    int16_t *rank;
} SweepLists;

typedef struct Sweep {
    SweepAim aim;
    YutRules rules;
    Places places;
    int sides; /* 1: both players are alike and share one table; else 2 */
    PlacesMoves moves[2];
    SweepLists lists[SWEEP_KINDS][2];
    int32_t *values[2];      /* of side s: values[s][O * count + own] */
    int32_t *corrections[2]; /* what a short sweep lacks */
    uint32_t *order;         /* the other side's numbers, most pieces at home first */
} Sweep;

/* Whether the solver can handle these rules; the message says what it cannot. */
Status sweep_supports(const YutRules *rules);

/* How many bytes that takes with lists of up to `extras` extras. */
Status sweep_bytes(const YutRules *rules, int extras, uint64_t *bytes);

/* Makes the tables; all values begin at one half (or no turns). Full sweeps have lists of up to
 * `extras` extras. */
Status sweep_open(const YutRules *rules, SweepAim aim, int extras, Sweep *sweep);
void sweep_close(Sweep *sweep);

/* Computes every value anew from the others, in place. Gives the largest change of a position that
 * can be, as a part of SWEEP_ONE or of a turn. `threads` work on it. */
Status sweep_run(Sweep *sweep, SweepKind kind, int threads, double *change);

/* The chance that the throws of one turn go beyond the lists of a full sweep, of either side. */
double sweep_cut_off(const Sweep *sweep);

#endif
