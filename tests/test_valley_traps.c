/* `perfect` in bad positions of King's Valley: which of equally valued moves it makes. */
#include "games/valley/solve/solver.h"
#include "players/player.h"
#include "valley_testing.h"
#include "values/evaluate.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

/* Every move is a best one and depends on the position alone; a won position is left alone; and
 * elsewhere another move than the first is often chosen. */
static void perfect_sets_traps(void **state) {
    (void)state;
    static Evaluation evaluation;
    Variant variant;
    Seat seat;
    Solver *solver;
    Player *players[2];
    Random random = random_from_seed(41, 0);
    int counts[3] = {0}, others[3] = {0};
    assert_ok(variant_parse(&valley_game, "--soldiers 1", &variant));
    assert_ok(valley_solver_new(&variant.rules, &limits, &solver));
    assert_ok(seat_parse("perfect", &seat));
    for (int i = 0; i < 2; i++)
        assert_ok(seat_open(&seat, &variant, &limits, &solver, &players[i]));
    for (int i = 0; i < test_times(400); i++) {
        State position = valley_start(&variant.rules);
        uint64_t plies = 1 + random_below(&random, 20);
        for (uint64_t j = 0; j < plies && valley_actor(NULL, &position) != GAME_END; j++) {
            Move moves[GAME_MOVES_MAX];
            size_t count = valley_moves(&variant.rules, &position, moves);
            valley_apply(&variant.rules, &position, moves[random_below(&random, count)]);
        }
        if (valley_actor(NULL, &position) == GAME_END)
            continue;
        Move move, again;
        assert_ok(players[0]->choose(players[0], &position, &random, &move));
        assert_ok(players[1]->choose(players[1], &position, &random, &again));
        assert_int_equal(move, again);
        assert_ok(evaluate_state(&variant, solver, &position, &evaluation));
        size_t chosen = 0;
        while (evaluation.moves[chosen].move != move)
            chosen++;
        assert_true(evaluation.moves[chosen].value == evaluation.moves[0].value);
        OutcomeKind kind = valley_outcomes.decode(evaluation.moves[0].value).kind;
        counts[kind]++;
        others[kind] += chosen > 0;
    }
    assert_int_equal(others[OUTCOME_WIN], 0);
    assert_true(counts[OUTCOME_WIN] > 0 && counts[OUTCOME_ENDLESS] > 0);
    assert_true(4 * others[OUTCOME_ENDLESS] > counts[OUTCOME_ENDLESS]);
    for (int i = 0; i < 2; i++)
        players[i]->free(players[i]);
    solver->free(solver);
}

/* --- what a perfect player could do at best --- */

enum { OWN_MOVES = 3 };

typedef struct Scene {
    Variant variant;
    Solver *solver;
    Player *perfect, *shallow;
} Scene;

static OutcomeKind kind_for(const Scene *scene, const State *position, int player) {
    double values[2];
    assert_ok(scene->solver->values(scene->solver, position, values));
    return valley_outcomes.decode(values[player]).kind;
}

static State after_move(const Scene *scene, const State *position, Move move) {
    State next = *position;
    valley_apply(&scene->variant.rules, &next, move);
    return next;
}

static Move choose(Player *player, const State *position) {
    Random random = random_from_seed(1, 0);
    Move move;
    assert_ok(player->choose(player, position, &random, &move));
    return move;
}

/* Whether the side to move, which has lost, has any line of so many moves in which the shallow
 * search gives its win away. */
static bool can_be_saved(const Scene *scene, const State *position, int own_moves) {
    Move moves[GAME_MOVES_MAX];
    int me = valley_actor(NULL, position);
    size_t count = valley_moves(&scene->variant.rules, position, moves);
    for (size_t i = 0; i < count && own_moves > 0; i++) {
        State next = after_move(scene, position, moves[i]);
        if (valley_actor(NULL, &next) == GAME_END)
            continue;
        next = after_move(scene, &next, choose(scene->shallow, &next));
        if (valley_actor(NULL, &next) == GAME_END)
            continue; /* a shallow search does not wall itself in where it can win */
        if (kind_for(scene, &next, me) != OUTCOME_LOSS || can_be_saved(scene, &next, own_moves - 1))
            return true;
    }
    return false;
}

/* Whether the perfect player, to move in a lost position, does not lose. */
static bool saves(const Scene *scene, State position) {
    enum { PLIES_MAX = 200 };
    int me = valley_actor(NULL, &position);
    for (int ply = 0; ply < PLIES_MAX && valley_actor(NULL, &position) != GAME_END; ply++) {
        bool is_mine = valley_actor(NULL, &position) == me;
        position = after_move(scene, &position,
                              choose(is_mine ? scene->perfect : scene->shallow, &position));
        if (valley_actor(NULL, &position) != GAME_END &&
            kind_for(scene, &position, me) != OUTCOME_LOSS)
            return true;
    }
    return false;
}

/* Against minimax:2 no move at all, a best one or not, saves a lost position where the choice of
 * `perfect` does not: not within the next three moves. */
static void no_move_saves_more_against_minimax_2(void **state) {
    (void)state;
    Scene scene;
    Seat seat;
    Random random = random_from_seed(43, 0);
    int saved = 0, lost = 0;
    assert_ok(variant_parse(&valley_game, "--soldiers 2", &scene.variant));
    assert_ok(valley_solver_new(&scene.variant.rules, &limits, &scene.solver));
    assert_ok(seat_parse("perfect", &seat));
    assert_ok(seat_open(&seat, &scene.variant, &limits, &scene.solver, &scene.perfect));
    assert_ok(seat_parse("minimax:2", &seat));
    assert_ok(seat_open(&seat, &scene.variant, &limits, &scene.solver, &scene.shallow));
    for (int i = 0; i < (getenv("QUICK") ? 100 : 300); i++) {
        State position = valley_start(&scene.variant.rules);
        for (int ply = 0; ply < 4 && valley_actor(NULL, &position) != GAME_END; ply++) {
            Move moves[GAME_MOVES_MAX];
            size_t count = valley_moves(&scene.variant.rules, &position, moves);
            position = after_move(&scene, &position, moves[random_below(&random, count)]);
        }
        if (valley_actor(NULL, &position) == GAME_END ||
            kind_for(&scene, &position, valley_actor(NULL, &position)) != OUTCOME_LOSS)
            continue;
        bool is_saved = saves(&scene, position);
        saved += is_saved;
        lost += !is_saved;
        assert_true(is_saved || !can_be_saved(&scene, &position, OWN_MOVES));
    }
    assert_true(saved > 0 && lost > 0);
    print_message("%d lost positions saved, %d that nothing could save\n", saved, lost);
    scene.perfect->free(scene.perfect);
    scene.shallow->free(scene.shallow);
    scene.solver->free(scene.solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfect_sets_traps),
        cmocka_unit_test(no_move_saves_more_against_minimax_2),
    };
    return cmocka_run_group_tests_name("valley_traps", tests, NULL, NULL);
}
