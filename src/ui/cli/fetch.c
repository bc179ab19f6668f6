/* malpan fetch: copies a table from a folder or an HTTP address, and checks it before it is used.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "ui/cli/cli.h"
#include "ui/cli/download.h"
#include "ui/cli/stop.h"
#include "ui/json/build.h"
#include "values/store.h"

enum { SUFFIX_BYTES = 16 };

/* Whether a correct table exists already, which is then described. */
static Status find_existing(const Cli *cli, const char *path, TableInfo *info, bool *exists) {
    *exists = false;
    if (options_find(&cli->line, "again"))
        return status_ok();
    Status status = store_find(path, &cli->variant, 1, info, exists);
    return status.code == STATUS_TABLE
               ? status_make(STATUS_TABLE, "%s; --again replaces it", status.message)
               : status;
}

/* No table of the variant is longer than this. */
static Status find_limit(const Variant *variant, const SolveLimits *limits, uint64_t *bytes) {
    const GameStored *stored = variant->game->stored;
    uint64_t memory;
    return stored->needs(&variant->rules, stored->usual_error(&variant->rules), limits, 1, &memory,
                         bytes);
}

/* Checks every byte of what was fetched, and that it is a table of the variant. */
static Status check_table(const Cli *cli, const char *part, const SolveLimits *limits,
                          TableInfo *info) {
    Table *table;
    Status status = store_open(part, &cli->variant, &table);
    if (!status_is_ok(&status))
        return status;
    *info = *table_info(table);
    status = table_verify(table, limits->threads, limits->progress, limits->stop);
    table_close(table);
    return status;
}

/* Puts what was fetched in place if it is good; removes it if it is damaged. */
static Status accept(const Cli *cli, const char *part, const char *path, const SolveLimits *limits,
                     TableInfo *info) {
    Status status = check_table(cli, part, limits, info);
    if (status_is_ok(&status))
        return file_publish(part, path);
    if (status.code != STATUS_TABLE)
        return status;
    (void)unlink(part);
    return status_make(STATUS_TABLE, "what was fetched is no good and was removed: %s",
                       status.message);
}

static Status print_table(const Cli *cli, const char *path, const TableInfo *info, bool existed,
                          uint64_t fetched) {
    if (cli->json)
        return cli_print_json(
            json_pack("{s:s, s:o, s:o, s:f, s:o, s:o, s:o, s:b}", "game",
                      cli->variant.game->identity.name, "rules", encode_rules(&cli->variant),
                      "positions", encode_count(info->count), "error_bound", info->error, "table",
                      cli_json_path(path), "checksum", json_sprintf("%016" PRIx64, info->content),
                      "fetched", encode_count(fetched), "existed", existed));
    printf("%s: %s, %" PRIu64 " positions, ", existed ? "the table exists" : "fetched", path,
           info->count);
    if (info->error > 0)
        printf("error bound %.2g, ", info->error);
    else
        printf("exact, ");
    printf("checksum %016" PRIx64 "\n", info->content);
    return status_ok();
}

static Status fetch(Cli *cli, const char *from, const char *path, TableInfo *info,
                    uint64_t *fetched) {
    char part[PATH_MAX + SUFFIX_BYTES], folder[PATH_MAX];
    SolveLimits limits = cli_limits_for_tables(cli);
    const char *name = strrchr(path, '/') + 1;
    snprintf(part, sizeof part, "%s.fetch", path);
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path - 1), path);
    limits.stop = stop_on_signals();
    int lock = -1;
    Download download = {
        .from = from, .name = name, .part = part, .progress = limits.progress, .stop = limits.stop};
    Status status = store_make_folder(folder);
    if (status_is_ok(&status))
        status = find_limit(&cli->variant, &limits, &download.bytes_max);
    if (status_is_ok(&status))
        status = download_run(&download, fetched, &lock);
    if (status_is_ok(&status))
        status = accept(cli, part, path, &limits, info);
    if (lock >= 0)
        close(lock);
    bool goes_on = status.code == STATUS_STOPPED || status.code == STATUS_FAILED;
    struct stat found;
    return goes_on && stat(part, &found) == 0 && S_ISREG(found.st_mode)
               ? status_make(status.code, "%s; the same command goes on", status.message)
               : status;
}

static Status run(Cli *cli) {
    const OptionGiven *from = options_find(&cli->line, "from");
    char path[PATH_MAX];
    TableInfo info;
    bool exists = false;
    uint64_t fetched = 0;
    if (!from)
        return status_make(STATUS_USAGE, "fetch: expected --from with a folder or an address");
    Status status = store_check(&cli->variant);
    if (status_is_ok(&status))
        status = store_path(cli->tables, &cli->variant, path);
    if (status_is_ok(&status))
        status = find_existing(cli, path, &info, &exists);
    if (status_is_ok(&status) && !exists)
        status = fetch(cli, from->value, path, &info, &fetched);
    return status_is_ok(&status) ? print_table(cli, path, &info, exists, fetched) : status;
}

static bool suits_game(const Game *game) {
    return game->stored != NULL;
}

static const char *const examples[] = {"fetch valley --soldiers 1 --from shared", NULL};

static const OptionSpec options[] = {
    {.name = "from",
     .argument = "URL",
     .help = "where tables are: http://, https:// or a folder",
     .help_ko = "테이블이 있는 곳: http://, https:// 또는 폴더"},
    {.name = "again",
     .help = "fetch a table that exists, and replace it",
     .help_ko = "이미 있는 테이블을 다시 가져와 바꿈"},
};

const Verb verb_fetch = {
    .name = "fetch",
    .arguments = "GAME",
    .summary = "copy a table that was solved elsewhere",
    .summary_ko = "다른 곳에서 푼 테이블을 가져옴",
    .details =
        "The table has the name that `malpan solve` gives it. It is used only after all its\n"
        "checksums were found correct. After Ctrl-C, a kill or a lost connection, the same\n"
        "command fetches the rest.\n"
        "\n"
        "The checksums protect against accidents, not against somebody who forges a table:\n"
        "fetch from whom you trust, or check with `malpan verify --full`.\n",
    .details_ko =
        "테이블의 이름은 `malpan solve`가 붙이는 이름과 같습니다. 모든 체크섬이 맞아야 씁니다. "
        "중단되거나(Ctrl-C, 강제 종료) 연결이 끊기면 같은 명령으로 나머지를 가져옵니다.\n\n"
        "체크섬은 사고로 손상된 것만 찾아내고, 누가 일부러 꾸민 테이블은 알아내지 못합니다. 믿을 "
        "수 "
        "있는 곳에서 가져오거나 `malpan verify --full`로 확인하세요.",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .suits_game = suits_game,
    .takes_rules = true,
    .takes_json = true,
    .run = run};
