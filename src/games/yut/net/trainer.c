#include "games/yut/net/trainer.h"

#include <math.h>
#include <stdlib.h>

#include "games/yut/solve/cpu_dispatch.h"

enum {
    SECOND = NETWORK_SECOND_MAX,
    LANES = 16,                 /* numbers that are computed side by side */
    SHARD = TRAINER_BATCH_UNIT, /* samples */
    SHARDS = TRAINER_BATCH_MAX / SHARD,
    SLICE = LANES, /* columns of the first layer */
    SLICES = NETWORK_HIDDEN_MAX / SLICE,
    GROUP = 4, /* samples that go through the later layers together */
    SECOND_LANES = SECOND / LANES
};

static_assert(NETWORK_UNIT % SLICE == 0 && SHARD % GROUP == 0 && SECOND % LANES == 0,
              "slices and groups fit");

/* Numbers in registers. On a machine with shorter registers the compiler uses several; the numbers
 * are the same. */
typedef float Lanes
    __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

/* The layers after the first, or their gradients. */
typedef struct Layers {
    float first_bias[NETWORK_HIDDEN_MAX];
    float second[SECOND][NETWORK_HIDDEN_MAX];
    float second_bias[SECOND];
    float third[SECOND][NETWORK_SCORES_MAX];
    float third_bias[NETWORK_SCORES_MAX];
} Layers;

enum { LAYERS_COUNT = sizeof(Layers) / sizeof(float) };

static_assert(LAYERS_COUNT % 4 == 0, "blocks of weights stay aligned");

/* What the threads share during a step. The task of a shard writes its own samples, signals and
 * gradients; the task of a slice its own part of `first`. */
typedef struct TrainerBatch {
    TrainerSample samples[TRAINER_BATCH_MAX];
    /* The sums of hidden units; then the gradients of these sums. */
    _Alignas(64) float signals[SLICES][TRAINER_BATCH_MAX][SLICE];
    Layers gradients[SHARDS];
    _Alignas(64) float turned[NETWORK_HIDDEN_MAX][SECOND]; /* the second layer, transposed */
    Trainer *trainer;
    TrainerDraw *draw;
    const void *context;
    float rate, variance_scale; /* of Adam, in this step */
    _Alignas(64) float first[]; /* gradients of the first layer, in the order of the weights */
} TrainerBatch;

/* How many inputs reach a slice of the hidden units: those below the number. */
static size_t slice_inputs(const Trainer *trainer, int slice) {
    return (size_t)(slice < trainer->narrow / SLICE ? trainer->inputs : trainer->wide);
}

/* Where the weights of a slice are. */
static size_t slice_start(const Trainer *trainer, int slice) {
    int narrow = trainer->narrow / SLICE < slice ? trainer->narrow / SLICE : slice;
    return ((size_t)narrow * (size_t)trainer->inputs +
            (size_t)(slice - narrow) * (size_t)trainer->wide) *
           SLICE;
}

static size_t first_count(const Trainer *trainer) {
    return slice_start(trainer, trainer->hidden / SLICE);
}

/* Where the weight of an input to a hidden unit is. */
static size_t first_index(const Trainer *trainer, int input, int unit) {
    return slice_start(trainer, unit / SLICE) + (size_t)input * SLICE + (size_t)(unit % SLICE);
}

static Layers *layers_of(const Trainer *trainer) {
    return (Layers *)(trainer->weights + first_count(trainer));
}

/* The numbers from here on. */
static inline const Lanes *lanes_at(const float numbers[]) {
    return (const Lanes *)numbers;
}

static inline Lanes *set_lanes(float numbers[]) {
    return (Lanes *)numbers;
}

/* --- opening --- */

/* A uniformly distributed number from -1 to 1. */
static float draw_weight(Random *random) {
    return (float)((double)(random_next(random) >> 11) * 0x1p-52 - 1);
}

static void draw_weights(Trainer *trainer, uint64_t seed) {
    Random random = random_from_seed(seed, UINT64_MAX);
    Layers *layers = layers_of(trainer);
    for (size_t i = 0; i < first_count(trainer); i++)
        trainer->weights[i] = 0.2F * draw_weight(&random);
    for (int i = 0; i < trainer->hidden; i++) {
        layers->first_bias[i] = 0.4F + 0.2F * draw_weight(&random);
        for (int j = 0; j < SECOND; j++)
            layers->second[j][i] = draw_weight(&random) * sqrtf(3.0F / (float)trainer->hidden);
    }
    for (int j = 0; j < SECOND; j++) {
        layers->second_bias[j] = 0.3F;
        for (int k = 0; k < trainer->scores; k++)
            /* With a prior, the scores begin as that. */
            layers->third[j][k] = trainer->kind == NETWORK_TABLE ? 0 : 0.1F * draw_weight(&random);
    }
}

/* Makes the weights those of a network, which trainer_export would write again. */
static void copy_weights(Trainer *trainer, const Network *base) {
    Layers *layers = layers_of(trainer);
    size_t count = 0;
    for (int input = 0; input < trainer->inputs; input++)
        for (int unit = 0; unit < (input < trainer->wide ? base->hidden : base->narrow); unit++)
            trainer->weights[first_index(trainer, input, unit)] =
                ldexpf(base->first[count++], -NETWORK_FIRST_BITS);
    for (int i = 0; i < base->hidden; i++) {
        layers->first_bias[i] = ldexpf((float)base->first_bias[i], -NETWORK_FIRST_BITS);
        for (int j = 0; j < SECOND; j++)
            layers->second[j][i] = ldexpf(base->second[j * base->hidden + i], -NETWORK_SECOND_BITS);
    }
    for (int j = 0; j < SECOND; j++) {
        layers->second_bias[j] =
            ldexpf((float)base->second_bias[j], -NETWORK_HIDDEN_BITS - NETWORK_SECOND_BITS);
        for (int k = 0; k < trainer->scores; k++)
            layers->third[j][k] = ldexpf(base->third[k * SECOND + j], -NETWORK_THIRD_BITS);
    }
    for (int k = 0; k < trainer->scores; k++)
        layers->third_bias[k] =
            ldexpf((float)base->third_bias[k], -NETWORK_SQUARED_BITS - NETWORK_THIRD_BITS);
}

/* Zeroed memory, aligned for vectors. */
static void *allocate(size_t size) {
    size_t whole = (size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, whole);
    if (memory)
        memset(memory, 0, whole);
    return memory;
}

Status trainer_open(const TrainerShape *shape, uint64_t seed, Trainer *trainer) {
    assert(shape->hidden % NETWORK_UNIT == 0 && shape->hidden <= NETWORK_HIDDEN_MAX);
    assert(shape->narrow % NETWORK_UNIT == 0 && shape->narrow <= shape->hidden);
    assert(shape->batch % SHARD == 0 && shape->batch <= TRAINER_BATCH_MAX);
    assert(!shape->base ||
           (shape->base->kind == shape->kind && shape->base->hidden == shape->hidden &&
            shape->base->narrow == shape->narrow && shape->base->second_hidden == SECOND));
    *trainer = (Trainer){.kind = shape->kind,
                         .learned = shape->learned,
                         .batch_size = (size_t)shape->batch,
                         .inputs = features_count(shape->kind),
                         .hidden = shape->hidden,
                         .wide = features_wide(shape->kind),
                         .narrow = shape->narrow,
                         .base = shape->base ? shape->base->checksum : 0,
                         .scores = shape->kind == NETWORK_DUEL ? 2 : NETWORK_SCORES_MAX};
    trainer->weight_count = first_count(trainer) + LAYERS_COUNT;
    trainer->weights = allocate(3 * trainer->weight_count * sizeof(float));
    trainer->batch = allocate(sizeof *trainer->batch + first_count(trainer) * sizeof(float));
    if (!trainer->weights || !trainer->batch) {
        trainer_close(trainer);
        return status_make(STATUS_FAILED, "out of memory");
    }
    trainer->means = trainer->weights + trainer->weight_count;
    trainer->variances = trainer->means + trainer->weight_count;
    if (shape->base)
        copy_weights(trainer, shape->base);
    else
        draw_weights(trainer, seed);
    return status_ok();
}

void trainer_close(Trainer *trainer) {
    free(trainer->weights);
    free(trainer->batch);
    *trainer = (Trainer){.hidden = 0};
}

/* --- samples --- */

/* A sample between the layers. */
typedef struct Activity {
    _Alignas(64) float units[NETWORK_HIDDEN_MAX];
    _Alignas(64) float slopes[NETWORK_HIDDEN_MAX]; /* of units, by the sums */
    _Alignas(64) float seconds[SECOND];            /* sums, then units */
    _Alignas(64) float signals[SECOND];            /* gradients of these sums */
} Activity;

/* Clips to 0..1 and squares; `slopes` receives the derivatives. */
static inline __attribute__((always_inline)) void clip_square(const float sums[], int count,
                                                              float units[], float slopes[]) {
    for (int i = 0; i < count; i++) {
        float sum = sums[i], clipped = sum < 0 ? 0 : sum;
        clipped = clipped > 1 ? 1 : clipped;
        slopes[i] = clipped == sum ? 2 * clipped : 0;
        units[i] = clipped * clipped;
    }
}

/* Chances minus targets. */
static void find_errors(const TrainerSample *sample, float scores[], float errors[]) {
    double chances[NETWORK_SCORES_MAX], whole = 0;
    float best = scores[0] += sample->prior[0];
    for (int side = 1; side < sample->sides; side++) {
        scores[side] += sample->prior[side];
        best = scores[side] > best ? scores[side] : best;
    }
    for (int side = 0; side < sample->sides; side++)
        whole += chances[side] = network_exp(fmax((double)scores[side] - (double)best, -600));
    for (int side = 0; side < NETWORK_SCORES_MAX; side++)
        errors[side] =
            side < sample->sides ? (float)(chances[side] / whole) - sample->targets[side] : 0;
}

/* The sums of the hidden units of a shard, from sample `from` on. */
CPU_DISPATCH
static void trainer_add_inputs(TrainerBatch *batch, size_t from) {
    const Trainer *trainer = batch->trainer;
    for (int slice = 0; slice < trainer->hidden / SLICE; slice++) {
        const float *weights = trainer->weights + slice_start(trainer, slice);
        const bool all = slice < trainer->narrow / SLICE;
        const Lanes bias = *lanes_at(&layers_of(trainer)->first_bias[(size_t)slice * SLICE]);
        for (size_t i = from; i < from + SHARD; i++) {
            const TrainerSample *sample = &batch->samples[i];
            Lanes sum = bias;
            const int count = all ? sample->count : sample->wide;
            for (int input = 0; input < count; input++)
                sum += *lanes_at(weights + (size_t)sample->inputs[input] * SLICE);
            *set_lanes(batch->signals[slice][i]) = sum;
        }
    }
}

/* From the sums of the hidden units of a group to those of the second hidden units. */
static inline __attribute__((always_inline)) void follow_second(const TrainerBatch *batch,
                                                                size_t from, Activity group[]) {
    const Layers *layers = layers_of(batch->trainer);
    const int hidden = batch->trainer->hidden;
    Lanes sums[GROUP][SECOND_LANES];
    for (int q = 0; q < GROUP; q++) {
        for (int slice = 0; slice < hidden / SLICE; slice++)
            clip_square(batch->signals[slice][from + (size_t)q], SLICE,
                        &group[q].units[(size_t)slice * SLICE],
                        &group[q].slopes[(size_t)slice * SLICE]);
        for (int k = 0; k < SECOND_LANES; k++)
            sums[q][k] = *lanes_at(&layers->second_bias[(size_t)k * LANES]);
    }
    for (int i = 0; i < hidden; i++)
        for (int k = 0; k < SECOND_LANES; k++) {
            const Lanes weights = *lanes_at(&batch->turned[i][(size_t)k * LANES]);
            for (int q = 0; q < GROUP; q++)
                sums[q][k] += weights * group[q].units[i];
        }
    for (int q = 0; q < GROUP; q++)
        for (int k = 0; k < SECOND_LANES; k++)
            *set_lanes(&group[q].seconds[(size_t)k * LANES]) = sums[q][k];
}

/* From the sums of the second hidden units to the errors and back; adds the gradients of the last
 * layer. */
static inline __attribute__((always_inline)) void follow_third(const TrainerBatch *batch,
                                                               const TrainerSample *sample,
                                                               Activity *activity,
                                                               Layers *gradients) {
    const Layers *layers = layers_of(batch->trainer);
    float scores[NETWORK_SCORES_MAX], errors[NETWORK_SCORES_MAX], slopes[SECOND];
    clip_square(activity->seconds, SECOND, activity->seconds, slopes);
    memcpy(scores, layers->third_bias, sizeof scores);
    for (int j = 0; j < SECOND; j++)
        for (int k = 0; k < NETWORK_SCORES_MAX; k++)
            scores[k] += activity->seconds[j] * layers->third[j][k];
    find_errors(sample, scores, errors);
    for (int k = 0; k < NETWORK_SCORES_MAX; k++)
        gradients->third_bias[k] += errors[k];
    for (int j = 0; j < SECOND; j++) {
        float signal = 0;
        for (int k = 0; k < NETWORK_SCORES_MAX; k++) {
            signal += errors[k] * layers->third[j][k];
            gradients->third[j][k] += errors[k] * activity->seconds[j];
        }
        activity->signals[j] = signal * slopes[j];
        gradients->second_bias[j] += activity->signals[j];
    }
}

/* Adds the gradients of the second layer, and leaves those of the sums of the hidden units. */
static inline __attribute__((always_inline)) void
propagate(TrainerBatch *batch, size_t from, const Activity group[], Layers *gradients) {
    const Layers *layers = layers_of(batch->trainer);
    for (int slice = 0; slice < batch->trainer->hidden / SLICE; slice++) {
        const int at = slice * SLICE;
        Lanes units[GROUP], sums[GROUP];
        for (int q = 0; q < GROUP; q++) {
            units[q] = *lanes_at(group[q].units + at);
            sums[q] = (Lanes){0};
        }
        for (int j = 0; j < SECOND; j++) {
            const Lanes weights = *lanes_at(layers->second[j] + at);
            Lanes gradient = *lanes_at(gradients->second[j] + at);
            for (int q = 0; q < GROUP; q++) {
                sums[q] += weights * group[q].signals[j];
                gradient += units[q] * group[q].signals[j];
            }
            *set_lanes(gradients->second[j] + at) = gradient;
        }
        Lanes bias = *lanes_at(gradients->first_bias + at);
        for (int q = 0; q < GROUP; q++) {
            const Lanes signal = sums[q] * *lanes_at(group[q].slopes + at);
            *set_lanes(batch->signals[slice][from + (size_t)q]) = signal;
            bias += signal;
        }
        *set_lanes(gradients->first_bias + at) = bias;
    }
}

CPU_DISPATCH
static void trainer_follow(TrainerBatch *batch, size_t from, Layers *gradients) {
    Activity group[GROUP];
    follow_second(batch, from, group);
    for (int q = 0; q < GROUP; q++)
        follow_third(batch, &batch->samples[from + (size_t)q], &group[q], gradients);
    propagate(batch, from, group, gradients);
}

static void run_shard(void *context, size_t shard, int thread) {
    (void)thread;
    TrainerBatch *batch = context;
    Trainer *trainer = batch->trainer;
    Layers *gradients = &batch->gradients[shard];
    const size_t from = shard * SHARD;
    memset(gradients, 0, sizeof *gradients);
    batch->draw(batch->context, trainer->steps * trainer->batch_size + from, SHARD,
                &batch->samples[from]);
    for (size_t i = from; i < from + SHARD; i++) {
        TrainerSample *sample = &batch->samples[i];
        sample->wide = 0;
        while (sample->wide < sample->count && sample->inputs[sample->wide] < trainer->wide)
            sample->wide++;
    }
    trainer_add_inputs(batch, from);
    for (size_t i = from; i < from + SHARD; i += GROUP)
        trainer_follow(batch, i, gradients);
}

/* --- a step --- */

/* Changes `count` weights by Adam. The gradients are sums over the batch. */
CPU_DISPATCH
static void trainer_adapt(const TrainerBatch *batch, const float gradients[restrict], size_t count,
                          float limit, float weights[restrict], float means[restrict],
                          float variances[restrict]) {
    const float rate = batch->rate, scale = batch->variance_scale,
                per_sample = 1 / (float)batch->trainer->batch_size;
    for (size_t i = 0; i < count; i++) {
        float gradient = gradients[i] * per_sample;
        float mean = 0.9F * means[i] + 0.1F * gradient;
        float variance = 0.999F * variances[i] + 0.001F * gradient * gradient;
        float weight = weights[i] - rate * mean / (sqrtf(variance * scale) + 1e-8F);
        means[i] = mean;
        variances[i] = variance;
        weight = weight > limit ? limit : weight;
        weights[i] = weight < -limit ? -limit : weight;
    }
}

/* The gradients of a slice of the first layer. */
CPU_DISPATCH
static void trainer_add_slice(TrainerBatch *batch, size_t slice, float gradients[]) {
    const bool all = slice < (size_t)(batch->trainer->narrow / SLICE);
    for (size_t i = 0; i < batch->trainer->batch_size; i++) {
        const TrainerSample *sample = &batch->samples[i];
        const Lanes signal = *lanes_at(batch->signals[slice][i]);
        const int count = all ? sample->count : sample->wide;
        for (int input = 0; input < count; input++) {
            float *row = gradients + (size_t)sample->inputs[input] * SLICE;
            *set_lanes(row) = *lanes_at(row) + signal;
        }
    }
}

/* Limits so that the rounded weights fit their integers. */
static const float first_limit = 7.99F, second_limit = 3.9F, third_limit = 31.9F;

static void run_slice(void *context, size_t slice, int thread) {
    (void)thread;
    TrainerBatch *batch = context;
    Trainer *trainer = batch->trainer;
    const size_t count = slice_inputs(trainer, (int)slice) * SLICE,
                 from = slice_start(trainer, (int)slice);
    memset(batch->first + from, 0, count * sizeof(float));
    trainer_add_slice(batch, slice, batch->first + from);
    trainer_adapt(batch, batch->first + from, count, first_limit, trainer->weights + from,
                  trainer->means + from, trainer->variances + from);
}

static void adapt_layers(const TrainerBatch *batch) {
    Trainer *trainer = batch->trainer;
    Layers sums;
    float *sum = (float *)&sums;
    memset(&sums, 0, sizeof sums);
    for (size_t shard = 0; shard < trainer->batch_size / SHARD; shard++) {
        const float *one = (const float *)&batch->gradients[shard];
        for (size_t i = 0; i < LAYERS_COUNT; i++)
            sum[i] += one[i];
    }
    const size_t third = offsetof(Layers, third) / sizeof(float), from = first_count(trainer);
    const size_t begin = trainer->base != 0 ? offsetof(Layers, second) / sizeof(float) : 0;
    trainer_adapt(batch, sum + begin, third - begin, second_limit, trainer->weights + from + begin,
                  trainer->means + from + begin, trainer->variances + from + begin);
    trainer_adapt(batch, sum + third, LAYERS_COUNT - third, third_limit,
                  trainer->weights + from + third, trainer->means + from + third,
                  trainer->variances + from + third);
}

/* 1 / (1 - decay^steps), without the mathematical library. */
static float scale_of(double decay, uint64_t steps) {
    double power = 1;
    for (uint64_t i = 0; i < steps && power > 1e-9; i++)
        power *= decay;
    return (float)(1 / (1 - power));
}

void trainer_step(Trainer *trainer, ThreadPool *pool, TrainerDraw *draw, const void *context,
                  float rate) {
    TrainerBatch *batch = trainer->batch;
    batch->trainer = trainer;
    batch->draw = draw;
    batch->context = context;
    batch->rate = rate * scale_of(0.9, trainer->steps + 1);
    batch->variance_scale = scale_of(0.999, trainer->steps + 1);
    for (int j = 0; j < SECOND; j++)
        for (int i = 0; i < trainer->hidden; i++)
            batch->turned[i][j] = layers_of(trainer)->second[j][i];
    thread_pool_run(pool, trainer->batch_size / SHARD, run_shard, batch);
    adapt_layers(batch);
    if (trainer->base == 0)
        thread_pool_run(pool, (size_t)trainer->hidden / SLICE, run_slice, batch);
    trainer->steps++;
}

/* --- rounding --- */

static Network shape_of(const Trainer *trainer) {
    return (Network){.kind = trainer->kind,
                     .hidden = trainer->hidden,
                     .narrow = trainer->narrow,
                     .second_hidden = SECOND,
                     .scores = trainer->scores,
                     .base = trainer->base,
                     .learned = &trainer->learned};
}

size_t trainer_export_size(const Trainer *trainer) {
    const Network shape = shape_of(trainer);
    return network_size(&shape);
}

static int32_t round_weight(float weight, int bits) {
    double scaled = (double)weight * (1 << bits);
    return (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

/* Writes the first layer and its biases. Returns where they end. */
static unsigned char *export_first(const Trainer *trainer, unsigned char *at) {
    int16_t *first = (void *)at;
    size_t count = 0;
    for (int input = 0; input < trainer->inputs; input++)
        for (int unit = 0; unit < (input < trainer->wide ? trainer->hidden : trainer->narrow);
             unit++)
            first[count++] = (int16_t)round_weight(
                trainer->weights[first_index(trainer, input, unit)], NETWORK_FIRST_BITS);
    int32_t *first_bias = (void *)(first + count);
    for (int i = 0; i < trainer->hidden; i++)
        first_bias[i] = round_weight(layers_of(trainer)->first_bias[i], NETWORK_FIRST_BITS);
    return (unsigned char *)(first_bias + trainer->hidden);
}

void trainer_export(const Trainer *trainer, const float errors[NETWORK_ERRORS], void *bytes) {
    const Layers *layers = layers_of(trainer);
    const Network shape = shape_of(trainer);
    const int hidden = trainer->hidden;
    unsigned char *at = (unsigned char *)bytes + NETWORK_HEADER_BYTES;
    memcpy((unsigned char *)bytes + 64, errors, NETWORK_ERRORS * sizeof errors[0]);
    if (trainer->base == 0)
        at = export_first(trainer, at);
    int16_t *second = (void *)at;
    for (int j = 0; j < SECOND; j++)
        for (int i = 0; i < hidden; i++)
            second[j * hidden + i] =
                (int16_t)round_weight(layers->second[j][i], NETWORK_SECOND_BITS);
    int32_t *second_bias = (void *)(second + (size_t)SECOND * (size_t)hidden);
    for (int j = 0; j < SECOND; j++)
        second_bias[j] =
            round_weight(layers->second_bias[j], NETWORK_HIDDEN_BITS + NETWORK_SECOND_BITS);
    int16_t *third = (void *)(second_bias + SECOND);
    for (int k = 0; k < trainer->scores; k++)
        for (int j = 0; j < SECOND; j++)
            third[k * SECOND + j] = (int16_t)round_weight(layers->third[j][k], NETWORK_THIRD_BITS);
    int32_t *third_bias = (void *)(third + (size_t)SECOND * (size_t)trainer->scores);
    for (int k = 0; k < trainer->scores; k++)
        third_bias[k] =
            round_weight(layers->third_bias[k], NETWORK_SQUARED_BITS + NETWORK_THIRD_BITS);
    network_seal(bytes, &shape);
}
