/* A small feed-forward network in integer arithmetic, so that its results are the same on every
 * machine, with vector instructions or without.
 *
 *     inputs (features.h)   a list of numbers; the rest are absent
 *        |                  sum of their rows in `first`, and a bias: 32-bit, steps of 2^-12
 *     hidden units          clip to 0..1, square: steps of 2^-10
 *        |                  matrix `second`, and a bias: 32-bit, steps of 2^-21
 *     second hidden units   clip to 0..1, square: steps of 2^-12
 *        |                  matrix `third`, and a bias: 64-bit, steps of 2^-22
 *     one score per side    softmax: the chance of each side, from the one about to throw on
 *
 * Only the few rows of the inputs that are present are touched. Clipping bounds every sum, and the
 * limits on the weights below exclude overflow; network_check checks them.
 *
 * A file of weights is a header of NETWORK_HEADER_BYTES and the arrays in the order of the struct,
 * all little-endian:
 *
 *     0   8 bytes   "malpnet1"
 *     8   uint64    checksum (XXH3) of everything after it
 *     16  uint32    kind: NetworkKind
 *     20  uint32    inputs
 *     24  uint32    hidden units
 *     28  uint32    second hidden units
 *     32  uint32    scores
 *     36  uint32    hidden units that narrow inputs reach
 *     40  24 bytes  the rules that it has learned (learned_rules.h)
 *     64  float[14] typical errors (estimate.c says of what)
 *     120 uint64    0; or the checksum of the network in the program for the usual rules, whose
 *                   first layer this one shares. Then the file begins with the second layer.
 *
 * Worked example: a hidden unit whose sum is 3072, three quarters, gives 3072 * 3072 >> 14 = 576:
 * nine sixteenths, in steps of 2^-10.
 *
 * Thread safety: a network is never changed; any number of threads may use it.
 */
#ifndef MALPAN_GAMES_YUT_NET_NETWORK_H
#define MALPAN_GAMES_YUT_NET_NETWORK_H

#include "base/status.h"
#include "games/yut/net/features.h"
#include "games/yut/net/learned_rules.h"

enum {
    NETWORK_HEADER_BYTES = 128,
    NETWORK_ERRORS = 14,
    NETWORK_HIDDEN_MAX = 256,
    NETWORK_SECOND_MAX = 32,
    NETWORK_SCORES_MAX = YUT_PLAYERS_MAX,
    NETWORK_UNIT = 32, /* hidden units come in multiples of this */
    /* How many bits after the point. */
    NETWORK_FIRST_BITS = 12,
    NETWORK_SECOND_BITS = 11,
    NETWORK_THIRD_BITS = 10,
    NETWORK_HIDDEN_BITS = 10,  /* of a hidden unit */
    NETWORK_SQUARED_BITS = 12, /* of a second hidden unit */
    /* The largest weight of the second layer. */
    NETWORK_SECOND_LIMIT = 8000
};

static_assert((int64_t)NETWORK_SECOND_LIMIT * NETWORK_HIDDEN_MAX << NETWORK_HIDDEN_BITS <=
                  INT32_MAX - (1 << 24),
              "the sums of the second layer, and a bias of up to 2^24, fit 32 bits");

/* A view of weights in memory. */
typedef struct Network {
    NetworkKind kind;
    int inputs, hidden, second_hidden, scores;
    int wide;                /* inputs below this reach all hidden units; */
    int narrow;              /* the others the first so many */
    uint64_t checksum, base; /* of the file, and of the network whose first layer it shares, or 0 */
    const LearnedRules *learned;
    const float *errors;        /* [NETWORK_ERRORS] */
    const int16_t *first;       /* [wide][hidden], then [inputs - wide][narrow] */
    const int32_t *first_bias;  /* [hidden] */
    const int16_t *second;      /* [second_hidden][hidden] */
    const int32_t *second_bias; /* [second_hidden] */
    const int16_t *third;       /* [scores][second_hidden] */
    const int32_t *third_bias;  /* [scores] */
} Network;

/* How many bytes the weights of a network of this shape take: its kind, layers and base. */
size_t network_size(const Network *shape);

/* A view of valid weights; the bytes are aligned to 64 and outlive it. */
Network network_view(const void *bytes);

/* Of the networks in the program for this kind of game, the one whose rules are nearest to these.
 */
Network network_shipped(const YutRules *rules);

/* The one for two players under the usual rules. */
Network network_usual(void);

/* The scores of a list of inputs, in steps of 2^-22. */
void network_score(const Network *network, const uint16_t inputs[], int count,
                   int64_t scores[NETWORK_SCORES_MAX]);

/* The same without vector instructions, and with them where the machine has AVX2. */
void network_score_portable(const Network *network, const uint16_t inputs[], int count,
                            int64_t scores[NETWORK_SCORES_MAX]);
void network_score_vector(const Network *network, const uint16_t inputs[], int count,
                          int64_t scores[NETWORK_SCORES_MAX]);

/* --- in steps (accumulator.h keeps the sums from one position to the next) --- */

/* Adds the rows of the inputs, times `sign`, which is 1 or -1, to the sums of the hidden units,
 * which begin as the biases. Wide inputs come first. */
void network_add_rows(const Network *network, const uint16_t inputs[], int count, int sign,
                      int32_t sums[]);

/* The scores of these sums. */
void network_score_sums(const Network *network, const int32_t sums[],
                        int64_t scores[NETWORK_SCORES_MAX]);

/* Turns the scores of a state into the chance of each player of winning. */
void network_finish(const Network *network, const YutRules *rules, const YutState *state,
                    int64_t scores[NETWORK_SCORES_MAX], double values[]);

/* Softmax of the first `sides` scores. Uses no functions of the mathematical library, which are not
 * the same on all machines. */
void network_chances(const int64_t scores[], int sides, double chances[]);

/* e to the power of x, for x from -700 to 0, to within a relative 1e-14; the same on every
 * machine. */
double network_exp(double x);

/* The chance of each player of winning, in a state in which state->turn begins its turn. */
void network_values(const Network *network, const YutRules *rules, const YutState *state,
                    double values[]);

/* --- weights.c: files of weights --- */

/* Reads and checks a file. The caller frees `bytes`, which the network is a view of. STATUS_TABLE
 * names what is wrong with a file that is damaged or not for this network. */
Status network_load(const char *path, NetworkKind kind, void **bytes, Network *network);

/* The same for bytes in memory, aligned to 64; `name` is for messages. */
Status network_check(const char *name, const void *bytes, size_t size, NetworkKind kind);

/* Fills in the header of weights in memory: those of a network of this shape, which has learned
 * `shape->learned`. The arrays and errors are in place. */
void network_seal(void *bytes, const Network *shape);

#endif
