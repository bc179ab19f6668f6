/* Optional part: the speeds a game promises, for `malpan bench`. */
#ifndef MALPAN_GAME_BENCHES_H
#define MALPAN_GAME_BENCHES_H

#include "game/services.h"

/* Runs the work and returns a checksum of its results, so that the work cannot be optimized away
 * and two implementations can be compared. NAN: not possible here. */
typedef double GameBenchRun(const GameServices *services, const SolveLimits *limits);

typedef struct GameBench {
    const char *what;
    const char *limit;   /* what bounds the speed: bytes touched, cache, latency */
    double goal_seconds; /* the promise */
    double goal_mb;      /* the same for memory; 0: none */
    double tolerance;    /* relative difference allowed between the checksums; 0: 1e-9 */
    bool is_slow;        /* takes minutes: only on request */
    const char *needs;   /* what has to be present; NULL: nothing */
    GameBenchRun *run;
    GameBenchRun
        *baseline; /* the same work done the plainest way; NULL: that would take too long */
} GameBench;

typedef struct GameBenches {
    const GameBench *list;
    size_t count;
} GameBenches;

/* How many benchmarks the game has; 0 without the part. */
static inline size_t game_bench_count(const Game *game) {
    return game->benches ? game->benches->count : 0;
}

#endif
