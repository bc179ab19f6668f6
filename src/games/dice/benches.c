/* The promised speeds, each with the plainest implementation as a baseline. */
#include <stdlib.h>

#include "games/dice/best_play.h"

enum { SINGLES = 1000, PLAIN_SINGLES = 20 };

static void draw_throws(Random *random, uint8_t throws[DICE_THROWS_MAX]) {
    for (int i = 0; i < DICE_THROWS; i++)
        throws[i] = (uint8_t)(1 + random_below(random, DICE_SIDES));
}

/* Baseline: depth-first search over every piece in every turn, 4^10 sequences. */
static int plain_best(const uint8_t throws[], int left, uint8_t pieces[DICE_PIECES]) {
    int best = 0;
    for (int i = 0; i < DICE_PIECES && left > 0; i++) {
        uint8_t from = pieces[i];
        if (from == DICE_FINISH)
            continue;
        uint8_t to = dice_destination(from, throws[0]);
        bool taken = false;
        for (int j = 0; j < DICE_PIECES; j++)
            taken = taken || (to != DICE_FINISH && pieces[j] == to);
        if (taken)
            continue;
        pieces[i] = to;
        int points = dice_squares[to].points + plain_best(throws + 1, left - 1, pieces);
        pieces[i] = from;
        best = points > best ? points : best;
    }
    return best;
}

/* The mean best score of some random inputs. */
static double single(int count, bool plain) {
    Random random = random_from_seed(1, 0);
    double sum = 0;
    DiceState dice = {.left = DICE_THROWS};
    Rules rules = dice_rules_default();
    SolveLimits limits = {.memory_bytes = SIZE_MAX, .threads = 1};
    for (int i = 0; i < count; i++) {
        draw_throws(&random, dice.throws);
        if (plain) {
            uint8_t pieces[DICE_PIECES] = {0};
            sum += plain_best(dice.throws, DICE_THROWS, pieces);
            continue;
        }
        Solver *solver;
        State state = dice_state_pack(&dice);
        double value = 0;
        Status status = dice_solver_new(&rules, &limits, &solver);
        if (!status_is_ok(&status))
            return -1;
        solver->values(solver, &state, &value);
        solver->free(solver);
        sum += value;
    }
    return sum;
}

static double single_fast(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return single(PLAIN_SINGLES, false);
}

static double single_plain(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return single(PLAIN_SINGLES, true);
}

static double many_fast(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    return single(SINGLES, false);
}

static double all_fast(const GameServices *services, const SolveLimits *limits) {
    (void)services, (void)limits;
    Rules rules = dice_rules_default();
    int16_t *points;
    double sum = 0;
    Status status = dice_inputs.scores(&rules, &points);
    for (uint64_t i = 0; status_is_ok(&status) && i < dice_inputs.count(&rules); i++)
        sum += points[i];
    free(points);
    return sum;
}

const GameBench dice_benches[DICE_BENCH_COUNT] = {
    {.what = "20 inputs, each with a solver of its own (50 microseconds each)",
     .limit = "800 placements per input on average, a 32 kB hash table",
     .goal_seconds = PLAIN_SINGLES * 50e-6,
     .run = single_fast,
     .baseline = single_plain},
    {.what = "1,000 inputs, the same",
     .limit = "the same",
     .goal_seconds = SINGLES * 50e-6,
     .run = many_fast},
    {.what = "all 9,765,625 inputs, one core",
     .limit = "43 million sums of two bytes, written once and read four times at most, in rows",
     .goal_seconds = 2,
     .goal_mb = 200,
     .run = all_fast},
};
