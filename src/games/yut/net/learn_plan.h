/* How each of Yut's networks is learned.
 *
 * A network for duels under other rules than the usual keeps the first layer of the one for the
 * usual rules, and learns the others: what squares and threats there are is much the same, what
 * they are worth is not. Such a network takes 17 kB in the program instead of 234.
 *
 * Thread safety: functions without shared state.
 */
#ifndef MALPAN_GAMES_YUT_NET_LEARN_PLAN_H
#define MALPAN_GAMES_YUT_NET_LEARN_PLAN_H

#include "games/yut/net/features.h"

typedef struct LearnPlan {
    int hidden, narrow, batch;
    bool
        from_usual; /* begins with the weights of the usual rules' network, keeps its first layer */
    uint64_t usual_steps;
    uint64_t rounds;
    double games_per_step;
    /* The rate begins with `rate` and falls along a curve that would end after `horizon` times the
     * steps. If that is beyond the last step, it falls to nothing during the last round. */
    double rate, horizon;
} LearnPlan;

/* The plan for the network of these rules. */
const LearnPlan *learn_plan(const YutRules *rules);

#endif
