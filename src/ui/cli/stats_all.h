/* malpan stats --all: what best play makes of everything that chance may bring. */
#ifndef MALPAN_UI_CLI_STATS_ALL_H
#define MALPAN_UI_CLI_STATS_ALL_H

#include "ui/cli/cli.h"

Status stats_all_run(Cli *cli);

/* {"130":1,"132":4}: the numbers that are not 0. */
json_t *stats_json_counts(const uint64_t counts[], size_t count);

#endif
