/* What the files of the archive share. */
#ifndef MALPAN_UI_WEB_ARCHIVE_INTERNAL_H
#define MALPAN_UI_WEB_ARCHIVE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>

#include "ui/web/archive.h"

enum { ARCHIVE_FORMAT = 2 }; /* kept in the file's user_version */

/* Two connections to one database, with their prepared statements. `writer` and its statements and
 * `deleted_up_to` belong to the committer's thread; `reading` guards `reader` and its statements;
 * the rest is constant while the archive is open. */
struct Archive {
    sqlite3 *writer; /* NULL: read-only */
    sqlite3 *reader;
    pthread_mutex_t reading;
    int lock; /* of the folder, held while the server runs; -1: none */
    sqlite3_stmt *begin, *commit, *rollback;
    sqlite3_stmt *insert_game, *update_game, *insert_step, *delete_steps, *insert_key;
    sqlite3_stmt *delete_keys, *delete_old_steps, *delete_old_games, *last_row;
    sqlite3_stmt *load_game, *load_steps, *find_key, *count;
    int64_t deleted_up_to; /* archive_delete_old continues after this row */
    char why_read_only[STATUS_MESSAGE_BYTES];
};

/* The last error of the database. */
Status archive_error(sqlite3 *database);

/* Opens a database for one thread at a time. The caller closes it, also after a failure. */
Status archive_open_database(const char *path, int flags, sqlite3 **database);

/* Runs statements that return nothing. */
Status archive_execute(sqlite3 *database, const char *text);

/* Runs a statement of the database that returns no row, and makes it ready for the next time. */
Status archive_run(sqlite3 *database, sqlite3_stmt *statement);

/* The version of the file's format; 0 for a new file. An error if it is newer than this program's.
 */
Status archive_read_format(sqlite3 *database, int *format);

/* --- archive_convert.c --- */

/* Moves the games of format 1, which were renamed to games_1, into the tables of this format. The
 * caller has begun a transaction. */
Status archive_convert_format_1(Archive *archive, sqlite3 *database);

#endif
