/* Format 1 had one row per game: its id, and JSON with the whole record, rewritten after every
 * step. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/json/parse.h"
#include "ui/web/archive_internal.h"

/* The seats of format 1, `{"kind": 0, "print": HASH, "undo": false}` each, as the text of format 2.
 * `asked` receives those that ask for an undo. */
static bool convert_seats(const json_t *seats, char text[ARCHIVE_SEATS_BYTES], unsigned *asked) {
    Text out = text_over(text, ARCHIVE_SEATS_BYTES);
    *asked = 0;
    for (size_t i = 0; i < json_array_size(seats); i++) {
        int kind, undo;
        const char *hash;
        if (json_unpack(json_array_get(seats, i), "{s:i, s:s, s:b}", "kind", &kind, "print", &hash,
                        "undo", &undo) != 0)
            return false;
        text_addf(&out, "%s%d:%s", i > 0 ? " " : "", kind, hash);
        *asked |= (unsigned)(undo != 0) << i;
    }
    return !out.truncated;
}

/* Inserts one game. A damaged one stays where it is. */
static Status convert_game(Archive *archive, const char *id, const json_t *json) {
    const char *record, *salt;
    json_int_t given, version;
    int undo_for;
    const json_t *list;
    unsigned asked;
    char seats[ARCHIVE_SEATS_BYTES];
    if (json_unpack((json_t *)json, "{s:s, s:o, s:i, s:s, s:I, s:I}", "record", &record, "seats",
                    &list, "undo_for", &undo_for, "salt", &salt, "given", &given, "version",
                    &version) != 0 ||
        !convert_seats(list, seats, &asked))
        return status_ok();
    return archive_put(archive, &(ArchiveChange){.id = id,
                                                 .record = record,
                                                 .salt = salt,
                                                 .seats = seats,
                                                 .state = {.version = (uint64_t)version,
                                                           .given = (uint64_t)given,
                                                           .undo_for = (unsigned)undo_for,
                                                           .undo_asked = asked}});
}

Status archive_convert_format_1(Archive *archive, sqlite3 *database) {
    sqlite3_stmt *rows;
    if (sqlite3_prepare_v2(database, "SELECT id, text FROM games_1", -1, &rows, NULL) != SQLITE_OK)
        return archive_error(database);
    Status status = status_ok();
    int code;
    while (status_is_ok(&status) && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(rows, 1);
        json_t *json;
        json_error_t error;
        if (json_parse(text ? text : "", text ? strlen(text) : 0, &json, &error))
            status = convert_game(archive, (const char *)sqlite3_column_text(rows, 0), json);
        else
            status = status_make(STATUS_FAILED, "out of memory");
        json_decref(json);
    }
    if (status_is_ok(&status) && code != SQLITE_DONE)
        status = archive_error(database);
    sqlite3_finalize(rows);
    if (!status_is_ok(&status))
        return status;
    /* `changed` is when each game was last played, not now. */
    return archive_execute(database, "UPDATE games SET changed = (SELECT changed FROM games_1"
                                     " WHERE games_1.id = games.id);"
                                     "DELETE FROM games_1 WHERE id IN (SELECT id FROM games);"
                                     "ALTER TABLE games_1 RENAME TO damaged_1");
}
