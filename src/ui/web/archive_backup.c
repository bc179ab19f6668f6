/* A copy of the store, taken while a server may be writing to it. */
#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "ui/web/archive_internal.h"

/* Copies the database as it is now. All pages are copied in one step, from one snapshot: a copy in
 * several steps would start again whenever the server commits something, and might never end. The
 * server goes on writing to its write-ahead log meanwhile. */
static Status copy_database(sqlite3 *from, sqlite3 *to) {
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return archive_error(to);
    sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK)
        return archive_error(to);
    /* One file, without a log beside it. */
    return archive_execute(to, "PRAGMA journal_mode = DELETE");
}

Status archive_back_up(const char *folder, const char *file) {
    char path[PATH_MAX];
    sqlite3 *from = NULL, *to = NULL;
    FileDraft draft;
    if (snprintf(path, sizeof path, "%s/games.sqlite", folder) >= (int)sizeof path)
        return status_make(STATUS_USAGE, "the path is too long");
    if (!file_exists(path))
        return status_make(STATUS_FAILED, "there are no games in %s", quote(folder).text);
    Status status = file_draft_open(file, &draft);
    if (!status_is_ok(&status))
        return status;
    status = archive_open_database(path, SQLITE_OPEN_READONLY, &from);
    if (status_is_ok(&status))
        status = archive_open_database(draft.temporary, SQLITE_OPEN_READWRITE, &to);
    if (status_is_ok(&status))
        status = copy_database(from, to);
    sqlite3_close(from);
    sqlite3_close(to);
    if (status_is_ok(&status))
        return file_draft_finish(&draft);
    file_draft_abandon(&draft);
    return status;
}
