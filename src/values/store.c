#include "values/store.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Adds "-pieces-3" for an option that differs from its default. */
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
        if (!game->rules.options[i].is_start)
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

/* Adds to the message about a missing table how to make it, and what that costs. */
static Status add_advice(const Variant *variant, Status status) {
    char cost[GAME_TEXT_BYTES], rules[GAME_TEXT_BYTES];
    Text cost_text = text_over(cost, sizeof cost), rules_text = text_over(rules, sizeof rules);
    if (!store_add_cost(variant, &cost_text))
        return status;
    variant_print_unusual(variant, &rules_text);
    return status_make(status.code, "%s: `malpan solve %s%s%s` makes one (%s)", status.message,
                       variant->game->identity.name, rules[0] ? " " : "", rules, cost);
}

Status store_open(const char *path, const Variant *variant, Table **table) {
    char rules[TABLE_RULES_BYTES];
    Text text = text_over(rules, sizeof rules);
    variant_print_for_table(variant, &text);
    Status status = table_open(path, table);
    if (!status_is_ok(&status))
        return file_exists(path) ? status : add_advice(variant, status);
    status = table_check_for(*table, variant->game->identity.name, rules);
    if (!status_is_ok(&status))
        table_close(*table);
    return status;
}

Status store_open_solver(const char *path, const Variant *variant, const SolveLimits *limits,
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

Status store_check(const Variant *variant) {
    const Game *game = variant->game;
    return game->stored ? game->stored->check(&variant->rules)
                        : status_make(STATUS_UNSUPPORTED,
                                      "%s needs no table: its values are computed on demand",
                                      game->identity.name);
}

Status store_find(const char *path, const Variant *variant, double error, TableInfo *info,
                  bool *is_found) {
    Table *table;
    *is_found = false;
    if (!file_exists(path))
        return status_ok();
    Status status = store_open(path, variant, &table);
    if (!status_is_ok(&status))
        return status;
    *info = *table_info(table);
    *is_found = info->error <= error;
    table_close(table);
    return status;
}

Status store_solve(const char *path, const Variant *variant, const SolveLimits *limits) {
    const GameStored *stored = variant->game->stored;
    StoredReport report;
    StoredJob job = {.error = stored->usual_error(&variant->rules), .limits = limits, .path = path};
    return stored->solve(&variant->rules, &job, &report);
}

bool store_can_write(const char *folder) {
    Status status = store_make_folder(folder);
    return status_is_ok(&status) && access(folder, W_OK) == 0;
}

/* --- verifying --- */

Status store_verify(const Variant *variant, const Table *table, uint64_t sample, uint64_t seed,
                    const SolveLimits *limits, VerifyReport *report) {
    Status status = table_verify(table, limits->threads, limits->progress, limits->stop);
    return status_is_ok(&status)
               ? variant->game->stored->verify(&variant->rules, table, sample, seed, limits, report)
               : status;
}

bool store_is_proven(const TableInfo *info, const VerifyReport *report) {
    return report->is_proof && report->error <= info->error;
}

Status store_check_bound(const TableInfo *info, const VerifyReport *report, uint64_t sample) {
    bool is_kept = sample == 0 ? store_is_proven(info, report)
                               : report->residual <= 2 * info->error + report->within;
    return is_kept ? status_ok()
                   : status_make(STATUS_TABLE, "the table violates the error bound it states");
}

/* --- what a table costs --- */

/* "4 h", "2 min", "20 s" */
static void add_time(double seconds, Text *text) {
    if (seconds < 1)
        text_add(text, "less than 1 s");
    else if (seconds < 90)
        text_addf(text, "about %.0f s", seconds);
    else if (seconds < 5400)
        text_addf(text, "about %.0f min", seconds / 60);
    else
        text_addf(text, "about %.0f h", seconds / 3600);
}

/* "15 GB", "2.6 GB", "24 MB" */
static void add_bytes(uint64_t bytes, Text *text) {
    double mb = (double)bytes / 1e6;
    if (mb >= 9950)
        text_addf(text, "%.0f GB", mb / 1e3);
    else if (mb >= 995)
        text_addf(text, "%.1f GB", mb / 1e3);
    else
        text_addf(text, "%.0f MB", mb < 1 ? 1 : mb);
}

bool store_add_cost(const Variant *variant, Text *text) {
    const GameStored *stored = variant->game->stored;
    /* The same figures on every machine: for two cores and 16 GB, files standing in for the rest.
     */
    const SolveLimits usual = {
        .memory_bytes = (size_t)16 << 30, .threads = 2, .scratch = "." /* not touched */};
    uint64_t memory, disk;
    if (!stored)
        return false;
    Status status = stored->check(&variant->rules);
    if (status_is_ok(&status))
        status = stored->needs(&variant->rules, stored->usual_error(&variant->rules), &usual, 1,
                               &memory, &disk);
    if (!status_is_ok(&status))
        return false;
    add_time(stored->seconds(&variant->rules), text);
    text_add(text, " on two cores, ");
    add_bytes(memory, text);
    text_add(text, " of memory, ");
    add_bytes(disk, text);
    text_add(text, " of disk");
    return true;
}
