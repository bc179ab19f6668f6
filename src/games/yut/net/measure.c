#include "games/yut/net/measure.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/lookahead.h"

enum { LOOKAHEAD_BYTES = 16 << 20, UNUSUAL_RULES = 5 };

/* Games are numbered from here on, so that none has been learned from. */
#define HELD_OUT_FROM ((uint64_t)1 << 40)

typedef struct Leaf {
    const Evaluator *evaluator;
    const YutRules *rules;
} Leaf;

static void estimate_leaf(void *context, const State *state, double values[]) {
    const Leaf *leaf = context;
    YutState s = yut_state(state);
    evaluator_values(leaf->evaluator, leaf->rules, &s, values);
}

/* How many pieces of the player are not home. */
static int pieces_left(const YutRules *rules, const YutState *state, int player) {
    return rules->pieces - yut_count_on(rules, state, player, YUT_ARRIVED);
}

int measure_index(const LearnedRules *learned, const YutRules *rules, const YutState *state) {
    const LearnedRules packed = learned_rules_pack(rules);
    if (memcmp(&packed, learned, sizeof packed) != 0)
        return ERROR_UNUSUAL;
    if (features_kind(rules) == NETWORK_TABLE)
        return ERROR_ANIMALS + (rules->teams ? 3 : rules->players - 2);
    int first = pieces_left(rules, state, 0), second = pieces_left(rules, state, 1);
    int most = first > second ? first : second;
    return ERROR_ONE_PIECE + (most > 0 ? most - 1 : 0);
}

Status measure_position(const Evaluator *evaluator, const YutRules *rules, const YutState *state,
                        double truth, Measured *measured) {
    Variant variant = {.game = &yut_game, .rules = yut_rules_pack(rules)};
    Leaf leaf = {.evaluator = evaluator, .rules = rules};
    LookaheadPlan plan = {.turns = 1, .estimate = estimate_leaf, .context = &leaf};
    SolveLimits limits = {.memory_bytes = LOOKAHEAD_BYTES};
    State position = yut_state_pack(state);
    double looked[GAME_PLAYERS_MAX], direct[GAME_PLAYERS_MAX];
    Solver *lookahead;
    Status status = lookahead_new(&variant, &plan, &limits, &lookahead);
    if (!status_is_ok(&status))
        return status;
    status = lookahead->values(lookahead, &position, looked);
    lookahead->free(lookahead);
    evaluator_values(evaluator, rules, state, direct);
    double distance = fabs(looked[state->turn] - truth);
    double direct_distance = fabs(direct[state->turn] - truth);
    measured->positions++;
    measured->mean += distance;
    measured->square += distance * distance;
    measured->direct_mean += direct_distance;
    measured->direct_square += direct_distance * direct_distance;
    return status;
}

Status measure_exact(const Network *network, const YutRules *rules, const ExactValues *exact,
                     ExactPart part, uint64_t count, uint64_t seed,
                     Measured measured[ERROR_COUNT]) {
    Evaluator evaluator = {.network = *network};
    const LearnedRules packed = learned_rules_pack(rules);
    Random random = random_from_seed(seed, HELD_OUT_FROM);
    Status status = status_ok();
    for (int left = exact->pieces; left > 0;) {
        YutState state;
        double truth = (double)*exact_draw(exact, left, &random, &state);
        int index = measure_index(&packed, rules, &state);
        if (index != ERROR_ONE_PIECE + left - 1 || exact_part(YUT_PIECES_MAX, &state) != part)
            continue;
        status = measure_position(&evaluator, rules, &state, truth, &measured[index]);
        if (!status_is_ok(&status))
            return status;
        left -= measured[index].positions >= count;
    }
    return status;
}

static int index_of_end(const YutRules *rules) {
    return rules->players > 2 ? ENDS_THREE_PLAYERS : ENDS_ANIMALS;
}

Status measure_ends(const Network *network, const TableExact *ends, uint64_t count, uint64_t seed,
                    Measured measured[ENDS_COUNT]) {
    Evaluator evaluator = {.network = *network};
    Random random = random_from_seed(seed, HELD_OUT_FROM);
    for (size_t from = 0; from < ends->count;) {
        /* The games of a kind follow each other. */
        const int index = index_of_end(&ends->games[from].rules);
        size_t to = from;
        while (to < ends->count && index_of_end(&ends->games[to].rules) == index)
            to++;
        for (uint64_t i = 0; i < count; i++) {
            YutState state;
            double values[GAME_PLAYERS_MAX];
            YutRules rules = table_exact_draw(ends, from, to, true, &random, &state, values);
            Status status =
                measure_position(&evaluator, &rules, &state, values[state.turn], &measured[index]);
            if (!status_is_ok(&status))
                return status;
        }
        from = to;
    }
    return status_ok();
}

/* Changes one rule. Biased sticks get what `family` adds to `korean`. */
static void make_unusual(YutRules *rules, uint64_t which) {
    static const uint64_t biased[YUT_RESULTS] = {384, 1152, 3456, 3456, 1296, 256};
    const Rules packed = yut_rules_default();
    const YutRules usual = yut_rules(&packed);
    switch (which % UNUSUAL_RULES) {
    case 0:
        rules->marked = 0;
        break;
    case 1:
        rules->catch_bonus =
            rules->catch_bonus == YUT_BONUS_WEAK ? YUT_BONUS_ALWAYS : YUT_BONUS_WEAK;
        break;
    case 2:
        rules->short_cut_may = true;
        break;
    case 3:
        rules->no_back_from_1 = true;
        break;
    default:
        if (memcmp(rules->odds, usual.odds, sizeof usual.odds) == 0) {
            memcpy(rules->odds, biased, sizeof biased);
        } else {
            rules->nak = YUT_NAK_WHOLE / 20;
            rules->traps = 1u << 18;
        }
        break;
    }
}

/* What the threads share: game i has its own place in `measured` and `indexes`. */
typedef struct PlayMeasure {
    SelfPlay self_play;
    bool unusual;
    Measured *measured;
    int *indexes;
} PlayMeasure;

/* Measures at one position of game i. */
static Status measure_game(void *context, size_t i, int thread) {
    (void)thread;
    PlayMeasure *work = context;
    const SelfPlay *self_play = &work->self_play;
    PlayedPosition positions[SELF_PLAY_TURNS_MAX];
    const uint64_t repeats = self_play->evaluator.network.kind == NETWORK_TABLE
                                 ? MEASURE_TABLE_REPEATS
                                 : MEASURE_REPEATS;
    uint64_t number = HELD_OUT_FROM + i * (repeats + 1);
    YutRules rules = self_play_rules(self_play, number);
    size_t count, looked;
    if (work->unusual)
        make_unusual(&rules, i);
    Status status = self_play_game(self_play, &rules, number, positions, &count, &looked);
    if (!status_is_ok(&status) || looked == 0)
        return status;
    Random random = random_from_seed(self_play->seed, ~number);
    YutState state = played_state(&positions[random_below(&random, looked)]);
    double truth = 0;
    for (uint64_t j = 1; j <= repeats && status_is_ok(&status); j++) {
        double values[GAME_PLAYERS_MAX];
        status = self_play_value(self_play, &rules, &state, number + j, values);
        truth += values[state.turn] / (double)repeats;
    }
    const LearnedRules learned = learned_rules_pack(&self_play->rules);
    work->indexes[i] = measure_index(&learned, &rules, &state);
    return status_is_ok(&status)
               ? measure_position(&self_play->evaluator, &rules, &state, truth, &work->measured[i])
               : status;
}

static void add_measured(Measured *sum, const Measured *one) {
    sum->positions += one->positions;
    sum->mean += one->mean;
    sum->square += one->square;
    sum->direct_mean += one->direct_mean;
    sum->direct_square += one->direct_square;
}

Status measure_play(const Evaluator *evaluator, const YutRules *rules, uint64_t games,
                    uint64_t seed, bool unusual, ThreadPool *pool, const StopFlag *stop,
                    Measured measured[ERROR_COUNT]) {
    PlayMeasure work = {
        .self_play = {.evaluator = *evaluator, .rules = *rules, .lambda = 1, .seed = seed},
        .unusual = unusual,
        .measured = calloc(games, sizeof *work.measured),
        .indexes = calloc(games, sizeof *work.indexes)};
    if (unusual) /* exact values are for the same rules */
        work.self_play.evaluator.exact = NULL;
    Status status = status_make(STATUS_FAILED, "out of memory");
    if (work.measured && work.indexes)
        status = thread_pool_try(
            pool,
            &(ThreadLoop){.count = games, .step = measure_game, .context = &work, .stop = stop});
    for (size_t i = 0; i < games && status_is_ok(&status); i++)
        add_measured(&measured[work.indexes[i]], &work.measured[i]);
    free(work.measured);
    free(work.indexes);
    return status;
}
