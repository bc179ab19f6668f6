/* A game that is saved to a file after every step. The file holds the text of its record.
 *
 * A SavedGame belongs to one thread at a time.
 */
#ifndef MALPAN_PLAY_SAVED_GAME_H
#define MALPAN_PLAY_SAVED_GAME_H

#include "play/record.h"

typedef struct SavedGame {
    const char *path; /* of the caller's; NULL: the game is not saved */
    char *text;       /* what was written there last; NULL if nothing yet */
} SavedGame;

/* Writes the record to the file, if there is one. STATUS_FAILED if another program has changed the
 * file meanwhile: its moves must not be overwritten. */
Status saved_game_write(SavedGame *saved, const Record *record);
void saved_game_close(SavedGame *saved);

/* Reads a game from a file. The caller closes the record. */
Status saved_game_read(const char *path, Record *record);

#endif
