#include "solve/store.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "solve/evaluate.h"

/* Adds "-pieces-3" for an option that is not as usual. */
static void add_option(const Variant *variant, const char *option, Text *text) {
    char value[GAME_TEXT_BYTES], usual[GAME_TEXT_BYTES];
    Variant plain = variant_default(variant->game);
    Text text_of_value = text_over(value, sizeof value),
         text_of_usual = text_over(usual, sizeof usual);
    variant->game->rules_get(&variant->rules, option, &text_of_value);
    variant->game->rules_get(&plain.rules, option, &text_of_usual);
    if (value[0] == '\0' || strcmp(value, usual) == 0)
        return;
    text_addf(text, "-%s-", option);
    for (const char *c = value; *c; c++)
        text_add_char(text, isalnum((unsigned char)*c) || *c == '.' ? *c : '_');
}

Status store_path(const char *folder, const Variant *variant, char path[PATH_MAX]) {
    const Game *game = variant->game;
    Text text = text_over(path, PATH_MAX);
    text_addf(&text, "%s/%s", folder, game->name);
    for (size_t i = 0; i < game->option_count; i++)
        add_option(variant, game->options[i].name, &text);
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
    status = table_check_for(*table, variant->game->name, rules);
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

Status store_solver(const Variant *variant, const SolveLimits *limits, Solver **solver) {
    char path[PATH_MAX];
    const GameStored *stored = variant->game->stored;
    if (!stored || !limits->tables)
        return evaluate_solver(variant, limits, solver);
    Status status = store_path(limits->tables, variant, path);
    if (!status_is_ok(&status))
        return status;
    if (file_exists(path))
        return open_solver(path, variant, limits, solver);
    if (evaluate_can_solve(variant) && can_write(limits->tables))
        return solve_and_open(path, variant, limits, solver);
    return evaluate_solver(variant, limits, solver);
}

bool store_can_solve(const Variant *variant, const SolveLimits *limits) {
    char path[PATH_MAX];
    if (evaluate_can_solve(variant))
        return true;
    if (!variant->game->stored || !limits->tables)
        return false;
    Status status = store_path(limits->tables, variant, path);
    return status_is_ok(&status) && file_exists(path);
}
