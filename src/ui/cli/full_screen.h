/* The full-screen interface from the command line: when it is used, and with which options. */
#ifndef MALPAN_UI_CLI_FULL_SCREEN_H
#define MALPAN_UI_CLI_FULL_SCREEN_H

#include "play/record.h"
#include "ui/cli/cli.h"

/* Its options, for the lists of the verbs that have it. */
#define FULL_SCREEN_OPTIONS                                                                        \
    {.name = "line",                                                                               \
     .help = "ask line by line rather than on the full screen",                                    \
     .help_ko = "화면 전체를 쓰지 않고 한 줄씩 물음"},                                             \
    {                                                                                              \
        .name = "no-animation", .help = "on the full screen, show throws and moves at once",       \
        .help_ko = "화면 전체를 쓸 때 움직임 없이 바로 보임"                       \
    }

/* Whether the terminal is used as a full screen: not with --line, nor in a pipe. */
bool full_screen_is_wanted(const Cli *cli);

/* Begins in the lobby; with a record, plays that game, which is saved to `file`, or among the
 * unfinished games if that is NULL. Takes over the record. */
Status full_screen_run(Cli *cli, Record *record, const char *file);

/* Joins the game on the server that --server and --seat name, and plays it. */
Status full_screen_join(Cli *cli);

#endif
