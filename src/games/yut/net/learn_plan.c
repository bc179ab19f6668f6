#include "games/yut/net/learn_plan.h"

#include "games/yut/net/learned_rules.h"

static const LearnPlan plans[NETWORK_KINDS] = {[NETWORK_DUEL] = {.hidden = 256,
                                                                 .narrow = 64,
                                                                 .batch = 512,
                                                                 .usual_steps = 110000,
                                                                 .rounds = 4,
                                                                 .games_per_step = 0.1,
                                                                 .rate = 0.0015,
                                                                 .horizon = 1},
                                               [NETWORK_TABLE] = {.hidden = 96,
                                                                  .narrow = 64,
                                                                  .batch = 1024,
                                                                  .usual_steps = 30000,
                                                                  .rounds = 20,
                                                                  .games_per_step = 0.125,
                                                                  .rate = 0.002,
                                                                  .horizon = 1}};

static const LearnPlan house_plan = {.hidden = 256,
                                     .narrow = 64,
                                     .batch = 512,
                                     .from_usual = true,
                                     .usual_steps = 120000,
                                     .rounds = 4,
                                     .games_per_step = 0.1,
                                     .rate = 0.0015,
                                     .horizon = 1};

const LearnPlan *learn_plan(const YutRules *rules) {
    const LearnedRules learned = learned_rules_pack(rules);
    return learned_rules_are_usual(&learned) ? &plans[features_kind(rules)] : &house_plan;
}
