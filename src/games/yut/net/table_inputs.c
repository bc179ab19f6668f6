/* The inputs of the network for tables of players: squares, animals and threats. */
#include "games/yut/net/table_inputs.h"

enum {
    SEATS = YUT_PLAYERS_MAX,
    /* Of a seat: a pig, or the squares of a dog, a sheep or a cow. */
    ANIMAL_INPUTS = 1 + (YUT_NO_ANIMAL - 1) * YUT_SQUARES,
    RELATIONS = SEATS * (SEATS - 1), /* ordered pairs of seats */
    FROM_ANIMALS = SEATS * FEATURES_SQUARES,
    FROM_SHAPES = FROM_ANIMALS + SEATS * ANIMAL_INPUTS,
    FROM_THREATS = FROM_SHAPES + FEATURES_SHAPES,
    THREAT_INPUTS = RELATIONS * FEATURES_BOARD, /* of a kind */
};

static_assert(FROM_THREATS + 2 * THREAT_INPUTS == FEATURES_TABLE, "every input has its number");

/* Where the results lead, whatever the house rules: [cow][square][result]. 0: nowhere. */
/* clang-format off */
static const uint8_t stops[2][YUT_SQUARES][YUT_RESULTS] = {
    {{0, 1, 2, 3, 4, 5},      {29, 2, 3, 4, 5, 6},     {1, 3, 4, 5, 6, 7},
     {2, 4, 5, 6, 7, 8},      {3, 5, 6, 7, 8, 9},      {4, 20, 21, 22, 23, 24},
     {5, 7, 8, 9, 10, 11},    {6, 8, 9, 10, 11, 12},   {7, 9, 10, 11, 12, 13},
     {8, 10, 11, 12, 13, 14}, {9, 25, 26, 22, 27, 28}, {10, 12, 13, 14, 15, 16},
     {11, 13, 14, 15, 16, 17}, {12, 14, 15, 16, 17, 18}, {13, 15, 16, 17, 18, 19},
     {14, 16, 17, 18, 19, 29}, {15, 17, 18, 19, 29, 30}, {16, 18, 19, 29, 30, 30},
     {17, 19, 29, 30, 30, 30}, {18, 29, 30, 30, 30, 30}, {5, 21, 22, 23, 24, 15},
     {20, 22, 23, 24, 15, 16}, {21, 27, 28, 29, 30, 30}, {22, 24, 15, 16, 17, 18},
     {23, 15, 16, 17, 18, 19}, {10, 26, 22, 27, 28, 29}, {25, 22, 27, 28, 29, 30},
     {22, 28, 29, 30, 30, 30}, {27, 29, 30, 30, 30, 30}, {19, 30, 30, 30, 30, 30}},
    {{0, 1, 2, 3, 4, 5},      {29, 2, 3, 4, 5, 20},    {1, 3, 4, 5, 20, 21},
     {2, 4, 5, 20, 21, 22},   {3, 5, 20, 21, 22, 23},  {4, 20, 21, 22, 23, 24},
     [15] = {24, 16, 17, 18, 19, 29}, {15, 17, 18, 19, 29, 30}, {16, 18, 19, 29, 30, 30},
     {17, 19, 29, 30, 30, 30}, {18, 29, 30, 30, 30, 30}, {5, 21, 22, 23, 24, 15},
     {20, 22, 23, 24, 15, 16}, {21, 23, 24, 15, 16, 17}, {22, 24, 15, 16, 17, 18},
     {23, 15, 16, 17, 18, 19}, [29] = {19, 30, 30, 30, 30, 30}}};

/* How often a result counts, in units of 3/16 of a chance; those of 1/16 are counted by
 * themselves. */
static const uint8_t strong[YUT_RESULTS] = {[YUT_DO] = 1, [YUT_GAE] = 2, [YUT_GEOL] = 1};
/* clang-format on */

int table_stop(int square, YutResult result, bool cow) {
    return stops[cow][square][result];
}

/* The inputs listed so far. */
typedef struct InputList {
    uint16_t *inputs;
    int count;
} InputList;

static void add_input(InputList *list, int input) {
    if (list->count < FEATURES_MAX)
        list->inputs[list->count++] = (uint16_t)input;
}

/* The bits of the squares 1 to 29 on which the player has pieces. */
static uint32_t occupied_by(const YutRules *rules, const uint8_t pieces[]) {
    uint32_t occupied = 0;
    for (int i = 0; i < rules->pieces; i++)
        occupied |= 1u << pieces[i];
    return occupied & ~(1u | 1u << YUT_ARRIVED);
}

/* The squares on which a result can bring a piece. */
static void find_hits(const YutRules *rules, const uint8_t pieces[], bool cow,
                      uint32_t hits[YUT_RESULTS]) {
    memset(hits, 0, YUT_RESULTS * sizeof hits[0]);
    for (int i = 0; i < rules->pieces; i++)
        for (int result = 0; result < YUT_RESULTS; result++)
            hits[result] |= 1u << stops[cow][pieces[i]][result];
}

/* Adds the inputs for the pieces of a seat that a result of another seat can hit. */
static void add_hits(InputList *list, int relation, int result, uint32_t squares,
                     const YutRules *rules, const uint8_t pieces[]) {
    const int times = strong[result] ? strong[result] : 1;
    const int first = FROM_THREATS + (strong[result] ? 0 : THREAT_INPUTS);
    for (int i = 0; i < rules->pieces; i++)
        for (int j = 0; j < times && (squares >> pieces[i] & 1); j++)
            add_input(list, first + relation * FEATURES_BOARD + pieces[i] - 1);
}

static void add_threats(InputList *list, const YutRules *rules, const YutState *state) {
    const int players = rules->players;
    uint32_t occupied[SEATS];
    for (int seat = 0; seat < players; seat++)
        occupied[seat] = occupied_by(rules, state->pieces[(state->turn + seat) % players]);
    for (int seat = 0; seat < players; seat++) {
        const int player = (state->turn + seat) % players;
        uint32_t hits[YUT_RESULTS];
        find_hits(rules, state->pieces[player], rules->animals[player] == YUT_COW, hits);
        for (int other = 0; other < players; other++) {
            const int hit = (state->turn + other) % players;
            const int relation = seat * (SEATS - 1) + (other < seat ? other : other - 1);
            if (occupied[other] == 0 || yut_same_side(rules, player, hit))
                continue;
            for (int result = 0; result < YUT_RESULTS; result++)
                if (hits[result] & occupied[other])
                    add_hits(list, relation, result, hits[result] & occupied[other], rules,
                             state->pieces[hit]);
        }
    }
}

/* Adds the squares of a seat's pieces; those the game does not have are home. */
static void add_pieces(InputList *list, const YutRules *rules, int seat, const uint8_t pieces[],
                       int animal) {
    const int first = FROM_ANIMALS + seat * ANIMAL_INPUTS;
    if (animal == YUT_PIG)
        add_input(list, first);
    for (int i = 0; i < YUT_PIECES_MAX; i++) {
        const int square = i < rules->pieces ? pieces[i] : YUT_ARRIVED;
        int before = 0;
        for (int j = 0; j < i; j++)
            before += (j < rules->pieces ? pieces[j] : YUT_ARRIVED) == square;
        add_input(list, seat * FEATURES_SQUARES + square * YUT_PIECES_MAX + before);
        if (animal > YUT_PIG && animal < YUT_NO_ANIMAL)
            add_input(list, first + 1 + (animal - 1) * YUT_SQUARES + square);
    }
}

int table_inputs_list(const YutRules *rules, const YutState *state, uint16_t inputs[FEATURES_MAX]) {
    InputList list = {.inputs = inputs};
    for (int seat = 0; seat < rules->players; seat++) {
        const int player = (state->turn + seat) % rules->players;
        add_pieces(&list, rules, seat, state->pieces[player], rules->animals[player]);
    }
    add_input(&list, FROM_SHAPES + (rules->teams ? FEATURES_SHAPES - 1 : rules->players - 2));
    add_threats(&list, rules, state);
    return list.count;
}
