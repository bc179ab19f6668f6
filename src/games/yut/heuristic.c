/* A static evaluation written by hand, which the networks are measured against.
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

/* Turns from a square that every result leads back from. */
#define TURNS_MAX 50

/* Computes the chance of every result, and of a nak. */
static void chances_of(const YutRules *yut, double chances[YUT_RESULTS + 1]) {
    uint64_t weights[YUT_RESULTS + 1];
    double whole = (double)yut_weights(yut, weights);
    for (int result = 0; result <= YUT_NAK; result++)
        chances[result] = (double)weights[result] / whole;
}

/* Whether a piece can use the result to come nearer to home. */
static bool leads_forward(const YutRules *yut, int player, int square, YutResult result) {
    return result != YUT_BACK_DO && yut_ways(yut, player, square, result) > 0 &&
           !(yut->traps >> yut_stop(yut, player, square, result, false) & 1);
}

/* The expected turns that a piece on `square` needs; `turns` caches results. A result that does not
 * lead forward is treated as standing still, so the recursion ends. */
static double turns_from(const YutRules *yut, int player, const double chances[YUT_RESULTS + 1],
                         int square, double turns[YUT_SQUARES]) {
    if (square == YUT_ARRIVED)
        return 0;
    if (turns[square] > 0)
        return turns[square];
    double sum = chances[YUT_NAK], still = chances[YUT_NAK];
    for (int i = 0; i < YUT_RESULTS; i++) {
        YutResult result = (YutResult)i;
        if (chances[result] == 0)
            continue;
        if (!yut_throws_again(yut, player, result))
            sum += chances[result];
        if (leads_forward(yut, player, square, result))
            sum +=
                chances[result] * turns_from(yut, player, chances,
                                             yut_stop(yut, player, square, result, false), turns);
        else
            still += chances[result];
    }
    turns[square] = still < 1 ? fmin(sum / (1 - still), TURNS_MAX) : TURNS_MAX;
    return turns[square];
}

/* The chance that some piece of another side hits the square with its next result. */
static double chance_of_hit(const YutRules *yut, const YutState *state, int player, int square,
                            const double chances[YUT_RESULTS + 1]) {
    double missed = 1;
    for (int other = 0; other < yut->players; other++) {
        if (yut_same_side(yut, player, other))
            continue;
        double hit = 0;
        for (int result = 0; result < YUT_RESULTS; result++) {
            bool hits = false;
            for (int i = 0; i < yut->pieces; i++) {
                int from = state->pieces[other][i];
                hits = hits || (yut_ways(yut, other, from, (YutResult)result) > 0 &&
                                yut_stop(yut, other, from, (YutResult)result, false) == square);
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
                           const double chances[YUT_RESULTS + 1]) {
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
    double chances[YUT_RESULTS + 1], sides[YUT_PLAYERS_MAX] = {0};
    double whole = 0;
    chances_of(&yut, chances);
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
