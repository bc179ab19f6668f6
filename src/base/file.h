/* Files that are read completely and replaced atomically.
 *
 * All functions may be called from any thread; a FileDraft belongs to one thread at a time.
 * Failures of the operating system come back as STATUS_FAILED with the path and the reason.
 */
#ifndef MALPAN_BASE_FILE_H
#define MALPAN_BASE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Replaces or creates the file `path` with `size` bytes: writes a temporary file in the same
 * folder, syncs it, renames it over the target and syncs the folder. If the program or the machine
 * dies at any point, the complete old or new file is there. Symbolic links are followed, and the
 * permissions of an existing file are kept. Writers of one file wait for each other. The temporary
 * file is always `path`.tmp; a killed program may leave it behind, and the next writer reuses it. A
 * target or temporary file that is not a regular file is refused.
 */
Status file_replace(const char *path, const void *bytes, size_t size);

/* The same in pieces, for files too long for memory: open a draft, write to it, then finish or
 * abandon it. The fields are private to the functions below. */
typedef struct FileDraft {
    int file;
    char path[PATH_MAX];
    char target[PATH_MAX];    /* `path` with all links resolved */
    char temporary[PATH_MAX]; /* the temporary file */
} FileDraft;

/* Starts an empty draft of the file `path`; waits while another writer has one. On success the
 * caller finishes or abandons it. */
Status file_draft_open(const char *path, FileDraft *draft);

/* Writes bytes at any offset. After a failure the draft can only be abandoned. */
Status file_draft_write(FileDraft *draft, uint64_t offset, const void *bytes, size_t size);

/* Replaces the file by the draft. Closes the draft, also after a failure. */
Status file_draft_finish(FileDraft *draft);

/* Discards the draft; the file stays as it was. */
void file_draft_abandon(FileDraft *draft);

/* Moves a complete file over another in the same folder, durably: syncs it, renames it and syncs
 * the folder. After a failure `from` may be left. */
Status file_publish(const char *from, const char *to);

/* Reads a file of at most `limit` bytes into memory that the caller frees. A zero byte, not counted
 * in `size`, follows the contents. */
Status file_read(const char *path, size_t limit, char **bytes, size_t *size);

/* Resolves the symbolic links of `path`; the file itself need not exist. `target` has room for
 * PATH_MAX bytes. */
Status file_find_target(const char *path, char *target);

bool file_exists(const char *path);

/* Whether `path` can be replaced. For long work, which would fail only at its end. */
Status file_check_writable(const char *path);

#endif
