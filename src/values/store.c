#include "values/store.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "game/search.h"
#include "values/evaluate.h"
#include "values/lookahead.h"
#include "values/search_solver.h"

/* Adds "-pieces-3" for an option that is not as usual. */
static void add_option(const Variant *variant, const char *option, Text *text) {
    char value[GAME_TEXT_BYTES];
    if (!variant_is_unusual(variant, option, value))
        return;
    text_addf(text, "-%s-", option);
    for (const char *c = value; *c; c++)
        text_add_char(text, isalnum((unsigned char)*c) || *c == '.' ? *c : '_');
}

Status store_path(const char *folder, const Variant *variant, char path[PATH_MAX]) {
    const Game *game = variant->game;
    Text text = text_over(path, PATH_MAX);
    if (folder[0] == '\0')
        return status_make(STATUS_USAGE, "no folder for tables: neither --tables nor the "
                                         "environment names one");
    text_addf(&text, "%s/%s", folder, game->identity.name);
    for (size_t i = 0; i < game->rules.option_count; i++)
        add_option(variant, game->rules.options[i].name, &text);
    text_add(&text, ".table");
    if (text.truncated)
        return status_make(STATUS_FAILED, "the name of the tables' folder is too long");
    return status_ok();
}

Status store_make_folder(const char *folder) {
    char path[PATH_MAX];
    Text text = text_over(path, sizeof path);
    text_add(&text, folder);
    for (char *c = path; !text.truncated; c++) {
        if (*c != '\0' && (*c != '/' || c == path))
            continue;
        char end = *c;
        *c = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return status_make(STATUS_FAILED, "cannot make the folder %s: %s", quote(path).text,
                               strerror(errno));
        *c = end;
        if (end == '\0')
            return status_ok();
    }
    return status_make(STATUS_FAILED, "the name of the tables' folder is too long");
}

Status store_open(const char *path, const Variant *variant, Table **table) {
    char rules[TABLE_RULES_BYTES];
    Text text = text_over(rules, sizeof rules);
    variant_print(variant, &text);
    Status status = table_open(path, table);
    if (!status_is_ok(&status))
        return status;
    status = table_check_for(*table, variant->game->identity.name, rules);
    if (!status_is_ok(&status))
        table_close(*table);
    return status;
}

static Status open_solver(const char *path, const Variant *variant, const SolveLimits *limits,
                          Solver **solver) {
    Table *table;
    Status status = store_open(path, variant, &table);
    if (!status_is_ok(&status))
        return status;
    status = variant->game->stored->open(&variant->rules, table, limits, solver);
    if (!status_is_ok(&status))
        table_close(table);
    return status;
}

/* Solves, leaves a table, and opens it. */
static Status solve_and_open(const char *path, const Variant *variant, const SolveLimits *limits,
                             Solver **solver) {
    const GameStored *stored = variant->game->stored;
    StoredReport report;
    StoredJob job = {.error = stored->usual_error(&variant->rules), .limits = limits, .path = path};
    Status status = stored->solve(&variant->rules, &job, &report);
    return status_is_ok(&status) ? open_solver(path, variant, limits, solver) : status;
}

/* Whether a table can be left there. */
static bool can_write(const char *folder) {
    Status status = store_make_folder(folder);
    return status_is_ok(&status) && access(folder, W_OK) == 0;
}

/* Whether tables of the variant are kept at all. */
static bool keeps_tables(const Variant *variant, const SolveLimits *limits) {
    return variant->game->stored && limits->tables;
}

Status store_solver(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    char path[PATH_MAX];
    if (!keeps_tables(variant, limits))
        return evaluate_solver(variant, limits, solver);
    Status status = store_path(limits->tables, variant, path);
    if (!status_is_ok(&status))
        return status;
    if (file_exists(path))
        return open_solver(path, variant, limits, solver);
    if (evaluate_can_solve(variant) && can_write(limits->tables)) {
        status = solve_and_open(path, variant, limits, solver);
        if (status.code != STATUS_FAILED)
            return status;
        /* The disk may be full: the values are to be had all the same. */
    }
    return evaluate_solver(variant, limits, solver);
}

Status store_check(const Variant *variant, const SolveLimits *limits) {
    char path[PATH_MAX];
    if (!keeps_tables(variant, limits))
        return evaluate_check(variant);
    Status status = store_path(limits->tables, variant, path);
    if (!status_is_ok(&status) || file_exists(path))
        return status;
    return evaluate_check(variant);
}

bool store_can_solve(const Variant *variant, const SolveLimits *limits) {
    Status status = store_check(variant, limits);
    return status_is_ok(&status);
}

Status store_solver_or_estimate(const Variant *variant, const SolveLimits *limits, Solver **solver,
                                Status *missing) {
    *missing = store_check(variant, limits);
    if (!status_is_ok(missing) && variant->game->search)
        return searching_new(variant, limits, solver);
    if (missing->code == STATUS_TABLE && variant->game->estimate)
        return lookahead_new(variant, limits, solver);
    return store_solver(variant, limits, solver);
}
