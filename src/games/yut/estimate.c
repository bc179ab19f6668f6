/* A static evaluation for any variant: a network in the program (net/network.h), for two players
 * without animals, or for tables of players.
 *
 * The networks have learned the usual rules. Under unusual ones (other odds, no back-do, ...) they
 * are still used: a lookahead to the end of the turn knows the rules, and the error that was
 * measured for them is larger. The errors are measured by `malpan learn yut` and kept with the
 * weights (net/measure.h).
 */
#include "games/yut/net/measure.h"
#include "games/yut/yut.h"

static Network network_of(const YutRules *rules) {
    return features_kind(rules) == NETWORK_DUEL ? network_shipped() : network_shipped_table();
}

void yut_estimate(const Rules *rules, const State *state, double values[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    Evaluator evaluator = {.network = network_of(&yut)};
    evaluator_values(&evaluator, &yut, &s, values);
}

double yut_estimate_error(const Rules *rules, const State *state) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (yut_winner(&yut, &s) >= 0)
        return 0;
    return (double)network_of(&yut).errors[measure_index(&yut, &s)];
}
