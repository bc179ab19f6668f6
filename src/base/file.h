/* Files, read whole and replaced whole. */
#ifndef MALPAN_BASE_FILE_H
#define MALPAN_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Replaces (or makes) the file `path` by `size` bytes: a temporary file in the same folder is
 * written, synced, renamed over it, and the folder is synced. Whenever the program or the machine
 * dies, the old file or the new one is there, whole. A link keeps being a link. The permissions of
 * an existing file are kept. Writers of one file wait for each other. The temporary file has a
 * fixed name, `path` with .tmp: a program that is killed may leave it, the next one uses it again.
 */
Status file_replace(const char *path, const void *bytes, size_t size);

/* Reads the whole file, at most `limit` bytes, into memory that the caller frees; a zero byte that
 * is not counted follows it. */
Status file_read(const char *path, size_t limit, char **bytes, size_t *size);

/* The name behind all links that lead from `path`, whether there is a file or not yet. `target` has
 * room for PATH_MAX bytes. */
Status file_find_target(const char *path, char *target);

bool file_exists(const char *path);

#endif
