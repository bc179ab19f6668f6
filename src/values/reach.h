/* Counting the states that can be reached from the start. */
#ifndef MALPAN_VALUES_REACH_H
#define MALPAN_VALUES_REACH_H

#include "base/progress.h"
#include "game/variant.h"

typedef struct ReachCount {
    uint64_t states; /* found */
    uint64_t ends;   /* of these, ended games */
    bool complete;   /* false: there are more than fit into the memory allowed */
} ReachCount;

ReachCount reach_count(const Variant *variant, size_t memory_bytes, Progress *progress);

#endif
