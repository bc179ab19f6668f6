/* Opening and closing the store. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/text.h"
#include "ui/web/archive_internal.h"

enum { BUSY_MS = 5000 };

static const char tables[] =
    "CREATE TABLE IF NOT EXISTS games (game INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " head TEXT NOT NULL, salt TEXT NOT NULL, seats TEXT NOT NULL, version INTEGER NOT NULL,"
    " given INTEGER NOT NULL, undo_for INTEGER NOT NULL, undo_asked INTEGER NOT NULL,"
    " changed INTEGER NOT NULL DEFAULT (unixepoch())) STRICT;"
    "CREATE TABLE IF NOT EXISTS steps (game INTEGER NOT NULL, number INTEGER NOT NULL,"
    " step TEXT NOT NULL, PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS keys (hash TEXT PRIMARY KEY, id TEXT NOT NULL,"
    " secret TEXT NOT NULL, created INTEGER NOT NULL DEFAULT (unixepoch()))"
    " STRICT, WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS keys_created ON keys (created);";

Status archive_error(sqlite3 *database) {
    return status_make(STATUS_FAILED, "game store: %s",
                       database ? sqlite3_errmsg(database) : "out of memory");
}

Status archive_execute(sqlite3 *database, const char *text) {
    return sqlite3_exec(database, text, NULL, NULL, NULL) == SQLITE_OK ? status_ok()
                                                                       : archive_error(database);
}

Status archive_run(sqlite3 *database, sqlite3_stmt *statement) {
    Status status = sqlite3_step(statement) == SQLITE_DONE ? status_ok() : archive_error(database);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

/* --- opening --- */

typedef struct Statement {
    const char *text;
    sqlite3_stmt **place;
} Statement;

static Status prepare_all(sqlite3 *database, const Statement statements[], size_t count) {
    for (size_t i = 0; i < count; i++)
        if (sqlite3_prepare_v3(database, statements[i].text, -1, SQLITE_PREPARE_PERSISTENT,
                               statements[i].place, NULL) != SQLITE_OK)
            return archive_error(database);
    return status_ok();
}

static Status prepare_writer(Archive *archive) {
    const Statement statements[] = {
        {"BEGIN IMMEDIATE", &archive->begin},
        {"COMMIT", &archive->commit},
        {"ROLLBACK", &archive->rollback},
        {"INSERT INTO games (id, head, salt, seats, version, given, undo_for, undo_asked)"
         " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
         &archive->insert_game},
        {"UPDATE games SET version = ?2, given = ?3, undo_for = ?4, undo_asked = ?5,"
         " seats = coalesce(?6, seats), changed = unixepoch() WHERE id = ?1 RETURNING game",
         &archive->update_game},
        {"INSERT INTO steps (game, number, step) VALUES (?1, ?2, ?3)", &archive->insert_step},
        {"DELETE FROM steps WHERE game = ?1 AND number >= ?2", &archive->delete_steps},
        {"REPLACE INTO keys (hash, id, secret) VALUES (?1, ?2, ?3)", &archive->insert_key},
        {"DELETE FROM keys WHERE created < unixepoch() - ?1", &archive->delete_keys},
        {"DELETE FROM steps WHERE game IN (SELECT game FROM games WHERE game > ?1 AND game <= ?2"
         " AND changed < unixepoch() - ?3)",
         &archive->delete_old_steps},
        {"DELETE FROM games WHERE game > ?1 AND game <= ?2 AND changed < unixepoch() - ?3",
         &archive->delete_old_games},
        {"SELECT max(game) FROM games", &archive->last_row}};
    return prepare_all(archive->writer, statements, sizeof statements / sizeof statements[0]);
}

static Status prepare_reader(Archive *archive) {
    const Statement statements[] = {
        {"SELECT game, head, salt, seats, version, given, undo_for, undo_asked FROM games"
         " WHERE id = ?1",
         &archive->load_game},
        {"SELECT step FROM steps WHERE game = ?1 ORDER BY number", &archive->load_steps},
        {"SELECT id, secret FROM keys WHERE hash = ?1 AND created >= unixepoch() - ?2",
         &archive->find_key},
        {"SELECT count(*) FROM games", &archive->count}};
    return prepare_all(archive->reader, statements, sizeof statements / sizeof statements[0]);
}

Status archive_read_format(sqlite3 *database, int *format) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &statement, NULL) != SQLITE_OK)
        return archive_error(database);
    *format = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
    sqlite3_finalize(statement);
    if (*format < 0)
        return archive_error(database);
    if (*format > ARCHIVE_FORMAT)
        return status_make(STATUS_FAILED,
                           "the game store was written by a newer version (format %d, not %d)",
                           *format, ARCHIVE_FORMAT);
    return status_ok();
}

/* Creates the tables, or converts those of an older format, in one transaction. It writes in any
 * case, which shows whether the disk has room. */
static Status set_up_tables(Archive *archive) {
    sqlite3 *database = archive->writer;
    int format = 0;
    Status status = archive_execute(database, "BEGIN IMMEDIATE");
    if (status_is_ok(&status))
        status = archive_read_format(database, &format);
    if (status_is_ok(&status) && format == 1)
        status = archive_execute(database, "ALTER TABLE games RENAME TO games_1");
    if (status_is_ok(&status))
        status = archive_execute(database, tables);
    if (status_is_ok(&status))
        status = prepare_writer(archive);
    if (status_is_ok(&status) && format == 1)
        status = archive_convert_format_1(archive, database);
    if (status_is_ok(&status))
        status = archive_execute(database, "PRAGMA user_version = 2; COMMIT");
    return status;
}

Status archive_open_database(const char *path, int flags, sqlite3 **database) {
    if (sqlite3_open_v2(path, database, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return archive_error(*database);
    sqlite3_busy_timeout(*database, BUSY_MS);
    return status_ok();
}

static Status open_writer(Archive *archive, const char *path, bool is_durable) {
    Status status =
        archive_open_database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &archive->writer);
    if (status_is_ok(&status))
        status = archive_execute(archive->writer, "PRAGMA journal_mode = WAL");
    if (status_is_ok(&status))
        status = archive_execute(archive->writer, is_durable ? "PRAGMA synchronous = FULL"
                                                             : "PRAGMA synchronous = NORMAL");
    if (status_is_ok(&status))
        status = set_up_tables(archive);
    return status;
}

static void close_writer(Archive *archive) {
    sqlite3_stmt **const statements[] = {
        &archive->begin,        &archive->commit,           &archive->rollback,
        &archive->insert_game,  &archive->update_game,      &archive->insert_step,
        &archive->delete_steps, &archive->insert_key,       &archive->delete_keys,
        &archive->last_row,     &archive->delete_old_steps, &archive->delete_old_games};
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        sqlite3_finalize(*statements[i]);
        *statements[i] = NULL;
    }
    sqlite3_close(archive->writer);
    archive->writer = NULL;
}

/* Opens the reader's connection. */
static Status open_reader(Archive *archive, const char *name, int flags) {
    int format = 0;
    Status status = archive_open_database(name, flags, &archive->reader);
    if (status_is_ok(&status))
        status = archive_read_format(archive->reader, &format);
    if (status_is_ok(&status) && format < ARCHIVE_FORMAT)
        status = status_make(STATUS_FAILED, "the game store has an older format, and cannot be "
                                            "converted because it cannot be written");
    if (status_is_ok(&status))
        status = prepare_reader(archive);
    return status;
}

static void close_reader(Archive *archive) {
    sqlite3_finalize(archive->load_game);
    sqlite3_finalize(archive->load_steps);
    sqlite3_finalize(archive->find_key);
    sqlite3_finalize(archive->count);
    archive->load_game = archive->load_steps = archive->find_key = archive->count = NULL;
    sqlite3_close(archive->reader);
    archive->reader = NULL;
}

/* Opens a store that cannot be written. `why` is what failed. Where SQLite cannot create the files
 * beside the database that a reader needs, the database is read alone: changes that were never
 * merged into it, after a crash, are not seen then. */
static Status open_read_only(Archive *archive, const char *path, const Status *why) {
    char name[PATH_MAX + 32];
    Status named = status_make(STATUS_FAILED, "%s: %s", path, why->message);
    if (access(path, R_OK) != 0)
        return named;
    close_writer(archive);
    Status status = open_reader(archive, path, SQLITE_OPEN_READONLY);
    if (!status_is_ok(&status)) {
        close_reader(archive);
        snprintf(name, sizeof name, "file:%s?immutable=1", path);
        status = open_reader(archive, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    }
    memcpy(archive->why_read_only, named.message, sizeof archive->why_read_only);
    return status_is_ok(&status) ? status : named;
}

/* Makes sure that no other server uses the folder. A folder that cannot be written needs no lock.
 */
static Status lock_folder(Archive *archive, const char *folder) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/games.lock", folder) >= (int)sizeof path)
        return status_make(STATUS_USAGE, "the path of the data folder is too long");
    archive->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (archive->lock >= 0 && flock(archive->lock, LOCK_EX | LOCK_NB) != 0)
        return status_make(STATUS_FAILED, "the game store is in use by another program");
    return status_ok();
}

static Status open_files(Archive *archive, const char *folder, bool is_durable) {
    char path[PATH_MAX];
    Status status = lock_folder(archive, folder);
    if (!status_is_ok(&status))
        return status;
    snprintf(path, sizeof path, "%s/games.sqlite", folder);
    status = open_writer(archive, path, is_durable);
    if (status_is_ok(&status))
        return open_reader(archive, path, SQLITE_OPEN_READWRITE);
    switch (sqlite3_errcode(archive->writer)) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return open_read_only(archive, path, &status);
    default:
        return status_make(status.code, "%s: %s", path, status.message);
    }
}

Status archive_open(const char *folder, bool is_durable, Archive **archive) {
    *archive = calloc(1, sizeof **archive);
    if (!*archive)
        return status_make(STATUS_FAILED, "out of memory");
    (*archive)->lock = -1;
    pthread_mutex_init(&(*archive)->reading, NULL);
    Status status = open_files(*archive, folder, is_durable);
    if (!status_is_ok(&status)) {
        archive_close(*archive);
        *archive = NULL;
    }
    return status;
}

void archive_close(Archive *archive) {
    if (!archive)
        return;
    close_reader(archive);
    close_writer(archive);
    if (archive->lock >= 0)
        close(archive->lock);
    pthread_mutex_destroy(&archive->reading);
    free(archive);
}

const char *archive_why_read_only(const Archive *archive) {
    return archive->writer ? NULL : archive->why_read_only;
}
