/* The archive and the committer of a module: the page stores games, each as one text, and passes
 * the text with every request about the game. A text is a JSON object:
 *
 *     {"id": ..., "record": ..., "salt": ..., "seats": ..., "version": 7, "given": 0,
 *      "undo_for": 0, "undo_asked": 0}
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/json/build.h"
#include "ui/json/print.h"
#include "ui/module/host.h"
#include "ui/web/seat_text.h"

/* --- reading --- */

static bool copy_member(const json_t *json, const char *key, char *text, size_t capacity) {
    const char *value = json_string_value(json_object_get(json, key));
    return value && (size_t)snprintf(text, capacity, "%s", value) < capacity;
}

static uint64_t read_count(const json_t *json, const char *key) {
    json_int_t value = json_integer_value(json_object_get(json, key));
    return value > 0 ? (uint64_t)value : 0;
}

Status archive_load(Archive *archive, const char *id, ArchivedGame *game) {
    const json_t *json = ((const Server *)archive)->stored;
    char stored_id[SECRET_TEXT_BYTES];
    *game = (ArchivedGame){.record = NULL};
    if (!json || !copy_member(json, "id", stored_id, sizeof stored_id) ||
        strcmp(stored_id, id) != 0)
        return status_ok();
    const char *record = json_string_value(json_object_get(json, "record"));
    if (!record || !copy_member(json, "salt", game->salt, sizeof game->salt) ||
        !copy_member(json, "seats", game->seats, sizeof game->seats))
        return status_make(STATUS_FAILED, "the stored game is damaged");
    game->state = (ArchiveState){.version = read_count(json, "version"),
                                 .given = read_count(json, "given"),
                                 .undo_for = (unsigned)read_count(json, "undo_for"),
                                 .undo_asked = (unsigned)read_count(json, "undo_asked")};
    game->record = strdup(record);
    return game->record ? status_ok() : status_make(STATUS_FAILED, "out of memory");
}

/* Requests are not repeated: no answer gets lost between a page and its module. */
Status archive_find_key(Archive *archive, const char *key_hash, char id[SECRET_TEXT_BYTES],
                        char secret[SECRET_TEXT_BYTES]) {
    (void)archive, (void)key_hash;
    id[0] = secret[0] = '\0';
    return status_ok();
}

const char *archive_why_read_only(const Archive *archive) {
    (void)archive;
    return NULL;
}

void archive_close(Archive *archive) {
    (void)archive;
}

/* --- writing --- */

char *store_print(const Commit *commit) {
    const HostedGame *game =
        (const HostedGame *)((const char *)commit - offsetof(HostedGame, change.commit));
    const ArchiveState *state = &commit->change.state;
    char seats[ARCHIVE_SEATS_BYTES];
    char *record = record_print(&game->record);
    if (!record)
        return NULL;
    seat_text_print(game, seats);
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "id", game->id, "record", record,
                  "salt", game->salt, "seats", seats, "version", (json_int_t)state->version,
                  "given", (json_int_t)state->given, "undo_for", (json_int_t)state->undo_for,
                  "undo_asked", (json_int_t)state->undo_asked);
    char *text = json_print(json);
    json_decref(json);
    free(record);
    return text;
}

void committer_init(Committer *committer, Archive *archive, uint64_t keep_seconds) {
    (void)keep_seconds;
    *committer = (Committer){.archive = archive};
}

void committer_submit(Committer *committer, Commit *commit) {
    GameRegistry *registry =
        (GameRegistry *)((char *)committer - offsetof(GameRegistry, committer));
    Server *host = (Server *)((char *)registry - offsetof(Server, registry));
    host->commit = commit;
}

void committer_free(Committer *committer) {
    (void)committer;
}
