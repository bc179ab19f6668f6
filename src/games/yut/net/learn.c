#include "games/yut/net/learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "games/yut/net/learn_plan.h"
#include "games/yut/net/measure.h"
#include "games/yut/net/table_prior.h"
#include "kernel/checkpoint.h"

enum {
    CHUNK = 64,               /* games that are played side by side */
    POSITIONS_PER_GAME = 112, /* that are kept, on average */
    GAMES_MIN = 8,            /* in a round */
    MEASURED_POSITIONS = 1000,
    MEASURED_GAMES = 100,
    MEASURED_TABLES = 400, /* games at tables, of four kinds */
    SHORT_STEPS = 1000
};

/* How far the work is; a checkpoint stores it with the weights and the positions. */
typedef struct WorkState {
    uint64_t steps;     /* done */
    uint64_t games;     /* played in this round */
    uint64_t begun;     /* rounds whose games were begun */
    uint64_t rounds;    /* rounds whose games are all played */
    uint64_t counts[2]; /* of positions: of this round, and of the round before */
} WorkState;

typedef struct Learner {
    NetworkKind kind;
    YutRules rules; /* that are learned; their players are drawn, except for duels */
    LearnedRules learned;
    LearnPlan plan;
    const LearnJob *job;
    uint64_t steps, games; /* all steps; games of a round */
    WorkState done;
    Trainer trainer;
    ExactValues exact; /* of a duel */
    bool has_exact;
    TableExact ends; /* of a table */
    bool has_ends;
    size_t room; /* for the positions of a round */
    PlayedPosition *positions[2];
    void *weights; /* as they were exported last */
    ThreadPool *pool;
    char name[CHECKPOINT_NAME_BYTES];
    char what[32]; /* for the progress report */
    double saved_s, save_took_s;
} Learner;

/* --- opening and closing --- */

static void close_learner(Learner *learner) {
    thread_pool_close(learner->pool);
    free(learner->weights);
    free(learner->positions[0]);
    free(learner->positions[1]);
    if (learner->has_exact)
        exact_close(&learner->exact);
    if (learner->has_ends)
        table_exact_close(&learner->ends);
    trainer_close(&learner->trainer);
}

/* The rules of the games: the odds stay as they were typed, since tables are named after them. What
 * is drawn for each game is as usual. */
static YutRules games_of(const YutRules *rules) {
    const Rules usual = yut_rules_default();
    YutRules games = features_kind(rules) == NETWORK_DUEL ? *rules : yut_rules(&usual);
    games.pieces = YUT_PIECES_MAX;
    return games;
}

/* Names the work, so that a checkpoint of other work is refused. */
static void name_work(Learner *learner) {
    Text name = text_over(learner->name, sizeof learner->name);
    text_addf(&name,
              "yut network %d, %d hidden, %" PRIu64 " steps, seed %" PRIu64
              ", exact up to %d, rules ",
              (int)learner->kind, learner->plan.hidden, learner->steps, learner->job->seed,
              learner->has_exact ? learner->exact.pieces : 0);
    for (int i = 0; i < LEARNED_RULES_BYTES; i++)
        text_addf(&name, "%02x", learner->learned.bytes[i]);
}

static Status open_learner(const Rules *rules, const LearnJob *job, Learner *learner) {
    YutRules yut = yut_rules(rules);
    *learner = (Learner){.kind = features_kind(&yut),
                         .learned = learned_rules_pack(&yut),
                         .job = job,
                         .steps = job->steps};
    learner->rules = games_of(&yut);
    learner->plan = *learn_plan(&yut);
    learner->games = (uint64_t)((double)job->steps * learner->plan.games_per_step);
    learner->games = learner->games < GAMES_MIN ? GAMES_MIN : learner->games;
    learner->room = learner->games * POSITIONS_PER_GAME;
    const Network usual = network_usual();
    const TrainerShape shape = {learner->kind,        learner->learned,
                                learner->plan.hidden, learner->plan.narrow,
                                learner->plan.batch,  learner->plan.from_usual ? &usual : NULL};
    Status status = trainer_open(&shape, job->seed, &learner->trainer);
    if (!status_is_ok(&status))
        return status;
    for (int i = 0; i < 2; i++)
        learner->positions[i] = calloc(learner->room, sizeof(PlayedPosition));
    learner->weights = aligned_alloc(64, (trainer_export_size(&learner->trainer) + 63) / 64 * 64);
    if (!learner->positions[0] || !learner->positions[1] || !learner->weights)
        status = status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status) && learner->kind == NETWORK_DUEL) {
        status = exact_open(&learner->rules, job->services, job->limits, &learner->exact);
        learner->has_exact = status_is_ok(&status);
    }
    if (status_is_ok(&status) && learner->kind == NETWORK_TABLE) {
        status =
            table_exact_open(job->services, job->limits, job->steps < SHORT_STEPS, &learner->ends);
        learner->has_ends = status_is_ok(&status);
    }
    learner->pool = thread_pool_open(job->limits->threads);
    name_work(learner);
    if (!status_is_ok(&status))
        close_learner(learner);
    return status;
}

/* --- checkpoints --- */

enum { AREAS = 4 };

static void list_areas(Learner *learner, CheckpointArea areas[AREAS]) {
    size_t weights = 3 * learner->trainer.weight_count * sizeof(float);
    size_t positions = learner->room * sizeof(PlayedPosition);
    areas[0] = checkpoint_area(&learner->done, sizeof learner->done, sizeof learner->done);
    areas[1] = checkpoint_area(learner->trainer.weights, weights, weights);
    areas[2] = checkpoint_area(learner->positions[0], positions, positions);
    areas[3] = checkpoint_area(learner->positions[1], positions, positions);
}

static Status save_checkpoint(Learner *learner) {
    CheckpointArea areas[AREAS];
    double began_s = progress_clock_s();
    list_areas(learner, areas);
    if (!learner->job->checkpoint)
        return status_ok();
    Status status = checkpoint_save(learner->job->checkpoint, learner->name, areas, AREAS);
    learner->saved_s = progress_clock_s();
    learner->save_took_s = learner->saved_s - began_s;
    return status;
}

static Status save_checkpoint_if_due(Learner *learner) {
    return checkpoint_is_due(learner->job->checkpoint_s, learner->saved_s, learner->save_took_s)
               ? save_checkpoint(learner)
               : status_ok();
}

static bool is_possible_state(const Learner *learner) {
    const WorkState *done = &learner->done;
    return done->steps <= learner->steps && done->games <= learner->games &&
           done->rounds <= learner->plan.rounds && done->counts[0] <= learner->room &&
           done->counts[1] <= learner->room;
}

static Status load_checkpoint(Learner *learner) {
    CheckpointArea areas[AREAS];
    bool found = false;
    learner->saved_s = progress_clock_s();
    list_areas(learner, areas);
    if (!learner->job->checkpoint)
        return status_ok();
    Status status = checkpoint_load(learner->job->checkpoint, learner->name, areas, AREAS, &found);
    if (status_is_ok(&status) && found && !is_possible_state(learner))
        return status_make(STATUS_TABLE, "%s: not a checkpoint of this work",
                           quote(learner->job->checkpoint).text);
    learner->trainer.steps = learner->done.steps;
    return status;
}

static void start_progress(Learner *learner, const char *what, uint64_t round) {
    Text text = text_over(learner->what, sizeof learner->what);
    text_addf(&text, "%s, round %d of %d", what, (int)round + 1, (int)learner->plan.rounds);
    progress_start(learner->job->limits->progress, learner->what);
}

/* --- self-play --- */

typedef struct Chunk {
    const SelfPlay *self_play;
    uint64_t first; /* number of the first game */
    size_t counts[CHUNK];
    PlayedPosition (*positions)[SELF_PLAY_TURNS_MAX];
} Chunk;

static Status play_one(void *context, size_t i, int thread) {
    (void)thread;
    Chunk *chunk = context;
    YutRules rules = self_play_rules(chunk->self_play, chunk->first + i);
    return self_play_game(chunk->self_play, &rules, chunk->first + i, chunk->positions[i],
                          &chunk->counts[i], NULL);
}

static bool is_held_out_at_table(const PlayedPosition *position, const YutState *state) {
    YutRules rules = {.players = position->players, .pieces = position->pieces};
    memcpy(rules.animals, position->animals, sizeof rules.animals);
    return table_is_held_out(&rules, state);
}

/* Adds the positions of a chunk, in the order of its games. */
static void add_positions(Learner *learner, const Chunk *chunk, size_t games) {
    for (size_t i = 0; i < games; i++)
        for (size_t j = 0; j < chunk->counts[i]; j++) {
            const PlayedPosition *position = &chunk->positions[i][j];
            YutState state = played_state(position);
            bool held_out = learner->kind == NETWORK_DUEL
                                ? exact_part(position->pieces, &state) != EXACT_LEARNING
                                : is_held_out_at_table(position, &state);
            if (!held_out && learner->done.counts[0] < learner->room)
                learner->positions[0][learner->done.counts[0]++] = *position;
        }
}

static const float no_errors[NETWORK_ERRORS] = {0};

/* The first rounds look far ahead, since the network knows little; the better it gets, the more of
 * a target's error is noise from far ahead. With a table's network of 25 million samples and three
 * players with one piece each, targets are off by 0.057 (RMS) with 0.9, by 0.030 with 0.6. */
static double lambda_of(const Learner *learner, uint64_t round) {
    if (learner->kind == NETWORK_DUEL)
        return round == 0 ? 1 : 0.8;
    return 4 * round < learner->plan.rounds ? 0.9 : 2 * round < learner->plan.rounds ? 0.8 : 0.6;
}

/* Plays the games of the round, with the network as it was when the round began. */
static Status play_games(Learner *learner, uint64_t round) {
    WorkState *done = &learner->done;
    Chunk chunk = {.positions = malloc(CHUNK * sizeof *chunk.positions)};
    if (!chunk.positions)
        return status_make(STATUS_FAILED, "out of memory");
    trainer_export(&learner->trainer, no_errors, learner->weights);
    SelfPlay self_play = {.rules = learner->rules,
                          .evaluator = {.network = network_view(learner->weights),
                                        .exact = learner->has_exact ? &learner->exact : NULL},
                          .lambda = lambda_of(learner, round),
                          .seed = learner->job->seed};
    chunk.self_play = &self_play;
    const SolveLimits *limits = learner->job->limits;
    Status status = status_ok();
    start_progress(learner, "playing", round);
    while (status_is_ok(&status) && done->games < learner->games) {
        uint64_t left = learner->games - done->games;
        size_t games = left < CHUNK ? (size_t)left : CHUNK;
        chunk.first = round * learner->games + done->games;
        ThreadLoop loop = {
            .count = games, .step = play_one, .context = &chunk, .stop = limits->stop};
        status = thread_pool_try(learner->pool, &loop);
        if (!status_is_ok(&status))
            break;
        add_positions(learner, &chunk, games);
        done->games += games;
        progress_report(limits->progress, done->games, learner->games);
        status = save_checkpoint_if_due(learner);
    }
    progress_finish(limits->progress);
    free(chunk.positions);
    return status;
}

/* Keeps the positions of the last round beside those of the next. */
static void keep_positions(Learner *learner) {
    PlayedPosition *oldest = learner->positions[1];
    learner->positions[1] = learner->positions[0];
    learner->positions[0] = oldest;
    learner->done.counts[1] = learner->done.counts[0];
    learner->done.counts[0] = 0;
    learner->done.games = 0;
}

/* --- steps --- */

/* What a sample is made from: a position of self-play, or one with an exact value. */
typedef struct Source {
    const PlayedPosition *played; /* NULL: exact */
    bool is_end;                  /* of a table: made from `random` */
    Random random;
    const float *value;
    YutState state;
} Source;

static Source choose_exact(const Learner *learner, Random *random) {
    Source source = {.played = NULL};
    const uint64_t how = random_next(random) & 7;
    int left = learner->exact.pieces;
    if (how == 0) /* otherwise rare */
        left = 1 + (int)random_below(random, (uint64_t)left);
    do
        source.value = how < 4 ? exact_draw(&learner->exact, left, random, &source.state)
                               : exact_draw_scattered(&learner->exact, random, &source.state);
    while (exact_part(YUT_PIECES_MAX, &source.state) != EXACT_LEARNING);
    __builtin_prefetch(source.value);
    return source;
}

/* The same for a table; one in three is of more than two players. */
static void sample_end(const Learner *learner, Random *random, TrainerSample *sample) {
    const size_t duels = table_exact_duels(&learner->ends);
    YutState state;
    double values[GAME_PLAYERS_MAX];
    bool more = duels < learner->ends.count && random_below(random, 3) == 0;
    YutRules rules =
        table_exact_draw(&learner->ends, more ? duels : 0, more ? learner->ends.count : duels,
                         false, random, &state, values);
    sample->count = (uint8_t)features_list(&rules, &state, sample->inputs);
    sample->sides = rules.players;
    table_prior(&rules, &state, sample->prior);
    for (int seat = 0; seat < rules.players; seat++)
        sample->targets[seat] = (float)values[(state.turn + seat) % rules.players];
}

static Source choose_source(const Learner *learner, uint64_t number) {
    const uint64_t *counts = learner->done.counts;
    Random random = random_from_seed(learner->job->seed + 1, number);
    uint64_t played = counts[0] + counts[1];
    if (learner->has_exact && (played == 0 || random_below(&random, 4) > 0))
        return choose_exact(learner, &random);
    if (learner->has_ends && random_below(&random, 6) == 0)
        return (Source){.is_end = true, .random = random};
    uint64_t index = random_below(&random, played);
    Source source = {.played = index < counts[0] ? &learner->positions[0][index]
                                                 : &learner->positions[1][index - counts[0]]};
    __builtin_prefetch(source.played);
    return source;
}

static void make_sample(const Learner *learner, const Source *source, TrainerSample *sample) {
    if (source->played) {
        played_sample(source->played, sample);
        return;
    }
    if (source->is_end) {
        Random random = source->random;
        sample_end(learner, &random, sample);
        return;
    }
    assert(source->value);
    sample->count = (uint8_t)features_list(&learner->rules, &source->state, sample->inputs);
    sample->sides = 2;
    memset(sample->prior, 0, sizeof sample->prior);
    sample->targets[0] = *source->value;
    sample->targets[1] = 1 - *source->value;
}

/* Sources are in random places of memory: all are chosen, and prefetched, before one is read. */
static void draw_samples(const void *context, uint64_t first, size_t count,
                         TrainerSample samples[]) {
    enum { TOGETHER = 32 };
    const Learner *learner = context;
    Source sources[TOGETHER];
    for (size_t from = 0; from < count; from += TOGETHER) {
        size_t some = count - from < TOGETHER ? count - from : TOGETHER;
        for (size_t i = 0; i < some; i++)
            sources[i] = choose_source(learner, first + from + i);
        for (size_t i = 0; i < some; i++)
            make_sample(learner, &sources[i], &samples[from + i]);
    }
}

static uint64_t round_end(const Learner *learner, uint64_t round) {
    return learner->steps * (round + 1) / learner->plan.rounds;
}

/* The rate of a step, as LearnPlan says, after a short rise. */
static float rate_at(const Learner *learner, uint64_t step) {
    const double rise = 200;
    const LearnPlan *plan = &learner->plan;
    double horizon = (double)(uint64_t)((double)learner->steps * plan->horizon);
    double done = (double)step / horizon, left = 1 - done;
    double shape = left * left * (1 + 2 * done) + 0.001;
    double begun = (double)step < rise ? ((double)step + 1) / rise : 1;
    uint64_t last = round_end(learner, plan->rounds - 2);
    if (plan->horizon > 1 && step >= last)
        shape *= (double)(learner->steps - step) / (double)(learner->steps - last);
    return (float)(plan->rate * shape * begun);
}

static Status take_steps(Learner *learner, uint64_t round) {
    enum { STEPS_BETWEEN = 50 };
    const SolveLimits *limits = learner->job->limits;
    const uint64_t first = learner->done.steps, end = round_end(learner, round);
    Status status = status_ok();
    start_progress(learner, "learning", round);
    while (status_is_ok(&status) && learner->done.steps < end) {
        uint64_t step = learner->done.steps;
        trainer_step(&learner->trainer, learner->pool, draw_samples, learner,
                     rate_at(learner, step));
        learner->done.steps = learner->trainer.steps;
        if (step % STEPS_BETWEEN != 0)
            continue;
        progress_report(limits->progress, learner->done.steps - first, end - first);
        if (limits->stop && *limits->stop)
            status = status_make(STATUS_STOPPED, "stopped");
        else
            status = save_checkpoint_if_due(learner);
    }
    progress_finish(limits->progress);
    return status;
}

static Status learn_round(Learner *learner, uint64_t round) {
    WorkState *done = &learner->done;
    bool plays = round > 0 || !learner->has_exact;
    Status status = status_ok();
    if (done->rounds <= round && plays) {
        if (done->begun <= round)
            keep_positions(learner);
        done->begun = round + 1;
        status = play_games(learner, round);
    }
    if (!status_is_ok(&status))
        return status;
    if (done->rounds <= round) {
        done->rounds = round + 1;
        done->games = 0;
    }
    return take_steps(learner, round);
}

/* --- the end --- */

/* What the errors are called. */
static const char *const error_names[NETWORK_KINDS][ERROR_COUNT] = {
    [NETWORK_DUEL] = {"one piece", "two pieces", "three pieces", "four pieces", "other rules"},
    [NETWORK_TABLE] = {"two players, animals", "three players", "four players", "teams",
                       "other rules"}};

static LearnError describe_error(const char *what, const Measured *measured) {
    double count = measured->positions > 0 ? (double)measured->positions : 1;
    return (LearnError){.what = what,
                        .positions = measured->positions,
                        .mean = measured->mean / count,
                        .rms = sqrt(measured->square / count),
                        .direct_mean = measured->direct_mean / count,
                        .direct_rms = sqrt(measured->direct_square / count)};
}

/* Measures a table's network where values are exact. */
static Status report_ends(const Network *network, const TableExact *ends, uint64_t count,
                          uint64_t seed, LearnReport *report) {
    static const char *const names[ENDS_COUNT] = {"animals, solved", "three players, solved"};
    Measured measured[ENDS_COUNT] = {{0}};
    Status status = measure_ends(network, ends, count, seed, measured);
    for (int i = 0; i < ENDS_COUNT; i++)
        report->errors[report->error_count++] = describe_error(names[i], &measured[i]);
    return status;
}

static_assert(ERROR_COUNT + (int)ENDS_COUNT <= LEARN_ERRORS_MAX, "all errors fit the report");

/* Measures a network; short runs measure less. `ends` belong to a table and may be NULL. */
static Status measure_network(const Evaluator *evaluator, const YutRules *rules,
                              const TableExact *ends, const LearnJob *job, ThreadPool *pool,
                              LearnReport *report) {
    Measured measured[ERROR_COUNT] = {{0}};
    const NetworkKind kind = evaluator->network.kind;
    const uint64_t share = job->steps < SHORT_STEPS ? 50 : 1;
    const uint64_t games = MEASURED_GAMES / share,
                   usual = kind == NETWORK_TABLE ? MEASURED_TABLES / share : games;
    Status status = status_ok();
    if (evaluator->exact)
        status = measure_exact(&evaluator->network, rules, evaluator->exact,
                               job->validate ? EXACT_VALIDATION : EXACT_TEST,
                               MEASURED_POSITIONS / share, job->seed, measured);
    if (status_is_ok(&status))
        status = measure_play(evaluator, rules, usual, job->seed, false, pool, job->limits->stop,
                              measured);
    if (status_is_ok(&status))
        status = measure_play(evaluator, rules, games, job->seed, true, pool, job->limits->stop,
                              measured);
    report->exact = kind == NETWORK_TABLE
                        ? share > 1 ? "one piece each" : "one piece each, animals two"
                    : !evaluator->exact             ? "none"
                    : evaluator->exact->pieces == 3 ? "up to three pieces each"
                                                    : "up to two pieces each";
    report->error_count = ERROR_COUNT;
    for (int i = 0; i < ERROR_COUNT; i++)
        report->errors[i] = describe_error(error_names[kind][i], &measured[i]);
    if (status_is_ok(&status) && ends)
        status =
            report_ends(&evaluator->network, ends, MEASURED_POSITIONS / share, job->seed, report);
    return status;
}

/* Measures the errors of the network. */
static Status measure_learner(Learner *learner, float errors[NETWORK_ERRORS], LearnReport *report) {
    Evaluator evaluator = {.exact = learner->has_exact ? &learner->exact : NULL};
    trainer_export(&learner->trainer, no_errors, learner->weights);
    evaluator.network = network_view(learner->weights);
    Status status =
        measure_network(&evaluator, &learner->rules, learner->has_ends ? &learner->ends : NULL,
                        learner->job, learner->pool, report);
    for (size_t i = 0; i < ERROR_COUNT; i++)
        errors[i] = (float)report->errors[i].mean;
    return status;
}

static Status write_weights(Learner *learner, const float errors[NETWORK_ERRORS],
                            LearnReport *report) {
    uint64_t checksum;
    trainer_export(&learner->trainer, errors, learner->weights);
    memcpy(&checksum, (const unsigned char *)learner->weights + 8, sizeof checksum);
    report->checksum = checksum;
    report->bytes = trainer_export_size(&learner->trainer);
    report->samples = learner->steps * learner->trainer.batch_size;
    report->games = learner->games * (learner->plan.rounds - learner->has_exact);
    return file_replace(learner->job->path, learner->weights, report->bytes);
}

static Status learn_weights(const Rules *rules, const LearnJob *job, LearnReport *report) {
    Learner learner;
    Status status = open_learner(rules, job, &learner);
    if (!status_is_ok(&status))
        return status;
    float errors[NETWORK_ERRORS] = {0};
    status = load_checkpoint(&learner);
    for (uint64_t round = 0; round < learner.plan.rounds && status_is_ok(&status); round++)
        status = learn_round(&learner, round);
    if (status_is_ok(&status))
        status = measure_learner(&learner, errors, report);
    if (status.code == STATUS_STOPPED) {
        Status saved = save_checkpoint(&learner);
        status = status_is_ok(&saved) ? status : saved;
    }
    if (status_is_ok(&status))
        status = write_weights(&learner, errors, report);
    if (status_is_ok(&status) && job->checkpoint)
        checkpoint_remove(job->checkpoint);
    close_learner(&learner);
    return status;
}

static Status check_rules(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    LearnedRules learned = learned_rules_pack(&yut);
    if (features_kind(&yut) == NETWORK_DUEL || learned_rules_are_usual(&learned))
        return status_ok();
    return status_make(STATUS_UNSUPPORTED,
                       "yut with more players or animals is only learned under the usual rules");
}

static uint64_t usual_steps(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    return learn_plan(&yut)->usual_steps;
}

/* Opens exact values, each kind for its network. */
static Status open_exact(const YutRules *rules, const LearnJob *job, ExactValues *exact,
                         TableExact *ends) {
    return features_kind(rules) == NETWORK_DUEL
               ? exact_open(rules, job->services, job->limits, exact)
               : table_exact_open(job->services, job->limits, job->steps < SHORT_STEPS, ends);
}

static Status measure_weights(const Rules *rules, const LearnJob *job, LearnReport *report) {
    YutRules yut = yut_rules(rules);
    NetworkKind kind = features_kind(&yut);
    Evaluator evaluator = {.network = network_shipped(&yut)};
    ExactValues exact;
    TableExact ends;
    void *bytes = NULL;
    Status status =
        job->path ? network_load(job->path, kind, &bytes, &evaluator.network) : status_ok();
    if (!status_is_ok(&status))
        return status;
    status = open_exact(&yut, job, &exact, &ends);
    if (!status_is_ok(&status)) {
        free(bytes);
        return status;
    }
    evaluator.exact = kind == NETWORK_DUEL ? &exact : NULL;
    const Network *network = &evaluator.network;
    *report = (LearnReport){.bytes = network_size(network)};
    ThreadPool *pool = thread_pool_open(job->limits->threads);
    const YutRules games = games_of(&yut);
    status = measure_network(&evaluator, &games, kind == NETWORK_TABLE ? &ends : NULL, job, pool,
                             report);
    thread_pool_close(pool);
    if (kind == NETWORK_DUEL)
        exact_close(&exact);
    else
        table_exact_close(&ends);
    free(bytes);
    return status;
}

const GameLearning yut_learning = {.check = check_rules,
                                   .usual_steps = usual_steps,
                                   .learn = learn_weights,
                                   .measure = measure_weights};
