#include "ui/web/archive.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 }; /* kept in the file's user_version */

struct Archive {
    sqlite3 *database;
    sqlite3_stmt *put, *get, *count;
};

static Status database_error(const Archive *archive) {
    if (archive->database && sqlite3_errcode(archive->database) == SQLITE_BUSY)
        return status_make(STATUS_FAILED, "the game store is in use by another program");
    return status_make(STATUS_FAILED, "game store: %s",
                       archive->database ? sqlite3_errmsg(archive->database) : "out of memory");
}

static Status execute(const Archive *archive, const char *text) {
    return sqlite3_exec(archive->database, text, NULL, NULL, NULL) == SQLITE_OK
               ? status_ok()
               : database_error(archive);
}

static Status prepare(const Archive *archive, const char *text, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(archive->database, text, -1, SQLITE_PREPARE_PERSISTENT, statement,
                              NULL) == SQLITE_OK
               ? status_ok()
               : database_error(archive);
}

/* Refuses a file that a newer version wrote. */
static Status check_format(const Archive *archive) {
    sqlite3_stmt *statement;
    Status status = prepare(archive, "PRAGMA user_version", &statement);
    if (!status_is_ok(&status))
        return status;
    int format = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
    sqlite3_finalize(statement);
    if (format < 0)
        return database_error(archive);
    if (format > FORMAT)
        return status_make(STATUS_FAILED,
                           "the game store was written by a newer version (format %d, not %d)",
                           format, FORMAT);
    return status_ok();
}

static Status set_up(Archive *archive, const char *path) {
    if (sqlite3_open(path, &archive->database) != SQLITE_OK)
        return database_error(archive);
    sqlite3_busy_timeout(archive->database, 1000);
    Status status = check_format(archive);
    if (status_is_ok(&status))
        status = execute(archive,
                         "PRAGMA locking_mode = EXCLUSIVE;" /* the server caches games in memory */
                         "PRAGMA journal_mode = WAL;"
                         "PRAGMA synchronous = NORMAL;"
                         "CREATE TABLE IF NOT EXISTS games ("
                         " id TEXT PRIMARY KEY, text TEXT NOT NULL,"
                         " changed INTEGER NOT NULL DEFAULT (unixepoch())) STRICT, WITHOUT ROWID;"
                         "PRAGMA user_version = 1;");
    if (status_is_ok(&status))
        status = prepare(archive,
                         "INSERT INTO games (id, text) VALUES (?1, ?2) ON CONFLICT (id)"
                         " DO UPDATE SET text = ?2, changed = unixepoch()",
                         &archive->put);
    if (status_is_ok(&status))
        status = prepare(archive, "SELECT text FROM games WHERE id = ?1", &archive->get);
    if (status_is_ok(&status))
        status = prepare(archive, "SELECT count(*) FROM games", &archive->count);
    return status;
}

Status archive_open(const char *folder, Archive **archive) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/games.sqlite", folder) >= (int)sizeof path)
        return status_make(STATUS_USAGE, "the path of the data folder is too long");
    *archive = calloc(1, sizeof **archive);
    if (!*archive)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = set_up(*archive, path);
    if (!status_is_ok(&status)) {
        archive_close(*archive);
        *archive = NULL;
    }
    return status;
}

void archive_close(Archive *archive) {
    if (!archive)
        return;
    sqlite3_finalize(archive->put);
    sqlite3_finalize(archive->get);
    sqlite3_finalize(archive->count);
    sqlite3_close(archive->database);
    free(archive);
}

Status archive_put(Archive *archive, const char *id, const char *text) {
    sqlite3_bind_text(archive->put, 1, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(archive->put, 2, text, -1, SQLITE_STATIC);
    Status status =
        sqlite3_step(archive->put) == SQLITE_DONE ? status_ok() : database_error(archive);
    sqlite3_reset(archive->put);
    sqlite3_clear_bindings(archive->put);
    return status;
}

Status archive_get(Archive *archive, const char *id, char **text) {
    Status status = status_ok();
    *text = NULL;
    sqlite3_bind_text(archive->get, 1, id, -1, SQLITE_STATIC);
    int code = sqlite3_step(archive->get);
    if (code == SQLITE_ROW) {
        *text = strdup((const char *)sqlite3_column_text(archive->get, 0));
        if (!*text)
            status = status_make(STATUS_FAILED, "out of memory");
    } else if (code != SQLITE_DONE) {
        status = database_error(archive);
    }
    sqlite3_reset(archive->get);
    sqlite3_clear_bindings(archive->get);
    return status;
}

Status archive_count(Archive *archive, uint64_t *count) {
    Status status = status_ok();
    if (sqlite3_step(archive->count) == SQLITE_ROW)
        *count = (uint64_t)sqlite3_column_int64(archive->count, 0);
    else
        status = database_error(archive);
    sqlite3_reset(archive->count);
    return status;
}
