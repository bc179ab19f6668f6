/* malpan verify: checks the equations of a stored table by recomputing them. */
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "ui/cli/cli.h"
#include "ui/cli/stop.h"
#include "ui/json/build.h"
#include "values/store.h"

enum { DEFAULT_SAMPLE = 100 };

static Status read_sample(const Cli *cli, uint64_t *sample) {
    const OptionGiven *given = options_find(&cli->line, "sample");
    bool full = options_find(&cli->line, "full") != NULL;
    if (given && full)
        return status_make(STATUS_USAGE, "--sample and --full exclude each other");
    *sample = full ? 0 : DEFAULT_SAMPLE;
    return given ? number_parse("--sample", given->value, 1, 1000000000000, sample) : status_ok();
}

/* Whether all equations were checked and prove the error bound that the table states. */
static bool is_proven(const TableInfo *info, const VerifyReport *report) {
    return report->is_proof && report->error <= info->error;
}

static json_t *json_of(const Cli *cli, const TableInfo *info, const VerifyReport *report) {
    json_t *json = json_pack(
        "{s:s, s:o, s:o, s:o, s:f, s:f, s:f, s:b}", "game", cli->variant.game->identity.name,
        "rules", encode_rules(&cli->variant), "positions", encode_count(info->count), "checked",
        encode_count(report->checked), "residual", report->residual, "within", report->within,
        "stated_error_bound", info->error, "proof", is_proven(info, report));
    return is_proven(info, report) ? json_with(json, "error_bound", json_real(report->error))
                                   : json;
}

static void print_report(const TableInfo *info, bool is_full, const VerifyReport *report) {
    printf("every block and the checksum of all values are correct\n");
    printf("%" PRIu64 " equations checked", report->checked);
    if (report->within > 0)
        printf(" to within %.2g", report->within);
    printf(", the largest residual is %.2g\n", report->residual);
    if (info->error == 0) /* values are codes, which are either right or wrong */
        printf("%s\n", report->residual > 0 ? "not proven: an equation does not hold"
                       : report->is_proof   ? "proven: every value is exact"
                                          : "a sample proves nothing about the rest; --full does");
    else if (report->is_proof && !is_proven(info, report))
        printf("not proven: a value may be further than the stated %.2g from the truth\n",
               info->error);
    else if (report->is_proof)
        printf("proven: no value is further than %.2g from the truth (stated: %.2g)\n",
               report->error, info->error);
    else if (is_full)
        printf("not proven: no bound could be proven; the table states %.2g\n", info->error);
    else
        printf("a sample proves no bound; the table states %.2g, and --full proves one\n",
               info->error);
}

static Status run(Cli *cli) {
    const Variant *variant = &cli->variant;
    if (!variant->game->stored)
        return status_make(STATUS_UNSUPPORTED, "%s has no tables", variant->game->identity.name);
    uint64_t sample;
    char path[PATH_MAX];
    Status status = read_sample(cli, &sample);
    const OptionGiven *given = options_find(&cli->line, "table");
    if (status_is_ok(&status) && given)
        snprintf(path, sizeof path, "%s", given->value);
    else if (status_is_ok(&status))
        status = store_path(cli->tables, variant, path);
    Table *table;
    if (status_is_ok(&status))
        status = store_open(path, variant, &table);
    if (!status_is_ok(&status))
        return status;
    SolveLimits limits = cli_limits_for_tables(cli);
    limits.stop = stop_on_signals();
    VerifyReport report;
    if (!cli->seed_given)
        cli->seed = 1; /* reproducible sample by default */
    status = table_verify(table, limits.threads, limits.progress, limits.stop);
    if (status_is_ok(&status))
        status = variant->game->stored->verify(&variant->rules, table, sample, cli->seed, &limits,
                                               &report);
    const TableInfo *info = table_info(table);
    if (status_is_ok(&status) && !cli->json)
        print_report(info, sample == 0, &report);
    else if (status_is_ok(&status))
        status = cli_print_json(json_of(cli, info, &report));
    if (status_is_ok(&status)) {
        /* A sample can refute the bound, but not prove it. */
        bool is_kept = sample == 0 ? is_proven(info, &report)
                                   : report.residual <= 2 * info->error + report.within;
        if (!is_kept)
            status = status_make(STATUS_TABLE, "the table does not keep the bound it states");
    }
    table_close(table);
    return status;
}

static const char *const examples[] = {"verify yut --pieces 2",
                                       "verify yut --pieces 2 --sample 50 --seed 7",
                                       "verify yut --pieces 2 --full --json", NULL};

static const OptionSpec options[] = {
    {.name = "sample",
     .argument = "N",
     .help = "recompute N equations (100)",
     .help_ko = "다시 계산할 방정식의 수 (100)"},
    {.name = "full",
     .help = "recompute all, and prove the error bound",
     .help_ko = "모두 다시 계산해 오차 한계를 증명"},
    {.name = "table",
     .argument = "FILE",
     .help = "the table (the one that `malpan solve` makes)",
     .help_ko = "테이블 파일 (`malpan solve`가 만드는 것)"},
};

const Verb verb_verify = {
    .name = "verify",
    .arguments = "GAME",
    .summary = "recompute the equations of a stored table",
    .summary_ko = "저장된 테이블의 방정식을 다시 계산해 확인",
    .details =
        "Checks every checksum of the file, then the equations of random positions, or with\n"
        "--full of all positions, which proves the error bound. Exit code 4 if the table\n"
        "is damaged or does not keep the bound it states.\n",
    .details_ko = "먼저 파일의 모든 체크섬을, 다음으로 무작위 국면의 방정식을 확인합니다. "
                  "--full이면 모든 방정식을 확인해 값의 오차 한계를 증명합니다. 테이블이 "
                  "손상되었거나 적힌 한계를 지키지 못하면 종료 코드는 4입니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .takes_json = true,
    .run = run};
