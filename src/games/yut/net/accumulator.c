#include "games/yut/net/accumulator.h"

/* Takes the inputs of the last list out of `times`. */
static void forget_inputs(Accumulator *accumulator) {
    for (int i = 0; i < accumulator->count; i++)
        accumulator->times[accumulator->inputs[i]] = 0;
}

/* Lists the inputs that are new, and those that are gone; `times` is then zero for all inputs. The
 * wide ones come first. Returns how many are new. */
static int find_changes(Accumulator *accumulator, const uint16_t inputs[], int count,
                        uint16_t added[], uint16_t removed[], int *removed_count) {
    int added_count = 0;
    *removed_count = 0;
    for (int i = 0; i < count; i++)
        if (accumulator->times[inputs[i]] > 0)
            accumulator->times[inputs[i]]--;
        else
            added[added_count++] = inputs[i];
    for (int i = 0; i < accumulator->count; i++)
        for (; accumulator->times[accumulator->inputs[i]] > 0;
             accumulator->times[accumulator->inputs[i]]--)
            removed[(*removed_count)++] = accumulator->inputs[i];
    return added_count;
}

static void remember_inputs(Accumulator *accumulator, const uint16_t inputs[], int count) {
    memcpy(accumulator->inputs, inputs, (size_t)count * sizeof inputs[0]);
    accumulator->count = count;
    for (int i = 0; i < count; i++)
        accumulator->times[inputs[i]]++;
}

int accumulator_update(Accumulator *accumulator, const Network *network, const uint16_t inputs[],
                       int count) {
    uint16_t added[FEATURES_MAX], removed[FEATURES_MAX];
    int added_count = 0, removed_count = 0, rows = count;
    if (accumulator->first == network->first)
        added_count = find_changes(accumulator, inputs, count, added, removed, &removed_count);
    else
        forget_inputs(accumulator);
    if (accumulator->first == network->first && added_count + removed_count < count) {
        network_add_rows(network, removed, removed_count, -1, accumulator->sums);
        network_add_rows(network, added, added_count, 1, accumulator->sums);
        rows = added_count + removed_count;
    } else {
        memcpy(accumulator->sums, network->first_bias,
               (size_t)network->hidden * sizeof accumulator->sums[0]);
        network_add_rows(network, inputs, count, 1, accumulator->sums);
    }
    accumulator->first = network->first;
    remember_inputs(accumulator, inputs, count);
    return rows;
}

void accumulator_values(Accumulator *accumulator, const Network *network, const YutRules *rules,
                        const YutState *state, double values[]) {
    uint16_t inputs[FEATURES_MAX];
    int64_t scores[NETWORK_SCORES_MAX] = {0};
    accumulator_update(accumulator, network, inputs, features_list(rules, state, inputs));
    network_score_sums(network, accumulator->sums, scores);
    network_finish(network, rules, state, scores, values);
}
