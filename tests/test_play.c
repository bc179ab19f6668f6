/* Records, sessions and players. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/box/box.h"
#include "games/yut/yut.h"
#include "play/match.h"
#include "play/rating.h"
#include "play/session.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/playout.h"
#include "values/registry.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 1};

static void open_session(Session *session, const char *options, const char *names, uint64_t seed) {
    Variant variant;
    Seat seats[GAME_PLAYERS_MAX];
    char storage[GAME_TEXT_BYTES];
    char *words[GAME_PLAYERS_MAX];
    assert_ok(variant_parse(&box_game, options, &variant));
    size_t count = text_split(names, storage, sizeof storage, words, GAME_PLAYERS_MAX);
    for (size_t i = 0; i < count; i++)
        assert_ok(seat_parse(words[i], &seats[i]));
    State start = box_start(&variant.rules);
    Record record;
    assert_ok(record_open(&variant, seats, seed, &start, &record));
    assert_ok(session_open(session, &record, &limits));
}

static void run_to_the_end(Session *session) {
    while (session_waits_for(session) == GAME_CHANCE)
        assert_ok(session_step(session));
}

static void computers_play_to_the_end(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        Session session;
        open_session(&session, "--players 3", "perfect random random", seed);
        run_to_the_end(&session);
        assert_int_equal(session_waits_for(&session), GAME_END);
        session_close(&session);
    }
}

static void the_same_seed_gives_the_same_game(void **state) {
    (void)state;
    char *text[3];
    for (int i = 0; i < 3; i++) {
        Session session;
        open_session(&session, "", "random perfect", i < 2 ? 7 : 8);
        run_to_the_end(&session);
        text[i] = record_print(&session.record);
        session_close(&session);
    }
    assert_string_equal(text[0], text[1]);
    assert_string_not_equal(strstr(text[0], "start"), strstr(text[2], "start"));
    for (int i = 0; i < 3; i++)
        free(text[i]);
}

/* A seed fixes a game for ever: this one was written down. */
static void a_seed_gives_this_very_game(void **state) {
    (void)state;
    Session session;
    open_session(&session, "", "perfect perfect", 42);
    run_to_the_end(&session);
    char *text = record_print(&session.record);
    assert_string_equal(
        text, "malpan-record 1\n"
              "game box\n"
              "rules --tiles 9 --dice 2 --sides 6 --one-die sum<=6 --players 2 --aim shut "
              "--shut-wins on --two-to-go off --limit 0 --rounds 1\n"
              "seats perfect perfect\n"
              "seed 42\n"
              "start 123456789 0 - -\n"
              "* 8\n"
              "0 8\n"
              "* 5\n"
              "0 5\n"
              "* 9\n"
              "0 9\n"
              "* 10\n"
              "0 4+6\n"
              "* 12\n"
              "0 2+3+7\n"
              "* 4\n"
              "* 12\n"
              "1 3+9\n"
              "* 7\n"
              "1 7\n"
              "* 4\n"
              "1 4\n"
              "* 4\n");
    free(text);
    session_close(&session);
}

static void perfect_beats_random(void **state) {
    (void)state;
    double won = 0;
    int games = test_times(300);
    for (uint64_t seed = 0; seed < (uint64_t)games; seed++) {
        Session session;
        double payoffs[GAME_PLAYERS_MAX];
        open_session(&session, "", seed % 2 ? "perfect random" : "random perfect", seed);
        run_to_the_end(&session);
        box_payoff(&session.record.variant.rules, record_state(&session.record), payoffs);
        won += payoffs[seed % 2 ? 0 : 1];
        session_close(&session);
    }
    assert_true(3 * won > 2 * games);
}

/* Players that look ahead, with every number of players, animals, and in teams. */
static void those_who_look_ahead_play_yut(void **state) {
    (void)state;
    static const char *const variants[] = {"--pieces 2", "--players 3 --pieces 2 --animals pds",
                                           "--players 4 --pieces 1 --animals cnpd",
                                           "--preset teams --pieces 2"};
    Seat greedy, expectimax;
    assert_ok(seat_parse("greedy", &greedy));
    assert_ok(seat_parse("expectimax", &expectimax));
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant;
        Record record;
        Session session;
        assert_ok(variant_parse(&yut_game, variants[i], &variant));
        const Seat seats[GAME_PLAYERS_MAX] = {greedy, expectimax, greedy, expectimax};
        State start = yut_start(&variant.rules);
        assert_ok(record_open(&variant, seats, 3, &start, &record));
        assert_ok(session_open(&session, &record, &limits));
        run_to_the_end(&session);
        assert_int_equal(session_waits_for(&session), GAME_END);
        session_close(&session);
    }
    /* A game without an estimate says so. */
    Variant box = variant_default(&box_game);
    Solver *solver = NULL;
    Player *player;
    assert_fails(seat_open(&greedy, &box, &limits, &solver, &player), STATUS_UNSUPPORTED, "box");
    assert_fails(seat_open(&expectimax, &box, &limits, &solver, &player), STATUS_UNSUPPORTED,
                 "box");
}

static void looking_ahead_pays(void **state) {
    (void)state;
    static const char *const names[] = {"random", "greedy", "expectimax"};
    Variant variant;
    assert_ok(variant_parse(&yut_game, "--pieces 2", &variant));
    for (int i = 0; i < 2; i++) {
        uint64_t pairs = getenv("QUICK") ? 30 : 150;
        MatchPlan plan = {.pairs = pairs, .seed = 2};
        MatchResult result;
        assert_ok(seat_parse(names[i + 1], &plan.players[0]));
        assert_ok(seat_parse(names[0], &plan.players[1]));
        assert_ok(match_run(&variant, &plan, &limits, &result));
        assert_true(result.games == 2 * pairs && result.unfinished == 0);
        assert_true(result.mean - result.margin > 0.6);
    }
}

/* A match and a rating are determined by the seed, whatever the number of threads. */
static void threads_do_not_matter(void **state) {
    (void)state;
    static const struct {
        const char *game, *options, *players[2];
        int opening;
        bool balanced;
    } matches[] = {{"yut", "--pieces 2", {"expectimax", "random"}, 0, false},
                   {"yut", "--pieces 1", {"perfect", "greedy"}, 0, false},
                   {"box", "", {"perfect", "random"}, 0, false},
                   {"valley", "", {"alphabeta:2", "minimax:1"}, 4, true},
                   {"valley", "--soldiers 1", {"perfect", "alphabeta:2"}, 4, false}};
    for (size_t i = 0; i < sizeof matches / sizeof matches[0]; i++) {
        MatchPlan plan = {.pairs = (uint64_t)test_times(50),
                          .seed = 6,
                          .opening = matches[i].opening,
                          .balanced = matches[i].balanced};
        RatingPlan rating_plan = {.positions = (uint64_t)test_times(100), .seed = 6};
        const Game *game = NULL;
        Variant variant;
        MatchResult results[3];
        Rating ratings[3];
        bool is_solved = strstr(matches[i].players[0], "perfect") != NULL;
        assert_ok(registry_find(matches[i].game, &game));
        assert_ok(variant_parse(game, matches[i].options, &variant));
        for (int j = 0; j < 2; j++)
            assert_ok(seat_parse(matches[i].players[j], &plan.players[j]));
        rating_plan.player = plan.players[1];
        for (int j = 0; j < 3; j++) {
            SolveLimits many = limits;
            many.threads = j == 0 ? 1 : j == 1 ? 2 : 5;
            assert_ok(match_run(&variant, &plan, &many, &results[j]));
            if (is_solved)
                assert_ok(rating_run(&variant, &rating_plan, &many, &ratings[j]));
            assert_memory_equal(&results[0], &results[j], sizeof results[0]);
            if (is_solved)
                assert_memory_equal(&ratings[0], &ratings[j], sizeof ratings[0]);
        }
        assert_true(results[0].games == 2 * plan.pairs);
        assert_true(!is_solved || ratings[0].positions == rating_plan.positions);
    }
}

/* With less memory than a share for each thread there are fewer workers; the result stays. */
static void little_memory_gives_the_same_match(void **state) {
    (void)state;
    Variant variant = variant_default(&box_game);
    MatchPlan plan = {.pairs = 20, .seed = 4};
    MatchResult usual, little;
    SolveLimits small = {.memory_bytes = 8 << 20, .threads = 4};
    assert_ok(seat_parse("perfect", &plan.players[0]));
    assert_ok(seat_parse("random", &plan.players[1]));
    assert_ok(match_run(&variant, &plan, &limits, &usual));
    assert_ok(match_run(&variant, &plan, &small, &little));
    assert_memory_equal(&usual, &little, sizeof usual);
}

static void matches_stop_and_fail(void **state) {
    (void)state;
    Variant box = variant_default(&box_game);
    const StopFlag stop = true;
    SolveLimits stopped = limits;
    MatchPlan plan = {.pairs = UINT64_MAX / 4, .seed = 1};
    RatingPlan rating_plan = {.positions = UINT64_MAX / 4, .seed = 1};
    MatchResult result;
    Rating rating;
    stopped.threads = 2;
    stopped.stop = &stop;
    for (int i = 0; i < 2; i++)
        assert_ok(seat_parse("random", &plan.players[i]));
    assert_ok(seat_parse("random", &rating_plan.player));
    assert_fails(match_run(&box, &plan, &stopped, &result), STATUS_STOPPED, "stopped");
    assert_fails(rating_run(&box, &rating_plan, &stopped, &rating), STATUS_STOPPED, "stopped");
    /* No opening is that long: the error of the first pair ends the match. */
    plan.opening = 1000;
    stopped.stop = NULL;
    assert_fails(match_run(&box, &plan, &stopped, &result), STATUS_FAILED, "1000 random moves");
    plan.balanced = true;
    assert_fails(match_run(&box, &plan, &stopped, &result), STATUS_UNSUPPORTED, "balance openings");
    assert_ok(seat_parse("you", &plan.players[1]));
    assert_fails(match_run(&box, &plan, &stopped, &result), STATUS_USAGE, "person");
}

/* A setting has to fit, whatever it says. */
static void settings_are_short(void **state) {
    (void)state;
    char text[2 * PLAYER_SETTING_BYTES + 16];
    Seat seat;
    for (size_t length = 1; length < sizeof text - 16; length++) {
        size_t start = (size_t)snprintf(text, sizeof text, "minimax:");
        memset(text + start, '0', length - 1);
        snprintf(text + start + length - 1, sizeof text - start - length + 1, "3");
        if (length < PLAYER_SETTING_BYTES) {
            assert_ok(seat_parse(text, &seat));
            assert_string_equal(seat.setting, text + start);
        } else {
            assert_fails(seat_parse(text, &seat), STATUS_USAGE, "after the colon");
        }
    }
}

static double next_payoff;

static void pay_next(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules, (void)state;
    payoffs[0] = next_payoff;
}

/* Points are counted if they are whole, and not too many. */
static void playouts_count_points(void **state) {
    (void)state;
    static const struct {
        double payoff;
        int score; /* -1: not counted */
    } cases[] = {
        {0, 0},    {1, 1},  {PLAYOUT_SCORE_MAX, PLAYOUT_SCORE_MAX}, {PLAYOUT_SCORE_MAX + 1, -1},
        {0.5, -1}, {-1, -1}};
    Game game = box_game;
    Variant variant;
    assert_ok(variant_parse(&box_game, "--players 1", &variant));
    game.tree.payoff = pay_next;
    variant.game = &game;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PlayoutStats *stats;
        next_payoff = cases[i].payoff;
        assert_ok(playout_run(&variant, &(PlayoutPlan){.games = 10, .seed = 1}, &limits, &stats));
        for (int score = 0; score <= PLAYOUT_SCORE_MAX; score++)
            assert_int_equal(stats->score_of[score], score == cases[i].score ? 10 : 0);
        assert_int_equal(stats->unscored, cases[i].score < 0 ? 10 : 0);
        assert_true(stats->payoffs[0] == 10 * cases[i].payoff);
        free(stats);
    }
}

static void records_read_back(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Session session;
        Record again;
        open_session(&session, "--tiles 12 --players 4", "random perfect random random", seed);
        run_to_the_end(&session);
        char *text = record_print(&session.record);
        assert_ok(record_parse(text, &again));
        char *printed = record_print(&again);
        assert_string_equal(printed, text);
        assert_memory_equal(record_state(&again), record_state(&session.record), sizeof(State));
        free(text);
        free(printed);
        record_close(&again);
        session_close(&session);
    }
}

#define HEAD "malpan-record 1\ngame box\nrules --tiles 9\nseats you random\nseed 1\n"
#define START HEAD "start 123456789 0 - -\n"

static void damaged_records_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "not a game record"},
        {"malpan-record 2\n", "not a game record"},
        {"malpan-record 1\n", "line 2: expected 'game ...'"},
        {"malpan-record 1\ngame bxo\n", "line 2: unknown game"},
        {"malpan-record 1\ngame box\nrules --tiles 99\n", "line 3: --tiles"},
        {"malpan-record 1\ngame box\nrules \nseats you\n", "line 4: one player for each seat"},
        {"malpan-record 1\ngame box\nrules \nseats you me\n", "line 4: unknown player"},
        {"malpan-record 1\ngame box\nrules \nseats you you\nseed x\n", "line 5: expected 'seed"},
        {HEAD "start 321 0 - -\n", "line 6: open tiles"},
        {HEAD, "line 6: expected 'start"},
        {START "0 9\n", "line 7: expected a step of '*'"},
        {START "* 13\n", "line 7: roll"},
        {START "* 12\n0 9\n", "line 8: move: expected tiles that sum to 12"},
        {START "* 12\n1 3+9\n", "line 8: expected a step of '0'"},
        {START "* 12\n\n0 3+9\n", "line 8: expected a step of '0'"},
        {HEAD "start 9 0 - 9\n0 9\n0 9\n", "line 8: the game is over"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Record record;
        assert_fails(record_parse(bad[i].text, &record), STATUS_USAGE, bad[i].words);
    }
    static const size_t lengths[] = {(size_t)2 * GAME_TEXT_BYTES, 15000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        Record record;
        char long_line[20000] = START;
        memset(long_line + strlen(long_line), '1', lengths[i]);
        assert_fails(record_parse(long_line, &record), STATUS_USAGE, "line 7: too long");
    }
}

/* The linker's names, by its option --wrap: the ordinary function, and what is called instead. */
void *real_realloc(void *bytes, size_t size) __asm__("__real_realloc");
void *failing_realloc(void *bytes, size_t size) __asm__("__wrap_realloc");

static _Thread_local size_t allocations_left = SIZE_MAX; /* of this thread, before one fails */

void *failing_realloc(void *bytes, size_t size) {
    return allocations_left-- == 0 ? NULL : real_realloc(bytes, size);
}

/* Whoever sent the record is not to blame for it. */
static void lack_of_memory_is_no_fault_of_a_record(void **state) {
    (void)state;
    Session session;
    Record record;
    Status status;
    size_t failures = 0;
    open_session(&session, "--tiles 20 --players 8",
                 "random random random random random random random random", 1);
    run_to_the_end(&session);
    char *text = record_print(&session.record);
    session_close(&session);
    for (;; failures++) {
        allocations_left = failures;
        status = record_parse(text, &record);
        allocations_left = SIZE_MAX;
        if (status_is_ok(&status))
            break;
        assert_fails(status, STATUS_FAILED, "out of memory");
    }
    assert_true(failures > 2); /* the lists of moves and states had to grow */
    record_close(&record);
    free(text);
}

/* A person's moves, one after the other: the first legal one each time. */
static Status play_first_move(Session *session) {
    const Variant *variant = &session->record.variant;
    Move moves[GAME_MOVES_MAX];
    box_moves(&variant->rules, record_state(&session->record), moves);
    return record_add(&session->record, moves[0]);
}

static void undo_meets_the_same_throws(void **state) {
    (void)state;
    Session session;
    open_session(&session, "", "you perfect", 5);
    assert_false(session_undo(&session));
    run_to_the_end(&session);
    assert_int_equal(session_waits_for(&session), 0);
    State first_choice = *record_state(&session.record);
    assert_ok(play_first_move(&session));
    run_to_the_end(&session);
    State second_choice = *record_state(&session.record);
    assert_true(session_undo(&session));
    assert_memory_equal(record_state(&session.record), &first_choice, sizeof(State));
    assert_ok(play_first_move(&session));
    run_to_the_end(&session);
    assert_memory_equal(record_state(&session.record), &second_choice, sizeof(State));
    session_close(&session);
}

static void illegal_steps_leave_the_record_alone(void **state) {
    (void)state;
    Session session;
    open_session(&session, "", "you you", 5);
    run_to_the_end(&session);
    size_t steps = session.record.step_count;
    Status status = record_add(&session.record, 0xFFFF);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_int_equal(session.record.step_count, steps);
    session_close(&session);
}

static void unknown_players_get_a_suggestion(void **state) {
    (void)state;
    Seat seat;
    assert_fails(seat_parse("prefect", &seat), STATUS_USAGE, "did you mean 'perfect'?");
    assert_fails(
        seat_parse("", &seat), STATUS_USAGE,
        "expected you, random, greedy, expectimax, minimax, alphabeta, easy, normal, strong, "
        "best or perfect");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computers_play_to_the_end),
        cmocka_unit_test(the_same_seed_gives_the_same_game),
        cmocka_unit_test(a_seed_gives_this_very_game),
        cmocka_unit_test(perfect_beats_random),
        cmocka_unit_test(those_who_look_ahead_play_yut),
        cmocka_unit_test(looking_ahead_pays),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(little_memory_gives_the_same_match),
        cmocka_unit_test(matches_stop_and_fail),
        cmocka_unit_test(settings_are_short),
        cmocka_unit_test(playouts_count_points),
        cmocka_unit_test(records_read_back),
        cmocka_unit_test(damaged_records_are_refused),
        cmocka_unit_test(lack_of_memory_is_no_fault_of_a_record),
        cmocka_unit_test(undo_meets_the_same_throws),
        cmocka_unit_test(illegal_steps_leave_the_record_alone),
        cmocka_unit_test(unknown_players_get_a_suggestion),
    };
    return cmocka_run_group_tests_name("play", tests, NULL, NULL);
}
