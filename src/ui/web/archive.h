/* Where games are kept: one row a game, in SQLite. Written after every change, so that a server
 * that is killed loses nothing. */
#ifndef MALPAN_UI_WEB_ARCHIVE_H
#define MALPAN_UI_WEB_ARCHIVE_H

#include <stdint.h>

#include "base/status.h"

typedef struct Archive Archive;

/* Opens or makes `FOLDER/games.sqlite`. */
Status archive_open(const char *folder, Archive **archive);
void archive_close(Archive *archive);

/* Replaces what is kept under the name. */
Status archive_put(Archive *archive, const char *id, const char *text);

/* What is kept, in memory that the caller frees; NULL and fine where there is nothing. */
Status archive_get(Archive *archive, const char *id, char **text);

/* How many games there are. */
Status archive_count(Archive *archive, uint64_t *count);

#endif
