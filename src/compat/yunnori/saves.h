/* game_info.txt: a line a saved game,
 *
 *     Noah Liam | Noah 1 0 100 100 100 | Liam 0 1 5 5 5 | 1
 *
 * the players' IDs in their order, for each its animal and its four pieces, and whose turn is next.
 * A set of players, in whatever order, has at most one game: the last line of it counts. Lines that
 * do not parse, and those of other players, are kept byte for byte whenever the file is rewritten.
 */
#ifndef MALPAN_COMPAT_YUNNORI_SAVES_H
#define MALPAN_COMPAT_YUNNORI_SAVES_H

#include <stdio.h>

#include "compat/yunnori/users.h"
#include "games/yut/yut.h"

typedef struct SavedGame {
    int player_count;
    char ids[YUT_PLAYERS_MAX][USERS_ID_BYTES];
    YutRules rules;
    YutState state; /* about to throw */
} SavedGame;

enum { SAVES_LINE_BYTES = 1024 };

/* Reads a line (without its end); false when it is not a whole saved game that can go on. */
bool saves_parse(const char *line, SavedGame *game);
void saves_print(const SavedGame *game, Text *line);

/* Whether both are games of the same players. */
bool saves_same_players(const SavedGame *a, const SavedGame *b);

/* Finds the saved game of the players of `game`, and puts it there. Lines that do not parse are
 * told to `errors` with their numbers. A file that is not there holds no games. */
Status saves_find(const char *path, FILE *errors, SavedGame *game, bool *found);

/* Replaces the saved game of these players, or removes it. The folder is locked meanwhile, so that
 * two programs that save at once lose nothing. Removing what is not there changes nothing. */
Status saves_store(const char *path, const SavedGame *game);
Status saves_remove(const char *path, const SavedGame *game);

/* The text with the lines of `game`'s players taken out, and with `line` (NULL: nothing) added at
 * the end. In memory that the caller frees; NULL when there is not enough. */
char *saves_rewrite(const char *text, size_t size, const SavedGame *game, const char *line,
                    size_t *new_size);

#endif
