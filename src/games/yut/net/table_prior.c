#include "games/yut/net/table_prior.h"

#include "games/yut/net/table_inputs.h"

/* As in heuristic.c, where they were fitted. */
#define SCALE 4.25
#define CAUGHT_WEIGHT 1.1
#define MOVE_TURNS 1.25

enum { KINDS = 3, USUAL = 0, DOG = 1, COW = 2 };

/* How many turns a piece needs from each square if it is never caught, in thousandths: the solution
 * of turns = (1 + sum of chance * turns after) over the usual throws, where yut and mo, and a dog's
 * geol, cost no turn, and a back-do stands still. */
/* clang-format off */
static const uint16_t turns_from[KINDS][YUT_SQUARES] = {
    {7121, 6849, 6366, 5966, 6013, 4194, 5603, 5134, 4737, 4722, 3086, 4255, 3869, 3478, 3086, 2712,
     2294, 1936, 1531, 1120, 3796, 3869, 1936, 3478, 3086, 2712, 2294, 1531, 1120, 933},
    {5086, 4892, 4547, 4261, 4295, 2996, 4002, 3667, 3383, 3373, 2204, 3039, 2763, 2484, 2204, 1937,
     1638, 1383, 1093, 800, 2711, 2763, 1383, 2484, 2204, 1937, 1638, 1093, 800, 667},
    {6978, 6590, 6201, 5812, 5423, 5034, [15] = 2712, 2294, 1936, 1531, 1120, 4646, 4255, 3869,
     3478, 3086, [29] = 933}};
static const uint8_t sixteenths[YUT_RESULTS] = {1, 3, 6, 4, 1, 1};
/* clang-format on */

typedef struct Seats {
    const YutRules *rules;
    int players, sides;
    const uint8_t *pieces[YUT_PLAYERS_MAX];
    uint8_t animals[YUT_PLAYERS_MAX];
    uint32_t occupied[YUT_PLAYERS_MAX];
    uint32_t hits[YUT_PLAYERS_MAX][TABLE_HITS];
} Seats;

static void look_at(const YutRules *rules, const YutState *state, Seats *seats) {
    seats->rules = rules;
    seats->players = rules->players;
    seats->sides = rules->teams ? 2 : rules->players;
    for (int seat = 0, player = state->turn; seat < seats->players; seat++) {
        seats->pieces[seat] = state->pieces[player];
        seats->animals[seat] = rules->animals[player];
        seats->occupied[seat] = table_occupied(rules, state->pieces[player]);
        table_hits(rules, state->pieces[player], rules->animals[player] == YUT_COW,
                   seats->hits[seat]);
        player = player + 1 < seats->players ? player + 1 : 0;
    }
}

/* The chance that another side hits the square with its next result. */
static double chance_of_hit(const Seats *seats, int seat, int square) {
    double missed = 1;
    for (int other = 0; other < seats->players; other++) {
        uint32_t hit = 0;
        if (other % seats->sides == seat % seats->sides)
            continue;
        for (int result = 0; result < YUT_RESULTS; result++)
            hit += (seats->hits[other][result] >> square & 1) * sixteenths[result];
        missed *= 1 - hit / 16.0;
    }
    return 1 - missed;
}

static double turns_needed(const Seats *seats, int seat) {
    const uint8_t animal = seats->animals[seat], *pieces = seats->pieces[seat];
    const uint16_t *turns = turns_from[animal == YUT_DOG ? DOG : animal == YUT_COW ? COW : USUAL];
    double needed = 0;
    for (int i = 0; i < seats->rules->pieces; i++)
        needed += pieces[i] == 0 ? turns[0] / 1000.0 : 0;
    for (uint32_t left = seats->occupied[seat]; left; left &= left - 1) {
        const int square = __builtin_ctz(left);
        int count = 0;
        for (int i = 0; i < seats->rules->pieces; i++)
            count += pieces[i] == square;
        const double alone = turns[square] / 1000.0;
        needed += alone + CAUGHT_WEIGHT * (count * turns[0] / 1000.0 - alone) *
                              chance_of_hit(seats, seat, square);
    }
    return needed;
}

void table_prior(const YutRules *rules, const YutState *state, float scores[YUT_PLAYERS_MAX]) {
    Seats seats;
    double needed[YUT_PLAYERS_MAX] = {-MOVE_TURNS};
    look_at(rules, state, &seats);
    for (int seat = 0; seat < seats.players; seat++)
        needed[seat % seats.sides] += turns_needed(&seats, seat);
    for (int side = 0; side < YUT_PLAYERS_MAX; side++)
        scores[side] = side < seats.sides ? (float)(-needed[side] / SCALE) : 0;
}
