/* What verbs share whose work leaves a checkpoint and can be resumed: `solve` and `learn`. */
#ifndef MALPAN_UI_CLI_RESUME_H
#define MALPAN_UI_CLI_RESUME_H

#include "ui/cli/cli.h"

/* Where the state of the work is saved, and how often. */
typedef struct Checkpoint {
    char path[PATH_MAX];
    double every_s; /* roughly how many seconds of work a kill may lose */
} Checkpoint;

/* The option --checkpoint, for the list of a verb's options. */
#define RESUME_CHECKPOINT_OPTION                                                                   \
    {                                                                                              \
        .name = "checkpoint", .argument = "SECONDS",                                               \
        .help = "how much work a kill may lose, roughly (20)",                                     \
        .help_ko = "강제로 끝났을 때 잃을 수 있는 시간, 초 (20)"                    \
    }

/* Reads --checkpoint. The checkpoint of work that writes `path` is `path`.part. */
Status resume_read_checkpoint(const Cli *cli, const char *path, Checkpoint *checkpoint);

/* Says so if there is a checkpoint, from which the work resumes. */
void resume_announce(const Cli *cli, const Checkpoint *checkpoint);

/* Adds to the message of stopped work that the same command resumes it. Any other status is
 * returned unchanged. */
Status resume_add_advice(Status status);

#endif
