/* A list of all games in the store, read while a server may be writing to it. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "ui/web/archive_internal.h"

/* The name of the game, from the second line of a record's head: `game NAME`. Empty if the head is
 * damaged. */
static void read_name(const char *head, char name[ARCHIVE_NAME_BYTES]) {
    static const char field[] = "\ngame ";
    const char *found = head ? strstr(head, field) : NULL;
    name[0] = '\0';
    if (found) {
        found += sizeof field - 1;
        snprintf(name, ARCHIVE_NAME_BYTES, "%.*s", (int)strcspn(found, "\n"), found);
    }
}

/* Shows the games of a prepared query, one row after another. */
static Status show_rows(sqlite3 *database, sqlite3_stmt *rows, ArchiveShow *show) {
    int code;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        ArchivedEntry entry = {.changed = sqlite3_column_int64(rows, 2),
                               .step_count = (uint64_t)sqlite3_column_int64(rows, 3)};
        const char *id = (const char *)sqlite3_column_text(rows, 0);
        snprintf(entry.id, sizeof entry.id, "%s", id ? id : "");
        read_name((const char *)sqlite3_column_text(rows, 1), entry.game);
        if (!show(&entry))
            return status_ok();
    }
    return code == SQLITE_DONE ? status_ok() : archive_error(database);
}

static Status list_games(sqlite3 *database, ArchiveShow *show) {
    sqlite3_stmt *rows;
    int format = 0;
    Status status = archive_read_format(database, &format);
    if (!status_is_ok(&status))
        return status;
    if (format < ARCHIVE_FORMAT)
        return status_make(STATUS_FAILED, "the game store has an older format; a server that is "
                                          "started on it converts it");
    if (sqlite3_prepare_v2(database,
                           "SELECT id, head, changed, (SELECT count(*) FROM steps"
                           " WHERE steps.game = games.game) FROM games ORDER BY game",
                           -1, &rows, NULL) != SQLITE_OK)
        return archive_error(database);
    status = show_rows(database, rows, show);
    sqlite3_finalize(rows);
    return status;
}

Status archive_list(const char *folder, ArchiveShow *show) {
    char path[PATH_MAX];
    sqlite3 *database = NULL;
    if (snprintf(path, sizeof path, "%s/games.sqlite", folder) >= (int)sizeof path)
        return status_make(STATUS_USAGE, "the path is too long");
    if (!file_exists(path))
        return status_make(STATUS_FAILED, "there are no games in %s", quote(folder).text);
    Status status = archive_open_database(path, SQLITE_OPEN_READONLY, &database);
    if (status_is_ok(&status))
        status = list_games(database, show);
    sqlite3_close(database);
    return status;
}
