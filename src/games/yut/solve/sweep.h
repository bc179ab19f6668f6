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
 *                    back to the start
 *     throw[L](c)  = the mean over what is thrown: play[L + r], or throw[L + r] where r is one that
 *                    throws again
 *     value(c, O)  = throw[{}](c)
 *
 * A move that catches leads to a c that shares a square with O: a pair that cannot be, so its place
 * in play[L] is free, and holds the value behind the catch. Then a move is just a place to read,
 * whether it catches or not.
 *
 * The same moves are there against every O. So the kernel takes LANES sides O at once and works on
 * LANES numbers side by side, as a vector; only what lies behind a catch is different for each. All
 * tables are grids with that shape: for each line of LANES sides O, for each c, LANES numbers.
 *
 * A catch sends pieces back, so sides with more pieces at the start come first, and what throw[L]
 * is worth against them is kept: it is always that of the present sweep.
 *
 * Long lists are rare, and dear. So there are two kinds of sweeps: a full one with all lists, and a
 * short one with the shortest alone. A full sweep notes by how much each value would differ in a
 * short one, and the short sweeps that follow add that: they end where the next full sweep finds
 * almost nothing to change.
 *
 * Values are whole numbers up to SWEEP_ONE. Lines are taken in waves that read only what was there
 * before the wave, so the outcome does not depend on the number of threads.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SWEEP_H
#define MALPAN_GAMES_YUT_SOLVE_SWEEP_H

#include "base/threads.h"
#include "games/yut/solve/pending.h"

#define SWEEP_ONE LANES_ONE

enum {
    SWEEP_SLACK_MAX = UINT8_MAX,
    /* Of slack: bounds are at most a quarter beyond what can be; packed.h has room for that. */
    SWEEP_UNIT_MAX = SWEEP_ONE / 4 / SWEEP_SLACK_MAX
};

/* With which lists a sweep works. */
typedef enum SweepKind { SWEEP_SHORT, SWEEP_FULL, SWEEP_KINDS } SweepKind;

/* What a sweep computes: the values V; or an upper or a lower bound for them, V + slack or
 * V - slack, where the other player's are the lower or the upper ones. */
typedef enum SweepAim { SWEEP_VALUES, SWEEP_UPPER, SWEEP_LOWER } SweepAim;

/* Who works on it, and where. */
typedef struct SweepRoom {
    int threads;
    const char *scratch; /* the folder for what memory has no room for; NULL: it has */
} SweepRoom;

typedef struct Sweep {
    YutRules rules;
    Placements placements;
    SweepRoom room;
    size_t lines;  /* of LANES sides each */
    size_t height; /* lines * LANES: the numbers of a side, rounded up */
    int sides;     /* 1: both players are alike and share one table; else 2 */
    PlacementMoves moves[2];
    Pending pending[SWEEP_KINDS][2];
    double rare;         /* how much the rounding of rare lists may weigh */
    int extras;          /* of the lists of full sweeps */
    Grid values[2];      /* int32_t: the grid of each side */
    Grid slack[2];       /* uint8_t: in units of slack_unit */
    Grid corrections[2]; /* int32_t: what a short sweep lacks; there once a sweep has noted them */
    int32_t slack_unit;
    struct SweepBenches *benches;
    ThreadPool *pool; /* room.threads threads; NULL: the caller's alone */
} Sweep;

/* Told now and then how much of a sweep is done, from 0 to 1; false: give up. */
typedef bool SweepWatch(void *watcher, double done);

typedef struct SweepPass {
    SweepKind kind;
    SweepAim aim;
    int32_t bonus;     /* added to every value */
    bool notes;        /* a full sweep of the values or of upper bounds notes the corrections */
    bool is_check;     /* nothing is changed but slack that is too little for a bound; what lies
                          beyond the lists counts as won for an upper bound, as lost for a lower
                          one; else the lists within stand for it */
    SweepWatch *watch; /* may be NULL */
    void *watcher;
} SweepPass;

/* How the new values differ from the old, over positions that can be: parts of SWEEP_ONE. */
typedef struct SweepChange {
    int32_t up, down; /* at most so much more, so much less */
    bool is_too_much; /* slack was more than there is room for, and was cut off */
} SweepChange;

/* Where a grid has the value of (own, other). */
static inline size_t sweep_place(const Sweep *sweep, uint32_t own, uint32_t other) {
    return ((size_t)(other / LANES) * sweep->height + own) * LANES + other % LANES;
}

/* Numbers of a line: one for every own side and lane. */
static inline size_t sweep_cells(const Sweep *sweep) {
    return sweep->height * LANES;
}

static inline int32_t *sweep_values(const Sweep *sweep, int side) {
    return sweep->values[side].bytes;
}

/* How many numbers the grid of a side has. */
size_t sweep_numbers(const Sweep *sweep);

/* Whether the solver can handle these rules; the message says what it cannot. */
Status sweep_supports(const YutRules *rules);

/* What it takes with lists of up to `extras` extras: memory that is needed in any case, and the
 * rest, for which files in a scratch folder will do. `rare`: see Sweep. */
typedef struct SweepNeeds {
    uint64_t memory, rest;
} SweepNeeds;

Status sweep_needs(const YutRules *rules, int extras, double rare, int threads, SweepNeeds *needs);

/* The chance of a result that throws again, of the player who has it more often. */
double sweep_again(const YutRules *rules);

/* No more than this is lost or gained by rounding in one turn. */
int32_t sweep_rounding(const Sweep *sweep);

/* Makes the tables; all values begin at one half, all slack at 0. */
Status sweep_open(const YutRules *rules, double rare, const SweepRoom *room, Sweep *sweep);
void sweep_close(Sweep *sweep);

/* From now on, full sweeps have lists of up to `extras` extras. */
Status sweep_set_extras(Sweep *sweep, int extras);

/* Computes every value anew, in place: for SWEEP_UPPER the slack. A SWEEP_LOWER sweep has to be a
 * check. STATUS_STOPPED when the watcher gave up: then some values are new and others are not. */
Status sweep_run(Sweep *sweep, const SweepPass *pass, SweepChange *change);

/* The corrections are made where they are not there, all 0; and given up until they are noted
 * again.
 */
Status sweep_open_corrections(Sweep *sweep);
void sweep_drop_corrections(Sweep *sweep);

/* The largest slack of a position that can be, as a part of SWEEP_ONE. */
int64_t sweep_largest_slack(const Sweep *sweep);
void sweep_clear_slack(Sweep *sweep);

#endif
