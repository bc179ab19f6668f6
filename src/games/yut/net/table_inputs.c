/* The inputs of the network for tables of players: squares, animals, catches and threats. */
#include "games/yut/net/table_inputs.h"

enum {
    SEATS = YUT_PLAYERS_MAX,
    /* Of a seat: a pig, or the squares of a dog, a sheep or a cow. */
    ANIMAL_INPUTS = 1 + (YUT_NO_ANIMAL - 1) * YUT_SQUARES,
    RELATIONS = SEATS * (SEATS - 1), /* ordered pairs of seats */
    FROM_ANIMALS = SEATS * FEATURES_SQUARES,
    FROM_SHAPES = FROM_ANIMALS + SEATS * ANIMAL_INPUTS,
    FROM_CATCHES = FROM_SHAPES + FEATURES_SHAPES,
    FROM_THREATS = FROM_CATCHES + RELATIONS * YUT_RESULTS,
    THREAT_INPUTS = RELATIONS * FEATURES_BOARD, /* of a kind */
};

static_assert(FROM_THREATS + 2 * THREAT_INPUTS == FEATURES_TABLE, "every input has its number");

/* Where the results lead, whatever the house rules: bit q of [cow][square][result] is square q. 0
 * stands for nowhere. Rows have the length of a vector. */
#define TO(back_do, one, two, three, four, five)                                                   \
    { 1u << (back_do), 1u << (one), 1u << (two), 1u << (three), 1u << (four), 1u << (five) }
/* clang-format off */
static const uint32_t stops[2][YUT_SQUARES][TABLE_HITS] = {
    {[0] = TO(0, 1, 2, 3, 4, 5), [1] = TO(29, 2, 3, 4, 5, 6), [2] = TO(1, 3, 4, 5, 6, 7),
     [3] = TO(2, 4, 5, 6, 7, 8), [4] = TO(3, 5, 6, 7, 8, 9), [5] = TO(4, 20, 21, 22, 23, 24),
     [6] = TO(5, 7, 8, 9, 10, 11), [7] = TO(6, 8, 9, 10, 11, 12),
     [8] = TO(7, 9, 10, 11, 12, 13), [9] = TO(8, 10, 11, 12, 13, 14),
     [10] = TO(9, 25, 26, 22, 27, 28), [11] = TO(10, 12, 13, 14, 15, 16),
     [12] = TO(11, 13, 14, 15, 16, 17), [13] = TO(12, 14, 15, 16, 17, 18),
     [14] = TO(13, 15, 16, 17, 18, 19), [15] = TO(14, 16, 17, 18, 19, 29),
     [16] = TO(15, 17, 18, 19, 29, 30), [17] = TO(16, 18, 19, 29, 30, 30),
     [18] = TO(17, 19, 29, 30, 30, 30), [19] = TO(18, 29, 30, 30, 30, 30),
     [20] = TO(5, 21, 22, 23, 24, 15), [21] = TO(20, 22, 23, 24, 15, 16),
     [22] = TO(21, 27, 28, 29, 30, 30), [23] = TO(22, 24, 15, 16, 17, 18),
     [24] = TO(23, 15, 16, 17, 18, 19), [25] = TO(10, 26, 22, 27, 28, 29),
     [26] = TO(25, 22, 27, 28, 29, 30), [27] = TO(22, 28, 29, 30, 30, 30),
     [28] = TO(27, 29, 30, 30, 30, 30), [29] = TO(19, 30, 30, 30, 30, 30)},
    {[0] = TO(0, 1, 2, 3, 4, 5), [1] = TO(29, 2, 3, 4, 5, 20), [2] = TO(1, 3, 4, 5, 20, 21),
     [3] = TO(2, 4, 5, 20, 21, 22), [4] = TO(3, 5, 20, 21, 22, 23),
     [5] = TO(4, 20, 21, 22, 23, 24), [15] = TO(24, 16, 17, 18, 19, 29),
     [16] = TO(15, 17, 18, 19, 29, 30), [17] = TO(16, 18, 19, 29, 30, 30),
     [18] = TO(17, 19, 29, 30, 30, 30), [19] = TO(18, 29, 30, 30, 30, 30),
     [20] = TO(5, 21, 22, 23, 24, 15), [21] = TO(20, 22, 23, 24, 15, 16),
     [22] = TO(21, 23, 24, 15, 16, 17), [23] = TO(22, 24, 15, 16, 17, 18),
     [24] = TO(23, 15, 16, 17, 18, 19), [29] = TO(19, 30, 30, 30, 30, 30)}};

/* How often a result counts, in units of 3/16 of a chance; those of 1/16 are counted by
 * themselves. */
static const uint8_t strong[YUT_RESULTS] = {[YUT_DO] = 1, [YUT_GAE] = 2, [YUT_GEOL] = 1};
/* clang-format on */

int table_stop(int square, YutResult result, bool cow) {
    const uint32_t stop = stops[cow][square][result];
    return stop ? __builtin_ctz(stop) : 0;
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

uint32_t table_occupied(const YutRules *rules, const uint8_t pieces[]) {
    uint32_t occupied = 0;
    for (int i = 0; i < rules->pieces; i++)
        occupied |= 1u << pieces[i];
    return occupied & ~(1u | 1u << YUT_ARRIVED);
}

void table_hits(const YutRules *rules, const uint8_t pieces[], bool cow,
                uint32_t hits[TABLE_HITS]) {
    memset(hits, 0, TABLE_HITS * sizeof hits[0]);
    for (int i = 0; i < rules->pieces; i++)
        for (int result = 0; result < TABLE_HITS; result++)
            hits[result] |= stops[cow][pieces[i]][result];
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
    const int players = rules->players, sides = rules->teams ? 2 : players;
    const uint8_t *pieces[SEATS];
    uint32_t occupied[SEATS];
    bool is_cow[SEATS];
    for (int seat = 0, player = state->turn; seat < players; seat++) {
        pieces[seat] = state->pieces[player];
        occupied[seat] = table_occupied(rules, pieces[seat]);
        is_cow[seat] = rules->animals[player] == YUT_COW;
        player = player + 1 < players ? player + 1 : 0;
    }
    for (int seat = 0; seat < players; seat++) {
        uint32_t hits[TABLE_HITS];
        table_hits(rules, pieces[seat], is_cow[seat], hits);
        for (int hit = 0; hit < players; hit++) {
            const int relation = seat * (SEATS - 1) + (hit < seat ? hit : hit - 1);
            const bool is_same_side = hit == seat || hit == seat + sides || seat == hit + sides;
            for (int result = 0; result < YUT_RESULTS && !is_same_side; result++)
                if (hits[result] & occupied[hit]) {
                    add_input(list, FROM_CATCHES + relation * YUT_RESULTS + result);
                    add_hits(list, relation, result, hits[result] & occupied[hit], rules,
                             pieces[hit]);
                }
        }
    }
}

/* Adds the squares of a seat's pieces; those the game does not have are home. */
static void add_pieces(InputList *list, const YutRules *rules, int seat, const uint8_t pieces[]) {
    for (int i = 0; i < YUT_PIECES_MAX; i++) {
        const int square = i < rules->pieces ? pieces[i] : YUT_ARRIVED;
        int before = 0;
        for (int j = 0; j < i; j++)
            before += (j < rules->pieces ? pieces[j] : YUT_ARRIVED) == square;
        add_input(list, seat * FEATURES_SQUARES + square * YUT_PIECES_MAX + before);
    }
}

/* Adds a seat's animal: for all but a pig, on the squares of its pieces. */
static void add_animal(InputList *list, const YutRules *rules, int seat, const uint8_t pieces[],
                       int animal) {
    const int first = FROM_ANIMALS + seat * ANIMAL_INPUTS;
    if (animal == YUT_PIG)
        add_input(list, first);
    for (int i = 0; i < YUT_PIECES_MAX && animal > YUT_PIG && animal < YUT_NO_ANIMAL; i++) {
        const int square = i < rules->pieces ? pieces[i] : YUT_ARRIVED;
        add_input(list, first + 1 + (animal - 1) * YUT_SQUARES + square);
    }
}

int table_inputs_list(const YutRules *rules, const YutState *state, uint16_t inputs[FEATURES_MAX]) {
    InputList list = {.inputs = inputs};
    for (int seat = 0; seat < rules->players; seat++)
        add_pieces(&list, rules, seat, state->pieces[(state->turn + seat) % rules->players]);
    for (int seat = 0; seat < rules->players; seat++) {
        const int player = (state->turn + seat) % rules->players;
        add_animal(&list, rules, seat, state->pieces[player], rules->animals[player]);
    }
    add_input(&list, FROM_SHAPES + (rules->teams ? FEATURES_SHAPES - 1 : rules->players - 2));
    add_threats(&list, rules, state);
    return list.count;
}
