/* The levels for people: available for every game, true to their error model, and in order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "play/rating.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/policy.h"
#include "values/registry.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 28, .threads = 1};
static const char *const levels[] = {"easy", "normal", "strong", "best"};

enum { LEVELS = sizeof levels / sizeof levels[0] };

static Variant variant_of(const char *name, const char *options) {
    const Game *game = NULL;
    Variant variant;
    assert_ok(registry_find(name, &game));
    assert_ok(variant_parse(game, options, &variant));
    return variant;
}

static Player *open_level(const char *name, const Variant *variant, Solver **shared) {
    Seat seat;
    Player *player;
    assert_ok(seat_parse(name, &seat));
    assert_ok(seat_open(&seat, variant, &limits, shared, &player));
    return player;
}

/* Plays up to `steps` steps with the player at all seats, and hashes them. Every move is legal. */
static uint64_t play_steps(const Variant *variant, Player *player, uint64_t seed, int steps) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    State state = game->tree.start(rules);
    uint64_t hash = 0;
    for (int step = 0; step < steps; step++) {
        Random random = random_from_seed(seed, (uint64_t)step);
        int actor = game->tree.actor(rules, &state);
        Move move, moves[GAME_MOVES_MAX];
        if (actor == GAME_END)
            break;
        if (actor == GAME_CHANCE) {
            move = variant_draw_chance(variant, &state, &random);
        } else {
            bool is_legal = false;
            size_t count = game->tree.moves(rules, &state, moves);
            assert_ok(player->choose(player, &state, &random, &move));
            for (size_t i = 0; i < count; i++)
                is_legal = is_legal || moves[i] == move;
            assert_true(is_legal);
        }
        hash = hash * 0x100000001b3u + move;
        game->tree.apply(rules, &state, move);
    }
    return hash;
}

/* Without tables, in every game, whether it is solved, searched or estimated; and the same seed
 * gives the same moves. */
static void every_game_has_every_level(void **state) {
    (void)state;
    static const char *const variants[][2] = {{"yut", ""},
                                              {"yut", "--preset teams --animals pdsn"},
                                              {"yut", "--players 3 --pieces 2"},
                                              {"yut", "--pieces 1"},
                                              {"race", ""},
                                              {"box", ""},
                                              {"box", "--players 1 --aim score"},
                                              {"dice", "--online"},
                                              {"valley", ""},
                                              {"valley", "--soldiers 1"}};
    const int steps = getenv("QUICK") ? 12 : 30;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of(variants[i][0], variants[i][1]);
        for (int level = 0; level < LEVELS; level++) {
            uint64_t hashes[3];
            for (int time = 0; time < 3; time++) {
                Solver *shared = NULL;
                Player *player = open_level(levels[level], &variant, &shared);
                hashes[time] = play_steps(&variant, player, time == 2 ? 8 : 7, steps);
                player->free(player);
                if (shared)
                    shared->free(shared);
            }
            assert_true(hashes[0] == hashes[1]);
            assert_true(hashes[0] != hashes[2] || variant.game->tree.is_deterministic);
        }
    }
}

/* How often each move is picked is what the error model says. */
static void choices_follow_the_error_model(void **state) {
    (void)state;
    static const struct {
        const char *game, *options, *position;
    } positions[] = {{"box", "", "13456789 1 17 12"},
                     {"box", "--players 1 --aim score", "123456789 0 - 9"},
                     {"yut", "--pieces 2", "3,7/5,9 0 do,yut"},
                     {"yut", "--pieces 3", "0,5,10/0,0,7 1 gae,yut"}};
    static const double temperatures[] = {2, 1, 0.5};
    static Evaluation evaluation;
    const int draws = test_times(4000);
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        Variant variant = variant_of(positions[i].game, positions[i].options);
        State at;
        Solver *solver;
        assert_ok(variant.game->text.parse_state(&variant.rules, positions[i].position, &at));
        assert_ok(values_open(&variant, VALUES_ANY, &limits, &solver, NULL));
        assert_ok(evaluate_state(&variant, solver, &at, &evaluation));
        size_t count = evaluation.move_count;
        assert_true(count > 1 && count < 100);
        double mean = 0;
        for (size_t j = 0; j < count; j++)
            mean += fabs(evaluation.moves[j].value - evaluation.moves[0].value) / (double)count;
        for (int level = 0; level < 3; level++) {
            int picked[100] = {0};
            double likely[100], sum = 0;
            Solver *shared = NULL;
            Player *player = open_level(levels[level], &variant, &shared);
            for (size_t j = 0; j < count; j++) {
                double loss = fabs(evaluation.moves[j].value - evaluation.moves[0].value);
                likely[j] = exp(-loss * log((double)count + 1) / (temperatures[level] * mean));
                sum += likely[j];
            }
            for (int draw = 0; draw < draws; draw++) {
                Random random = random_from_seed(1, (uint64_t)draw);
                Move move;
                assert_ok(player->choose(player, &at, &random, &move));
                for (size_t j = 0; j < count; j++)
                    picked[j] += evaluation.moves[j].move == move;
            }
            for (size_t j = 0; j < count; j++) {
                double chance = likely[j] / sum, expected = chance * draws;
                double deviation = sqrt(expected * (1 - chance)) + 1;
                assert_true(fabs(picked[j] - expected) < 5 * deviation);
            }
            player->free(player);
            if (shared)
                shared->free(shared);
        }
        solver->free(solver);
    }
}

/* Each level gives away less than the one before, and the best gives away nothing where the game is
 * solved. */
static void levels_are_in_order(void **state) {
    (void)state;
    static const char *const variants[][2] = {
        {"box", ""}, {"valley", "--soldiers 1"}, {"yut", "--pieces 2"}, {"dice", "--online"}};
    /* The last two take minutes under the sanitizers. */
    const size_t count = getenv("QUICK") ? 2 : sizeof variants / sizeof variants[0];
    for (size_t i = 0; i < count; i++) {
        Variant variant = variant_of(variants[i][0], variants[i][1]);
        double before = INFINITY;
        for (int level = 0; level < LEVELS; level++) {
            RatingPlan plan = {.positions = 400, .seed = 3};
            Rating rating;
            assert_ok(seat_parse(levels[level], &plan.player));
            assert_ok(rating_run(&variant, &plan, &limits, &rating));
            assert_true(rating.given_away < before);
            before = rating.given_away;
        }
        assert_true(before < 1e-9);
    }
}

static void they_stop_when_asked(void **state) {
    (void)state;
    Variant variant = variant_of("valley", "");
    StopFlag stop = 0;
    SolveLimits with = limits;
    with.stop = &stop;
    for (int level = 0; level < LEVELS; level++) {
        Seat seat;
        Solver *shared = NULL;
        Player *player;
        Move move;
        Random random = random_from_seed(1, 0);
        State at = variant.game->tree.start(&variant.rules);
        assert_ok(seat_parse(levels[level], &seat));
        stop = 0;
        assert_ok(seat_open(&seat, &variant, &with, &shared, &player));
        stop = 1;
        assert_fails(player->choose(player, &at, &random, &move), STATUS_STOPPED, "stopped");
        player->free(player);
        assert_null(shared);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_has_every_level),
        cmocka_unit_test(choices_follow_the_error_model),
        cmocka_unit_test(levels_are_in_order),
        cmocka_unit_test(they_stop_when_asked),
    };
    return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
