/* One turn of best play, solved for every own side against some sides of a line: the kernel of a
 * sweep (sweep.h tells the equations). */
#ifndef MALPAN_GAMES_YUT_SOLVE_TURN_H
#define MALPAN_GAMES_YUT_SOLVE_TURN_H

#include "games/yut/solve/sweep.h"

/* What a turn is solved with: a line of play[L] and throw[L] for every list, and of throw[L] with
 * two throws to come where a catch gives two; where each is, pending.h tells. */
enum {
    BENCH_WIDE_ROWS = 3,
    BENCH_PICK_ROWS = 2, /* room for LANES picks of every own side */
    BENCH_SCRATCH_ROWS = 3 + BENCH_WIDE_ROWS
};

typedef struct Bench {
    uint16_t *play, *thrown, *thrown_2;
    int32_t *scratch[BENCH_SCRATCH_ROWS]; /* a line each; the last are for what is widened */
    PackedPick *picks;
} Bench;

/* Whose turn is being solved, against which sides: those from `first` up to `last` of one line, all
 * with `waiting` pieces at the start. */
typedef struct Turn {
    const Sweep *sweep;
    const SweepPass *pass;
    int side;
    uint32_t first, last;
    int waiting;
    const Pending *pending;
    const int32_t *play_rank, *throw_rank;
} Turn;

/* By how much a unit of slack changes the values that are being computed; those of the player who
 * is next are changed the other way. */
int32_t turn_slack_step(const Turn *turn);

/* Computes `values`, a line of throw[{}], and keeps what catches will leave pending. */
void turn_solve(const Turn *turn, const Bench *bench, int32_t *values);

#endif
