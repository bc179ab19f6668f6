/* The store of hosted games: one SQLite file.
 *
 *     games   one row per game: the head of its record, its secrets, and what changes with a step
 *     steps   one row per step: (game, number, text), so that a step costs one small row
 *     keys    which game a request with this idempotency key created
 *
 * Thread safety: writing (archive_begin to archive_rollback, archive_delete_old) belongs to one
 * thread, the committer's. Reading (archive_load, archive_find_key) uses a connection of its own
 * with a lock of its own, a leaf: any thread may read at any time, and sees what was committed
 * last.
 */
#ifndef MALPAN_UI_WEB_ARCHIVE_H
#define MALPAN_UI_WEB_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "ui/web/secret.h"

typedef struct Archive Archive;

enum { ARCHIVE_STEP_BYTES = 320, ARCHIVE_SEATS_BYTES = 2304 };

/* Opens `FOLDER/games.sqlite`, or creates it. With `is_durable`, a commit survives power loss;
 * without, only a kill of the process. Fails if another server has the folder open or a newer
 * version wrote the file. If an existing file cannot be written, because the disk is full or the
 * folder read-only, the archive is opened for reading only; archive_why_read_only says why. */
Status archive_open(const char *folder, bool is_durable, Archive **archive);
void archive_close(Archive *archive);

/* Why nothing can be stored; NULL if it can. Constant after archive_open. */
const char *archive_why_read_only(const Archive *archive);

/* What changes with every step. */
typedef struct ArchiveState {
    uint64_t version;
    uint64_t given;      /* steps that came with an import */
    unsigned undo_for;   /* the seats whose move is to be taken back, one bit each */
    unsigned undo_asked; /* the seats that asked for it or agreed */
} ArchiveState;

/* --- reading --- */

typedef struct ArchivedGame {
    char *record; /* owned by the caller */
    char salt[SECRET_TEXT_BYTES];
    char seats[ARCHIVE_SEATS_BYTES];
    ArchiveState state;
} ArchivedGame;

/* Reads a game. game->record is NULL, without an error, if there is none with this id. */
Status archive_load(Archive *archive, const char *id, ArchivedGame *game);

/* The game that a request with this key created, and the secret from which its tokens are derived.
 * An empty id, without an error, if there is none. */
Status archive_find_key(Archive *archive, const char *key_hash, char id[SECRET_TEXT_BYTES],
                        char secret[SECRET_TEXT_BYTES]);

/* The number of games. Reads all of the index: for the start of the server. */
Status archive_count(Archive *archive, uint64_t *count);

/* --- writing --- */

/* A change of one game. Nothing is owned. */
typedef struct ArchiveChange {
    const char *id;
    ArchiveState state;
    size_t kept;       /* steps from this number on are removed */
    const char *step;  /* then this one is added; NULL: none */
    const char *seats; /* NULL: unchanged */
    /* Only for a new game; otherwise NULL. `record` has the head and all steps. */
    const char *record, *salt;
    const char *key_hash, *key_secret; /* NULL: the request had no key */
} ArchiveChange;

/* Changes between begin and commit are stored together or not at all. */
Status archive_begin(Archive *archive);
Status archive_put(Archive *archive, const ArchiveChange *change);
Status archive_commit(Archive *archive);
void archive_rollback(Archive *archive);

/* How long a key is remembered. */
enum { ARCHIVE_KEY_SECONDS = 3600 };

/* Deletes keys that are too old, and games last changed more than `seconds` ago among the next few
 * thousand; 0: no games. `deleted` receives how many games. Each call continues where the last one
 * ended, so that calling it now and then goes through all games without holding up writers. */
Status archive_delete_old(Archive *archive, uint64_t seconds, uint64_t *deleted);

/* --- archive_backup.c --- */

/* Copies the store of a folder to a file, also while a server uses it. An existing file is replaced
 * when the copy is complete. To restore, put the file into a folder as games.sqlite. */
Status archive_back_up(const char *folder, const char *file);

/* --- archive_list.c --- */

enum { ARCHIVE_NAME_BYTES = 32 };

typedef struct ArchivedEntry {
    char id[SECRET_TEXT_BYTES];
    char game[ARCHIVE_NAME_BYTES]; /* its name; "" if the row is damaged */
    uint64_t step_count;
    int64_t changed; /* seconds since 1970 */
} ArchivedEntry;

/* Called for each game; false ends the list. */
typedef bool ArchiveShow(const ArchivedEntry *entry);

/* Lists all games in the store of a folder, in the order in which they were created, also while a
 * server uses it. */
Status archive_list(const char *folder, ArchiveShow *show);

#endif
