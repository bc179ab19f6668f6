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

static json_t *json_of(const Cli *cli, const TableInfo *info, const VerifyReport *report) {
    json_t *json = json_pack(
        "{s:s, s:o, s:o, s:o, s:f, s:f, s:f, s:b}", "game", cli->variant.game->identity.name,
        "rules", encode_rules(&cli->variant), "positions", encode_count(info->count), "checked",
        encode_count(report->checked), "residual", report->residual, "within", report->within,
        "stated_error_bound", info->error, "proof", store_is_proven(info, report));
    return store_is_proven(info, report) ? json_with(json, "error_bound", json_real(report->error))
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
    else if (report->is_proof && !store_is_proven(info, report))
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

/* Verifies a table, and prints what was found even if that refutes it. */
static Status verify_table(Cli *cli, const Table *table, uint64_t sample) {
    const TableInfo *info = table_info(table);
    VerifyReport report;
    SolveLimits limits = cli_limits_for_tables(cli);
    limits.stop = stop_on_signals();
    Status status = store_verify(&cli->variant, table, sample, cli->seed, &limits, &report);
    if (status_is_ok(&status) && cli->json)
        status = cli_print_json(json_of(cli, info, &report));
    else if (status_is_ok(&status))
        print_report(info, sample == 0, &report);
    return status_is_ok(&status) ? store_check_bound(info, &report, sample) : status;
}

static Status run(Cli *cli) {
    const Variant *variant = &cli->variant;
    const OptionGiven *given = options_find(&cli->line, "table");
    uint64_t sample;
    char path[PATH_MAX];
    Table *table;
    if (!cli->seed_given)
        cli->seed = 1; /* reproducible sample by default */
    Status status = store_check(variant);
    if (status_is_ok(&status))
        status = read_sample(cli, &sample);
    if (status_is_ok(&status) && !given)
        status = store_path(cli->tables, variant, path);
    if (status_is_ok(&status))
        status = store_open(given ? given->value : path, variant, &table);
    if (!status_is_ok(&status))
        return status;
    status = verify_table(cli, table, sample);
    table_close(table);
    return status;
}

static bool suits_game(const Game *game) {
    return game->stored != NULL;
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
        "is damaged or violates the bound it states.\n",
    .details_ko = "먼저 파일의 모든 체크섬을, 다음으로 무작위 국면의 방정식을 확인합니다. "
                  "--full이면 모든 방정식을 확인해 값의 오차 한계를 증명합니다. 테이블이 "
                  "손상되었거나 적힌 한계를 지키지 못하면 종료 코드는 4입니다.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .suits_game = suits_game,
    .takes_rules = true,
    .takes_json = true,
    .run = run};
