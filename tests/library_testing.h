/* What the tests of the public library share. They use the library through its header alone. */
#ifndef MALPAN_TESTS_LIBRARY_TESTING_H
#define MALPAN_TESTS_LIBRARY_TESTING_H

#include "malpan.h"
#include "testing.h"

/* Fails with the message of the error; the expression uses `&error`. */
#define assert_done(expression)                                                                    \
    do {                                                                                           \
        MalpanError error = {0};                                                                   \
        if ((expression) != MALPAN_OK)                                                             \
            fail_msg("%s: %s", #expression, error.message);                                        \
        assert_int_equal(error.code, MALPAN_OK);                                                   \
        assert_string_equal(error.message, "");                                                    \
    } while (0)

/* The expression, which uses `&error`, fails with this code, and its message has these words. */
#define assert_refused(expression, expected_code, words)                                           \
    do {                                                                                           \
        MalpanError error = {0};                                                                   \
        assert_int_equal(expression, expected_code);                                               \
        assert_int_equal(error.code, expected_code);                                               \
        if (!strstr(error.message, words))                                                         \
            fail_msg("expected '%s' in '%s'", words, error.message);                               \
    } while (0)

static inline MalpanGame *open_game(const char *name, const char *options) {
    MalpanError error = {0};
    MalpanGame *game = malpan_open(name, options, NULL, &error);
    if (!game)
        fail_msg("%s: %s", name, error.message);
    return game;
}

static inline MalpanPosition parse(const MalpanGame *game, const char *text) {
    MalpanPosition position;
    assert_done(malpan_parse(game, text, &position, &error));
    return position;
}

static inline MalpanSolver *open_solver(const MalpanGame *game, int policy, const char *tables) {
    MalpanLimits limits = {.tables = tables, .seconds = 0.2};
    MalpanSolver *solver;
    assert_done(malpan_solver_open(game, policy, &limits, &solver, &error));
    return solver;
}

#endif
