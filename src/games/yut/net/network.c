#include "games/yut/net/network.h"

#include "games/yut/net/table_prior.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* --- the layers --- */

/* Clips a sum to 0..1 and squares it: from `bits` after the point to `squared`. */
static inline int32_t clip_square(int32_t sum, int bits, int squared) {
    const int32_t one = 1 << bits;
    int32_t clipped = sum < 0 ? 0 : sum > one ? one : sum;
    return (int32_t)((uint32_t)clipped * (uint32_t)clipped >> (2 * bits - squared));
}

/* The weights of an input. */
static inline const int16_t *row_of(const Network *network, int input) {
    int narrow = input < network->wide ? 0 : input - network->wide;
    return network->first + (size_t)(input - narrow) * (size_t)network->hidden +
           (size_t)narrow * (size_t)network->narrow;
}

/* From the sums of the second hidden units to the scores. */
static void score_seconds(const Network *network, const int32_t sums[], int64_t scores[]) {
    /* A square of 22 bits would not fit: three bits less. */
    const int bits = NETWORK_HIDDEN_BITS + NETWORK_SECOND_BITS, less = bits - 15;
    int32_t seconds[NETWORK_SECOND_MAX];
    for (int i = 0; i < network->second_hidden; i++)
        seconds[i] = clip_square(sums[i] >> less, bits - less, NETWORK_SQUARED_BITS);
    for (int i = 0; i < network->scores; i++) {
        scores[i] = network->third_bias[i];
        for (int j = 0; j < network->second_hidden; j++)
            scores[i] += (int64_t)network->third[i * network->second_hidden + j] * seconds[j];
    }
}

static void add_rows_portable(const Network *network, const uint16_t inputs[], int count, int sign,
                              int32_t sums[]) {
    for (int i = 0; i < count; i++) {
        const int16_t *row = row_of(network, inputs[i]);
        for (int j = 0; j < (inputs[i] < network->wide ? network->hidden : network->narrow); j++)
            sums[j] += sign * row[j];
    }
}

static void score_sums_portable(const Network *network, const int32_t sums[], int64_t scores[]) {
    int32_t units[NETWORK_HIDDEN_MAX], seconds[NETWORK_SECOND_MAX];
    for (int j = 0; j < network->hidden; j++)
        units[j] = clip_square(sums[j], NETWORK_FIRST_BITS, NETWORK_HIDDEN_BITS);
    for (int i = 0; i < network->second_hidden; i++) {
        const int16_t *row = network->second + (size_t)i * (size_t)network->hidden;
        seconds[i] = network->second_bias[i];
        for (int j = 0; j < network->hidden; j++)
            seconds[i] += row[j] * units[j];
    }
    score_seconds(network, seconds, scores);
}

void network_score_portable(const Network *network, const uint16_t inputs[], int count,
                            int64_t scores[NETWORK_SCORES_MAX]) {
    int32_t sums[NETWORK_HIDDEN_MAX];
    memcpy(sums, network->first_bias, (size_t)network->hidden * sizeof sums[0]);
    add_rows_portable(network, inputs, count, 1, sums);
    score_sums_portable(network, sums, scores);
}

#if defined(__x86_64__)
#define NETWORK_VECTOR __attribute__((target("avx2")))

enum { BLOCK = NETWORK_UNIT / 8 }; /* registers for the sums of NETWORK_UNIT hidden units */

/* Adds the rows to NETWORK_UNIT sums, from hidden unit `from` on, or subtracts them. */
NETWORK_VECTOR static inline void add_rows(const Network *network, const uint16_t inputs[],
                                           int count, int sign, int from, __m256i sums[BLOCK]) {
    const __m256i signs = _mm256_set1_epi32(sign);
    for (int i = 0; i < count; i++) {
        const int16_t *row = row_of(network, inputs[i]) + from;
        for (int k = 0; k < BLOCK; k++) {
            const __m128i weights = _mm_loadu_si128((const __m128i *)(row + (ptrdiff_t)8 * k));
            const __m256i wide = _mm256_cvtepi16_epi32(weights);
            sums[k] = _mm256_add_epi32(sums[k], _mm256_sign_epi32(wide, signs));
        }
    }
}

NETWORK_VECTOR static void add_rows_vector(const Network *network, const uint16_t inputs[],
                                           int count, int sign, int32_t all[]) {
    int wide = 0;
    while (wide < count && inputs[wide] < network->wide)
        wide++;
    for (int from = 0; from < network->hidden; from += NETWORK_UNIT) {
        __m256i sums[BLOCK];
        for (int k = 0; k < BLOCK; k++)
            sums[k] = _mm256_loadu_si256((const __m256i *)(all + from + (ptrdiff_t)8 * k));
        add_rows(network, inputs, from < network->narrow ? count : wide, sign, from, sums);
        for (int k = 0; k < BLOCK; k++)
            _mm256_storeu_si256((__m256i *)(all + from + (ptrdiff_t)8 * k), sums[k]);
    }
}

/* Clips and squares sixteen sums. They fit 16 bits when they are saturated, and so does their
 * square, from the upper half of a product. */
NETWORK_VECTOR static inline __m256i clip_square_16(__m256i low, __m256i high) {
    static_assert(2 * (NETWORK_FIRST_BITS + 1) - 16 == NETWORK_HIDDEN_BITS, "the upper half");
    const __m256i one = _mm256_set1_epi16(1 << NETWORK_FIRST_BITS);
    __m256i clipped = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
    clipped = _mm256_min_epi16(_mm256_max_epi16(clipped, _mm256_setzero_si256()), one);
    clipped = _mm256_slli_epi16(clipped, 1);
    return _mm256_mulhi_epu16(clipped, clipped);
}

NETWORK_VECTOR static void square_sums(const Network *network, const int32_t sums[],
                                       int16_t units[]) {
    for (int i = 0; i < network->hidden; i += 16) {
        const __m256i low = _mm256_loadu_si256((const __m256i *)(sums + i)),
                      high = _mm256_loadu_si256((const __m256i *)(sums + i + 8));
        _mm256_storeu_si256((__m256i *)(units + i), clip_square_16(low, high));
    }
}

/* The sum of the eight numbers of each, in order. */
NETWORK_VECTOR static inline __m128i add_across(const __m256i sums[4]) {
    const __m256i all =
        _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
    return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

/* Four second hidden units at a time. */
NETWORK_VECTOR static void add_units(const Network *network, const int16_t units[],
                                     int32_t seconds[]) {
    const int hidden = network->hidden;
    for (int i = 0; i < network->second_hidden; i += 4) {
        const int16_t *row = network->second + (size_t)i * (size_t)hidden;
        __m256i sums[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                           _mm256_setzero_si256()};
        for (int j = 0; j < hidden; j += 16) {
            const __m256i unit = _mm256_loadu_si256((const __m256i *)(units + j));
            for (int k = 0; k < 4; k++) {
                const __m256i weights =
                    _mm256_loadu_si256((const __m256i *)(row + (ptrdiff_t)k * hidden + j));
                sums[k] = _mm256_add_epi32(sums[k], _mm256_madd_epi16(weights, unit));
            }
        }
        const __m128i bias = _mm_loadu_si128((const __m128i *)(network->second_bias + i));
        _mm_storeu_si128((__m128i *)(seconds + i), _mm_add_epi32(bias, add_across(sums)));
    }
}

NETWORK_VECTOR static void score_sums_vector(const Network *network, const int32_t sums[],
                                             int64_t scores[]) {
    int16_t units[NETWORK_HIDDEN_MAX];
    int32_t seconds[NETWORK_SECOND_MAX];
    square_sums(network, sums, units);
    add_units(network, units, seconds);
    score_seconds(network, seconds, scores);
}

static bool has_vectors(void) {
    return __builtin_cpu_supports("avx2");
}
#else
#define add_rows_vector add_rows_portable
#define score_sums_vector score_sums_portable

static bool has_vectors(void) {
    return false;
}
#endif

void network_add_rows(const Network *network, const uint16_t inputs[], int count, int sign,
                      int32_t sums[]) {
    if (has_vectors())
        add_rows_vector(network, inputs, count, sign, sums);
    else
        add_rows_portable(network, inputs, count, sign, sums);
}

void network_score_sums(const Network *network, const int32_t sums[],
                        int64_t scores[NETWORK_SCORES_MAX]) {
    if (has_vectors())
        score_sums_vector(network, sums, scores);
    else
        score_sums_portable(network, sums, scores);
}

void network_score_vector(const Network *network, const uint16_t inputs[], int count,
                          int64_t scores[NETWORK_SCORES_MAX]) {
    int32_t sums[NETWORK_HIDDEN_MAX];
    memcpy(sums, network->first_bias, (size_t)network->hidden * sizeof sums[0]);
    add_rows_vector(network, inputs, count, 1, sums);
    score_sums_vector(network, sums, scores);
}

void network_score(const Network *network, const uint16_t inputs[], int count,
                   int64_t scores[NETWORK_SCORES_MAX]) {
    if (has_vectors())
        network_score_vector(network, inputs, count, scores);
    else
        network_score_portable(network, inputs, count, scores);
}

/* --- chances --- */

double network_exp(double x) {
    /* 1/n! for n from 13 down to 0. */
    static const double terms[] = {0x1.6124613a86d09p-33,
                                   0x1.1eed8eff8d898p-29,
                                   0x1.ae64567f544e4p-26,
                                   0x1.27e4fb7789f5cp-22,
                                   0x1.71de3a556c734p-19,
                                   0x1.a01a01a01a01ap-16,
                                   0x1.a01a01a01a01ap-13,
                                   0x1.6c16c16c16c17p-10,
                                   0x1.1111111111111p-7,
                                   0x1.5555555555555p-5,
                                   0x1.5555555555555p-3,
                                   0.5,
                                   1,
                                   1};
    const double log2 = 0x1.62e42fefa39efp-1, per_log2 = 0x1.71547652b82fep+0;
    int exponent = (int)(x * per_log2 - 0.5);
    double rest = x - exponent * log2, sum = terms[0], power;
    for (size_t i = 1; i < sizeof terms / sizeof terms[0]; i++)
        sum = sum * rest + terms[i];
    if (exponent < -1000)
        return ldexp(sum, exponent);
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
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

static void add_prior(const YutRules *rules, const YutState *state, int64_t scores[]) {
    float prior[NETWORK_SCORES_MAX];
    table_prior(rules, state, prior);
    for (int side = 0; side < NETWORK_SCORES_MAX; side++)
        scores[side] +=
            (int64_t)(prior[side] * (float)(1 << (NETWORK_SQUARED_BITS + NETWORK_THIRD_BITS)));
}

void network_finish(const Network *network, const YutRules *rules, const YutState *state,
                    int64_t scores[NETWORK_SCORES_MAX], double values[]) {
    double chances[NETWORK_SCORES_MAX];
    int sides = rules->teams ? 2 : rules->players;
    if (network->kind == NETWORK_TABLE)
        add_prior(rules, state, scores);
    network_chances(scores, sides, chances);
    for (int seat = 0; seat < rules->players; seat++)
        values[(state->turn + seat) % rules->players] = chances[seat % sides];
}

void network_values(const Network *network, const YutRules *rules, const YutState *state,
                    double values[]) {
    uint16_t inputs[FEATURES_MAX];
    int64_t scores[NETWORK_SCORES_MAX] = {0};
    network_score(network, inputs, features_list(rules, state, inputs), scores);
    network_finish(network, rules, state, scores, values);
}

/* --- views --- */

/* How many weights the first layer has. */
static size_t first_count(NetworkKind kind, int hidden, int narrow) {
    size_t inputs = (size_t)features_count(kind), wide = (size_t)features_wide(kind);
    return wide * (size_t)hidden + (inputs - wide) * (size_t)narrow;
}

size_t network_size(const Network *shape) {
    size_t hidden = (size_t)shape->hidden, second = (size_t)shape->second_hidden;
    size_t scores = (size_t)shape->scores, first = 0, first_bias = 0;
    if (shape->base == 0) {
        first = first_count(shape->kind, shape->hidden, shape->narrow);
        first_bias = hidden;
    }
    return NETWORK_HEADER_BYTES + (first + hidden * second + second * scores) * sizeof(int16_t) +
           (first_bias + second + scores) * sizeof(int32_t);
}

Network network_view(const void *bytes) {
    uint32_t shape[6];
    const unsigned char *at = bytes;
    memcpy(shape, at + 16, sizeof shape);
    Network network = {.kind = (NetworkKind)shape[0],
                       .inputs = (int)shape[1],
                       .hidden = (int)shape[2],
                       .second_hidden = (int)shape[3],
                       .scores = (int)shape[4],
                       .narrow = (int)shape[5],
                       .learned = (const void *)(at + 40),
                       .errors = (const void *)(at + 64)};
    memcpy(&network.checksum, at + 8, sizeof network.checksum);
    memcpy(&network.base, at + 120, sizeof network.base);
    network.wide = features_wide(network.kind);
    if (network.base != 0) {
        const Network usual = network_usual();
        network.first = usual.first;
        network.first_bias = usual.first_bias;
        network.second = (const void *)(at + NETWORK_HEADER_BYTES);
    } else {
        network.first = (const void *)(at + NETWORK_HEADER_BYTES);
        network.first_bias =
            (const void *)(network.first +
                           first_count(network.kind, network.hidden, network.narrow));
        network.second = (const void *)(network.first_bias + shape[2]);
    }
    network.second_bias = (const void *)(network.second + (size_t)shape[2] * shape[3]);
    network.third = (const void *)(network.second_bias + shape[3]);
    network.third_bias = (const void *)(network.third + (size_t)shape[3] * shape[4]);
    return network;
}
