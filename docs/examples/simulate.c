/* A Monte Carlo simulation: how often the first player wins when both play at random, and how far
 * that is from the exact value of perfect play.
 *
 *     simulate [GAME [GAMES [SEED [OPTIONS]]]]      simulate yut 100000 1 "--pieces 2"
 *
 * Game i uses stream i of the seed, so the result can be repeated.
 */
#include <malpan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS_MAX = 100000 };

/* The first player's payoff in one random game; NAN if it is too long. */
static double play(const MalpanGame *game, MalpanRandom *random) {
    static MalpanMove moves[MALPAN_MOVES_MAX];
    MalpanPosition position;
    double payoffs[MALPAN_PLAYERS_MAX];
    malpan_start(game, &position, NULL);
    for (int i = 0; i < STEPS_MAX; i++) {
        MalpanMove move;
        int actor = malpan_actor(game, &position);
        if (actor == MALPAN_END)
            return malpan_payoffs(game, &position, payoffs, NULL) == MALPAN_OK ? payoffs[0] : NAN;
        if (actor == MALPAN_CHANCE)
            malpan_draw_chance(game, &position, random, &move, NULL);
        else
            move = moves[malpan_random_below(
                random, malpan_moves(game, &position, moves, MALPAN_MOVES_MAX))];
        malpan_apply_listed(game, &position, move);
    }
    return NAN;
}

/* Prints the exact value of the start, or why there is none. */
static void print_exact(const MalpanGame *game) {
    MalpanError error;
    MalpanSolver *solver;
    MalpanPosition start;
    MalpanValue value;
    malpan_start(game, &start, NULL);
    if (malpan_solver_open(game, MALPAN_POLICY_PROOF, NULL, &solver, &error) == MALPAN_OK &&
        malpan_value(solver, &start, &value, &error) == MALPAN_OK)
        printf("perfect play: %.6f\n", value.values[0]);
    else
        printf("perfect play: %s\n", error.message);
    malpan_solver_close(&solver);
}

int main(int argc, char **argv) {
    MalpanError error;
    unsigned long games = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000;
    unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    MalpanGame *game =
        malpan_open(argc > 1 ? argv[1] : "box", argc > 4 ? argv[4] : NULL, NULL, &error);
    if (!game) {
        fprintf(stderr, "simulate: %s\n", error.message);
        return error.code;
    }
    double sum = 0, squares = 0, finished = 0;
    for (unsigned long i = 0; i < games; i++) {
        MalpanRandom random;
        malpan_random_seed(&random, seed, i);
        double payoff = play(game, &random);
        if (isnan(payoff))
            continue;
        finished++;
        sum += payoff;
        squares += payoff * payoff;
    }
    double mean = sum / finished, variance = squares / finished - mean * mean;
    printf("random play:  %.6f +- %.6f (95 %%, %.0f games)\n", mean,
           1.96 * sqrt(variance / finished), finished);
    print_exact(game);
    malpan_close(&game);
    return 0;
}
