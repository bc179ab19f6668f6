/* Verbs whose work leaves a checkpoint and can be resumed: `solve` and `learn`. */
#include "ui/cli/resume.h"

#include "base/file.h"
#include "base/number.h"
#include "base/progress.h"

enum { DEFAULT_CHECKPOINT_S = 20, DAY_S = 24 * 60 * 60 };

Status resume_read_checkpoint(const Cli *cli, const char *path, Checkpoint *checkpoint) {
    const OptionGiven *given = options_find(&cli->line, "checkpoint");
    Text text = text_over(checkpoint->path, sizeof checkpoint->path);
    text_addf(&text, "%s.part", path);
    if (text.truncated)
        return status_make(STATUS_USAGE, "the name of the output file is too long");
    checkpoint->every_s = DEFAULT_CHECKPOINT_S;
    return given ? number_parse_real("--checkpoint", given->value, 0, DAY_S, &checkpoint->every_s)
                 : status_ok();
}

void resume_announce(const Cli *cli, const Checkpoint *checkpoint) {
    if (file_exists(checkpoint->path) && !cli->quiet)
        fprintf(stderr, "resuming from %s\n", checkpoint->path);
}

Status resume_add_advice(Status status) {
    return status.code == STATUS_STOPPED
               ? status_make(STATUS_STOPPED, "%s; the same command resumes it", status.message)
               : status;
}
