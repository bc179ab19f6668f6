/* A static evaluation for any variant: the networks in the program (net/network.h), one for two
 * players without animals, and one for everything else.
 *
 * They have learned the usual rules. Under unusual ones (other odds, no back-do, ...) they are
 * still used: a lookahead to the end of the turn knows the rules, and the error that was measured
 * for them is larger. The errors are measured by `malpan learn yut` and kept with the weights
 * (net/measure.h).
 */
#include "games/yut/net/measure.h"
#include "games/yut/yut.h"

/* The values by the network in the program; `last` may be NULL. */
static void estimate_values(Accumulator *last, const Rules *rules, const State *state,
                            double values[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    Evaluator evaluator = {.network = network_shipped(features_kind(&yut)), .last = last};
    evaluator_values(&evaluator, &yut, &s, values);
}

void yut_estimate(const Rules *rules, const State *state, double values[]) {
    estimate_values(NULL, rules, state, values);
}

static_assert(sizeof(Accumulator) <= YUT_ESTIMATE_BYTES, "there is room for the accumulator");

void yut_estimate_near(void *memory, const Rules *rules, const State *state, double values[]) {
    estimate_values(memory, rules, state, values);
}

double yut_estimate_error(const Rules *rules, const State *state) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (yut_winner(&yut, &s) >= 0)
        return 0;
    return (double)network_shipped(features_kind(&yut)).errors[measure_index(&yut, &s)];
}
