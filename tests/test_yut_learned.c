/* The rules that Yut's networks have learned: how files state them, which network estimates which
 * rules, and whether that pays. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "game/variant.h"
#include "games/yut/net/measure.h"
#include "testing.h"
#include "values/services.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

static YutRules rules_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&yut_game, options, &variant));
    return yut_rules(&variant.rules);
}

static const char *const every_option[] = {
    "",
    "--odds 1,2,3,4,5,6",
    "--bias 0.6",
    "--bias 0.55",
    "--catch-bonus weak",
    "--catch-bonus never",
    "--nak 0.05",
    "--nak 0.05 --nak-loses turn",
    "--traps 18",
    "--traps 1,29",
    "--centre may",
    "--short-cut may",
    "--finish reach",
    "--finish short",
    "--empty-back-do home",
    "--empty-back-do enter",
    "--centre-stack on",
    "--marked 0",
    "--marked 2",
    "--back-from-1 off",
};
enum { OPTIONS = sizeof every_option / sizeof every_option[0] };

/* Every option is stated, and no two look the same. */
static void files_state_every_rule(void **state) {
    (void)state;
    static const LearnedRules none = {{0}};
    LearnedRules packed[OPTIONS];
    for (int i = 0; i < OPTIONS; i++) {
        const YutRules rules = rules_of(every_option[i]);
        YutRules read;
        packed[i] = learned_rules_pack(&rules);
        assert_int_equal(memcmp(&packed[i], &none, sizeof none) == 0, i == 0);
        assert_true(learned_rules_unpack(&packed[i], &read));
        assert_true(learned_rules_distance(&rules, &read) < 1e-12);
        for (int j = 0; j < i; j++) {
            const YutRules other = rules_of(every_option[j]);
            assert_memory_not_equal(&packed[i], &packed[j], sizeof packed[i]);
            assert_true(learned_rules_distance(&rules, &other) > 0.004);
            assert_true(learned_rules_distance(&rules, &other) ==
                        learned_rules_distance(&other, &rules));
        }
    }
}

/* What does not change play does not change the bytes. */
static void equal_play_is_stated_alike(void **state) {
    (void)state;
    static const LearnedRules none = {{0}};
    static const char *const usual[] = {"--odds 2,6,12,8,2,2", "--pieces 2", "--players 3",
                                        "--animals sd"};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        const YutRules rules = rules_of(usual[i]);
        const LearnedRules packed = learned_rules_pack(&rules);
        assert_memory_equal(&packed, &none, sizeof none);
    }
    /* Weights that do not fit are rounded: all chances stay within 1e-4. */
    const YutRules large = rules_of("--odds 1000003,3000000,6000000,4000000,1000000,1000000");
    const LearnedRules packed = learned_rules_pack(&large);
    YutRules read;
    assert_true(learned_rules_unpack(&packed, &read));
    assert_true(learned_rules_distance(&large, &read) < 1e-4);
}

static void bytes_of_no_rules_are_refused(void **state) {
    (void)state;
    const YutRules korean = rules_of("--preset korean");
    const LearnedRules good = learned_rules_pack(&korean);
    static const struct {
        int at;
        unsigned char value;
    } changes[] = {{13, 255}, {18, 3}, {19, 3}, {20, 3}, {21, 3}, {22, 32}, {23, 0}, {23, 2}};
    YutRules read;
    assert_true(learned_rules_unpack(&good, &read));
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        LearnedRules bad = good;
        bad.bytes[changes[i].at] = changes[i].value;
        assert_false(learned_rules_unpack(&bad, &read));
    }
    LearnedRules no_odds = good;
    memset(no_odds.bytes, 0, YUT_RESULTS * sizeof(uint16_t));
    assert_false(learned_rules_unpack(&no_odds, &read));
}

/* --- files that share the first layer --- */

static const unsigned char *bytes_of(const Network *network) {
    return (const unsigned char *)network->learned - 40;
}

/* The weights in the program are sound and small; those for house rules have no first layer of
 * their own. */
static void house_rules_share_the_first_layer(void **state) {
    (void)state;
    static const char *const presets[] = {"--preset korean", "--preset family"};
    const YutRules three = rules_of("--players 3");
    const Network usual = network_usual(), table = network_shipped(&three);
    size_t all = network_size(&usual) + network_size(&table);
    assert_int_equal(usual.base, 0);
    for (int p = 0; p < 2; p++) {
        const YutRules rules = rules_of(presets[p]);
        const Network shared = network_shipped(&rules);
        const size_t size = network_size(&shared);
        assert_ok(network_check("shipped", bytes_of(&shared), size, NETWORK_DUEL));
        assert_ptr_equal(shared.first, usual.first);
        assert_ptr_equal(shared.first_bias, usual.first_bias);
        assert_true(shared.base == usual.checksum);
        for (int i = 0; i < ERROR_COUNT; i++)
            assert_true(shared.errors[i] > 0 && shared.errors[i] < 0.1F);
        all += size;
    }
    assert_true(all < 512 << 10);
}

/* Checks the weights of korean with one byte changed, and sealed again. */
static Status check_changed(size_t at, unsigned char change, int cut) {
    const YutRules korean = rules_of("--preset korean");
    const Network shared = network_shipped(&korean);
    const size_t size = network_size(&shared);
    unsigned char *bytes = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(bytes);
    memcpy(bytes, bytes_of(&shared), size);
    bytes[at] ^= change;
    Network changed = network_view(bytes);
    network_seal(bytes, &changed);
    Status status = network_check("changed", bytes, size - (size_t)cut, NETWORK_DUEL);
    free(bytes);
    return status;
}

static void the_first_layer_must_be_the_one_in_the_program(void **state) {
    (void)state;
    enum { HIDDEN_AT = 24, NARROW_AT = 36, RULES_AT = 40, BASE_AT = 120 };
    assert_ok(check_changed(64, 0, 0));
    assert_fails(check_changed(BASE_AT, 1, 0), STATUS_TABLE, "that of another network");
    assert_fails(check_changed(NARROW_AT, 32, 0), STATUS_TABLE, "that of another network");
    assert_fails(check_changed(RULES_AT + 23, 1, 0), STATUS_TABLE, "rules that do not exist");
    assert_fails(check_changed(64, 0, 1), STATUS_TABLE, "cut off or too long");
}

/* --- which network estimates which rules --- */

static void assert_estimated_by(const char *options, const char *preset) {
    const YutRules rules = rules_of(options), of_preset = rules_of(preset);
    const LearnedRules packed = learned_rules_pack(&of_preset);
    const Network network = network_shipped(&rules);
    if (memcmp(network.learned, &packed, sizeof packed) != 0)
        fail_msg("%s: not by the network of %s", options, preset);
}

static void the_nearest_network_estimates(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "--preset snu"},
        {"--preset plain", "--preset snu"},
        {"--preset choice", "--preset snu"},
        {"--catch-bonus weak", "--preset snu"},
        {"--catch-bonus never", "--preset snu"},
        {"--nak 0.05 --traps 18", "--preset snu"},
        {"--marked 2", "--preset snu"},
        {"--odds 2,6,12,8,2,2", "--preset snu"},
        {"--bias 0.55 --catch-bonus weak", "--preset snu"},
        {"--bias 0.57", "--preset korean"},
        {"--preset korean", "--preset korean"},
        {"--bias 0.6", "--preset korean"},
        {"--preset korean --pieces 2", "--preset korean"},
        {"--bias 0.6 --finish short", "--preset korean"},
        {"--preset family", "--preset family"},
        {"--preset korean --nak 0.05", "--preset family"},
        {"--preset family --traps 7", "--preset family"},
        {"--preset family --nak 0.2", "--preset family"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_estimated_by(cases[i][0], cases[i][1]);
}

/* The error that an estimate states is the network's for these rules, or for others. */
static void errors_are_those_of_the_rules(void **state) {
    (void)state;
    static const struct {
        const char *options;
        int index;
    } cases[] = {{"", 3},
                 {"--preset korean", 3},
                 {"--preset korean --pieces 2", 1},
                 {"--preset family --pieces 3", 2},
                 {"--preset korean --traps 7", ERROR_UNUSUAL},
                 {"--catch-bonus weak", ERROR_UNUSUAL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const YutRules rules = rules_of(cases[i].options);
        const Rules packed = yut_rules_pack(&rules);
        const State start = yut_start(&packed);
        const Network network = network_shipped(&rules);
        assert_true(yut_estimate_error(&packed, &start) == (double)network.errors[cases[i].index]);
        assert_true(network.errors[cases[i].index] > 0);
    }
}

static double mean_error(const Network *network, const YutRules *rules, const ExactValues *exact,
                         int pieces) {
    Measured measured[ERROR_COUNT] = {{0}};
    assert_ok(measure_exact(network, rules, exact, EXACT_TEST, 300, 99, measured));
    return measured[pieces - 1].mean / (double)measured[pieces - 1].positions;
}

/* Under its own rules a network is nearer to the truth than the other, and as near as it states. */
static void each_network_is_best_under_its_rules(void **state) {
    (void)state;
    if (getenv("QUICK"))
        skip(); /* it is about numbers, and solving two pieces takes long */
    const YutRules rules[] = {rules_of(""), rules_of("--preset korean"),
                              rules_of("--preset family")};
    for (int i = 0; i < 3; i++) {
        const Network own = network_shipped(&rules[i]), other = network_shipped(&rules[i == 0]);
        ExactValues exact;
        assert_ok(exact_open(&rules[i], &values_services, &limits, &exact));
        const double error = mean_error(&own, &rules[i], &exact, 2);
        const double of_other = mean_error(&other, &rules[i], &exact, 2);
        print_message("two pieces: %.4f off, stated %.4f; the other network %.4f\n", error,
                      (double)own.errors[1], of_other);
        assert_true(error < of_other);
        assert_true(error < 1.5 * (double)own.errors[1]);
        exact_close(&exact);
    }
}

/* No position is learned from, or measured at, that these rules do not allow. */
static void exact_positions_are_legal(void **state) {
    (void)state;
    const YutRules rules = rules_of("--pieces 4 --traps 7,18 --finish reach");
    const Rules packed = yut_rules_pack(&rules);
    Random random = random_from_seed(5, 0);
    ExactValues exact;
    if (getenv("QUICK"))
        skip();
    assert_ok(exact_open(&rules, &values_services, &limits, &exact));
    for (int i = 0; i < test_times(3000); i++) {
        YutState drawn;
        const float *value = i % 2 == 0 ? exact_draw(&exact, 1 + i % exact.pieces, &random, &drawn)
                                        : exact_draw_scattered(&exact, &random, &drawn);
        const State position = yut_state_pack(&drawn);
        assert_true(*value > 0 && *value < 1);
        assert_ok(yut_check(&packed, &position));
    }
    exact_close(&exact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_state_every_rule),
        cmocka_unit_test(equal_play_is_stated_alike),
        cmocka_unit_test(bytes_of_no_rules_are_refused),
        cmocka_unit_test(house_rules_share_the_first_layer),
        cmocka_unit_test(the_first_layer_must_be_the_one_in_the_program),
        cmocka_unit_test(the_nearest_network_estimates),
        cmocka_unit_test(errors_are_those_of_the_rules),
        cmocka_unit_test(each_network_is_best_under_its_rules),
        cmocka_unit_test(exact_positions_are_legal),
    };
    return cmocka_run_group_tests_name("yut learned", tests, NULL, NULL);
}
