/* The interface: variants, and that every game keeps the contract. */
#include <math.h>
#include <string.h>

#include "game/benches.h"
#include "game/contract.h"
#include "games/box/box.h"
#include "testing.h"
#include "values/registry.h"

enum { STEPS_MAX = 10000 };

/* Every game in the list, under the rules of each of its examples. */
static void every_game_keeps_the_contract(void **state) {
    (void)state;
    assert_true(registry_count() > 0);
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
        for (size_t j = 0; j < game->identity.example_count; j++) {
            Variant variant;
            State position;
            int ended;
            assert_ok(variant_parse(game, game->identity.examples[j].options, &variant));
            assert_ok(game->text.parse_state(&variant.rules, game->identity.examples[j].position,
                                             &position));
            assert_ok(contract_check(&variant, 1, test_times(40), STEPS_MAX, &ended));
            assert_int_equal(ended, test_times(40));
        }
        assert_string_equal(game->identity.examples[0].options, "");
    }
}

static const char *const box_variants[] = {
    "--tiles 1 --dice 1 --sides 1 --players 1",
    "--tiles 1 --dice 3 --sides 2",
    "--tiles 3 --dice 1 --sides 4 --players 3",
    "--tiles 9 --one-die top<=6",
    "--tiles 7 --dice 3 --sides 8 --one-die sum<=10 --players 4",
    "--tiles 12 --players 8",
    "--tiles 24 --dice 6 --sides 8 --players 2",
    "--tiles 10 --players 1 --aim score",
    "--tiles 20 --players 1 --aim digits --one-die never",
};

static void box_variants_keep_the_contract(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof box_variants / sizeof box_variants[0]; i++) {
        Variant variant;
        int ended;
        assert_ok(variant_parse(&box_game, box_variants[i], &variant));
        assert_ok(contract_check(&variant, 100 + i, test_times(40), STEPS_MAX, &ended));
        assert_int_equal(ended, test_times(40));
    }
}

static void variants_read_back(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof box_variants / sizeof box_variants[0]; i++) {
        Variant variant, again;
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        assert_ok(variant_parse(&box_game, box_variants[i], &variant));
        variant_print(&variant, &text);
        assert_ok(variant_parse(&box_game, bytes, &again));
        assert_memory_equal(&variant.rules, &again.rules, sizeof variant.rules);
    }
}

static void variants_refuse_nonsense(void **state) {
    (void)state;
    Variant variant;
    static const struct {
        const char *options, *words;
        StatusCode code;
    } bad[] = {
        {"--tiles 0", "--tiles: expected a whole number from 1 to 24", STATUS_USAGE},
        {"--tiles 25", "from 1 to 24", STATUS_USAGE},
        {"--tiles", "expected N after it", STATUS_USAGE},
        {"--tlies 4", "did you mean '--tiles'?", STATUS_USAGE},
        {"tiles", "not a rule option", STATUS_USAGE},
        {"--players 9", "from 1 to 8", STATUS_USAGE},
        {"--one-die sometimes", "never, sum<=N or top<=N", STATUS_USAGE},
        {"--one-die sum<=", "never, sum<=N or top<=N", STATUS_USAGE},
        {"--one-die sum<=99999999999", "never, sum<=N or top<=N", STATUS_USAGE},
        {"--aim win", "shut, score or digits", STATUS_USAGE},
        {"--dice 7 --sides 7", "rolls above 48", STATUS_UNSUPPORTED},
        {"--aim score", "--players 1", STATUS_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(variant_parse(&box_game, bad[i].options, &variant), bad[i].code, bad[i].words);
    const Game *game;
    assert_fails(registry_find("bx", &game), STATUS_USAGE, "did you mean 'box'?");
}

/* Games that share an option's name mean the same kind of thing by it. */
/* What an option takes, in words. */
static const char *taken_by(const OptionSpec *option) {
    return option->argument ? option->argument : "nothing";
}

static void option_names_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < registry_count(); i++) {
        for (size_t j = 0; j < registry_at(i)->rules.option_count; j++) {
            const OptionSpec *option = &registry_at(i)->rules.options[j];
            assert_non_null(option->name);
            assert_non_null(option->help);
            for (size_t k = 0; k < registry_count(); k++)
                for (size_t l = 0; l < registry_at(k)->rules.option_count; l++)
                    if (strcmp(option->name, registry_at(k)->rules.options[l].name) == 0)
                        assert_string_equal(taken_by(option),
                                            taken_by(&registry_at(k)->rules.options[l]));
        }
    }
}

static void illegal_moves_are_refused(void **state) {
    (void)state;
    Variant variant = variant_default(&box_game);
    State position;
    assert_ok(box_parse_state(&variant.rules, "13456789 1 17 12", &position));
    State before = position;
    assert_fails(variant_play(&variant, &position, 0x3), STATUS_USAGE, "not possible");
    assert_memory_equal(&before, &position, sizeof before);
    assert_ok(variant_play(&variant, &position, 1u << 2 | 1u << 8));
}

/* What takes long to measure is measured only on request. */
static void long_benchmarks_are_slow(void **state) {
    (void)state;
    int slow = 0;
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
        for (size_t j = 0; j < game_bench_count(game); j++) {
            const GameBench *bench = &game->benches->list[j];
            assert_int_equal(bench->is_slow, bench->goal_seconds > 20);
            slow += bench->is_slow;
        }
    }
    assert_int_equal(slow, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_keeps_the_contract),
        cmocka_unit_test(box_variants_keep_the_contract),
        cmocka_unit_test(variants_read_back),
        cmocka_unit_test(variants_refuse_nonsense),
        cmocka_unit_test(option_names_agree),
        cmocka_unit_test(long_benchmarks_are_slow),
        cmocka_unit_test(illegal_moves_are_refused),
    };
    return cmocka_run_group_tests_name("game", tests, NULL, NULL);
}
