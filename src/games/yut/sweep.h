/* One sweep of value iteration over all positions of two-player Yut that are about to throw.
 *
 * A position is (own pieces, other's pieces), the owner about to throw. With O the other's pieces,
 * c the own, and L a list of results,
 *
 *     play[L]    what it is worth to play L
 *     throw[L]   what it is worth to throw with L pending
 *
 *     play[{}](c)  = 1 - value(O to throw, against c)
 *     play[L](c)   = the best, over results r of L and pieces, of play[L - r](c after the move),
 *                    or, where the move catches, of throw[L - r] against O with those pieces sent
 *                    home
 *     throw[L](c)  = the mean over what is thrown: play[L + r], or throw[L + r] where r throws
 * again value(c, O)  = throw[{}](c)
 *
 * A move that catches leads to a c that shares a square with O: a pair that cannot be, so its place
 * in play[L] is free, and holds the value behind the catch. Then a move is just a place to read,
 * whether it catches or not.
 *
 * The same moves are there against every O. So the kernel takes LANES sides O at once and works on
 * LANES numbers side by side, as a vector; only what lies behind a catch is different for each. All
 * tables are grids with that shape: for each line of LANES sides O, for each c, LANES numbers.
 *
 * A catch sends pieces home, so sides with more pieces at home come first, and what throw[L] is
 * worth against them is kept: it is always that of the present sweep.
 *
 * Long lists are rare, and dear. So there are two kinds of sweeps: a full one with all lists, and a
 * short one with the shortest alone. A full sweep notes by how much each value would differ in a
 * short one, and the short sweeps that follow add that: they end where the next full sweep finds
 * almost nothing to change.
 *
 * Values are whole numbers up to SWEEP_ONE. Lines are taken in waves that read only what was there
 * before the wave, so the outcome does not depend on the number of threads.
 */
#ifndef MALPAN_GAMES_YUT_SWEEP_H
#define MALPAN_GAMES_YUT_SWEEP_H

#include "games/yut/lists.h"
#include "games/yut/places.h"

#define SWEEP_ONE INT32_MAX /* certain to win */

enum { SWEEP_LANES = 16 };

/* With which lists a sweep works. */
typedef enum SweepKind { SWEEP_SHORT, SWEEP_FULL, SWEEP_KINDS } SweepKind;

/* The lists of a player, and throw[L] against every side with a piece at home. */
typedef struct SweepLists {
    ResultLists lists;
    double again; /* the chance of an extra */
    /* A grid of each list; NULL: not kept. Lists with many extras are rare, so 16 bits do for them:
     * those grids hold the upper half of the numbers. */
    struct SweepPending {
        int32_t *wide;
        uint16_t *narrow;
    } * pending;
    /* [pieces at home * lists + list]: which row play[L] and throw[L] have then; -1: none. */
    int32_t *play_rank, *throw_rank;
} SweepLists;

typedef struct Sweep {
    YutRules rules;
    Places places;
    size_t lines;  /* of SWEEP_LANES sides each */
    size_t height; /* lines * SWEEP_LANES: the numbers of a side, rounded up */
    int sides;     /* 1: both players are alike and share one table; else 2 */
    PlacesMoves moves[2];
    SweepLists lists[SWEEP_KINDS][2];
    int extras;              /* of the lists of full sweeps */
    int32_t *corrections[2]; /* what a short sweep lacks */
    struct SweepBenches *benches;
} Sweep;

/* A table: the grid of each side. */
typedef struct SweepTable {
    int32_t *grids[2];
} SweepTable;

/* What lies beyond the lists. */
typedef enum SweepBeyond {
    SWEEP_LIKE_OTHERS, /* the lists within stand for it */
    SWEEP_ALL_LOST,
    SWEEP_ALL_WON
} SweepBeyond;

/* Told now and then how much of a sweep is done, from 0 to 1; false: give up. */
typedef bool SweepWatch(void *watcher, double done);

/* One sweep: own = F(1 - other), where F is the best play of a turn. */
typedef struct SweepPass {
    SweepKind kind;
    SweepTable own;   /* the values that are computed; also where a catch leaves nothing pending */
    SweepTable other; /* the values of the player who is next; may be the same table */
    SweepBeyond beyond;
    int32_t bonus;      /* added to every value */
    bool notes;         /* a full sweep notes the corrections */
    bool only_compares; /* nothing is changed */
    SweepWatch *watch;  /* may be NULL */
    void *watcher;
} SweepPass;

/* How the new values differ from the old, over positions that can be: parts of SWEEP_ONE. */
typedef struct SweepChange {
    int32_t up, down; /* at most so much more, so much less */
} SweepChange;

/* Where a grid has the value of (own, other). */
static inline size_t sweep_place(const Sweep *sweep, uint32_t own, uint32_t other) {
    return ((size_t)(other / SWEEP_LANES) * sweep->height + own) * SWEEP_LANES +
           other % SWEEP_LANES;
}

/* Whether the solver can handle these rules; the message says what it cannot. */
Status sweep_supports(const YutRules *rules);

/* How many bytes it takes with `tables` tables and lists of up to `extras` extras. */
Status sweep_bytes(const YutRules *rules, int extras, int threads, int tables, uint64_t *bytes);

/* The chance of a result that throws again, of the player who has it more often. */
double sweep_again(const YutRules *rules);

/* No more than this is lost or gained by rounding in one turn. */
int32_t sweep_rounding(const Sweep *sweep);

Status sweep_open(const YutRules *rules, Sweep *sweep);
void sweep_close(Sweep *sweep);

/* From now on, full sweeps have lists of up to `extras` extras. */
Status sweep_set_extras(Sweep *sweep, int extras);

/* Bytes of one side's grid. */
size_t sweep_table_bytes(const Sweep *sweep);

/* Values that all begin at one half. */
Status sweep_table_open(const Sweep *sweep, SweepTable *table);
void sweep_table_copy(const Sweep *sweep, const SweepTable *from, SweepTable *to);
void sweep_table_close(SweepTable *table);

/* Computes every value anew, in place. `threads` work on it. STATUS_STOPPED when the watcher gave
 * up: then some values are new and others are not. */
Status sweep_run(Sweep *sweep, const SweepPass *pass, int threads, SweepChange *change);

/* The largest difference between the tables, over positions that can be. */
int32_t sweep_difference(const Sweep *sweep, const SweepTable *a, const SweepTable *b);

#endif
