/* Downloads that can be resumed, by HTTP or from a folder. */
#ifndef MALPAN_UI_CLI_DOWNLOAD_H
#define MALPAN_UI_CLI_DOWNLOAD_H

#include <stdint.h>

#include "base/progress.h"
#include "base/status.h"
#include "base/stop_flag.h"

typedef struct Download {
    const char *from;   /* the address of a folder (http://, https://), or its path */
    const char *name;   /* of the file in it */
    const char *part;   /* what has arrived of it; kept after a failure, and continued */
    uint64_t bytes_max; /* a longer file is refused */
    Progress *progress;
    const StopFlag *stop;
} Download;

/* Continues or begins a download until `part` is the whole file, as far as its sender says. Tries
 * again after a lost connection as long as each attempt brings something. What arrived may be
 * damaged: that is for the caller to find out. `fetched` receives how many bytes came by this call.
 * On success `lock` receives a file that keeps other processes from writing to `part`; the caller
 * closes it when `part` is in place or removed. After an error it is -1.
 *
 * Errors: STATUS_TABLE if the sender has no such file, or one that is too long; STATUS_STOPPED when
 * `stop` was set; STATUS_FAILED otherwise, also if another process is downloading to `part`. */
Status download_run(const Download *download, uint64_t *fetched, int *lock);

#endif
