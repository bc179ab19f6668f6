/* What the files of the archive share. */
#ifndef MALPAN_UI_WEB_ARCHIVE_INTERNAL_H
#define MALPAN_UI_WEB_ARCHIVE_INTERNAL_H

#include <sqlite3.h>

#include "ui/web/archive.h"

enum { ARCHIVE_FORMAT = 2 }; /* kept in the file's user_version */

/* The last error of the database. */
Status archive_error(sqlite3 *database);

/* Opens a database for one thread at a time. The caller closes it, also after a failure. */
Status archive_open_database(const char *path, int flags, sqlite3 **database);

/* Runs statements that return nothing. */
Status archive_execute(sqlite3 *database, const char *text);

/* --- archive_convert.c --- */

/* Moves the games of format 1, which were renamed to games_1, into the tables of this format. The
 * caller has begun a transaction. */
Status archive_convert_format_1(Archive *archive, sqlite3 *database);

#endif
