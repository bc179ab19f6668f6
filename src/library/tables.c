/* Solving whole variants into tables, and verifying these. */
#include <string.h>

#include "base/file.h"
#include "library/library.h"
#include "values/store.h"

#define CHECKPOINT_S 20.0

size_t malpan_table_path(const MalpanGame *game, const char *folder, char *text, size_t capacity) {
    char path[PATH_MAX];
    Text none = text_over(path, sizeof path), found = none;
    if (game && folder && game->variant.game->stored) {
        Status status = store_path(folder, &game->variant, path);
        if (status_is_ok(&status))
            found.length = strlen(path);
        else
            path[0] = '\0';
    }
    return library_give_text(&found, text, capacity);
}

int malpan_needs(const MalpanGame *game, const MalpanLimits *limits, MalpanNeeds *needs,
                 MalpanError *error) {
    LibraryLimits read;
    Status status = !game    ? library_expected("a game")
                    : !needs ? library_expected("room for the needs")
                             : store_check(&game->variant);
    if (status_is_ok(&status))
        status = library_read_limits(limits, &read);
    if (!status_is_ok(&status))
        return library_finish(error, status);
    const GameStored *stored = game->variant.game->stored;
    const Rules *rules = &game->variant.rules;
    uint64_t memory = 0, disk = 0;
    read.solve.scratch = read.solve.tables;
    status = stored->needs(rules, stored->usual_error(rules), &read.solve, 1, &memory, &disk);
    if (status_is_ok(&status))
        *needs = (MalpanNeeds){.memory_bytes = memory,
                               .disk_bytes = disk,
                               .seconds = stored->seconds(rules),
                               .error = stored->usual_error(rules)};
    return library_finish(error, status);
}

/* --- solving --- */

static void describe_table(const TableInfo *found, MalpanTableInfo *info) {
    *info = (MalpanTableInfo){
        .positions = found->count, .checksum = found->content, .error = found->error};
}

/* Solves into `path`, from a checkpoint if there is one. */
static Status solve_table(const Variant *variant, double error_bound, LibraryLimits *limits,
                          const char *path, TableInfo *info) {
    const GameStored *stored = variant->game->stored;
    char checkpoint[PATH_MAX];
    Text text = text_over(checkpoint, sizeof checkpoint);
    text_addf(&text, "%s.part", path);
    if (text.truncated)
        return status_make(STATUS_USAGE, "the name of the tables' folder is too long");
    limits->solve.scratch = limits->solve.tables;
    uint64_t memory, disk;
    Status status = stored->needs(&variant->rules, error_bound, &limits->solve, 1, &memory, &disk);
    if (!status_is_ok(&status))
        return status;
    const double mb = 1 << 20;
    if (memory > limits->solve.memory_bytes)
        return status_make(STATUS_UNSUPPORTED,
                           "solving needs %.0f MB of memory, and %.0f MB are allowed",
                           (double)memory / mb, (double)limits->solve.memory_bytes / mb);
    status = store_make_folder(limits->solve.tables);
    if (!status_is_ok(&status))
        return status;
    StoredJob job = {.error = error_bound,
                     .limits = &limits->solve,
                     .path = path,
                     .checkpoint = checkpoint,
                     .checkpoint_s = CHECKPOINT_S};
    StoredReport report;
    status = stored->solve(&variant->rules, &job, &report);
    if (status_is_ok(&status))
        *info = report.info;
    return status;
}

/* What malpan_solve and malpan_verify begin with: the variant, the limits, the path. */
static Status begin_work(const MalpanGame *game, const MalpanLimits *limits, const void *room,
                         LibraryLimits *read, char path[PATH_MAX]) {
    Status status = !game   ? library_expected("a game")
                    : !room ? library_expected("room for the result")
                            : store_check(&game->variant);
    if (status_is_ok(&status))
        status = library_read_limits(limits, read);
    if (status_is_ok(&status) && !read->solve.tables)
        status = status_make(STATUS_USAGE, "expected a folder of tables in the limits");
    return status_is_ok(&status) ? store_path(read->solve.tables, &game->variant, path) : status;
}

int malpan_solve(const MalpanGame *game, double error_bound, const MalpanLimits *limits,
                 MalpanTableInfo *info, MalpanError *error) {
    LibraryLimits read;
    char path[PATH_MAX];
    Status status = begin_work(game, limits, info, &read, path);
    if (!status_is_ok(&status))
        return library_finish(error, status);
    const Variant *variant = &game->variant;
    double usual = variant->game->stored->usual_error(&variant->rules);
    if (!(error_bound >= 0) || error_bound > 0.5)
        status = status_make(STATUS_USAGE, "the error bound has to be from 0 to 0.5");
    else if (error_bound > 0 && usual == 0)
        status =
            status_make(STATUS_USAGE, "the values of %s are exact, there is no error to choose",
                        variant->game->identity.name);
    if (error_bound == 0)
        error_bound = usual;
    TableInfo found;
    bool existed = false;
    if (status_is_ok(&status))
        status = store_find(path, variant, error_bound, &found, &existed);
    if (status_is_ok(&status) && !existed)
        status = solve_table(variant, error_bound, &read, path, &found);
    if (status_is_ok(&status)) {
        describe_table(&found, info);
        info->existed = existed;
    }
    return library_finish(error, status);
}

/* --- verifying --- */

static Status verify_table(const Variant *variant, const Table *table, uint64_t sample,
                           uint64_t seed, const SolveLimits *limits, MalpanTableInfo *info) {
    VerifyReport report;
    const TableInfo *stated = table_info(table);
    Status status = store_verify(variant, table, sample, seed, limits, &report);
    if (status_is_ok(&status))
        status = store_check_bound(stated, &report, sample);
    if (!status_is_ok(&status))
        return status;
    describe_table(stated, info);
    info->is_proven = store_is_proven(stated, &report);
    info->checked = report.checked;
    info->residual = report.residual;
    if (info->is_proven)
        info->error = report.error;
    return status;
}

int malpan_verify(const MalpanGame *game, uint64_t sample, uint64_t seed,
                  const MalpanLimits *limits, MalpanTableInfo *info, MalpanError *error) {
    LibraryLimits read;
    char path[PATH_MAX];
    Table *table = NULL;
    Status status = begin_work(game, limits, info, &read, path);
    if (status_is_ok(&status))
        status = store_open(path, &game->variant, &table);
    if (!status_is_ok(&status))
        return library_finish(error, status);
    MalpanTableInfo found;
    status = verify_table(&game->variant, table, sample, seed, &read.solve, &found);
    table_close(table);
    if (status_is_ok(&status))
        *info = found;
    return library_finish(error, status);
}
