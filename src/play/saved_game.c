#include "play/saved_game.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { RECORD_BYTES_MAX = 16 << 20 };

static Status check_unchanged(const SavedGame *saved) {
    char *text;
    size_t size;
    if (!saved->text || !file_exists(saved->path))
        return status_ok();
    Status status = file_read(saved->path, RECORD_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    if (strcmp(text, saved->text) != 0)
        status = status_make(STATUS_FAILED,
                             "%s was changed by another program; the game continues there",
                             quote(saved->path).text);
    free(text);
    return status;
}

Status saved_game_write(SavedGame *saved, const Record *record) {
    if (!saved->path)
        return status_ok();
    char *text = record_print(record);
    if (!text)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = check_unchanged(saved);
    if (status_is_ok(&status))
        status = file_replace(saved->path, text, strlen(text));
    free(saved->text);
    saved->text = text;
    return status;
}

void saved_game_close(SavedGame *saved) {
    free(saved->text);
    *saved = (SavedGame){.path = NULL};
}

Status saved_game_read(const char *path, Record *record) {
    char *text;
    size_t size;
    Status status = file_read(path, RECORD_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    status = strlen(text) == size ? record_parse(text, record)
                                  : status_make(STATUS_FAILED, "not a game record");
    free(text);
    if (!status_is_ok(&status))
        return status_make(STATUS_FAILED, "%s: %s", quote(path).text, status.message);
    return status;
}
