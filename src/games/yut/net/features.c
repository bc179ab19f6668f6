#include "games/yut/net/table_inputs.h"

static bool on_board(int square) {
    return square > 0 && square < YUT_ARRIVED;
}

NetworkKind features_kind(const YutRules *rules) {
    for (int player = 0; player < rules->players; player++)
        if (rules->animals[player] != YUT_NO_ANIMAL)
            return NETWORK_TABLE;
    return rules->players == 2 ? NETWORK_DUEL : NETWORK_TABLE;
}

int features_count(NetworkKind kind) {
    return kind == NETWORK_DUEL ? FEATURES_DUEL : FEATURES_TABLE;
}

/* Adds the squares of a seat's pieces; those the game does not have are home. */
static int add_squares(const YutRules *rules, int seat, const uint8_t pieces[], uint16_t inputs[]) {
    for (int i = 0; i < YUT_PIECES_MAX; i++) {
        int square = i < rules->pieces ? pieces[i] : YUT_ARRIVED, before = 0;
        for (int j = 0; j < i; j++)
            before += (j < rules->pieces ? pieces[j] : YUT_ARRIVED) == square;
        inputs[i] = (uint16_t)(seat * FEATURES_SQUARES + square * YUT_PIECES_MAX + before);
    }
    return YUT_PIECES_MAX;
}

/* Adds the pairs of an own and an opponent's piece, from input `first` on. */
static int add_pairs(const YutRules *rules, int first, const uint8_t own[], const uint8_t other[],
                     uint16_t inputs[]) {
    int count = 0;
    for (int i = 0; i < rules->pieces; i++)
        for (int j = 0; j < rules->pieces && on_board(own[i]); j++)
            if (on_board(other[j]))
                inputs[count++] = (uint16_t)(first + (own[i] - 1) * FEATURES_BOARD + other[j] - 1);
    return count;
}

static int list_duel(const YutRules *rules, const YutState *state, uint16_t inputs[]) {
    const uint8_t *own = state->pieces[state->turn], *other = state->pieces[1 - state->turn];
    int count = add_squares(rules, 0, own, inputs);
    count += add_squares(rules, 1, other, inputs + count);
    return count + add_pairs(rules, 2 * FEATURES_SQUARES, own, other, inputs + count);
}

int features_list(const YutRules *rules, const YutState *state, uint16_t inputs[FEATURES_MAX]) {
    return features_kind(rules) == NETWORK_DUEL ? list_duel(rules, state, inputs)
                                                : table_inputs_list(rules, state, inputs);
}
