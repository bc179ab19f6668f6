/* malpan solve: solves every position of a variant and stores the values in a table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/file.h"
#include "base/number.h"
#include "ui/cli/resume.h"
#include "ui/cli/stop.h"
#include "ui/json/build.h"
#include "values/store.h"

typedef struct Plan {
    double error;
    char path[PATH_MAX];
    Checkpoint checkpoint;
    char folder[PATH_MAX]; /* where the table is written */
    uint64_t memory, disk; /* needed, in bytes */
} Plan;

static Status read_plan(const Cli *cli, Plan *plan) {
    const OptionGiven *error = options_find(&cli->line, "eps");
    const OptionGiven *output = options_find(&cli->line, "output");
    plan->error = cli->variant.game->stored->usual_error(&cli->variant.rules);
    Status status = status_ok();
    if (error && plan->error == 0)
        return status_make(STATUS_USAGE,
                           "--eps: the values of %s are exact, there is no error to "
                           "choose",
                           cli->variant.game->identity.name);
    if (error)
        status = number_parse_real("--eps", error->value, 1e-8, 0.5, &plan->error);
    if (!status_is_ok(&status))
        return status;
    if (output)
        snprintf(plan->path, sizeof plan->path, "%s", output->value);
    else
        status = store_path(cli->tables, &cli->variant, plan->path);
    if (status_is_ok(&status))
        status = resume_read_checkpoint(cli, plan->path, &plan->checkpoint);
    snprintf(plan->folder, sizeof plan->folder, "%s", plan->path);
    char *slash = strrchr(plan->folder, '/');
    if (!slash)
        snprintf(plan->folder, sizeof plan->folder, ".");
    else if (slash == plan->folder)
        slash[1] = '\0';
    else
        *slash = '\0';
    return status;
}

/* Rejects work that needs more memory than available, and reports the figures. */
static Status check_memory(const Plan *plan, const SolveLimits *limits) {
    const double mb = 1 << 20;
    if (plan->memory <= limits->memory_bytes)
        return status_ok();
    return status_make(STATUS_UNSUPPORTED,
                       "solving this takes %.0f MB of memory, and %.0f MB may be used (--memory)",
                       (double)plan->memory / mb, (double)limits->memory_bytes / mb);
}

/* The same for disk space. */
static Status check_disk(const Plan *plan) {
    const double mb = 1 << 20;
    struct statvfs disk_now;
    if (statvfs(plan->folder, &disk_now) != 0)
        return status_ok(); /* writing will report the error */
    struct stat checkpoint = {.st_size = 0};
    (void)stat(plan->checkpoint.path, &checkpoint); /* it will be replaced */
    double room =
        (double)disk_now.f_bavail * (double)disk_now.f_frsize + (double)checkpoint.st_size;
    if ((double)plan->disk > room)
        return status_make(
            STATUS_FAILED,
            "the table and its temporary files take up to %.0f MB, and %s has %.0f MB free",
            (double)plan->disk / mb, quote(plan->folder).text, room / mb);
    return status_ok();
}

/* The properties of a table, whether it was just solved or existed before. */
typedef struct TableReport {
    const TableInfo *info;
    off_t bytes;
    char checksum[24];
} TableReport;

static TableReport describe_table(const Plan *plan, const TableInfo *info) {
    struct stat file = {.st_size = 0};
    (void)stat(plan->path, &file);
    TableReport report = {.info = info, .bytes = file.st_size};
    snprintf(report.checksum, sizeof report.checksum, "%016" PRIx64, info->content);
    return report;
}

static json_t *json_of(const Cli *cli, const Plan *plan, const TableReport *report) {
    return json_pack("{s:s, s:o, s:o, s:f, s:o, s:o, s:s}", "game",
                     cli->variant.game->identity.name, "rules", encode_rules(&cli->variant),
                     "positions", encode_count(report->info->count), "error_bound",
                     report->info->error, "table", cli_json_path(plan->path), "bytes",
                     encode_count((uint64_t)report->bytes), "checksum", report->checksum);
}

static void print_accuracy(const TableInfo *info) {
    if (info->error > 0)
        printf("error bound %.2g, ", info->error);
    else
        printf("exact, ");
}

static Status print_solved(const Cli *cli, const Plan *plan, const StoredReport *solved,
                           double seconds) {
    TableReport report = describe_table(plan, &solved->info);
    const char *rounds = cli->variant.game->stored->rounds;
    if (cli->json) {
        json_t *json = json_of(cli, plan, &report);
        json = json_with(json, rounds, json_integer(solved->sweeps));
        return cli_print_json(json_with(json, "seconds", json_real(seconds)));
    }
    printf("%s, %" PRIu64 " positions: ", cli->variant.game->identity.name, solved->info.count);
    print_accuracy(&solved->info);
    printf("%d %s, %.1f s\n", solved->sweeps, rounds, seconds);
    printf("table %s, %.1f MB, checksum %s\n", plan->path, (double)report.bytes / 1e6,
           report.checksum);
    return status_ok();
}

static Status print_existing(const Cli *cli, const Plan *plan, const TableInfo *info) {
    TableReport report = describe_table(plan, info);
    if (cli->json)
        return cli_print_json(json_with(json_of(cli, plan, &report), "existed", json_true()));
    printf("the table exists: %s, ", plan->path);
    print_accuracy(info);
    printf("checksum %s; --again recomputes it\n", report.checksum);
    return status_ok();
}

/* Whether the table already exists with the required accuracy. */
static Status find_existing(const Cli *cli, const Plan *plan, bool *exists) {
    TableInfo info;
    struct stat file;
    *exists = false;
    /* Something other than a regular file cannot be replaced either; writing will report that. */
    if (stat(plan->path, &file) != 0 || !S_ISREG(file.st_mode) || options_find(&cli->line, "again"))
        return status_ok();
    Status status = store_find(plan->path, &cli->variant, plan->error, &info, exists);
    if (status.code == STATUS_TABLE)
        return status_make(STATUS_TABLE, "%s; --again replaces it", status.message);
    return *exists ? print_existing(cli, plan, &info) : status;
}

/* Whether there is a table already, and otherwise whether one can be written. Only rank 0 has
 * files. */
static Status check_files(const Cli *cli, const Plan *plan, bool *exists) {
    Status status = find_existing(cli, plan, exists);
    if (status_is_ok(&status) && !*exists)
        status = store_make_folder(plan->folder);
    if (status_is_ok(&status) && !*exists)
        status = check_disk(plan);
    if (status_is_ok(&status) && !*exists)
        status = file_check_writable(plan->path);
    if (status_is_ok(&status) && !*exists)
        resume_announce(cli, &plan->checkpoint);
    return status;
}

/* Whether the work can begin. Every rank gets the same answer. */
static Status check_plan(const Cli *cli, Plan *plan, const SolveLimits *limits, bool *exists) {
    const Variant *variant = &cli->variant;
    Status status =
        variant->game->stored->needs(&variant->rules, plan->error, limits,
                                     exchange_count(cli->exchange), &plan->memory, &plan->disk);
    *exists = false;
    if (status_is_ok(&status) && exchange_is_root(cli->exchange))
        status = check_files(cli, plan, exists);
    exchange_broadcast(cli->exchange, exists, sizeof *exists);
    if (status_is_ok(&status) && !*exists)
        status = check_memory(plan, limits);
    return exchange_agree(cli->exchange, status);
}

static Status solve(Cli *cli, const Plan *plan, SolveLimits *limits) {
    const Variant *variant = &cli->variant;
    StoredJob job = {.error = plan->error,
                     .limits = limits,
                     .path = plan->path,
                     .checkpoint = plan->checkpoint.path,
                     .checkpoint_s = plan->checkpoint.every_s,
                     .exchange = cli->exchange};
    StoredReport report;
    double start_s = progress_clock_s();
    limits->stop = stop_on_signals();
    Status status = variant->game->stored->solve(&variant->rules, &job, &report);
    if (!status_is_ok(&status))
        return resume_add_advice(status);
    return exchange_is_root(cli->exchange)
               ? print_solved(cli, plan, &report, progress_clock_s() - start_s)
               : status;
}

static Status run(Cli *cli) {
    Plan plan;
    bool exists;
    Status status = store_check(&cli->variant);
    if (status_is_ok(&status))
        status = read_plan(cli, &plan);
    if (!status_is_ok(&status))
        return status;
    SolveLimits limits = cli_limits_for_tables(cli);
    limits.scratch = plan.folder;
    status = check_plan(cli, &plan, &limits, &exists);
    return status_is_ok(&status) && !exists ? solve(cli, &plan, &limits) : status;
}

static bool suits_game(const Game *game) {
    return game->stored != NULL;
}

static const char *const examples[] = {"solve yut --pieces 2", "solve yut --pieces 1 --json",
                                       "solve valley --soldiers 2", NULL};

static const OptionSpec options[] = {
    {.name = "again",
     .help = "recompute a table that exists, and replace it",
     .help_ko = "이미 있는 테이블을 다시 계산해 바꿈"},
    {.name = "eps",
     .argument = "E",
     .help = "the error bound to reach (the game's default)",
     .help_ko = "목표 오차 한계 (게임마다 다름)"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "where the table goes (the tables' folder)",
     .help_ko = "테이블을 쓸 파일 (테이블 폴더)"},
    RESUME_CHECKPOINT_OPTION,
};

const Verb verb_solve = {
    .name = "solve",
    .arguments = "GAME",
    .summary = "compute and store the table of all positions",
    .summary_ko = "모든 국면의 값을 계산해 테이블로 저장",
    .details = "After Ctrl-C or a kill, the same command resumes the work.\n"
               "A table that exists and is as accurate as wanted is reported, not recomputed.\n"
               "Tables are kept in --tables, $MALPAN_TABLES, or malpan/ in the cache folder.\n",
    .details_ko = "중단되어도(Ctrl-C, 강제 종료) 같은 명령으로 이어서 합니다. 이미 충분히 정확한 "
                  "테이블이 있으면 다시 계산하지 않습니다. 테이블은 --tables, "
                  "$MALPAN_TABLES, 또는 캐시 폴더의 malpan/에 둡니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .suits_game = suits_game,
    .takes_rules = true,
    .takes_json = true,
    .runs_on_ranks = true,
    .run = run};
