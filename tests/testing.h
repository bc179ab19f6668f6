/* What every test file includes. */
#ifndef MALPAN_TESTS_TESTING_H
#define MALPAN_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/status.h"
#include "game/resolve.h"

/* How often to try what is tried many times: a tenth with QUICK set, as under the sanitizers. */
static inline int test_times(int times) {
    return getenv("QUICK") ? times / 10 : times;
}

/* Skips a test that starts no threads but those of other tests, if only threads matter:
 * THREADS_ONLY is set under the thread sanitizer. */
static inline void skip_if_threads_only(void) {
    if (getenv("THREADS_ONLY"))
        skip();
}

/* Fails with the message of the status. */
#define assert_ok(expression)                                                                      \
    do {                                                                                           \
        Status assert_ok_status = (expression);                                                    \
        if (!status_is_ok(&assert_ok_status))                                                      \
            fail_msg("%s: %s", #expression, assert_ok_status.message);                             \
    } while (0)

/* The expression fails with this code, and its message holds these words. */
#define assert_fails(expression, expected_code, words)                                             \
    do {                                                                                           \
        Status assert_fails_status = (expression);                                                 \
        assert_int_equal(assert_fails_status.code, expected_code);                                 \
        if (!strstr(assert_fails_status.message, words))                                           \
            fail_msg("expected '%s' in '%s'", words, assert_fails_status.message);                 \
    } while (0)

#endif
