/* King's Valley solved: ranking and unranking of positions, and every value against a plain solver
 * that uses only the game's interface and no symmetry. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "games/valley/search/book.h"
#include "games/valley/solve/facts.h"
#include "games/valley/solve/solver.h"
#include "kernel/checkpoint.h"
#include "valley_testing.h"
#include "values/policy.h"
#include "values/services.h"
#include "values/store.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 30, .threads = 2};

/* --- ranking --- */

static void places_and_positions_are_inverse(void **state) {
    (void)state;
    static Ranking ranking;
    static const uint32_t sizes[] = {1, 462, 43890, 1492260, 22383900};
    Random random = random_from_seed(31, 0);
    for (int soldiers = 0; soldiers <= 4; soldiers++) {
        int mirrors = 0;
        ranking_init(&ranking, soldiers);
        assert_int_equal(ranking.block_size, sizes[soldiers]);
        for (uint32_t block = 0; block < RANK_BLOCKS; block++)
            mirrors += ranking.blocks[block].mirror != 0;
        assert_int_equal(mirrors, 12);
        for (int i = 0; i < test_times(20000); i++) {
            uint32_t block = (uint32_t)random_below(&random, RANK_BLOCKS);
            uint32_t index = (uint32_t)random_below(&random, ranking.block_size);
            uint32_t found_block, self_images;
            ValleyBoard board;
            int mover = i % 2;
            unrank_board(&ranking, block, index, &board, mover);
            assert_int_equal(valley_count(valley_occupied(&board)), 2 * soldiers + 2);
            assert_false(valley_occupied(&board) & VALLEY_CENTRE_BIT);
            const RankingBlock *one = &ranking.blocks[block];
            assert_int_equal(rank_soldiers_unfolded(&ranking, one, board.soldiers[mover],
                                                    board.soldiers[1 - mover]),
                             index);
            uint32_t counts = rank_soldiers(&ranking, one, board.soldiers[mover],
                                            board.soldiers[1 - mover], &self_images);
            assert_true(counts <= index && (one->mirror || counts == index));
            for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
                ValleyBoard image = image_of(&ranking.symmetries, &board, symmetry);
                assert_int_equal(rank_board(&ranking, &image, mover, &found_block), counts);
                assert_int_equal(found_block, block);
            }
        }
    }
}

/* Without the instructions that extract and deposit bits, the ranks are the same. */
static void ranks_do_not_depend_on_the_cpu(void **state) {
    (void)state;
    static Ranking ranking, plain;
    Random random = random_from_seed(4, 0);
    for (int soldiers = 0; soldiers <= VALLEY_SOLDIERS_MAX; soldiers++) {
        ranking_init(&ranking, soldiers);
        plain = ranking;
        plain.has_pext = false;
        for (int i = 0; i < test_times(2000); i++) {
            uint32_t block = (uint32_t)random_below(&random, RANK_BLOCKS), found;
            uint32_t index = (uint32_t)random_below(&random, ranking.block_size);
            ValleyBoard board, other;
            unrank_board(&ranking, block, index, &board, VALLEY_WHITE);
            unrank_board(&plain, block, index, &other, VALLEY_WHITE);
            assert_memory_equal(&board, &other, sizeof board);
            assert_int_equal(rank_board(&plain, &board, VALLEY_WHITE, &found),
                             rank_board(&ranking, &board, VALLEY_WHITE, &block));
            assert_int_equal(found, block);
        }
    }
}

/* Won, lost and endless positions, counted with all their images, are all positions there are. */
static void every_position_is_counted_once(void **state) {
    (void)state;
    static ValleyRetrograde retro;
    for (int soldiers = 0; soldiers <= (getenv("QUICK") ? 1 : 2); soldiers++) {
        Variant variant = with_soldiers(soldiers);
        RetroResult solved;
        valley_retrograde_init(&retro, soldiers);
        assert_ok(retrograde_run(&retro.base, &limits, NULL, NULL, &solved));
        const Ranking *ranking = &retro.ranking;
        uint64_t count = 0;
        for (uint32_t block = 0; block < RANK_BLOCKS; block++) {
            for (uint32_t index = 0; index < ranking->block_size; index++) {
                uint32_t mine, theirs, self_images;
                if (solved.codes[(size_t)block * ranking->block_size + index] == RETRO_UNUSED)
                    continue;
                unrank_soldiers(ranking, &ranking->blocks[block], index, &mine, &theirs);
                assert_int_equal(
                    rank_soldiers(ranking, &ranking->blocks[block], mine, theirs, &self_images),
                    index);
                count += SYMMETRY_COUNT / self_images;
            }
        }
        assert_int_equal(count, valley_census.in_progress(&variant.rules));
        retrograde_free(&solved);
    }
}

/* --- the plain solver --- */

/* All placements with white to move, numbered without symmetry: the kings, then the soldiers as
 * sets.
 */
typedef struct PlainSolver {
    const Variant *variant;
    uint32_t *sets; /* of all 25 squares, by number */
    uint32_t set_count;
    uint32_t *set_number; /* by set */
    uint64_t count;
    int16_t *values;    /* n: won in n, -n: lost in n, 0: open, NO_POSITION */
    uint64_t *first;    /* where its moves begin in: */
    uint32_t *children; /* numbers of positions, or CHILD_LOST, CHILD_WON */
} PlainSolver;

enum { NO_POSITION = INT16_MIN };
#define CHILD_LOST (UINT32_MAX - 1)
#define CHILD_WON UINT32_MAX

static uint64_t plain_number(const PlainSolver *solver, const ValleyBoard *board, int mover) {
    uint64_t number = (uint64_t)board->kings[mover] * VALLEY_SQUARES + board->kings[1 - mover];
    number = number * solver->set_count + solver->set_number[board->soldiers[mover]];
    return number * solver->set_count + solver->set_number[board->soldiers[1 - mover]];
}

static bool plain_state(const PlainSolver *solver, uint64_t number, State *state) {
    ValleyState valley = {.ply = 2, .turn = VALLEY_WHITE};
    valley.board.soldiers[1] = solver->sets[number % solver->set_count];
    number /= solver->set_count;
    valley.board.soldiers[0] = solver->sets[number % solver->set_count];
    number /= solver->set_count;
    valley.board.kings[1] = (uint32_t)(number % VALLEY_SQUARES);
    valley.board.kings[0] = (uint32_t)(number / VALLEY_SQUARES);
    *state = valley_state_pack(&valley);
    Status status = valley_check(&solver->variant->rules, state);
    return status_is_ok(&status) && valley_actor(&solver->variant->rules, state) != GAME_END;
}

/* Lists the successors of every position: their numbers, or that the game is over. */
static void list_children(PlainSolver *solver) {
    const Game *game = solver->variant->game;
    const Rules *rules = &solver->variant->rules;
    uint64_t room = 0, used = 0;
    for (uint64_t i = 0; i < solver->count; i++) {
        State state;
        Move moves[GAME_MOVES_MAX];
        solver->first[i] = used;
        if (!plain_state(solver, i, &state)) {
            solver->values[i] = NO_POSITION;
            continue;
        }
        size_t count = game->tree.moves(rules, &state, moves);
        if (used + count > room) {
            room = 2 * room + GAME_MOVES_MAX;
            solver->children = realloc(solver->children, room * sizeof *solver->children);
            assert_non_null(solver->children);
        }
        for (size_t j = 0; j < count; j++) {
            State next = state;
            double payoffs[2];
            game->tree.apply(rules, &next, moves[j]);
            ValleyState valley = valley_state(&next);
            if (game->tree.actor(rules, &next) != GAME_END) {
                solver->children[used++] =
                    (uint32_t)plain_number(solver, &valley.board, VALLEY_BLACK);
                continue;
            }
            game->tree.payoff(rules, &next, payoffs);
            solver->children[used++] = payoffs[0] == 1 ? CHILD_WON : CHILD_LOST;
        }
    }
    solver->first[solver->count] = used;
}

/* The value of a position by the values of its successors that are known so far; 0: open. */
static int16_t plain_value(const PlainSolver *solver, uint64_t number) {
    int16_t win = 0, loss = 0;
    bool open = false;
    for (uint64_t i = solver->first[number]; i < solver->first[number + 1]; i++) {
        uint32_t child = solver->children[i];
        int16_t value = 1;
        if (child == CHILD_LOST)
            value = -1;
        else if (child != CHILD_WON)
            value = solver->values[child];
        /* What is won for the other side is lost, a ply later. */
        if (child < CHILD_LOST)
            value = (int16_t)(value == 0 ? 0 : value > 0 ? -(value + 1) : -value + 1);
        if (value > 0 && (win == 0 || value < win))
            win = value;
        if (value < 0 && value < loss)
            loss = value;
        open = open || value == 0;
    }
    return win > 0 ? win : open ? 0 : loss;
}

static void open_plain(PlainSolver *solver, const Variant *variant, int soldiers) {
    *solver = (PlainSolver){.variant = variant};
    solver->sets = malloc((1 << 10) * sizeof *solver->sets);
    solver->set_number = malloc((size_t)(1 << VALLEY_SQUARES) * sizeof *solver->set_number);
    assert_true(solver->sets && solver->set_number);
    for (uint32_t set = 0; set < 1u << VALLEY_SQUARES; set++) {
        if ((int)valley_count(set) != soldiers)
            continue;
        solver->set_number[set] = solver->set_count;
        solver->sets[solver->set_count++] = set;
    }
    solver->count =
        (uint64_t)VALLEY_SQUARES * VALLEY_SQUARES * solver->set_count * solver->set_count;
    solver->values = calloc(solver->count, sizeof *solver->values);
    solver->first = calloc(solver->count + 1, sizeof *solver->first);
    assert_true(solver->values && solver->first);
}

static void close_plain(PlainSolver *solver) {
    free(solver->sets);
    free(solver->set_number);
    free(solver->values);
    free(solver->first);
    free(solver->children);
}

/* Value iteration: recomputes every open position in waves, until two waves change nothing. */
static void solve_plainly(PlainSolver *solver) {
    int quiet = 0;
    list_children(solver);
    for (int16_t plies = 1; quiet < 2; plies++) {
        bool found = false;
        for (uint64_t i = 0; i < solver->count; i++) {
            int16_t value = solver->values[i] == 0 ? plain_value(solver, i) : 0;
            /* A value that follows from one found in this wave belongs to a later wave. */
            if (abs(value) != plies)
                continue;
            solver->values[i] = value;
            found = true;
        }
        quiet = found ? 0 : quiet + 1;
    }
}

static void all_values_agree(int soldiers) {
    Variant variant = with_soldiers(soldiers);
    PlainSolver plain;
    Solver *solver;
    uint64_t won = 0, lost = 0, endless = 0;
    open_plain(&plain, &variant, soldiers);
    solve_plainly(&plain);
    assert_ok(valley_solver_new(&variant.rules, &limits, &solver));
    for (uint64_t i = 0; i < plain.count; i++) {
        State state;
        double values[2];
        int16_t value = plain.values[i];
        if (value == NO_POSITION)
            continue;
        plain_state(&plain, i, &state);
        assert_ok(solver->values(solver, &state, values));
        double expected = value > 0   ? valley_value_of_win(value)
                          : value < 0 ? valley_value_of_loss(-value)
                                      : VALLEY_ENDLESS;
        assert_true(values[0] == expected);
        won += value > 0;
        lost += value < 0;
        endless += value == 0;
    }
    assert_int_equal(won + lost + endless, valley_census.in_progress(&variant.rules));
    solver->free(solver);
    close_plain(&plain);
}

static void values_agree_with_value_iteration(void **state) {
    (void)state;
    all_values_agree(0);
    all_values_agree(1);
    if (getenv("SLOW"))
        all_values_agree(2);
}

/* --- stopping and resuming --- */

/* Wraps the game and sets the stop flag after so many calls. */
typedef struct Stopper {
    RetroGame base;
    const ValleyRetrograde *retro;
    int calls_left;
    StopFlag stop;
} Stopper;

static Stopper *stopper; /* the one of the present test: calls go through the game's own type */

static void count_call(void) {
    if (--stopper->calls_left == 0)
        stopper->stop = true;
}

static void init_and_count(const RetroGame *game, uint32_t block, uint32_t first, uint32_t count,
                           uint8_t codes[]) {
    (void)game;
    stopper->retro->base.init(&stopper->retro->base, block, first, count, codes);
    count_call();
}

static void unmove_and_count(const RetroGame *game, uint32_t block, const uint32_t places[],
                             size_t count, RetroSink *sink) {
    (void)game;
    stopper->retro->base.unmove(&stopper->retro->base, block, places, count, sink);
    count_call();
}

/* Runs that are stopped after a few calls, within waves, and resumed give the same codes. */
static void stopped_work_goes_on(void **state) {
    (void)state;
    static ValleyRetrograde retro;
    static const int calls[] = {1, 7, 40, 333};
    char path[] = "/tmp/malpan-retro-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    RetroResult whole, parts;
    valley_retrograde_init(&retro, 1);
    assert_ok(retrograde_run(&retro.base, &limits, NULL, NULL, &whole));
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        Stopper one = {.base = retro.base, .retro = &retro};
        SolveLimits own = {.memory_bytes = limits.memory_bytes, .threads = 1, .stop = &one.stop};
        RetroCheckpoint checkpoint = {.path = path, .name = "test", .interval_s = 1000};
        one.base.init = init_and_count;
        one.base.unmove = unmove_and_count;
        stopper = &one;
        checkpoint_remove(path);
        Status status;
        int runs = 0;
        do {
            one.stop = 0;
            one.calls_left = calls[i];
            status = retrograde_run(&one.base, &own, NULL, &checkpoint, &parts);
            runs++;
        } while (status.code == STATUS_STOPPED);
        assert_ok(status);
        assert_true(runs > 1 && parts.waves == whole.waves);
        assert_memory_equal(parts.codes, whole.codes, whole.bytes);
        retrograde_free(&parts);
    }
    checkpoint_remove(path);
    retrograde_free(&whole);
}

/* --- tables that fail or take too long --- */

static char *make_tables_folder(char path[32]) {
    snprintf(path, 32, "/tmp/malpan-valley-XXXXXX");
    assert_non_null(mkdtemp(path));
    return path;
}

static void remove_tables_folder(const char *folder) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Solves one soldier a side into a table in the folder. */
static void solve_one_soldier(const char *folder, Variant *variant, char path[PATH_MAX]) {
    *variant = with_soldiers(1);
    assert_ok(store_path(folder, variant, path));
    StoredJob job = {.limits = &limits, .path = path};
    StoredReport report;
    assert_ok(valley_stored.solve(&variant->rules, &job, &report));
}

/* A damaged block fails the lookups that need it, with the table's message, and verifying. */
static void a_damaged_block_is_reported(void **state) {
    (void)state;
    static Ranking ranking;
    char folder[32], path[PATH_MAX], *bytes;
    Variant variant;
    Table *table;
    Solver *solver;
    VerifyReport report;
    size_t size;
    double values[2];
    solve_one_soldier(make_tables_folder(folder), &variant, path);
    assert_ok(file_read(path, 1 << 20, &bytes, &size));
    bytes[size - 1] = (char)(bytes[size - 1] ^ 1);
    assert_ok(file_replace(path, bytes, size));
    free(bytes);
    assert_ok(table_open(path, &table));
    assert_fails(valley_stored.verify(&variant.rules, table, 100000, 1, &limits, &report),
                 STATUS_TABLE, "fails its checksum");
    assert_fails(valley_stored.verify(&variant.rules, table, 0, 1, &limits, &report), STATUS_TABLE,
                 "fails its checksum");
    assert_ok(valley_solver_over_table(&variant.rules, table, &limits, &solver));
    ranking_init(&ranking, 1);
    int failures = 0;
    for (uint32_t block = 0; block < RANK_BLOCKS; block++) {
        for (uint32_t index = 0; index < ranking.block_size; index++) {
            ValleyState valley = {.ply = 2, .turn = VALLEY_WHITE};
            unrank_board(&ranking, block, index, &valley.board, VALLEY_WHITE);
            State position = valley_state_pack(&valley);
            Status status = solver->values(solver, &position, values);
            if (status_is_ok(&status))
                continue;
            assert_fails(status, STATUS_TABLE, "fails its checksum");
            failures++;
        }
    }
    assert_true(failures > 0 && failures < 4096);
    solver->free(solver);
    remove_tables_folder(folder);
}

/* Verifying and counting the whole table end when they are told to. */
static void long_work_stops_when_asked(void **state) {
    (void)state;
    char folder[32], path[PATH_MAX], bytes[GAME_COMMAND_BYTES];
    Variant variant;
    Table *table;
    StopFlag stop = true;
    SolveLimits stopped = limits;
    VerifyReport report;
    Text output = text_over(bytes, sizeof bytes);
    solve_one_soldier(make_tables_folder(folder), &variant, path);
    stopped.stop = &stop;
    stopped.tables = folder;
    assert_ok(table_open(path, &table));
    assert_fails(valley_stored.verify(&variant.rules, table, 0, 1, &stopped, &report),
                 STATUS_STOPPED, "stopped");
    assert_fails(valley_stored.verify(&variant.rules, table, 100000, 1, &stopped, &report),
                 STATUS_STOPPED, "stopped");
    table_close(table);
    GameCall call = {.rules = variant.rules, .limits = &stopped, .services = &values_services};
    assert_fails(valley_commands[0].run(&call, &output), STATUS_STOPPED, "stopped");
    stop = false;
    assert_ok(valley_commands[0].run(&call, &output));
    remove_tables_folder(folder);
}

/* --- the search --- */

static void the_search_agrees_with(Solver *solver, int soldiers) {
    enum { POSITIONS = 10000, DEPTH = 5 };
    static Ranking ranking;
    Variant variant = with_soldiers(soldiers);
    Random random = random_from_seed(32, 0);
    Search *search;
    int proven = 0;
    ranking_init(&ranking, soldiers);
    assert_ok(valley_search_new(&variant.rules, &limits, &search));
    while (proven < (test_times(POSITIONS))) {
        ValleyState valley = {.ply = 2, .turn = (uint32_t)random_below(&random, 2)};
        unrank_board(&ranking, (uint32_t)random_below(&random, RANK_BLOCKS),
                     (uint32_t)random_below(&random, ranking.block_size), &valley.board,
                     (int)valley.turn);
        State position = valley_state_pack(&valley);
        if (valley_actor(&variant.rules, &position) == GAME_END)
            continue;
        SearchBudget budget = {.depth = DEPTH, .threads = 1};
        SearchResult result;
        double values[2];
        search->think(search, &position, &budget, &result);
        assert_ok(solver->values(solver, &position, values));
        double value = values[valley.turn];
        double within = valley_value_of_loss(DEPTH + 1);
        /* What it proves is true, and it proves everything within its depth. */
        if (result.is_proven)
            assert_true(result.value == value);
        else
            assert_true(value > within && value < 1 - within);
        proven += result.is_proven;
    }
    search->free(search);
    solver->free(solver);
}

/* Positions of a small variant, and of the full game if its table is there. */
static void the_search_agrees(void **state) {
    (void)state;
    int soldiers = getenv("QUICK") ? 1 : 2;
    Variant variant = with_soldiers(soldiers), large = with_soldiers(4);
    SolveLimits with_tables = limits;
    Solver *solver = NULL;
    assert_ok(valley_solver_new(&variant.rules, &limits, &solver));
    the_search_agrees_with(solver, soldiers);
    with_tables.tables = getenv("MALPAN_TABLES");
    Status exact = values_check(&large, VALUES_EXACT, &with_tables);
    if (!with_tables.tables || !status_is_ok(&exact))
        return;
    assert_ok(values_open_exact(&large, &with_tables, &solver));
    the_search_agrees_with(solver, 4);
}

/* Both setups are rows of one table, and of a plain solution. */
static void setups_share_a_table(void **state) {
    (void)state;
    Variant retrieve, standard;
    char path[PATH_MAX], other[PATH_MAX];
    assert_ok(variant_parse(&valley_game, "--soldiers 1 --start retrieve", &retrieve));
    assert_ok(variant_parse(&valley_game, "--soldiers 1", &standard));
    assert_ok(store_path("tables", &retrieve, path));
    assert_ok(store_path("tables", &standard, other));
    assert_string_equal(path, other);
    PlainSolver plain;
    Solver *solver;
    open_plain(&plain, &retrieve, 1);
    solve_plainly(&plain);
    State start = valley_start(&retrieve.rules);
    ValleyState after = valley_state(&start);
    after.ply = 2; /* the plain solver knows no first move */
    State later = valley_state_pack(&after);
    double values[2];
    assert_ok(valley_solver_new(&retrieve.rules, &limits, &solver));
    assert_ok(solver->values(solver, &later, values));
    solver->free(solver);
    uint64_t number = plain_number(&plain, &after.board, VALLEY_WHITE);
    int16_t expected = plain.values[number];
    Outcome found = valley_outcomes.decode(values[0]);
    assert_int_equal(found.kind == OUTCOME_ENDLESS ? 0
                     : found.kind == OUTCOME_WIN   ? found.plies
                                                   : -found.plies,
                     expected);
    close_plain(&plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_positions_are_inverse),
        cmocka_unit_test(ranks_do_not_depend_on_the_cpu),
        cmocka_unit_test(every_position_is_counted_once),
        cmocka_unit_test(values_agree_with_value_iteration),
        cmocka_unit_test(stopped_work_goes_on),
        cmocka_unit_test(a_damaged_block_is_reported),
        cmocka_unit_test(long_work_stops_when_asked),
        cmocka_unit_test(the_search_agrees),
        cmocka_unit_test(setups_share_a_table),
    };
    return cmocka_run_group_tests_name("valley_solved", tests, NULL, NULL);
}
