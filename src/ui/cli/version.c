/* malpan version */
#include "malpan.h"
#include "ui/cli/cli.h"

static Status run(Cli *cli) {
    if (cli->json)
        return cli_print_json(json_pack("{s:s}", "version", MALPAN_VERSION));
    puts("malpan " MALPAN_VERSION);
    return status_ok();
}

static const char *const examples[] = {"version", NULL};

const Verb verb_version = {.name = "version",
                           .arguments = "",
                           .summary = "print the version",
                           .summary_ko = "버전 출력",
                           .examples = examples,
                           .takes_json = true,
                           .run = run};
