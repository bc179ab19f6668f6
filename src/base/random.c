#include "base/random.h"

#include <assert.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

Random random_from_seed(uint64_t seed, uint64_t stream) {
    /* The stream number passes through the mixer on its own, so that neighbouring pairs of seed and
     * stream do not lie on one splitmix sequence. */
    uint64_t state = splitmix(&stream) ^ seed;
    Random random;
    for (int i = 0; i < 4; i++)
        random.words[i] = splitmix(&state);
    return random;
}

static uint64_t rotate_left(uint64_t x, unsigned bits) {
    return x << bits | x >> (64 - bits);
}

uint64_t random_next(Random *random) {
    uint64_t *s = random->words;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t random_below(Random *random, uint64_t bound) {
    assert(bound > 0);
    /* Rejects the first 2^64 mod bound numbers, which would make some remainders more likely. */
    uint64_t skip = (0 - bound) % bound;
    for (;;) {
        uint64_t x = random_next(random);
        if (x >= skip)
            return x % bound;
    }
}

uint64_t random_system_seed(void) {
    uint64_t seed;
    if (getentropy(&seed, sizeof seed) == 0)
        return seed;
    /* The kernel has none: the clock and the process id still differ between runs. */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t state = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 20 ^ (uint64_t)getpid() << 44;
    return splitmix(&state);
}
