#include "games/yut/net/trainer.h"

#include <math.h>
#include <stdlib.h>

#include "games/yut/solve/cpu_dispatch.h"

enum {
    SECOND = NETWORK_SECOND_MAX,
    SHARD = 128, /* samples */
    SHARDS = TRAINER_BATCH / SHARD,
    SLICE = 16 /* columns of the first layer */
};

static_assert(NETWORK_UNIT % SLICE == 0, "slices fit the layers");

/* The layers after the first, or their gradients. */
typedef struct Layers {
    float first_bias[NETWORK_HIDDEN_MAX];
    float second[SECOND][NETWORK_HIDDEN_MAX];
    float second_bias[SECOND];
    float third[SECOND][NETWORK_SCORES_MAX];
    float third_bias[NETWORK_SCORES_MAX];
} Layers;

enum { LAYERS_COUNT = sizeof(Layers) / sizeof(float) };

/* What the threads share during a step. The task of a shard writes its own samples, signals and
 * gradients; the task of a slice its own columns of `first`. */
typedef struct TrainerBatch {
    TrainerSample samples[TRAINER_BATCH];
    float signals[TRAINER_BATCH][NETWORK_HIDDEN_MAX]; /* gradients of the sums of hidden units */
    Layers gradients[SHARDS];
    float turned[NETWORK_HIDDEN_MAX][SECOND]; /* the second layer, the other way round */
    Trainer *trainer;
    TrainerDraw *draw;
    const void *context;
    float rate, mean_scale, variance_scale; /* of Adam, in this step */
    float first[];                          /* gradients: [inputs][hidden] */
} TrainerBatch;

static size_t first_count(const Trainer *trainer) {
    return (size_t)trainer->inputs * (size_t)trainer->hidden;
}

static Layers *layers_of(const Trainer *trainer) {
    return (Layers *)(trainer->weights + first_count(trainer));
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
            layers->third[j][k] = 0.1F * draw_weight(&random);
    }
}

Status trainer_open(NetworkKind kind, int hidden, uint64_t seed, Trainer *trainer) {
    assert(hidden % NETWORK_UNIT == 0 && hidden <= NETWORK_HIDDEN_MAX);
    *trainer = (Trainer){.kind = kind,
                         .inputs = features_count(kind),
                         .hidden = hidden,
                         .scores = kind == NETWORK_DUEL ? 2 : NETWORK_SCORES_MAX};
    trainer->weight_count = first_count(trainer) + LAYERS_COUNT;
    trainer->weights = calloc(3 * trainer->weight_count, sizeof(float));
    trainer->batch = calloc(1, sizeof *trainer->batch + first_count(trainer) * sizeof(float));
    if (!trainer->weights || !trainer->batch) {
        trainer_close(trainer);
        return status_make(STATUS_FAILED, "out of memory");
    }
    trainer->means = trainer->weights + trainer->weight_count;
    trainer->variances = trainer->means + trainer->weight_count;
    draw_weights(trainer, seed);
    return status_ok();
}

void trainer_close(Trainer *trainer) {
    free(trainer->weights);
    free(trainer->batch);
    *trainer = (Trainer){.hidden = 0};
}

/* --- a sample --- */

/* Clips to 0..1 and squares; `slope` receives the derivative. */
static inline float clip_square(float sum, float *slope) {
    float clipped = sum < 0 ? 0 : sum > 1 ? 1 : sum;
    *slope = sum > 0 && sum < 1 ? 2 * clipped : 0;
    return clipped * clipped;
}

typedef struct Activity {
    float units[NETWORK_HIDDEN_MAX], slopes[NETWORK_HIDDEN_MAX];
    float seconds[SECOND], second_slopes[SECOND];
    float errors[NETWORK_SCORES_MAX]; /* chance minus target */
} Activity;

static void find_errors(const TrainerSample *sample, const float scores[], float errors[]) {
    double chances[NETWORK_SCORES_MAX], whole = 0;
    float best = scores[0];
    for (int side = 1; side < sample->sides; side++)
        best = scores[side] > best ? scores[side] : best;
    for (int side = 0; side < sample->sides; side++)
        whole += chances[side] = network_exp(fmax((double)scores[side] - (double)best, -600));
    for (int side = 0; side < NETWORK_SCORES_MAX; side++)
        errors[side] =
            side < sample->sides ? (float)(chances[side] / whole) - sample->targets[side] : 0;
}

CPU_DISPATCH
static void trainer_follow(const TrainerBatch *batch, const TrainerSample *sample,
                           Activity *activity) {
    const Trainer *trainer = batch->trainer;
    const Layers *layers = layers_of(trainer);
    float sums[NETWORK_HIDDEN_MAX], seconds[SECOND], scores[NETWORK_SCORES_MAX];
    memcpy(sums, layers->first_bias, sizeof sums);
    for (int i = 0; i < sample->count; i++) {
        const float *row = trainer->weights + (size_t)sample->inputs[i] * (size_t)trainer->hidden;
        for (int j = 0; j < trainer->hidden; j++)
            sums[j] += row[j];
    }
    for (int j = 0; j < trainer->hidden; j++)
        activity->units[j] = clip_square(sums[j], &activity->slopes[j]);
    memcpy(seconds, layers->second_bias, sizeof seconds);
    for (int i = 0; i < trainer->hidden; i++) {
        if (activity->units[i] == 0)
            continue;
        for (int j = 0; j < SECOND; j++)
            seconds[j] += activity->units[i] * batch->turned[i][j];
    }
    memcpy(scores, layers->third_bias, sizeof scores);
    for (int j = 0; j < SECOND; j++) {
        activity->seconds[j] = clip_square(seconds[j], &activity->second_slopes[j]);
        for (int k = 0; k < NETWORK_SCORES_MAX; k++)
            scores[k] += activity->seconds[j] * layers->third[j][k];
    }
    find_errors(sample, scores, activity->errors);
}

/* Adds the gradients of a sample to those of its shard. */
CPU_DISPATCH
static void trainer_propagate(const Trainer *trainer, const Activity *activity, Layers *gradients,
                              float signals[]) {
    const Layers *layers = layers_of(trainer);
    for (int i = 0; i < trainer->hidden; i++)
        signals[i] = 0;
    for (int k = 0; k < NETWORK_SCORES_MAX; k++)
        gradients->third_bias[k] += activity->errors[k];
    for (int j = 0; j < SECOND; j++) {
        float signal = 0;
        for (int k = 0; k < NETWORK_SCORES_MAX; k++) {
            signal += activity->errors[k] * layers->third[j][k];
            gradients->third[j][k] += activity->errors[k] * activity->seconds[j];
        }
        signal *= activity->second_slopes[j];
        if (signal == 0)
            continue;
        gradients->second_bias[j] += signal;
        for (int i = 0; i < trainer->hidden; i++) {
            gradients->second[j][i] += activity->units[i] * signal;
            signals[i] += layers->second[j][i] * signal;
        }
    }
    for (int i = 0; i < trainer->hidden; i++) {
        signals[i] *= activity->slopes[i];
        gradients->first_bias[i] += signals[i];
    }
}

static void run_shard(void *context, size_t shard, int thread) {
    (void)thread;
    TrainerBatch *batch = context;
    Trainer *trainer = batch->trainer;
    Layers *gradients = &batch->gradients[shard];
    Activity activity;
    memset(gradients, 0, sizeof *gradients);
    for (size_t i = shard * SHARD; i < (shard + 1) * SHARD; i++) {
        batch->draw(batch->context, trainer->steps * TRAINER_BATCH + i, &batch->samples[i]);
        trainer_follow(batch, &batch->samples[i], &activity);
        trainer_propagate(trainer, &activity, gradients, batch->signals[i]);
    }
}

/* --- a step --- */

/* Changes `count` weights by Adam. The gradients are sums over the batch. */
CPU_DISPATCH
static void trainer_adapt(const TrainerBatch *batch, const float gradients[], size_t count,
                          float limit, float weights[], float means[], float variances[]) {
    for (size_t i = 0; i < count; i++) {
        float gradient = gradients[i] * (1.0F / TRAINER_BATCH);
        means[i] = 0.9F * means[i] + 0.1F * gradient;
        variances[i] = 0.999F * variances[i] + 0.001F * gradient * gradient;
        float change = batch->rate * means[i] * batch->mean_scale /
                       (sqrtf(variances[i] * batch->variance_scale) + 1e-8F);
        float weight = weights[i] - change;
        weights[i] = weight > limit ? limit : weight < -limit ? -limit : weight;
    }
}

CPU_DISPATCH
static void trainer_add_slice(TrainerBatch *batch, size_t from) {
    const size_t hidden = (size_t)batch->trainer->hidden;
    for (size_t i = 0; i < TRAINER_BATCH; i++) {
        const TrainerSample *sample = &batch->samples[i];
        const float *signals = batch->signals[i] + from;
        for (int input = 0; input < sample->count; input++) {
            float *row = batch->first + sample->inputs[input] * hidden + from;
            for (int j = 0; j < SLICE; j++)
                row[j] += signals[j];
        }
    }
}

/* Limits so that the rounded weights fit their integers. */
static const float first_limit = 7.99F, second_limit = 7.8F, third_limit = 31.9F;

static void run_slice(void *context, size_t slice, int thread) {
    (void)thread;
    TrainerBatch *batch = context;
    Trainer *trainer = batch->trainer;
    const size_t hidden = (size_t)trainer->hidden, from = slice * SLICE;
    for (size_t i = from; i < first_count(trainer); i += hidden)
        memset(batch->first + i, 0, SLICE * sizeof(float));
    trainer_add_slice(batch, from);
    for (size_t i = from; i < first_count(trainer); i += hidden)
        trainer_adapt(batch, batch->first + i, SLICE, first_limit, trainer->weights + i,
                      trainer->means + i, trainer->variances + i);
}

static void adapt_layers(const TrainerBatch *batch) {
    Trainer *trainer = batch->trainer;
    Layers sums;
    float *sum = (float *)&sums;
    memset(&sums, 0, sizeof sums);
    for (int shard = 0; shard < SHARDS; shard++) {
        const float *one = (const float *)&batch->gradients[shard];
        for (size_t i = 0; i < LAYERS_COUNT; i++)
            sum[i] += one[i];
    }
    const size_t third = offsetof(Layers, third) / sizeof(float), from = first_count(trainer);
    trainer_adapt(batch, sum, third, second_limit, trainer->weights + from, trainer->means + from,
                  trainer->variances + from);
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
    batch->rate = rate;
    batch->mean_scale = scale_of(0.9, trainer->steps + 1);
    batch->variance_scale = scale_of(0.999, trainer->steps + 1);
    for (int i = 0; i < trainer->hidden; i++)
        for (int j = 0; j < SECOND; j++)
            batch->turned[i][j] = layers_of(trainer)->second[j][i];
    thread_pool_run(pool, SHARDS, run_shard, batch);
    adapt_layers(batch);
    thread_pool_run(pool, (size_t)trainer->hidden / SLICE, run_slice, batch);
    trainer->steps++;
}

/* --- rounding --- */

size_t trainer_export_size(const Trainer *trainer) {
    return network_size(trainer->inputs, trainer->hidden, SECOND, trainer->scores);
}

static int32_t round_weight(float weight, int bits) {
    double scaled = (double)weight * (1 << bits);
    return (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

void trainer_export(const Trainer *trainer, const float errors[NETWORK_ERRORS], void *bytes) {
    const Layers *layers = layers_of(trainer);
    const int hidden = trainer->hidden;
    unsigned char *at = (unsigned char *)bytes + NETWORK_HEADER_BYTES;
    int16_t *first = (void *)at;
    memcpy((unsigned char *)bytes + 64, errors, NETWORK_ERRORS * sizeof errors[0]);
    for (size_t i = 0; i < first_count(trainer); i++)
        first[i] = (int16_t)round_weight(trainer->weights[i], NETWORK_FIRST_BITS);
    int32_t *first_bias = (void *)(first + first_count(trainer));
    for (int i = 0; i < hidden; i++)
        first_bias[i] = round_weight(layers->first_bias[i], NETWORK_FIRST_BITS);
    int16_t *second = (void *)(first_bias + hidden);
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
    network_seal(bytes, trainer->kind, hidden, SECOND, trainer->scores);
}
