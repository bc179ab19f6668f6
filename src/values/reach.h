/* Counts the states that can be reached from the start. */
#ifndef MALPAN_VALUES_REACH_H
#define MALPAN_VALUES_REACH_H

#include "game/solver.h"

typedef struct ReachCount {
    uint64_t states; /* found */
    uint64_t ends;   /* of these, ended games */
    bool complete;   /* false: there are more than fit into the memory allowed */
} ReachCount;

/* Counts states, one by one, in at most limits->memory_bytes, on the calling thread. STATUS_STOPPED
 * when limits->stop was set. */
Status reach_count(const Variant *variant, const SolveLimits *limits, ReachCount *count);

#endif
