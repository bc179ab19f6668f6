/* The value of the start of Shut the Box: the smallest program that uses the library. */
#include <malpan.h>
#include <stdio.h>

int main(void) {
    MalpanError error;
    MalpanSolver *solver = NULL;
    MalpanPosition start;
    MalpanValue value;
    MalpanGame *game = malpan_open("box", "", NULL, &error);
    int failed =
        !game ||
        malpan_solver_open(game, MALPAN_POLICY_EXACT, NULL, &solver, &error) != MALPAN_OK ||
        malpan_start(game, &start, &error) != MALPAN_OK ||
        malpan_value(solver, &start, &value, &error) != MALPAN_OK;
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("%.6f\n", value.values[value.player]);
    malpan_solver_close(&solver);
    malpan_close(&game);
    return failed;
}
