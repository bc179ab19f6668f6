/* Writing the store: the committer's thread. */
#include <string.h>

#include "ui/web/archive_internal.h"

enum { DELETE_ROWS = 5000 }; /* looked at by one call of archive_delete_old */

Status archive_begin(Archive *archive) {
    if (!archive->writer)
        return status_make(STATUS_FAILED, "%s", archive->why_read_only);
    return archive_run(archive->writer, archive->begin);
}

Status archive_commit(Archive *archive) {
    return archive_run(archive->writer, archive->commit);
}

void archive_rollback(Archive *archive) {
    if (archive->writer && !sqlite3_get_autocommit(archive->writer))
        archive_run(archive->writer, archive->rollback);
}

/* Adds the step of a text of this length as step `number`. */
static Status insert_step(Archive *archive, int64_t game, size_t number, const char *step,
                          size_t length) {
    sqlite3_bind_int64(archive->insert_step, 1, game);
    sqlite3_bind_int64(archive->insert_step, 2, (int64_t)number);
    sqlite3_bind_text(archive->insert_step, 3, step, (int)length, SQLITE_STATIC);
    return archive_run(archive->writer, archive->insert_step);
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
    Status status = archive_run(archive->writer, insert);
    if (status_is_ok(&status))
        status = insert_steps(archive, sqlite3_last_insert_rowid(archive->writer), steps);
    if (!status_is_ok(&status) || !change->key_hash)
        return status;
    sqlite3_bind_text(archive->insert_key, 1, change->key_hash, -1, SQLITE_STATIC);
    sqlite3_bind_text(archive->insert_key, 2, change->id, -1, SQLITE_STATIC);
    sqlite3_bind_text(archive->insert_key, 3, change->key_secret, -1, SQLITE_STATIC);
    return archive_run(archive->writer, archive->insert_key);
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
        status = archive_run(archive->writer, archive->delete_steps);
    }
    if (status_is_ok(&status) && change->step)
        status = insert_step(archive, game, change->kept, change->step, strlen(change->step));
    return status;
}

Status archive_put(Archive *archive, const ArchiveChange *change) {
    return change->record ? insert_game(archive, change) : update_game(archive, change);
}

/* --- old games --- */

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
        status = archive_run(archive->writer, statements[i]);
    }
    return status;
}

Status archive_delete_old(Archive *archive, uint64_t seconds, uint64_t *deleted) {
    int64_t last = 0, from = archive->deleted_up_to, to = from + DELETE_ROWS;
    *deleted = 0;
    if (!archive->writer)
        return status_ok();
    sqlite3_bind_int64(archive->delete_keys, 1, ARCHIVE_KEY_SECONDS);
    Status status = archive_run(archive->writer, archive->delete_keys);
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
