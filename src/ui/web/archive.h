/* The store of hosted games: one row per game in SQLite, written after every change, so that a
 * killed server loses nothing.
 *
 * Not thread-safe: the game registry's lock guards an archive.
 */
#ifndef MALPAN_UI_WEB_ARCHIVE_H
#define MALPAN_UI_WEB_ARCHIVE_H

#include <stdint.h>

#include "base/status.h"

typedef struct Archive Archive;

/* Opens `FOLDER/games.sqlite`, or creates it. Fails if another process has it open or a newer
 * version wrote it. */
Status archive_open(const char *folder, Archive **archive);
void archive_close(Archive *archive);

/* Stores the text under the id, replacing what was there. */
Status archive_put(Archive *archive, const char *id, const char *text);

/* Reads the text of an id into memory that the caller frees; NULL, without an error, if there is no
 * such id. */
Status archive_get(Archive *archive, const char *id, char **text);

/* Counts the games. */
Status archive_count(Archive *archive, uint64_t *count);

#endif
