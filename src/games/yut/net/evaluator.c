#include "games/yut/net/evaluator.h"

bool evaluator_is_start(const YutState *state) {
    for (int i = 0; i < YUT_RESULTS; i++)
        if (state->list[i] > 0)
            return false;
    return true;
}

/* The values if the player in turn were about to throw. */
static void value_start(const Evaluator *evaluator, const YutRules *rules, const YutState *state,
                        double values[]) {
    double value;
    int winner = yut_winner(rules, state);
    if (winner >= 0) {
        for (int player = 0; player < rules->players; player++)
            values[player] = yut_same_side(rules, winner, player) ? 1 : 0;
    } else if (evaluator->exact && exact_find(evaluator->exact, rules, state, &value)) {
        values[state->turn] = value;
        values[1 - state->turn] = 1 - value;
    } else if (evaluator->last) {
        accumulator_values(evaluator->last, &evaluator->network, rules, state, values);
    } else {
        network_values(&evaluator->network, rules, state, values);
    }
}

/* What the player gets if the rest of the list is dropped after the move. */
static double value_move(const Evaluator *evaluator, const YutRules *rules, const YutState *state,
                         Move move) {
    YutState next = *state;
    double values[GAME_PLAYERS_MAX];
    if (next.throws == 0)
        memset(next.list, 0, sizeof next.list);
    next.list[yut_move_result(move)] = 1;
    yut_play(rules, &next, move);
    value_start(evaluator, rules, &next, values);
    return values[state->turn];
}

void evaluator_play(const Evaluator *evaluator, const YutRules *rules, YutState *state) {
    Move moves[GAME_MOVES_MAX], best = 0;
    double best_value = -1;
    Rules packed = yut_rules_pack(rules);
    State position = yut_state_pack(state);
    size_t count = yut_moves(&packed, &position, moves);
    for (size_t i = 0; i < count; i++) {
        double value = value_move(evaluator, rules, state, moves[i]);
        if (value > best_value) {
            best_value = value;
            best = moves[i];
        }
    }
    yut_play(rules, state, best);
}

void evaluator_values(const Evaluator *evaluator, const YutRules *rules, const YutState *state,
                      double values[]) {
    YutState next = *state;
    int player = state->turn;
    while (yut_winner(rules, &next) < 0 && next.turn == player && !evaluator_is_start(&next))
        evaluator_play(evaluator, rules, &next);
    value_start(evaluator, rules, &next, values);
}
