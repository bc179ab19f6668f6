/* How much a client of the server may ask for: each by its own name, also if names collide. */
#include <string.h>

#include "testing.h"
#include "ui/web/limiter.h"

enum { PLACES = 8, NAMES = 16 }; /* PLACES clients of the same hash have room */

/* So slow that no credit comes back while a test runs. */
static const double RATE = 0x1p-20, BURST = 10 * 0x1p-20;

typedef struct Names {
    char names[NAMES][9];
} Names;

/* Names with the same hash: "Aa" and "BB" are 31 * 'A' + 'a' both. */
static Names make_names(void) {
    Names all = {.names = {""}};
    for (int i = 0; i < NAMES; i++)
        for (size_t bit = 0; bit < 4; bit++)
            memcpy(all.names[i] + 2 * bit, i >> bit & 1 ? "BB" : "Aa", 2);
    return all;
}

static Limiter open_limiter(double rate) {
    Limiter limiter;
    assert_true(limiter_open(&limiter, rate));
    return limiter;
}

static void each_client_has_its_own_credit(void **state) {
    (void)state;
    Names all = make_names();
    Limiter limiter = open_limiter(RATE);
    for (int i = 0; i < PLACES; i++) {
        assert_true(limiter_take(&limiter, all.names[i], 0.75 * BURST));
        assert_false(limiter_take(&limiter, all.names[i], 0.5 * BURST));
        assert_true(limiter_take(&limiter, all.names[i], 0.125 * BURST)); /* a refusal is free */
    }
    for (int i = 0; i < PLACES; i++)
        assert_false(limiter_take(&limiter, all.names[i], 0.25 * BURST));
    limiter_close(&limiter);
}

static void a_stranger_replaces_whoever_was_idle_longest(void **state) {
    (void)state;
    Names all = make_names();
    Limiter limiter = open_limiter(RATE);
    for (int i = 0; i < PLACES; i++)
        assert_true(limiter_take(&limiter, all.names[i], BURST));
    assert_false(limiter_take(&limiter, all.names[0], BURST)); /* it is no longer the oldest */
    assert_true(limiter_take(&limiter, all.names[PLACES], BURST));
    assert_false(limiter_take(&limiter, all.names[PLACES], BURST));
    assert_false(limiter_take(&limiter, all.names[0], BURST));
    for (int i = 2; i < PLACES; i++)
        assert_false(limiter_take(&limiter, all.names[i], BURST));
    assert_true(limiter_take(&limiter, all.names[1], BURST)); /* it was forgotten */
    limiter_close(&limiter);
}

static void credit_comes_back(void **state) {
    (void)state;
    Limiter limiter = open_limiter(1000);
    assert_true(limiter_take(&limiter, "client", 10000));
    while (!limiter_take(&limiter, "client", 2))
        ;                                                  /* for two milliseconds */
    assert_false(limiter_take(&limiter, "client", 10001)); /* never more than that at once */
    limiter_close(&limiter);
}

static void without_a_rate_nothing_is_refused(void **state) {
    (void)state;
    Limiter limiter = open_limiter(0);
    for (int i = 0; i < 1000; i++)
        assert_true(limiter_take(&limiter, "client", 1e9));
    limiter_close(&limiter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_client_has_its_own_credit),
        cmocka_unit_test(a_stranger_replaces_whoever_was_idle_longest),
        cmocka_unit_test(credit_comes_back),
        cmocka_unit_test(without_a_rate_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
