/* The library's speed on one core: values in batches, steps without values.
 *
 *     build/bench/library [TABLES]
 *
 * Positions are those of random games, in random order. Tables are taken from the folder; what is
 * missing is skipped and named.
 */
#include <malpan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POSITIONS = 200000 };

typedef struct Goal {
    const char *game, *options;
    const char *what;
    double per_second; /* promised */
    int throws_only;   /* only positions where a turn begins with a throw */
    int needs_table;
} Goal;

static const Goal goals[] = {
    {"box", "", "Shut the Box", 1e6, 0, 0},
    {"yut", "--pieces 3", "Yut, three pieces, about to throw", 3e5, 1, 1},
    {"valley", "", "King's Valley", 1e6, 0, 1},
    {"valley", "--soldiers 3", "King's Valley, three soldiers a side", 1e6, 0, 1},
    {"valley", "--soldiers 2", "King's Valley, two soldiers a side", 1e6, 0, 1},
};

/* Processor time, so that other programs do not count. */
static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether the position counts: not over, and if asked, about to throw with nothing in hand. */
static int is_wanted(const MalpanGame *game, const MalpanPosition *position, int throws_only) {
    char text[MALPAN_TEXT_BYTES];
    int actor = malpan_actor(game, position);
    if (actor == MALPAN_END || !throws_only)
        return actor != MALPAN_END;
    size_t length = malpan_print(game, position, text, sizeof text);
    return actor == MALPAN_CHANCE && length > 2 && strcmp(text + length - 2, " -") == 0;
}

/* Fills the array with positions of random games. Returns the steps per second on the way. */
static double collect(const MalpanGame *game, int throws_only, MalpanPosition positions[]) {
    static MalpanMove moves[MALPAN_MOVES_MAX];
    MalpanRandom random;
    MalpanPosition position;
    double steps = 0, begin = seconds_now();
    malpan_random_seed(&random, 1, 0);
    malpan_start(game, &position, NULL);
    for (size_t count = 0; count < POSITIONS; steps++) {
        MalpanMove move;
        if (malpan_actor(game, &position) == MALPAN_END) {
            malpan_start(game, &position, NULL);
        } else {
            if (malpan_draw_chance(game, &position, &random, &move, NULL) != MALPAN_OK)
                move = moves[malpan_random_below(
                    &random, malpan_moves(game, &position, moves, MALPAN_MOVES_MAX))];
            malpan_apply_listed(game, &position, move);
        }
        if (is_wanted(game, &position, throws_only))
            positions[count++] = position;
    }
    double rate = steps / (seconds_now() - begin);
    for (size_t i = POSITIONS - 1; i > 0; i--) {
        size_t other = (size_t)malpan_random_below(&random, i + 1);
        MalpanPosition kept = positions[i];
        positions[i] = positions[other];
        positions[other] = kept;
    }
    return rate;
}

static void measure(const Goal *goal, const char *tables, MalpanPosition positions[],
                    double values[]) {
    MalpanError error;
    MalpanSolver *solver = NULL;
    MalpanLimits limits = {.tables = goal->needs_table ? tables : NULL};
    MalpanGame *game = malpan_open(goal->game, goal->options, NULL, &error);
    char path[4096];
    FILE *table = NULL;
    if (game && goal->needs_table &&
        (!tables || malpan_table_path(game, tables, path, sizeof path) >= sizeof path ||
         !(table = fopen(path, "rb")))) {
        printf("%-36s no table: malpan solve %s %s\n", goal->what, goal->game, goal->options);
        malpan_close(&game);
        return;
    }
    if (table)
        fclose(table);
    double steps = game ? collect(game, goal->throws_only, positions) : 0;
    double begin = 0, first = 0, end = 0;
    int code = game ? malpan_solver_open(game, MALPAN_POLICY_EXACT, &limits, &solver, &error) : 1;
    for (int pass = 0; code == MALPAN_OK && pass < 2; pass++) {
        begin = seconds_now();
        code = malpan_values(solver, positions, POSITIONS, values, NULL, &error);
        end = seconds_now();
        if (pass == 0)
            first = end - begin;
    }
    if (code == MALPAN_OK)
        printf("%-36s %10.0f values/s (%.2f times the goal), cold %.0f; %.0f steps/s\n", goal->what,
               POSITIONS / (end - begin), POSITIONS / (end - begin) / goal->per_second,
               POSITIONS / first, steps);
    else
        printf("%-36s failed: %s\n", goal->what, error.message);
    malpan_solver_close(&solver);
    malpan_close(&game);
}

int main(int argc, char **argv) {
    MalpanPosition *positions = malloc(POSITIONS * sizeof *positions);
    double *values = malloc(POSITIONS * sizeof *values);
    for (size_t i = 0; positions && values && i < sizeof goals / sizeof goals[0]; i++)
        measure(&goals[i], argc > 1 ? argv[1] : NULL, positions, values);
    free(positions);
    free(values);
    return 0;
}
