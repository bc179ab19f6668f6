/* Training of a network (network.h) in 32-bit floats, by Adam on the cross-entropy between the
 * chances of the sides and their targets.
 *
 * A step takes a batch of samples. They are drawn and propagated in shards of fixed size, and
 * the gradients of the shards are added in their order. The first layer is cut into slices of
 * columns, each of which goes through the samples in their order. No sum is ever reordered, so the
 * weights do not depend on the number of threads, or on the machine.
 *
 *     weights      first [slices][inputs][SLICE] | bias [hidden] | second [SECOND][hidden]
 *                  | bias [SECOND] | third [SECOND][scores] | bias [scores]
 *     means, variances of the gradients, in the same order
 *
 * Thread safety: a trainer belongs to one thread, which shares a step with its pool.
 */
#ifndef MALPAN_GAMES_YUT_NET_TRAINER_H
#define MALPAN_GAMES_YUT_NET_TRAINER_H

#include "base/random.h"
#include "base/threads.h"
#include "games/yut/net/network.h"

enum { TRAINER_BATCH_UNIT = 128, TRAINER_BATCH_MAX = 2048 };

/* A position and the chances of its sides, from the one about to throw on. */
typedef struct TrainerSample {
    uint16_t inputs[FEATURES_MAX];
    uint8_t count; /* of inputs */
    uint8_t wide;  /* of these; set by the trainer */
    uint8_t sides;
    float targets[NETWORK_SCORES_MAX];
    float prior[NETWORK_SCORES_MAX]; /* added to the scores (table_prior.h); for duels 0 */
} TrainerSample;

/* Draws `count` samples, those of the numbers from `first` on; the same for the same numbers.
 * Called by several threads. */
typedef void TrainerDraw(const void *context, uint64_t first, size_t count,
                         TrainerSample samples[]);

typedef struct TrainerShape {
    NetworkKind kind;
    LearnedRules learned;
    int hidden;
    int narrow; /* hidden units that narrow inputs reach */
    int batch;  /* samples of a step: a multiple of TRAINER_BATCH_UNIT */
    /* NULL: weights begin at random. Otherwise they begin as those of this network, which has the
     * same layers. Its first layer stays as it is and is not exported: it has to be the one in the
     * program for the usual rules. */
    const Network *base;
} TrainerShape;

typedef struct Trainer {
    NetworkKind kind;
    LearnedRules learned;
    size_t batch_size;
    int inputs, hidden, scores;
    uint64_t base;    /* the checksum of the network whose first layer is kept, or 0 */
    int wide, narrow; /* inputs that reach all hidden units; hidden units that the others reach */
    uint64_t steps;   /* done */
    size_t weight_count;
    float *weights, *means, *variances; /* one block of memory: weights, means, variances */
    struct TrainerBatch *batch;
} Trainer;

/* The weights as the shape says. Fails for lack of memory alone. The caller closes it. */
Status trainer_open(const TrainerShape *shape, uint64_t seed, Trainer *trainer);
void trainer_close(Trainer *trainer);

/* One step with samples number steps * batch_size and following. `rate` is about the largest
 * change of a weight. */
void trainer_step(Trainer *trainer, ThreadPool *pool, TrainerDraw *draw, const void *context,
                  float rate);

/* How many bytes trainer_export writes. */
size_t trainer_export_size(const Trainer *trainer);

/* Writes the weights, rounded, as a sealed file of weights (network.h), with these errors. */
void trainer_export(const Trainer *trainer, const float errors[NETWORK_ERRORS], void *bytes);

#endif
