/* One sweep of value iteration over all positions of two-player Yut in which a player is about to
 * throw.
 *
 * A position is a pair of placements (own, other); the owner of the first is about to throw. With O
 * the opponent's placement, c the own one, and L a list of results in hand,
 *
 *     play[L]    the value of playing L
 *     throw[L]   the value of throwing with L in hand
 *
 *     play[{}](c)  = 1 - value(O to throw, against c)
 *     play[L](c)   = the maximum, over results r of L and pieces, of play[L - r](c after the move);
 *                    where the move catches, of throw[L - r] against O with the caught pieces back
 *                    at the start; or, if the catch gives no throw, of play[L - r]
 *     throw[L](c)  = the mean over what is thrown: play[L + r], or throw[L + r] if r throws again;
 *                    after a nak play[L], or play[{}] if a nak loses the turn
 *     value(c, O)  = throw[{}](c)
 *
 * A move that catches leads to a c that shares a square with O. That pair is not a position, so its
 * cell in play[L] is free and holds the value after the catch. So every move is one lookup, whether
 * it catches or not. All other house rules only change where moves lead, which is a table
 * (placements.h): a piece that stops on a trap is at the start again and shares no square.
 *
 * The same moves are legal against every O. So the kernel takes LANES placements O at once and
 * works on LANES values side by side, as a SIMD vector. Only the values after catches differ. All
 * tables are grids of that shape: for each line of LANES placements O, for each c, LANES values.
 *
 * A catch sends pieces back to the start, so placements O with more pieces there are solved first.
 * Their throw[L] is stored, so the values after a catch always come from the current sweep.
 *
 * Long lists are rare and expensive. So there are two kinds of sweeps: full ones with all lists,
 * and short ones with only the shortest lists. A full sweep records by how much each value would
 * differ in a short one; the short sweeps that follow add that correction. They converge to values
 * that the next full sweep hardly changes.
 *
 * Values are integers up to SWEEP_ONE. Lines are solved in waves. A wave reads only values from
 * before it, so the result does not depend on the number of threads.
 *
 * Thread safety: a Sweep belongs to one thread, which shares the lines of a wave with its pool. A
 * thread of the pool writes its own workspace and its own line; everything else is only read until
 * all lines of the wave are solved.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SWEEP_H
#define MALPAN_GAMES_YUT_SOLVE_SWEEP_H

#include "base/threads.h"
#include "games/yut/solve/pending.h"

#define SWEEP_ONE LANES_ONE

enum {
    SWEEP_SLACK_MAX = UINT8_MAX,
    /* The largest unit of slack. Bounds exceed the range of values by at most a quarter of it, for
     * which packed.h has room. */
    SWEEP_UNIT_MAX = SWEEP_ONE / 4 / SWEEP_SLACK_MAX
};

/* The lists that a sweep works with. */
typedef enum SweepKind { SWEEP_SHORT, SWEEP_FULL, SWEEP_KINDS } SweepKind;

/* What a sweep computes: the values V, or upper or lower bounds V + slack or V - slack. For an
 * upper bound the opponent's values are lower bounds, and the other way round. */
typedef enum SweepAim { SWEEP_VALUES, SWEEP_UPPER, SWEEP_LOWER } SweepAim;

/* The resources that a sweep may use. */
typedef struct SweepRoom {
    int threads;
    const char *scratch; /* folder for what does not fit in memory; NULL: everything fits */
} SweepRoom;

typedef struct Sweep {
    YutRules rules;
    Placements placements;
    SweepRoom room;
    size_t lines;  /* of LANES placements each */
    size_t height; /* lines * LANES: the placements of a side, rounded up */
    int sides;     /* 1: both players have the same animal and share one table; else 2 */
    PlacementMoves moves[2];
    Pending pending[SWEEP_KINDS][2];
    double rare;         /* how much the rounding of rare lists may contribute */
    int extras;          /* in the lists of full sweeps */
    Grid values[2];      /* int32_t: the grid of each side */
    Grid slack[2];       /* uint8_t: in units of slack_unit */
    Grid corrections[2]; /* int32_t: what short sweeps add; present once recorded */
    int32_t slack_unit;
    struct SweepWorkspaces *workspaces;
    ThreadPool *pool; /* room.threads threads; NULL: only the caller's */
} Sweep;

/* Called from time to time with the fraction of the sweep that is done, from 0 to 1. Returns false
 * to stop. */
typedef bool SweepWatch(void *watcher, double done);

typedef struct SweepPass {
    SweepKind kind;
    SweepAim aim;
    int32_t bonus;            /* added to every value */
    bool records_corrections; /* a full sweep of values or upper bounds records corrections */
    /* A check changes only slack that is too small for a bound. It counts results beyond the lists
     * as won for an upper bound and as lost for a lower one. In all other cases they count like the
     * mean of the lists. */
    bool is_check;
    SweepWatch *watch; /* may be NULL */
    void *watcher;
} SweepPass;

/* How the new values differ from the old ones, over all positions, in parts of SWEEP_ONE. */
typedef struct SweepChange {
    int32_t up, down;  /* the largest increase and decrease */
    bool has_overflow; /* slack did not fit and was cut off */
} SweepChange;

/* The index of the cell of (own, other) in a grid. */
static inline size_t sweep_index(const Sweep *sweep, uint32_t own, uint32_t other) {
    return ((size_t)(other / LANES) * sweep->height + own) * LANES + other % LANES;
}

/* Cells of a line: one for every own placement and lane. */
static inline size_t sweep_cells(const Sweep *sweep) {
    return sweep->height * LANES;
}

static inline int32_t *sweep_values(const Sweep *sweep, int side) {
    return sweep->values[side].bytes;
}

/* How many cells the grid of a side has. */
size_t sweep_numbers(const Sweep *sweep);

/* Whether the solver can handle these rules. If not, the message says why. */
Status sweep_supports(const YutRules *rules);

/* What sweeps with lists of up to `extras` extras need: memory that is needed in any case, and the
 * rest, which can be in files in a scratch folder. `rare`: see Sweep. */
typedef struct SweepNeeds {
    uint64_t memory, rest;
    uint64_t pairs; /* of placements, for both sides if they differ */
} SweepNeeds;

Status sweep_needs(const YutRules *rules, int extras, double rare, int threads, SweepNeeds *needs);

/* The chance of a result that throws again, for the player with the higher chance. */
double sweep_again(const YutRules *rules);

/* An upper bound on the rounding error of one turn. */
int32_t sweep_rounding(const Sweep *sweep);

/* Allocates the tables. All values start at one half, all slack at 0. Closes itself on failure. */
Status sweep_open(const YutRules *rules, double rare, const SweepRoom *room, Sweep *sweep);
void sweep_close(Sweep *sweep);

/* From now on, full sweeps have lists of up to `extras` extras. */
Status sweep_set_extras(Sweep *sweep, int extras);

/* Recomputes every value in place, or for SWEEP_UPPER the slack. A SWEEP_LOWER sweep must be a
 * check. STATUS_STOPPED when the watcher stopped it: then only some values are new. */
Status sweep_run(Sweep *sweep, const SweepPass *pass, SweepChange *change);

/* Allocates the corrections, zeroed, if absent; discards them until a full sweep records new ones.
 */
Status sweep_open_corrections(Sweep *sweep);
void sweep_drop_corrections(Sweep *sweep);

/* The largest slack of a position, as a part of SWEEP_ONE. */
int64_t sweep_largest_slack(const Sweep *sweep);
void sweep_clear_slack(Sweep *sweep);

#endif
