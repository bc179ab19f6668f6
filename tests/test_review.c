/* Looking back on a game: what it cost, what chance brought, and that both add up. */
#include <math.h>
#include <string.h>

#include "play/review.h"
#include "play/session.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/playout.h"
#include "values/registry.h"
#include "values/solve_now.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 28, .threads = 1};

/* A game between players of these names, to its end. */
static Record played(const char *game_name, const char *options, const char *names[],
                     uint64_t seed) {
    const Game *game = NULL;
    Variant variant;
    Seat seats[GAME_PLAYERS_MAX];
    Record record;
    Session session;
    assert_ok(registry_find(game_name, &game));
    assert_ok(variant_parse(game, options, &variant));
    for (int i = 0; i < game->rules.player_count(&variant.rules); i++)
        assert_ok(seat_parse(names[i], &seats[i]));
    State start = game->tree.start(&variant.rules);
    assert_ok(record_open(&variant, seats, seed, &start, &record));
    assert_ok(session_open(&session, &record, &limits));
    while (session_waits_for(&session) != GAME_END)
        assert_ok(session_step(&session));
    record = session.record;
    session.record = (Record){.seed = 0}; /* it is ours now */
    session_close(&session);
    return record;
}

static Review reviewed(const Record *record) {
    Review review;
    Solver *solver;
    assert_ok(solve_now_open(&record->variant, &limits, &solver));
    assert_ok(review_make(record, solver, NULL, &review));
    solver->free(solver);
    assert_int_equal(review.step_count, record->step_count);
    return review;
}

static void check_sums(const Record *record, const Review *review) {
    const Variant *variant = &record->variant;
    double payoffs[GAME_PLAYERS_MAX];
    variant->game->tree.payoff(&variant->rules, record_state(record), payoffs);
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
        double sum = review->luck[i] + review->skill[i] + review->others[i];
        assert_true(review->end[i] == payoffs[i]);
        assert_true(fabs(sum - (payoffs[i] - review->start[i])) < 1e-9);
    }
}

static void luck_and_skill_add_up(void **state) {
    (void)state;
    static const struct {
        const char *game, *options, *names[GAME_PLAYERS_MAX];
    } games[] = {{"box", "", {"random", "random"}},
                 {"box", "--players 3", {"random", "perfect", "random"}},
                 {"box", "--players 1 --aim score", {"random"}},
                 {"race", "", {"random", "random"}},
                 {"dice", "--online", {"random"}},
                 {"dice", "", {"random"}},
                 {"yut", "--pieces 1", {"random", "random"}}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            Record record =
                played(games[i].game, games[i].options, (const char **)games[i].names, seed);
            Review review = reviewed(&record);
            double lost[GAME_PLAYERS_MAX] = {0}, luck[GAME_PLAYERS_MAX] = {0};
            check_sums(&record, &review);
            for (size_t j = 0; j < review.step_count; j++) {
                const ReviewStep *step = &review.steps[j];
                assert_true(step->is_chance || step->loss >= 0);
                lost[step->player] += step->is_chance ? 0 : step->loss;
                assert_true(step->is_chance || step->luck == 0);
                luck[step->player] += step->luck;
            }
            const Variant *variant = &record.variant;
            double sense =
                variant->game->rules.value_info(&variant->rules).lower_is_better ? -1 : 1;
            for (int p = 0; p < variant->game->rules.player_count(&variant->rules); p++)
                assert_true(fabs(lost[p] + sense * review.skill[p]) < 1e-6 &&
                            fabs(luck[p] - review.luck[p]) < 1e-6);
            assert_false(review.has_estimates);
            review_close(&review);
            record_close(&record);
        }
    }
}

static void perfect_play_costs_nothing(void **state) {
    (void)state;
    const char *names[GAME_PLAYERS_MAX] = {"perfect", "random"};
    Record record = played("box", "", names, 5);
    Review review = reviewed(&record);
    double other = 0;
    for (size_t i = 0; i < review.step_count; i++) {
        const ReviewStep *step = &review.steps[i];
        if (!step->is_chance && step->player == 0) {
            assert_true(step->loss == 0);
            assert_true(step->best == record.moves[i]);
        } else if (!step->is_chance) {
            other += step->loss;
        }
    }
    assert_true(fabs(review.skill[0]) < 1e-9 && other > 0);
    review_close(&review);
    record_close(&record);
}

/* A solver that marks the first move, or all others, as estimates. */
typedef struct MarkingSolver {
    Solver base;
    const Variant *variant;
    bool first_is_estimate;
} MarkingSolver;

static Status constant_values(Solver *base, const State *state, double values[]) {
    (void)base, (void)state;
    values[0] = values[1] = 0.5;
    return status_ok();
}

static Status marked_moves(Solver *base, const State *state, bool with_moves,
                           Evaluation *evaluation) {
    (void)with_moves;
    const MarkingSolver *solver = (const MarkingSolver *)base;
    const Variant *variant = solver->variant;
    Move moves[GAME_MOVES_MAX];
    evaluation->move_count = variant->game->tree.moves(&variant->rules, state, moves);
    evaluation->values[0] = evaluation->values[1] = 0.5;
    for (size_t i = 0; i < evaluation->move_count; i++)
        evaluation->moves[i] = (MoveValue){.move = moves[i],
                                           .value = i == 0 ? 0.5 : 0.25,
                                           .is_estimate = (i == 0) == solver->first_is_estimate,
                                           .order = i};
    return status_ok();
}

/* A loss is an estimate if either of the two values is. */
static void a_loss_is_an_estimate_if_either_value_is(void **state) {
    (void)state;
    const char *names[GAME_PLAYERS_MAX] = {"random", "random"};
    Record record = played("box", "", names, 11);
    const Variant *variant = &record.variant;
    for (int first = 0; first < 2; first++) {
        MarkingSolver solver = {
            .base = {.kind = VALUE_PROVEN, .values = constant_values, .evaluate = marked_moves},
            .variant = variant,
            .first_is_estimate = first};
        Review review;
        int best = 0, others = 0;
        assert_ok(review_make(&record, &solver.base, NULL, &review));
        for (size_t i = 0; i < review.step_count; i++) {
            Move moves[GAME_MOVES_MAX];
            if (review.steps[i].is_chance)
                continue;
            variant->game->tree.moves(&variant->rules, &record.states[i], moves);
            bool is_best = record.moves[i] == moves[0];
            best += is_best;
            others += !is_best;
            assert_int_equal(review.steps[i].is_estimate, first || !is_best);
            assert_true(review.steps[i].loss == (is_best ? 0 : 0.25));
        }
        assert_true(best > 0 && others > 0);
        review_close(&review);
    }
    record_close(&record);
}

static void a_game_without_steps(void **state) {
    (void)state;
    const char *names[GAME_PLAYERS_MAX] = {"random", "random"};
    Record record = played("race", "", names, 1);
    record_cut(&record, 0);
    Review review = reviewed(&record);
    assert_true(review.start[0] == review.end[0] && review.luck[0] == 0 && review.skill[0] == 0);
    review_close(&review);
    record_close(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(luck_and_skill_add_up),
        cmocka_unit_test(perfect_play_costs_nothing),
        cmocka_unit_test(a_loss_is_an_estimate_if_either_value_is),
        cmocka_unit_test(a_game_without_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
