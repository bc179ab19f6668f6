/* malpan stats --all: scores of best play over every possible sequence of chance events. */
#ifndef MALPAN_UI_CLI_STATS_ALL_H
#define MALPAN_UI_CLI_STATS_ALL_H

#include "ui/cli/cli.h"

Status stats_all_run(Cli *cli);

/* {"130":1,"132":4}: the counts that are not 0. NULL if memory ran out. */
json_t *stats_json_counts(const uint64_t counts[], size_t count);

#endif
