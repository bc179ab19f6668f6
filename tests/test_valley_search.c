/* The search of King's Valley: against plain minimax, against all positions solved from the end,
 * and its documented guarantees. */
#include "games/valley/search/alphabeta.h"
#include "valley_plain.h"
#include "valley_testing.h"
#include "values/search_solver.h"

static const SolveLimits limits = {.memory_bytes = 1 << 22, .threads = 1, .seconds = 1};

/* --- against minimax --- */

/* The score as alphabeta.h defines it. */
static int plain_score(const ValleyBoard *board, int mover, int depth) {
    ValleyState valley = {.board = *board, .ply = 2, .turn = (uint32_t)mover};
    State state = valley_state_pack(&valley);
    Move moves[GAME_MOVES_MAX];
    size_t count = valley_moves(NULL, &state, moves);
    int best = -SCORE_WIN;
    for (size_t i = 0; i < count; i++) {
        ValleyBoard next = *board;
        valley_move(&next, mover, valley_move_from(moves[i]), valley_move_to(moves[i]));
        ValleyEnd end = valley_end(&next, mover);
        if (end == VALLEY_REACHED || end == VALLEY_WALLED)
            return SCORE_WIN - 1;
    }
    if (depth == 0)
        return alphabeta_estimate(board, mover);
    for (size_t i = 0; i < count; i++) {
        ValleyBoard next = *board;
        valley_move(&next, mover, valley_move_from(moves[i]), valley_move_to(moves[i]));
        int score = -(SCORE_WIN - 1);
        if (valley_end(&next, mover) == VALLEY_ONGOING) {
            score = -plain_score(&next, 1 - mover, depth - 1);
            score = score > SCORE_PROVEN ? score - 1 : score < -SCORE_PROVEN ? score + 1 : score;
        }
        best = score > best ? score : best;
    }
    return best;
}

/* With a small transposition table full of other positions and depths, and in windows of all kinds.
 */
static void alphabeta_is_minimax(void **state) {
    (void)state;
    static Symmetries symmetries;
    static Searcher searcher;
    TranspositionTable transpositions;
    atomic_bool stop = false;
    Random random = random_from_seed(21, 0);
    symmetries_init(&symmetries);
    assert_true(transposition_open(&transpositions, 1 << 16));
    ValleyState valley = {.ply = 2};
    for (int i = 0; i < test_times(8000); i++) {
        /* Sometimes a new position; otherwise the last one again, or a successor of it. */
        int choice = (int)random_below(&random, 4);
        Variant variant = with_soldiers((int)random_below(&random, 5));
        State position = valley_state_pack(&valley);
        if (choice == 1 && i > 0) {
            Move move;
            valley_pick(&variant.rules, &position, &random, &move);
            valley_apply(&variant.rules, &position, move);
        }
        if (choice == 0 || i == 0 || valley_actor(&variant.rules, &position) == GAME_END)
            position = wander(&variant, &random, (int)random_below(&random, 30));
        valley = valley_state(&position);
        int depth = (int)random_below(&random, 4), mover = (int)valley.turn;
        int expected = plain_score(&valley.board, mover, depth);
        searcher = (Searcher){.symmetries = &symmetries,
                              .transpositions = &transpositions,
                              .board = valley.board,
                              .stop = &stop};
        assert_int_equal(alphabeta_score(&searcher, mover, depth, -SCORE_WIN, SCORE_WIN, 0),
                         expected);
        assert_memory_equal(&searcher.board, &valley.board, sizeof valley.board);
        /* Around an estimate, a win or a loss. */
        int alpha = (int)random_below(&random, 200) - 100, near = (int)random_below(&random, 3);
        if (near > 0)
            alpha = (near == 1 ? 1 : -1) * (SCORE_WIN - 1 - (int)random_below(&random, 8));
        int found = alphabeta_score(&searcher, mover, depth, alpha, alpha + 1, 0);
        assert_true(expected > alpha ? found > alpha && found <= expected
                                     : found <= alpha && found >= expected);
    }
    transposition_close(&transpositions);
}

/* --- stopping --- */

typedef struct Watch {
    const Searcher *searcher;
    uint64_t last_nodes, longest; /* between two polls */
    int polls;
} Watch;

static bool note_poll(void *context) {
    Watch *watch = context;
    uint64_t since = watch->searcher->nodes - watch->last_nodes;
    if (since > watch->longest)
        watch->longest = since;
    watch->last_nodes = watch->searcher->nodes;
    return ++watch->polls == 200;
}

/* A search is asked whether to stop as often as promised, and then visits no further leaf. */
static void polls_are_frequent(void **state) {
    (void)state;
    static Symmetries symmetries;
    static Searcher searcher;
    TranspositionTable transpositions;
    Variant variant = with_soldiers(4);
    State start = valley_start(&variant.rules);
    atomic_bool stop = false;
    Watch watch = {.searcher = &searcher};
    symmetries_init(&symmetries);
    assert_true(transposition_open(&transpositions, 1 << 22));
    searcher = (Searcher){.symmetries = &symmetries,
                          .transpositions = &transpositions,
                          .board = valley_state(&start).board,
                          .stop = &stop,
                          .should_stop = note_poll,
                          .context = &watch};
    alphabeta_score(&searcher, 0, 20, -SCORE_WIN, SCORE_WIN, 0);
    assert_true(stop);
    assert_int_equal(watch.polls, 200);
    assert_in_range(watch.longest, POLL_NODES, POLL_NODES + VALLEY_MOVES_MAX);
    assert_in_range(searcher.nodes - watch.last_nodes, 0, VALLEY_MOVES_MAX * 20);
    transposition_close(&transpositions);
}

/* --- against all positions, solved from the end --- */

/* Positions with at most one soldier a side, white to move, by where the pieces stand. */
enum { PLACES = 25 * 25 * 26 * 26, CHILDREN = 20, UNKNOWN = 0, LAST = -1, WON = -2, LOST = -3 };

typedef struct Solved {
    int32_t *values; /* n: won in n, -n: lost in n, UNKNOWN */
    int32_t
        *children; /* [place * CHILDREN]: after a move, sides changed; or WON, LOST; then LAST */
    bool *is_position;
} Solved;

static int place_of(const int squares[4]) {
    return ((squares[0] * 25 + squares[1]) * 26 + squares[2]) * 26 + squares[3];
}

/* The place with the letters' case and sides exchanged, so that white moves again. */
static int place_of_plain(const Plain *plain, bool change) {
    int squares[4] = {0, 0, 25, 25};
    for (int i = 0; i < 25; i++) {
        char piece = plain->board[i / 5][i % 5];
        const char *letters = change ? "kKsS" : "KkSs";
        if (piece != '.')
            squares[strchr(letters, piece) - letters] = i;
    }
    return place_of(squares);
}

static bool plain_of_place(int place, Plain *plain) {
    int squares[4] = {place / 26 / 26 / 25, place / 26 / 26 % 25, place / 26 % 26, place % 26};
    memset(plain->board, '.', sizeof plain->board);
    plain->side = 'w';
    plain->ply = 2;
    if ((squares[2] == 25) != (squares[3] == 25))
        return false;
    for (int i = 0; i < 4; i++) {
        if (squares[i] == 25)
            continue;
        char *at = &plain->board[squares[i] / 5][squares[i] % 5];
        if (*at != '.' || squares[i] == 12)
            return false;
        *at = "KkSs"[i];
    }
    return !plain_is_walled(plain, 'K') && !plain_is_walled(plain, 'k');
}

/* Won or lost in `plies` where it was not sooner; whether anything was. */
static bool solve_wave(Solved *solved, int plies) {
    bool found = false;
    for (int place = 0; place < PLACES; place++) {
        if (!solved->is_position[place] || solved->values[place] != UNKNOWN)
            continue;
        bool wins = false, loses = true;
        for (const int32_t *child = &solved->children[(size_t)place * CHILDREN]; *child != LAST;
             child++) {
            int32_t value = *child >= 0 ? solved->values[*child] : UNKNOWN;
            wins = wins || (*child == WON && plies == 1) ||
                   (*child >= 0 && value < 0 && value == -(plies - 1));
            loses = loses && (*child == LOST || (*child >= 0 && value > 0 && value < plies));
        }
        if (wins || loses) {
            solved->values[place] = wins ? plies : -plies;
            found = true;
        }
    }
    return found;
}

static void solve_all(Solved *solved) {
    solved->values = calloc(PLACES, sizeof *solved->values);
    solved->children = calloc((size_t)PLACES * CHILDREN, sizeof *solved->children);
    solved->is_position = calloc(PLACES, sizeof *solved->is_position);
    assert_true(solved->values && solved->children && solved->is_position);
    for (int place = 0; place < PLACES; place++) {
        Plain plain;
        PlainMove moves[PLAIN_MOVES_MAX];
        if (!plain_of_place(place, &plain))
            continue;
        solved->is_position[place] = true;
        int count = plain_moves(&plain, moves);
        assert_true(count < CHILDREN);
        for (int i = 0; i < count; i++) {
            Plain next = plain_after(&plain, moves[i]);
            int outcome = plain_outcome(&next);
            solved->children[(size_t)place * CHILDREN + (size_t)i] =
                outcome == 0  ? place_of_plain(&next, true)
                : outcome > 0 ? -2
                              : -3;
        }
        solved->children[(size_t)place * CHILDREN + (size_t)count] = LAST;
    }
    int plies = 1, quiet = 0;
    while (quiet < 2)
        quiet = solve_wave(solved, plies++) ? 0 : quiet + 1;
}

static void free_solved(Solved *solved) {
    free(solved->values);
    free(solved->children);
    free(solved->is_position);
}

static State state_of(const Plain *plain) {
    ValleyState valley = {.ply = 2, .turn = VALLEY_WHITE};
    for (int i = 0; i < 25; i++) {
        char piece = plain->board[i / 5][i % 5];
        if (piece == 'K' || piece == 'k')
            valley.board.kings[piece == 'k'] = (uint32_t)i;
        else if (piece != '.')
            valley.board.soldiers[piece == 's'] |= 1u << i;
    }
    return valley_state_pack(&valley);
}

static void distances_are_those_of_all_positions_solved(void **state) {
    (void)state;
    enum { DEPTH = 9 };
    Solved solved;
    Search *search;
    Random random = random_from_seed(22, 0);
    Variant variant = with_soldiers(1);
    solve_all(&solved);
    assert_ok(valley_search_new(&variant.rules, &limits, &search));
    int won = 0, lost = 0, open = 0;
    for (int i = 0; i < PLACES; i++) {
        Plain plain;
        if (!solved.is_position[i])
            continue;
        plain_of_place(i, &plain);
        bool no_soldiers = i % 26 == 25;
        if (!no_soldiers && random_below(&random, getenv("QUICK") ? 1000 : 100) > 0)
            continue;
        State position = state_of(&plain);
        SearchBudget budget = {.depth = DEPTH, .threads = 1};
        SearchResult result;
        int value = solved.values[i];
        search->think(search, &position, &budget, &result);
        won += value > 0;
        lost += value < 0;
        open += value == UNKNOWN;
        /* Every win within reach is found, and nothing else is called proven. */
        if (value != UNKNOWN && abs(value) <= DEPTH) {
            assert_true(result.is_proven);
            assert_true(result.value ==
                        (value > 0 ? valley_value_of_win(value) : valley_value_of_loss(-value)));
        } else if (result.is_proven) {
            assert_int_equal(abs(value), DEPTH + 1);
        }
    }
    /* The test covers wins and losses. */
    assert_true(won > test_times(500) && lost > test_times(100) && open > 100);
    search->free(search);
    free_solved(&solved);
}

/* --- guarantees --- */

static void the_start_is_won_in_nine(void **state) {
    (void)state;
    Variant variant = with_soldiers(4);
    State start = valley_start(&variant.rules);
    for (int threads = 1; threads <= 2; threads++) {
        Search *search;
        SearchResult result;
        SearchBudget budget = {.threads = threads};
        assert_ok(valley_search_new(&variant.rules, &limits, &search));
        search->think(search, &start, &budget, &result);
        assert_true(result.is_proven && result.value == valley_value_of_win(9));
        assert_int_equal(result.line_length, 9);
        search->free(search);
    }
}

/* A proven line is legal, has the stated length and ends with the stated result. */
static void lines_lead_where_they_say(void **state) {
    (void)state;
    Random random = random_from_seed(23, 0);
    Variant variant = with_soldiers(4);
    Search *search;
    int proven = 0;
    assert_ok(valley_search_new(&variant.rules, &limits, &search));
    for (int i = 0; i < test_times(300); i++) {
        State position = wander(&variant, &random, 1 + (int)random_below(&random, 30));
        int mover = valley_turn(&variant.rules, &position);
        SearchBudget budget = {.depth = 6, .threads = 1};
        SearchResult result;
        search->think(search, &position, &budget, &result);
        State at = position;
        for (size_t j = 0; j < result.line_length; j++)
            assert_ok(variant_play(&variant, &at, result.line[j]));
        if (!result.is_proven) {
            assert_true(result.value > 0.2 && result.value < 0.8 && result.depth == 6);
            continue;
        }
        proven++;
        double payoffs[2];
        int plies = (int)result.line_length;
        assert_int_equal(valley_actor(&variant.rules, &at), GAME_END);
        valley_payoff(&variant.rules, &at, payoffs);
        assert_true(result.value == (payoffs[mover] == 1 ? valley_value_of_win(plies)
                                                         : valley_value_of_loss(plies)));
    }
    assert_true(proven > test_times(50));
    search->free(search);
}

/* A fixed depth gives one result, on any number of threads and after any earlier searches. */
static void a_depth_gives_one_result(void **state) {
    (void)state;
    Random random = random_from_seed(24, 0);
    Variant variant = with_soldiers(4);
    Search *used;
    assert_ok(valley_search_new(&variant.rules, &limits, &used));
    for (int i = 0; i < test_times(40); i++) {
        State position = wander(&variant, &random, 1 + (int)random_below(&random, 20));
        SearchResult results[3];
        Search *fresh;
        assert_ok(valley_search_new(&variant.rules, &limits, &fresh));
        SearchBudget one = {.depth = 5, .threads = 1}, two = {.depth = 5, .threads = 2};
        fresh->think(fresh, &position, &one, &results[0]);
        used->think(used, &position, &one, &results[1]);
        used->think(used, &position, &two, &results[2]);
        for (int j = 1; j < 3; j++) {
            assert_true(results[j].value == results[0].value);
            assert_int_equal(results[j].line[0], results[0].line[0]);
            assert_int_equal(results[j].depth, results[0].depth);
        }
        fresh->free(fresh);
    }
    used->free(used);
}

/* Turned, mirrored, or with colours exchanged: the same value. */
static void images_have_equal_values(void **state) {
    (void)state;
    static Symmetries symmetries;
    Random random = random_from_seed(25, 0);
    Variant variant = with_soldiers(4);
    symmetries_init(&symmetries);
    for (int i = 0; i < test_times(30); i++) {
        State position = wander(&variant, &random, 2 + (int)random_below(&random, 20));
        ValleyState valley = valley_state(&position);
        double value = -1;
        for (int symmetry = 0; symmetry < 2 * SYMMETRY_COUNT; symmetry++) {
            bool change = symmetry >= SYMMETRY_COUNT;
            ValleyBoard board = image_of(&symmetries, &valley.board, symmetry % SYMMETRY_COUNT);
            ValleyState image = {.board = board, .ply = 5, .turn = valley.turn};
            if (change)
                image = (ValleyState){.board = {{board.soldiers[1], board.soldiers[0]},
                                                {board.kings[1], board.kings[0]}},
                                      .ply = 5,
                                      .turn = 1 - valley.turn};
            State turned = valley_state_pack(&image);
            SearchBudget budget = {.depth = 5, .threads = 1};
            SearchResult result;
            Search *search;
            assert_ok(valley_search_new(&variant.rules, &limits, &search));
            search->think(search, &turned, &budget, &result);
            assert_true(value < 0 || value == result.value);
            value = result.value;
            search->free(search);
        }
    }
}

/* Over the search: each move's value is that of the position after it, a ply later. */
static void moves_are_worth_what_they_lead_to(void **state) {
    (void)state;
    static Evaluation evaluation;
    Variant variant = with_soldiers(4);
    State position;
    Solver *solver;
    double values[2];
    int compared = 0;
    assert_ok(valley_parse_state(&variant.rules, "sskss/2S2/5/5/1SKSS w 3", &position));
    assert_ok(search_solver_new(&variant, &limits, &solver));
    assert_ok(solver->evaluate(solver, &position, true, &evaluation));
    assert_int_equal(evaluation.kind, VALUE_PROVEN);
    assert_true(evaluation.values[0] == valley_value_of_win(1));
    for (size_t i = 0; i < evaluation.move_count; i++) {
        State next = position;
        valley_apply(&variant.rules, &next, evaluation.moves[i].move);
        if (evaluation.moves[i].is_estimate)
            continue;
        if (valley_actor(&variant.rules, &next) != GAME_END)
            compared++;
        assert_ok(solver->values(solver, &next, values));
        double later = values[0] > 0.5 ? values[0] - 1e-4 : values[0] + 1e-4;
        assert_true(evaluation.moves[i].value > later - 1e-9 &&
                    evaluation.moves[i].value < later + 1e-9);
    }
    assert_true(compared > 3);
    solver->free(solver);
    /* A position without a proof has no exact value; the message says how deep the search went. */
    variant = with_soldiers(0);
    State endless = valley_start(&variant.rules);
    SolveLimits little = limits;
    little.seconds = 0.05;
    assert_ok(search_solver_new(&variant, &little, &solver));
    assert_fails(solver->values(solver, &endless, values), STATUS_TABLE, "plies ahead");
    solver->free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alphabeta_is_minimax),
        cmocka_unit_test(polls_are_frequent),
        cmocka_unit_test(distances_are_those_of_all_positions_solved),
        cmocka_unit_test(the_start_is_won_in_nine),
        cmocka_unit_test(lines_lead_where_they_say),
        cmocka_unit_test(a_depth_gives_one_result),
        cmocka_unit_test(images_have_equal_values),
        cmocka_unit_test(moves_are_worth_what_they_lead_to),
    };
    return cmocka_run_group_tests_name("valley_search", tests, NULL, NULL);
}
