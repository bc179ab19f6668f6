#include "games/yut/net/network.h"

#include <math.h>

#if defined(__x86_64__)
#define NETWORK_VECTOR __attribute__((target("avx2")))
#else
#define NETWORK_VECTOR
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define NETWORK_PORTABLE __attribute__((optimize("no-tree-vectorize")))
#else
#define NETWORK_PORTABLE
#endif

/* --- the layers --- */

/* Clips a sum to 0..1 and squares it: from `bits` after the point to `squared`. */
static inline int32_t clip_square(int32_t sum, int bits, int squared) {
    const int32_t one = 1 << bits;
    int32_t clipped = sum < 0 ? 0 : sum > one ? one : sum;
    return (int32_t)((uint32_t)clipped * (uint32_t)clipped >> (2 * bits - squared));
}

/* Sums the rows of the inputs, NETWORK_UNIT hidden units at a time, and squares. */
static inline __attribute__((always_inline)) void
add_inputs(const Network *network, const uint16_t inputs[], int count, int16_t units[]) {
    for (int from = 0; from < network->hidden; from += NETWORK_UNIT) {
        int32_t sums[NETWORK_UNIT];
        memcpy(sums, network->first_bias + from, sizeof sums);
        for (int i = 0; i < count; i++) {
            const int16_t *row =
                network->first + (size_t)inputs[i] * (size_t)network->hidden + from;
            for (int j = 0; j < NETWORK_UNIT; j++)
                sums[j] += row[j];
        }
        for (int j = 0; j < NETWORK_UNIT; j++)
            units[from + j] =
                (int16_t)clip_square(sums[j], NETWORK_FIRST_BITS, NETWORK_HIDDEN_BITS);
    }
}

static inline __attribute__((always_inline)) void
score_inputs(const Network *network, const uint16_t inputs[], int count, int64_t scores[]) {
    int16_t units[NETWORK_HIDDEN_MAX];
    int32_t seconds[NETWORK_SECOND_MAX];
    add_inputs(network, inputs, count, units);
    for (int i = 0; i < network->second_hidden; i++) {
        const int16_t *row = network->second + (size_t)i * (size_t)network->hidden;
        int32_t sum = network->second_bias[i];
        for (int j = 0; j < network->hidden; j++)
            sum += row[j] * units[j];
        /* A square of 22 bits would not fit: three bits less. */
        const int bits = NETWORK_HIDDEN_BITS + NETWORK_SECOND_BITS, less = bits - 15;
        seconds[i] = clip_square(sum >> less, bits - less, NETWORK_SQUARED_BITS);
    }
    for (int i = 0; i < network->scores; i++) {
        scores[i] = network->third_bias[i];
        for (int j = 0; j < network->second_hidden; j++)
            scores[i] += (int64_t)network->third[i * network->second_hidden + j] * seconds[j];
    }
}

NETWORK_PORTABLE void network_score_portable(const Network *network, const uint16_t inputs[],
                                             int count, int64_t scores[NETWORK_SCORES_MAX]) {
    score_inputs(network, inputs, count, scores);
}

NETWORK_VECTOR void network_score_vector(const Network *network, const uint16_t inputs[], int count,
                                         int64_t scores[NETWORK_SCORES_MAX]) {
    score_inputs(network, inputs, count, scores);
}

void network_score(const Network *network, const uint16_t inputs[], int count,
                   int64_t scores[NETWORK_SCORES_MAX]) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        network_score_vector(network, inputs, count, scores);
        return;
    }
#endif
    network_score_portable(network, inputs, count, scores);
}

/* --- chances --- */

double network_exp(double x) {
    const double log2 = 0x1.62e42fefa39efp-1, per_log2 = 0x1.71547652b82fep+0;
    int exponent = (int)(x * per_log2 - 0.5);
    double rest = x - exponent * log2, sum = 1, term = 1;
    for (int i = 1; i < 14; i++) {
        term *= rest / i;
        sum += term;
    }
    return ldexp(sum, exponent);
}

void network_chances(const int64_t scores[], int sides, double chances[]) {
    const double step = 1.0 / (1 << (NETWORK_SQUARED_BITS + NETWORK_THIRD_BITS));
    int64_t best = scores[0];
    double whole = 0;
    for (int side = 1; side < sides; side++)
        best = scores[side] > best ? scores[side] : best;
    for (int side = 0; side < sides; side++) {
        double behind = (double)(scores[side] - best) * step;
        chances[side] = behind < -700 ? 0 : network_exp(behind);
        whole += chances[side];
    }
    for (int side = 0; side < sides; side++)
        chances[side] /= whole;
}

void network_values(const Network *network, const YutRules *rules, const YutState *state,
                    double values[]) {
    uint16_t inputs[FEATURES_MAX];
    int64_t scores[NETWORK_SCORES_MAX] = {0};
    double chances[NETWORK_SCORES_MAX];
    int sides = rules->teams ? 2 : rules->players;
    network_score(network, inputs, features_list(rules, state, inputs), scores);
    network_chances(scores, sides, chances);
    for (int seat = 0; seat < rules->players; seat++)
        values[(state->turn + seat) % rules->players] = chances[seat % sides];
}

/* --- views --- */

size_t network_size(int inputs, int hidden, int second_hidden, int scores) {
    size_t weights = (size_t)inputs * (size_t)hidden + (size_t)hidden * (size_t)second_hidden +
                     (size_t)second_hidden * (size_t)scores;
    return NETWORK_HEADER_BYTES + weights * sizeof(int16_t) +
           (size_t)(hidden + second_hidden + scores) * sizeof(int32_t);
}

Network network_view(const void *bytes) {
    uint32_t shape[5];
    const unsigned char *at = bytes;
    memcpy(shape, at + 16, sizeof shape);
    Network network = {.kind = (NetworkKind)shape[0],
                       .inputs = (int)shape[1],
                       .hidden = (int)shape[2],
                       .second_hidden = (int)shape[3],
                       .scores = (int)shape[4],
                       .errors = (const void *)(at + 64)};
    network.first = (const void *)(at + NETWORK_HEADER_BYTES);
    network.first_bias = (const void *)(network.first + (size_t)shape[1] * shape[2]);
    network.second = (const void *)(network.first_bias + shape[2]);
    network.second_bias = (const void *)(network.second + (size_t)shape[2] * shape[3]);
    network.third = (const void *)(network.second_bias + shape[3]);
    network.third_bias = (const void *)(network.third + (size_t)shape[3] * shape[4]);
    return network;
}
