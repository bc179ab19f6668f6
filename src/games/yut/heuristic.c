/* A static evaluation for what no network has learned: three and four players, teams, animals.
 *
 * A side is rated by the expected number of turns it still needs. A single piece that is never
 * caught needs turns(square), computed by a recursion over its throws; stacked pieces count once.
 * To this is added the expected loss: for each stack that other players can hit with their next
 * throw, the chance of that times the turns it would cost. The side to move gets MOVE_TURNS off. A
 * side that needs t turns wins with a chance proportional to exp(-t / SCALE).
 */
#include <assert.h>
#include <math.h>

#include "games/yut/yut.h"

/* Fitted on a coarse grid of 1456 triples to the solved game with two pieces each: root mean square
 * error 0.093 on the 1000 random positions used. the_heuristic_is_not_far_off in
 * tests/test_yut_solver.c measures the error on other positions. */
#define SCALE 4.25
#define CAUGHT_WEIGHT 1.1
#define MOVE_TURNS 1.25

/* Computes the chance of every result. */
static void chances_of(const Rules *rules, double chances[YUT_RESULTS]) {
    Chance list[GAME_CHANCES_MAX];
    State start = yut_start(rules);
    uint64_t whole;
    size_t count = yut_chances(rules, &start, list, &whole);
    memset(chances, 0, YUT_RESULTS * sizeof chances[0]);
    for (size_t i = 0; i < count; i++)
        chances[list[i].move] = (double)list[i].weight / (double)whole;
}

/* The expected turns that a piece on `square` needs; `turns` caches results. A back-do is treated
 * as standing still, so every throw leads forward and the recursion ends. */
static double turns_from(const YutRules *yut, int player, const double chances[YUT_RESULTS],
                         int square, double turns[YUT_SQUARES]) {
    if (square == YUT_ARRIVED)
        return 0;
    if (turns[square] > 0)
        return turns[square];
    double sum = 0;
    bool cow = yut->animals[player] == YUT_COW;
    for (int result = 0; result < YUT_RESULTS; result++) {
        if (chances[result] == 0)
            continue;
        if (!yut_throws_again(yut, player, (YutResult)result))
            sum += chances[result];
        if (result != YUT_BACK_DO)
            sum += chances[result] *
                   turns_from(yut, player, chances,
                              yut_destination(square, (YutResult)result, cow, false), turns);
    }
    turns[square] = sum / (1 - chances[YUT_BACK_DO]);
    return turns[square];
}

/* The chance that some piece of another side hits the square with its next result. */
static double chance_of_hit(const YutRules *yut, const YutState *state, int player, int square,
                            const double chances[YUT_RESULTS]) {
    double missed = 1;
    for (int other = 0; other < yut->players; other++) {
        if (yut_same_side(yut, player, other))
            continue;
        bool cow = yut->animals[other] == YUT_COW;
        double hit = 0;
        for (int result = 0; result < YUT_RESULTS; result++) {
            bool hits = false;
            for (int i = 0; i < yut->pieces; i++) {
                int from = state->pieces[other][i];
                hits = hits || (from != YUT_ARRIVED &&
                                yut_destination(from, (YutResult)result, cow, false) == square);
            }
            if (hits)
                hit += chances[result];
        }
        missed *= 1 - hit;
    }
    return 1 - missed;
}

/* The expected turns that the player's own pieces need, including the expected loss by catches. */
static double turns_needed(const YutRules *yut, const YutState *state, int player,
                           const double chances[YUT_RESULTS]) {
    double turns[YUT_SQUARES] = {0};
    double needed = 0;
    double from_start = turns_from(yut, player, chances, 0, turns);
    for (int i = 0; i < yut->pieces; i++) {
        int square = state->pieces[player][i];
        bool counted = i > 0 && state->pieces[player][i - 1] == square;
        if (square == 0) {
            needed += from_start;
        } else if (square != YUT_ARRIVED && !counted) {
            double left = turns_from(yut, player, chances, square, turns);
            double lost = yut_count_on(yut, state, player, square) * from_start - left;
            needed +=
                left + CAUGHT_WEIGHT * lost * chance_of_hit(yut, state, player, square, chances);
        }
    }
    return needed;
}

void yut_heuristic(const Rules *rules, const State *state, double values[]) {
    YutRules yut = yut_rules(rules);
    YutState s = yut_state(state);
    if (yut_winner(&yut, &s) >= 0) {
        yut_payoff(rules, state, values);
        return;
    }
    double chances[YUT_RESULTS], sides[YUT_PLAYERS_MAX] = {0};
    double whole = 0;
    chances_of(rules, chances);
    int side_count = yut.teams ? 2 : yut.players;
    assert(side_count > 1);
    for (int player = 0; player < yut.players; player++)
        sides[player % side_count] += turns_needed(&yut, &s, player, chances);
    sides[s.turn % side_count] -= MOVE_TURNS;
    for (int side = 0; side < side_count; side++) {
        sides[side] = exp(-sides[side] / SCALE);
        whole += sides[side];
    }
    for (int player = 0; player < yut.players; player++)
        values[player] = sides[player % side_count] / whole;
}
