#include "ui/web/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/text.h"
#include "ui/web/archive_internal.h"

enum { BUSY_MS = 5000, DELETE_ROWS = 5000 };

struct Archive {
    sqlite3 *writer; /* NULL: read-only */
    sqlite3 *reader;
    pthread_mutex_t reading; /* guards `reader` and its statements */
    int lock;                /* of the folder, held while the server runs; -1: none */
    sqlite3_stmt *begin, *commit, *rollback;
    sqlite3_stmt *insert_game, *update_game, *insert_step, *delete_steps, *insert_key;
    sqlite3_stmt *delete_keys, *delete_old_steps, *delete_old_games, *last_row;
    sqlite3_stmt *load_game, *load_steps, *find_key, *count;
    int64_t deleted_up_to; /* archive_delete_old continues after this row */
    char why_read_only[STATUS_MESSAGE_BYTES];
};

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

/* Runs a statement that returns no row, and makes it ready for the next time. */
static Status run(sqlite3 *database, sqlite3_stmt *statement) {
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

/* The version of the file's format; 0 for a new file. */
static Status read_format(sqlite3 *database, int *format) {
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
        status = read_format(database, &format);
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
        status = read_format(archive->reader, &format);
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
    if (access(path, R_OK) != 0)
        return *why;
    close_writer(archive);
    Status status = open_reader(archive, path, SQLITE_OPEN_READONLY);
    if (!status_is_ok(&status)) {
        close_reader(archive);
        snprintf(name, sizeof name, "file:%s?immutable=1", path);
        status = open_reader(archive, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    }
    Status named = status_make(STATUS_FAILED, "%s: %s", path, why->message);
    memcpy(archive->why_read_only, named.message, sizeof archive->why_read_only);
    return status_is_ok(&status) ? status : *why;
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
        return status;
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

/* --- reading --- */

/* Copies a text column; false if it does not fit. */
static bool copy_column(sqlite3_stmt *statement, int column, char *place, size_t size) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text && snprintf(place, size, "%s", text) < (int)size;
}

/* Appends a line to the record. */
static bool append_line(char **record, size_t *length, size_t *capacity, const char *line) {
    size_t more = strlen(line) + 1;
    if (*length + more + 1 > *capacity) {
        size_t larger = 2 * (*length + more + 1);
        char *bytes = realloc(*record, larger);
        if (!bytes)
            return false;
        *record = bytes;
        *capacity = larger;
    }
    memcpy(*record + *length, line, more - 1);
    *length += more;
    (*record)[*length - 1] = '\n';
    (*record)[*length] = '\0';
    return true;
}

/* Appends the steps of the game in row `game` to its head. */
static Status load_steps(Archive *archive, int64_t game, char **record) {
    size_t length = strlen(*record), capacity = length + 1;
    int code;
    sqlite3_bind_int64(archive->load_steps, 1, game);
    while ((code = sqlite3_step(archive->load_steps)) == SQLITE_ROW) {
        const char *step = (const char *)sqlite3_column_text(archive->load_steps, 0);
        if (!step || !append_line(record, &length, &capacity, step))
            break;
    }
    Status status = code == SQLITE_DONE  ? status_ok()
                    : code == SQLITE_ROW ? status_make(STATUS_FAILED, "out of memory")
                                         : archive_error(archive->reader);
    sqlite3_reset(archive->load_steps);
    return status;
}

/* Reads the row that load_game is at. */
static Status load_row(Archive *archive, ArchivedGame *game) {
    sqlite3_stmt *row = archive->load_game;
    const char *head = (const char *)sqlite3_column_text(row, 1);
    if (!copy_column(row, 2, game->salt, sizeof game->salt) ||
        !copy_column(row, 3, game->seats, sizeof game->seats))
        return status_make(STATUS_FAILED, "the stored game is damaged");
    game->state = (ArchiveState){.version = (uint64_t)sqlite3_column_int64(row, 4),
                                 .given = (uint64_t)sqlite3_column_int64(row, 5),
                                 .undo_for = (unsigned)sqlite3_column_int(row, 6),
                                 .undo_asked = (unsigned)sqlite3_column_int(row, 7)};
    game->record = head ? strdup(head) : NULL;
    if (!game->record)
        return status_make(STATUS_FAILED, "out of memory");
    return load_steps(archive, sqlite3_column_int64(row, 0), &game->record);
}

Status archive_load(Archive *archive, const char *id, ArchivedGame *game) {
    *game = (ArchivedGame){.record = NULL};
    pthread_mutex_lock(&archive->reading);
    sqlite3_bind_text(archive->load_game, 1, id, -1, SQLITE_STATIC);
    int code = sqlite3_step(archive->load_game);
    Status status = code == SQLITE_ROW    ? load_row(archive, game)
                    : code == SQLITE_DONE ? status_ok()
                                          : archive_error(archive->reader);
    sqlite3_reset(archive->load_game);
    pthread_mutex_unlock(&archive->reading);
    if (!status_is_ok(&status)) {
        free(game->record);
        game->record = NULL;
    }
    return status;
}

Status archive_find_key(Archive *archive, const char *key_hash, char id[SECRET_TEXT_BYTES],
                        char secret[SECRET_TEXT_BYTES]) {
    Status status = status_ok();
    id[0] = '\0';
    pthread_mutex_lock(&archive->reading);
    sqlite3_bind_text(archive->find_key, 1, key_hash, -1, SQLITE_STATIC);
    sqlite3_bind_int(archive->find_key, 2, ARCHIVE_KEY_SECONDS);
    int code = sqlite3_step(archive->find_key);
    if (code == SQLITE_ROW && (!copy_column(archive->find_key, 0, id, SECRET_TEXT_BYTES) ||
                               !copy_column(archive->find_key, 1, secret, SECRET_TEXT_BYTES)))
        status = status_make(STATUS_FAILED, "out of memory");
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = archive_error(archive->reader);
    sqlite3_reset(archive->find_key);
    pthread_mutex_unlock(&archive->reading);
    return status;
}

Status archive_count(Archive *archive, uint64_t *count) {
    Status status = status_ok();
    pthread_mutex_lock(&archive->reading);
    if (sqlite3_step(archive->count) == SQLITE_ROW)
        *count = (uint64_t)sqlite3_column_int64(archive->count, 0);
    else
        status = archive_error(archive->reader);
    sqlite3_reset(archive->count);
    pthread_mutex_unlock(&archive->reading);
    return status;
}

/* --- writing --- */

Status archive_begin(Archive *archive) {
    if (!archive->writer)
        return status_make(STATUS_FAILED, "%s", archive->why_read_only);
    return run(archive->writer, archive->begin);
}

Status archive_commit(Archive *archive) {
    return run(archive->writer, archive->commit);
}

void archive_rollback(Archive *archive) {
    if (archive->writer && !sqlite3_get_autocommit(archive->writer))
        run(archive->writer, archive->rollback);
}

/* Adds the step of a text of this length as step `number`. */
static Status insert_step(Archive *archive, int64_t game, size_t number, const char *step,
                          size_t length) {
    sqlite3_bind_int64(archive->insert_step, 1, game);
    sqlite3_bind_int64(archive->insert_step, 2, (int64_t)number);
    sqlite3_bind_text(archive->insert_step, 3, step, (int)length, SQLITE_STATIC);
    return run(archive->writer, archive->insert_step);
}

/* Adds each line as a step. */
static Status insert_steps(Archive *archive, int64_t game, const char *lines) {
    Status status = status_ok();
    for (size_t number = 0; *lines && status_is_ok(&status); number++) {
        size_t length = strcspn(lines, "\n");
        status = insert_step(archive, game, number, lines, length);
        lines += length + (lines[length] == '\n');
    }
    return status;
}

/* Binds the four columns of the state, the first to `from`. */
static void bind_state(sqlite3_stmt *statement, int from, const ArchiveState *state) {
    sqlite3_bind_int64(statement, from, (int64_t)state->version);
    sqlite3_bind_int64(statement, from + 1, (int64_t)state->given);
    sqlite3_bind_int64(statement, from + 2, state->undo_for);
    sqlite3_bind_int64(statement, from + 3, state->undo_asked);
}

/* Adds a new game with its steps and its key. */
static Status insert_game(Archive *archive, const ArchiveChange *change) {
    enum { HEAD_LINES = 6 };
    sqlite3_stmt *insert = archive->insert_game;
    const char *steps = change->record;
    for (int i = 0; i < HEAD_LINES && *steps; i++) {
        steps += strcspn(steps, "\n");
        steps += *steps == '\n';
    }
    sqlite3_bind_text(insert, 1, change->id, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, change->record, (int)(steps - change->record), SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, change->salt, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, change->seats, -1, SQLITE_STATIC);
    bind_state(insert, 5, &change->state);
    Status status = run(archive->writer, insert);
    if (status_is_ok(&status))
        status = insert_steps(archive, sqlite3_last_insert_rowid(archive->writer), steps);
    if (!status_is_ok(&status) || !change->key_hash)
        return status;
    sqlite3_bind_text(archive->insert_key, 1, change->key_hash, -1, SQLITE_STATIC);
    sqlite3_bind_text(archive->insert_key, 2, change->id, -1, SQLITE_STATIC);
    sqlite3_bind_text(archive->insert_key, 3, change->key_secret, -1, SQLITE_STATIC);
    return run(archive->writer, archive->insert_key);
}

/* Updates the row of a game; `game` receives its number. */
static Status update_row(Archive *archive, const ArchiveChange *change, int64_t *game) {
    sqlite3_stmt *update = archive->update_game;
    sqlite3_bind_text(update, 1, change->id, -1, SQLITE_STATIC);
    bind_state(update, 2, &change->state);
    if (change->seats)
        sqlite3_bind_text(update, 6, change->seats, -1, SQLITE_STATIC);
    int code = sqlite3_step(update);
    Status status = status_ok();
    if (code == SQLITE_ROW)
        *game = sqlite3_column_int64(update, 0);
    else
        status = code == SQLITE_DONE ? status_make(STATUS_FAILED, "the game was deleted")
                                     : archive_error(archive->writer);
    sqlite3_reset(update);
    sqlite3_clear_bindings(update);
    return status;
}

static Status update_game(Archive *archive, const ArchiveChange *change) {
    int64_t game = 0;
    Status status = update_row(archive, change, &game);
    if (status_is_ok(&status)) {
        sqlite3_bind_int64(archive->delete_steps, 1, game);
        sqlite3_bind_int64(archive->delete_steps, 2, (int64_t)change->kept);
        status = run(archive->writer, archive->delete_steps);
    }
    if (status_is_ok(&status) && change->step)
        status = insert_step(archive, game, change->kept, change->step, strlen(change->step));
    return status;
}

Status archive_put(Archive *archive, const ArchiveChange *change) {
    return change->record ? insert_game(archive, change) : update_game(archive, change);
}

/* The number of the last row. */
static Status find_last_row(Archive *archive, int64_t *last) {
    Status status = sqlite3_step(archive->last_row) == SQLITE_ROW ? status_ok()
                                                                  : archive_error(archive->writer);
    *last = sqlite3_column_int64(archive->last_row, 0);
    sqlite3_reset(archive->last_row);
    return status;
}

/* Deletes old games among the rows after `from`, up to `to`, with their steps. */
static Status delete_games(Archive *archive, int64_t from, int64_t to, uint64_t seconds) {
    sqlite3_stmt *const statements[] = {archive->delete_old_steps, archive->delete_old_games};
    Status status = status_ok();
    for (size_t i = 0; i < 2 && status_is_ok(&status); i++) {
        sqlite3_bind_int64(statements[i], 1, from);
        sqlite3_bind_int64(statements[i], 2, to);
        sqlite3_bind_int64(statements[i], 3, (int64_t)seconds);
        status = run(archive->writer, statements[i]);
    }
    return status;
}

Status archive_delete_old(Archive *archive, uint64_t seconds, uint64_t *deleted) {
    int64_t last = 0, from = archive->deleted_up_to, to = from + DELETE_ROWS;
    *deleted = 0;
    if (!archive->writer)
        return status_ok();
    sqlite3_bind_int64(archive->delete_keys, 1, ARCHIVE_KEY_SECONDS);
    Status status = run(archive->writer, archive->delete_keys);
    if (!status_is_ok(&status) || seconds == 0)
        return status;
    status = find_last_row(archive, &last);
    if (status_is_ok(&status))
        status = archive_begin(archive);
    if (status_is_ok(&status))
        status = delete_games(archive, from, to, seconds);
    int changes = sqlite3_changes(archive->writer);
    if (status_is_ok(&status))
        status = archive_commit(archive);
    if (!status_is_ok(&status)) {
        archive_rollback(archive);
        return status;
    }
    *deleted = (uint64_t)changes;
    archive->deleted_up_to = to < last ? to : 0;
    return status;
}
