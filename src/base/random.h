/* Reproducible random numbers: xoshiro256** (Blackman and Vigna), seeded by splitmix64.
 *
 * A generator is a plain value; a copy produces the same numbers. It belongs to one thread at a
 * time. tests/test_base.c fixes the numbers of each (seed, stream) pair, so that a seed gives the
 * same game on any machine and in any version.
 */
#ifndef MALPAN_BASE_RANDOM_H
#define MALPAN_BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t words[4];
} Random;

/* The generator for a seed and stream. The streams 0, 1, 2, ... of one seed are independent. */
Random random_from_seed(uint64_t seed, uint64_t stream);

/* The next 64 bits. */
uint64_t random_next(Random *random);

/* A uniformly distributed number from 0 to bound - 1, without bias. `bound` must not be 0. */
uint64_t random_below(Random *random, uint64_t bound);

/* An unpredictable seed from the operating system. */
uint64_t random_system_seed(void);

#endif
