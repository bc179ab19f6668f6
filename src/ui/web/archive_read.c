/* Reading the store: any thread, one at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/web/archive_internal.h"

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
