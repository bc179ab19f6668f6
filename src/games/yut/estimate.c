/* A static evaluation for any variant, by the networks in the program (net/network.h).
 *
 * Two players without animals: the one that has learned the nearest rules (net/learned_rules.h),
 * the usual ones or those of `korean` or `family`. Everything else: one that has learned the usual
 * rules for three and four players, teams and animals.
 *
 * A network is also used under rules that it has not learned: a lookahead to the end of the turn
 * knows the rules, and the error that was measured for them is larger. The errors are measured by
 * `malpan learn yut` and kept with the weights (net/measure.h).
 */
#include "games/yut/net/measure.h"
#include "games/yut/yut.h"

void yut_estimate(const Rules *rules, const State *state, double values[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    Evaluator evaluator = {.network = network_shipped(&yut)};
    evaluator_values(&evaluator, &yut, &s, values);
}

/* What a lookahead keeps from one state to the next; all zero at first. */
typedef struct Near {
    Accumulator last;
    Network network;
    bool is_chosen;
} Near;

static_assert(sizeof(Near) <= YUT_ESTIMATE_BYTES, "there is room for it");

void yut_estimate_near(void *memory, const Rules *rules, const State *state, double values[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    Near *near = memory;
    if (!near->is_chosen) {
        near->network = network_shipped(&yut);
        near->is_chosen = true;
    }
    Evaluator evaluator = {.network = near->network, .last = &near->last};
    evaluator_values(&evaluator, &yut, &s, values);
}

double yut_estimate_error(const Rules *rules, const State *state) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (yut_winner(&yut, &s) >= 0)
        return 0;
    const Network network = network_shipped(&yut);
    return (double)network.errors[measure_index(network.learned, &yut, &s)];
}
