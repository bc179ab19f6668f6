/* A static evaluation for any variant.
 *
 * Two players without animals: the network in the program (net/network.h). It has learned the usual
 * rules. Under unusual ones (other odds, no back-do, ...) it is still used: a lookahead to the end
 * of the turn knows the rules, and the error that was measured for them is larger. The errors are
 * measured by `malpan learn yut` and kept with the weights (net/measure.h).
 *
 * Everything else: a heuristic (heuristic.c), whose error is not known.
 */
#include "games/yut/net/measure.h"
#include "games/yut/yut.h"

void yut_estimate(const Rules *rules, const State *state, double values[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (features_kind(&yut) != NETWORK_DUEL) {
        yut_heuristic(rules, state, values);
        return;
    }
    Evaluator evaluator = {.network = network_shipped()};
    evaluator_values(&evaluator, &yut, &s, values);
}

static_assert(sizeof(Accumulator) <= YUT_ESTIMATE_BYTES, "there is room for the accumulator");

void yut_estimate_near(void *memory, const Rules *rules, const State *state, double values[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (features_kind(&yut) != NETWORK_DUEL) {
        yut_heuristic(rules, state, values);
        return;
    }
    Evaluator evaluator = {.network = network_shipped(), .last = memory};
    evaluator_values(&evaluator, &yut, &s, values);
}

double yut_estimate_error(const Rules *rules, const State *state) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (features_kind(&yut) != NETWORK_DUEL || yut_winner(&yut, &s) >= 0)
        return 0;
    return (double)network_shipped().errors[measure_index(&yut, &s)];
}
