/* Files, read whole and replaced whole. */
#ifndef MALPAN_BASE_FILE_H
#define MALPAN_BASE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Replaces (or makes) the file `path` by `size` bytes: a temporary file in the same folder is
 * written, synced, renamed over it, and the folder is synced. Whenever the program or the machine
 * dies, the old file or the new one is there, whole. A link keeps being a link. The permissions of
 * an existing file are kept. Writers of one file wait for each other. The temporary file has a
 * fixed name, `path` with .tmp: a program that is killed may leave it, the next one uses it again.
 */
Status file_replace(const char *path, const void *bytes, size_t size);

/* The same piece by piece, for files too long to have in memory: open a draft, write to it, finish
 * or abandon it. The fields are for the functions below alone. */
typedef struct FileDraft {
    int file;
    char path[PATH_MAX];
    char target[PATH_MAX];    /* behind all links */
    char temporary[PATH_MAX]; /* where it is written */
} FileDraft;

/* Begins a new version of the file `path`, empty; waits while another writer has one. Afterwards
 * finish or abandon it. */
Status file_draft_open(const char *path, FileDraft *draft);

/* Writes bytes at any offset. After a failure there is nothing left but to abandon. */
Status file_draft_write(FileDraft *draft, uint64_t offset, const void *bytes, size_t size);

/* Puts the draft in the place of the file. The draft is gone afterwards, also when this fails. */
Status file_draft_finish(FileDraft *draft);

/* Removes the draft; the file stays as it was. */
void file_draft_abandon(FileDraft *draft);

/* Reads the whole file, at most `limit` bytes, into memory that the caller frees; a zero byte that
 * is not counted follows it. */
Status file_read(const char *path, size_t limit, char **bytes, size_t *size);

/* The name behind all links that lead from `path`, whether there is a file or not yet. `target` has
 * room for PATH_MAX bytes. */
Status file_find_target(const char *path, char *target);

bool file_exists(const char *path);

#endif
