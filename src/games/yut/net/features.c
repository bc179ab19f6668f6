#include "games/yut/net/table_inputs.h"

NetworkKind features_kind(const YutRules *rules) {
    for (int player = 0; player < rules->players; player++)
        if (rules->animals[player] != YUT_NO_ANIMAL)
            return NETWORK_TABLE;
    return rules->players == 2 ? NETWORK_DUEL : NETWORK_TABLE;
}

int features_count(NetworkKind kind) {
    return kind == NETWORK_DUEL ? FEATURES_DUEL : FEATURES_TABLE;
}

int features_wide(NetworkKind kind) {
    return (kind == NETWORK_DUEL ? 2 : YUT_PLAYERS_MAX) * FEATURES_SQUARES;
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

/* The square to which a result brings a piece, by the shortest way; 0: to none on the board. */
static const uint8_t stops[YUT_SQUARES][YUT_RESULTS] = {
    {0, 1, 2, 3, 4, 5},       {29, 2, 3, 4, 5, 6},      {1, 3, 4, 5, 6, 7},
    {2, 4, 5, 6, 7, 8},       {3, 5, 6, 7, 8, 9},       {4, 20, 21, 22, 23, 24},
    {5, 7, 8, 9, 10, 11},     {6, 8, 9, 10, 11, 12},    {7, 9, 10, 11, 12, 13},
    {8, 10, 11, 12, 13, 14},  {9, 25, 26, 22, 27, 28},  {10, 12, 13, 14, 15, 16},
    {11, 13, 14, 15, 16, 17}, {12, 14, 15, 16, 17, 18}, {13, 15, 16, 17, 18, 19},
    {14, 16, 17, 18, 19, 29}, {15, 17, 18, 19, 29, 0},  {16, 18, 19, 29, 0, 0},
    {17, 19, 29, 0, 0, 0},    {18, 29, 0, 0, 0, 0},     {5, 21, 22, 23, 24, 15},
    {20, 22, 23, 24, 15, 16}, {21, 27, 28, 29, 0, 0},   {22, 24, 15, 16, 17, 18},
    {23, 15, 16, 17, 18, 19}, {10, 26, 22, 27, 28, 29}, {25, 22, 27, 28, 29, 0},
    {22, 28, 29, 0, 0, 0},    {27, 29, 0, 0, 0, 0},     {19, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0}};

/* Adds what pieces on the squares `from` hit, with each result, of the pieces `to`. */
static int add_hits(const YutRules *rules, int first, const uint8_t from[], const uint8_t to[],
                    uint16_t inputs[]) {
    uint32_t hits[YUT_RESULTS] = {0}, occupied = 0; /* bit q: square q */
    int count = 0;
    for (int i = 0; i < rules->pieces; i++) {
        occupied |= 1u << to[i];
        for (int result = 0; result < YUT_RESULTS; result++)
            hits[result] |= 1u << stops[from[i]][result];
    }
    occupied &= ~(1u | 1u << YUT_ARRIVED);
    for (int result = 0; result < YUT_RESULTS; result++)
        for (uint32_t hit = hits[result] & occupied; hit != 0; hit &= hit - 1)
            inputs[count++] = (uint16_t)(first + result * FEATURES_BOARD + __builtin_ctz(hit) - 1);
    return count;
}

static int list_duel(const YutRules *rules, const YutState *state, uint16_t inputs[]) {
    const uint8_t *own = state->pieces[state->turn], *other = state->pieces[1 - state->turn];
    int count = add_squares(rules, 0, own, inputs);
    count += add_squares(rules, 1, other, inputs + count);
    int first = 2 * FEATURES_SQUARES;
    for (int by = 0; by < 2; by++)
        for (int of = 0; of < 2; of++, first += FEATURES_HITS)
            count += add_hits(rules, first, by == 0 ? own : other, of == 0 ? own : other,
                              inputs + count);
    return count;
}

int features_list(const YutRules *rules, const YutState *state, uint16_t inputs[FEATURES_MAX]) {
    return features_kind(rules) == NETWORK_DUEL ? list_duel(rules, state, inputs)
                                                : table_inputs_list(rules, state, inputs);
}
