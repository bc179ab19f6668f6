/* Random numbers that can be repeated: xoshiro256** (Blackman and Vigna), filled by splitmix64.
 *
 * A generator is a value; copying it copies its future. The stream of a (seed, stream) pair is
 * fixed for ever by tests/test_base.c, so that a seed gives the same game on any machine.
 */
#ifndef MALPAN_BASE_RANDOM_H
#define MALPAN_BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t words[4];
} Random;

/* The generator of `seed`; the streams 0, 1, 2, ... of one seed are independent of each other. */
Random random_from_seed(uint64_t seed, uint64_t stream);

/* The next 64 bits. */
uint64_t random_next(Random *random);

/* A whole number from 0 to bound - 1, each exactly as likely. `bound` is not 0. */
uint64_t random_below(Random *random, uint64_t bound);

/* A seed that nobody can guess, from the operating system. */
uint64_t random_system_seed(void);

#endif
