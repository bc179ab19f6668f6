/* Measures how far the estimates of a network are from the truth, on positions it has not learned
 * from.
 *
 * "Estimate" means what users see: a lookahead to the end of the turn with the network at its
 * leaves (kernel/lookahead.h).
 *
 * Thread safety: functions without shared state.
 */
#ifndef MALPAN_GAMES_YUT_NET_MEASURE_H
#define MALPAN_GAMES_YUT_NET_MEASURE_H

#include "games/yut/net/self_play.h"
#include "games/yut/net/table_exact.h"

/* The errors in a file of weights. Of a duel: by the larger number of pieces that are not home. Of
 * a table: by its shape. The last is for other rules than it has learned. */
enum {
    ERROR_ONE_PIECE = 0, /* and so on, up to four pieces */
    ERROR_ANIMALS = 0,   /* two players with animals, three players, four, teams */
    ERROR_UNUSUAL = 4,
    ERROR_COUNT
};

/* The solved ends of games at tables: their errors are reported, but not in the file. */
enum { ENDS_ANIMALS, ENDS_THREE_PLAYERS, ENDS_COUNT };

/* How often a game is played on; games at tables are cheap. */
enum { MEASURE_REPEATS = 16, MEASURE_TABLE_REPEATS = 64 };

typedef struct Measured {
    uint64_t positions;
    double mean, square;               /* sums: the distance of the estimate, and its square */
    double direct_mean, direct_square; /* the same for the network alone */
} Measured;

/* Which error of a network that has learned these rules applies to a state. */
int measure_index(const LearnedRules *learned, const YutRules *rules, const YutState *state);

/* Adds the distance at one position; `truth` is its value to the player about to throw. */
Status measure_position(const Evaluator *evaluator, const YutRules *rules, const YutState *state,
                        double truth, Measured *measured);

/* Measures on held-out positions with exact values, those under `rules`, `count` of each number of
 * pieces up to those of `exact`. */
Status measure_exact(const Network *network, const YutRules *rules, const ExactValues *exact,
                     ExactPart part, uint64_t count, uint64_t seed, Measured measured[ERROR_COUNT]);

/* Measures on held-out positions of the ends of games, `count` of each kind that is known. */
Status measure_ends(const Network *network, const TableExact *ends, uint64_t count, uint64_t seed,
                    Measured measured[ENDS_COUNT]);

/* Measures on positions of held-out games of self-play, one in each. The truth is taken to be the
 * mean of MEASURE_REPEATS games (at tables MEASURE_TABLE_REPEATS) from there on, with lambda = 1
 * (self_play.h). The noise that is left counts as error. With `unusual`, one rule differs in each
 * game (in some, as `family` differs from `korean`; under `family` those stay as they are), and
 * these count as ERROR_UNUSUAL. The result does not depend on the number of threads. STATUS_STOPPED
 * when `stop` (may be NULL) was set. */
Status measure_play(const Evaluator *evaluator, const YutRules *rules, uint64_t games,
                    uint64_t seed, bool unusual, ThreadPool *pool, const StopFlag *stop,
                    Measured measured[ERROR_COUNT]);

#endif
