/* game_info.txt: one line per saved game,
 *
 *     Noah Liam | Noah 1 0 100 100 100 | Liam 0 1 5 5 5 | 1
 *
 * the IDs of the players in order, for each its animal and its four pieces, and whose turn is next.
 * A set of players, in any order, has at most one game: the last line counts. Lines that do not
 * parse, and lines of other players, are kept byte for byte when the file is rewritten.
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

/* Parses a line without its newline; false if it is not a complete saved game in progress. */
bool saves_parse(const char *line, SavedGame *game);
void saves_print(const SavedGame *game, Text *line);

/* Whether both are games of the same players. */
bool saves_same_players(const SavedGame *a, const SavedGame *b);

/* Finds the saved game of the players of `game` and stores it in `game`. Lines that do not parse
 * are reported on `errors` with their numbers. A missing file holds no games. */
Status saves_find(const char *path, FILE *errors, SavedGame *game, bool *found);

/* Replaces or removes the saved game of these players. The folder is locked meanwhile, so programs
 * that save at the same time lose nothing. Removing a game that is not saved changes nothing. */
Status saves_store(const char *path, const SavedGame *game);
Status saves_remove(const char *path, const SavedGame *game);

/* Returns the text without the lines of the players of `game`, and with `line` (unless NULL)
 * appended. The caller frees it. NULL if memory runs out. */
char *saves_rewrite(const char *text, size_t size, const SavedGame *game, const char *line,
                    size_t *new_size);

#endif
