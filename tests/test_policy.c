/* Who answers under which policy, and that the answer says what it is. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "game/stored.h"
#include "testing.h"
#include "values/evaluate.h"
#include "values/policy.h"
#include "values/registry.h"
#include "values/store.h"

static const SolveLimits limits = {
    .memory_bytes = (size_t)1 << 28, .threads = 1, .seconds = 0.05 /* for a search */};
static Evaluation evaluation;

static Variant variant_of(const char *name, const char *options) {
    const Game *game = NULL;
    Variant variant;
    assert_ok(registry_find(name, &game));
    assert_ok(variant_parse(game, options, &variant));
    return variant;
}

/* Opens a solver, evaluates the start with it and returns what kind the value is. */
static ValueKind evaluate_start(const Variant *variant, ValuePolicy policy, const SolveLimits *with,
                                Status *why) {
    Solver *solver;
    State start = variant->game->tree.start(&variant->rules);
    assert_ok(values_open(variant, policy, with, &solver, why));
    assert_ok(evaluate_state(variant, solver, &start, &evaluation));
    solver->free(solver);
    assert_true(isfinite(evaluation.error) == (evaluation.kind != VALUE_ESTIMATE));
    return evaluation.kind;
}

static void what_can_be_solved_is_exact(void **state) {
    (void)state;
    static const char *const variants[][2] = {
        {"yut", "--pieces 1"}, {"box", ""},          {"yut", "--pieces 1 --catch-bonus weak"},
        {"race", ""},          {"dice", "--online"}, {"valley", "--soldiers 1"}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of(variants[i][0], variants[i][1]);
        for (ValuePolicy policy = VALUES_EXACT; policy <= VALUES_ANY; policy++) {
            Status why = status_make(STATUS_FAILED, "not set");
            assert_ok(values_check(&variant, policy, &limits));
            assert_int_equal(evaluate_start(&variant, policy, &limits, &why), VALUE_EXACT);
            assert_ok(why);
        }
    }
}

/* Every variant of Yut gets at least an estimate, and the reason why it is one. */
static void what_cannot_be_solved_is_estimated(void **state) {
    (void)state;
    static const struct {
        const char *options;
        StatusCode code;
        const char *words;
    } variants[] = {
        {"--pieces 3", STATUS_TABLE, "`malpan solve yut --pieces 3` makes one (about 2 min on two"},
        {"", STATUS_TABLE, "about 4 h on two cores"},
        {"--players 3", STATUS_UNSUPPORTED, "one piece each, not with 4"},
        {"--players 4 --pieces 2 --animals cnpd", STATUS_UNSUPPORTED, "one piece each, not with 2"},
        {"--preset teams", STATUS_UNSUPPORTED, "one piece each, not with 4"},
        {"--preset teams --pieces 1 --animals dnnn", STATUS_UNSUPPORTED, "the same animal"},
        {"--pieces 2 --odds 1,1,1,1,9,9", STATUS_UNSUPPORTED, "throws again so often"}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of("yut", variants[i].options);
        Solver *solver;
        Status why;
        for (ValuePolicy policy = VALUES_EXACT; policy <= VALUES_PROOF; policy++) {
            assert_fails(values_open(&variant, policy, &limits, &solver, &why), variants[i].code,
                         variants[i].words);
            assert_fails(values_check(&variant, policy, &limits), variants[i].code,
                         variants[i].words);
        }
        assert_ok(values_check(&variant, VALUES_ANY, &limits));
        assert_int_equal(evaluate_start(&variant, VALUES_ANY, &limits, &why), VALUE_ESTIMATE);
        assert_fails(why, variants[i].code, variants[i].words);
    }
}

/* Too little memory for exact values is a reason to estimate, too. */
static void little_memory_gives_an_estimate(void **state) {
    (void)state;
    Variant variant = variant_of("yut", "--pieces 2");
    const SolveLimits small = {.memory_bytes = 1 << 20, .threads = 1};
    Solver *solver;
    Status why;
    assert_fails(values_open_exact(&variant, &small, &solver), STATUS_UNSUPPORTED, "memory limit");
    assert_int_equal(evaluate_start(&variant, VALUES_ANY, &small, &why), VALUE_ESTIMATE);
    assert_fails(why, STATUS_UNSUPPORTED, "memory limit");
}

static void a_search_proves(void **state) {
    (void)state;
    Variant variant = variant_of("valley", "");
    Solver *solver;
    Status why;
    assert_fails(values_open_exact(&variant, &limits, &solver), STATUS_TABLE,
                 "malpan solve valley");
    /* The start is in the opening book, which is proven. */
    assert_int_equal(evaluate_start(&variant, VALUES_PROOF, &limits, &why), VALUE_PROVEN);
    assert_true(evaluation.error == 0);
    assert_fails(why, STATUS_TABLE, "malpan solve valley");
    SolveLimits search = limits;
    search.search_only = true;
    search.seconds = 0.001;
    assert_int_equal(evaluate_start(&variant, VALUES_ANY, &search, NULL), VALUE_ESTIMATE);
}

/* --- tables --- */

typedef struct Folder {
    char name[64];
    char path[PATH_MAX]; /* of the variant's table in it */
    SolveLimits limits;
} Folder;

static Folder make_folder(const Variant *variant) {
    Folder folder = {.name = "/tmp/malpan-policy-XXXXXX", .limits = limits};
    assert_non_null(mkdtemp(folder.name));
    assert_ok(store_path(folder.name, variant, folder.path));
    return folder;
}

static void remove_folder(const Folder *folder) {
    unlink(folder->path);
    assert_int_equal(rmdir(folder->name), 0);
}

static void a_folder_has_any_name_but_none(void **state) {
    (void)state;
    Variant variant = variant_of("yut", "--pieces 1");
    char path[PATH_MAX];
    assert_ok(store_path("t", &variant, path));
    assert_string_equal(path, "t/yut-pieces-1.table");
    assert_fails(store_path("", &variant, path), STATUS_USAGE, "no folder for tables");
}

/* A folder that is there, but in which the user may not write. */
static void a_folder_may_be_closed(void **state) {
    (void)state;
    char folder[] = "/tmp/malpan-policy-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_true(store_can_write(folder));
    assert_int_equal(chmod(folder, 0500), 0);
    pid_t child = fork();
    if (child == 0) /* as nobody, as root may write anywhere */
        _exit(getuid() == 0 && setuid(65534) != 0 ? 2 : store_can_write(folder));
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(rmdir(folder), 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Three sides: not an estimate, and it says that it is an equilibrium. */
static void three_sides_have_an_equilibrium(void **state) {
    (void)state;
    Variant variant = variant_of("yut", "--players 3 --pieces 1");
    Folder folder = make_folder(&variant);
    folder.limits.tables = folder.name;
    for (ValuePolicy policy = VALUES_EXACT; policy <= VALUES_ANY; policy++) {
        Status why;
        assert_int_equal(evaluate_start(&variant, policy, &folder.limits, &why), VALUE_EQUILIBRIUM);
        assert_ok(why);
        assert_true(evaluation.error < 1e-9);
        assert_non_null(strstr(evaluation.note, "the equilibrium reached from equal chances"));
        assert_true(fabs(evaluation.values[0] - 0.344391) < 1e-6);
    }
    assert_int_equal(rmdir(folder.name), 0); /* no table was left there */
}

/* A table with a large error is not used where solving now does better; and it stays as it is. */
static void a_coarse_table_makes_nothing_worse(void **state) {
    (void)state;
    Variant variant = variant_of("yut", "--pieces 1");
    Folder folder = make_folder(&variant);
    folder.limits.tables = folder.name;
    StoredReport report;
    const StoredJob job = {.error = 0.3, .limits = &limits, .path = folder.path};
    assert_ok(variant.game->stored->solve(&variant.rules, &job, &report));
    assert_true(report.info.error > 1e-3);
    assert_int_equal(evaluate_start(&variant, VALUES_ANY, &folder.limits, NULL), VALUE_EXACT);
    assert_true(evaluation.error < 1e-5);
    assert_true(fabs(evaluation.values[0] - 0.510281) < 1e-6);
    Table *table;
    assert_ok(store_open(folder.path, &variant, &table));
    assert_true(table_info(table)->content == report.info.content);
    table_close(table);
    remove_folder(&folder);
}

static void a_damaged_table_is_an_error(void **state) {
    (void)state;
    static const char *const variants[][2] = {
        {"yut", "--pieces 1"}, {"yut", "--pieces 3"}, {"valley", ""}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        Variant variant = variant_of(variants[i][0], variants[i][1]);
        Folder folder = make_folder(&variant);
        folder.limits.tables = folder.name;
        FILE *file = fopen(folder.path, "w");
        assert_non_null(file);
        assert_true(fputs("not a table", file) >= 0 && fclose(file) == 0);
        for (ValuePolicy policy = VALUES_EXACT; policy <= VALUES_ANY; policy++) {
            Solver *solver;
            Status why;
            assert_fails(values_open(&variant, policy, &folder.limits, &solver, &why), STATUS_TABLE,
                         "table");
        }
        remove_folder(&folder);
    }
}

/* What is solved now leaves a table, which gives the same value. */
static void a_small_variant_leaves_its_table(void **state) {
    (void)state;
    Variant variant = variant_of("yut", "--pieces 1");
    Folder folder = make_folder(&variant);
    folder.limits.tables = folder.name;
    double values[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(access(folder.path, F_OK) == 0, i > 0);
        assert_int_equal(evaluate_start(&variant, VALUES_EXACT, &folder.limits, NULL), VALUE_EXACT);
        values[i] = evaluation.values[0];
    }
    assert_true(values[0] == values[1]);
    remove_folder(&folder);
}

/* --- what a table costs, in words --- */

/* The costs of a made-up game. */
static double cost_s;
static uint64_t cost_memory, cost_disk;

static Status cost_check(const Rules *rules) {
    (void)rules;
    return status_ok();
}

static double cost_error(const Rules *rules) {
    (void)rules;
    return 0;
}

static double cost_seconds(const Rules *rules) {
    (void)rules;
    return cost_s;
}

static Status cost_needs(const Rules *rules, double error, const SolveLimits *with, int ranks,
                         uint64_t *memory, uint64_t *disk) {
    (void)rules, (void)error, (void)with, (void)ranks;
    *memory = cost_memory;
    *disk = cost_disk;
    return status_ok();
}

static void costs_are_rounded(void **state) {
    (void)state;
    const GameStored stored = {.check = cost_check,
                               .usual_error = cost_error,
                               .seconds = cost_seconds,
                               .needs = cost_needs};
    const Game game = {.stored = &stored};
    const Variant variant = {.game = &game};
    static const struct {
        double seconds;
        uint64_t memory, disk;
        const char *words;
    } costs[] = {
        {0.99, 0, 1, "less than 1 s on two cores, 1 MB of memory, 1 MB of disk"},
        {1, 1499999, 1500001, "about 1 s on two cores, 1 MB of memory, 2 MB of disk"},
        {89, 994000000, 995000000, "about 89 s on two cores, 994 MB of memory, 1.0 GB of disk"},
        {90, 2640000000, 9949000000, "about 2 min on two cores, 2.6 GB of memory, 9.9 GB of disk"},
        {5399, 9950000000, 15400000000,
         "about 90 min on two cores, 10 GB of memory, 15 GB of disk"},
        {5400, 1, 1, "about 2 h on two cores, 1 MB of memory, 1 MB of disk"},
    };
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        cost_s = costs[i].seconds;
        cost_memory = costs[i].memory;
        cost_disk = costs[i].disk;
        assert_true(store_add_cost(&variant, &text));
        assert_string_equal(bytes, costs[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_solved_is_exact),
        cmocka_unit_test(what_cannot_be_solved_is_estimated),
        cmocka_unit_test(a_folder_has_any_name_but_none),
        cmocka_unit_test(a_folder_may_be_closed),
        cmocka_unit_test(three_sides_have_an_equilibrium),
        cmocka_unit_test(little_memory_gives_an_estimate),
        cmocka_unit_test(a_search_proves),
        cmocka_unit_test(a_coarse_table_makes_nothing_worse),
        cmocka_unit_test(a_damaged_table_is_an_error),
        cmocka_unit_test(a_small_variant_leaves_its_table),
        cmocka_unit_test(costs_are_rounded),
    };
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
