/* The folder of unfinished games and of the last setups:
 *
 *     FOLDER/games/yut-20261118-203012-1.txt     one record each
 *     FOLDER/finished/...                        the last games that ended
 *     FOLDER/setup-yut.txt                       rules and seats, a line each
 *
 * Without a folder nothing is kept. All functions run on the main thread.
 */
#ifndef MALPAN_UI_SCREEN_STORE_H
#define MALPAN_UI_SCREEN_STORE_H

#include <limits.h>

#include "play/record.h"
#include "ui/web/secret.h"

enum { STORE_GAMES_MAX = 32, STORE_SEATS_BYTES = 256 };

typedef struct StoredGame {
    char path[PATH_MAX];
    const Game *game;
    size_t steps;
    char seats[STORE_SEATS_BYTES];
} StoredGame;

/* Names a file for a new game, and makes the folder. "" if there is none. */
void store_name_game(const char *folder, const Game *game, char path[PATH_MAX]);

/* Lists unfinished games, the newest first. Files that are not games are left out. */
size_t store_list_games(const char *folder, StoredGame games[STORE_GAMES_MAX]);

/* Moves the file of a game that has ended out of the list; does nothing for files elsewhere. */
void store_finish_game(const char *folder, const char *path);

/* Reads the key by which servers know this person again, or draws one. False if it cannot be kept;
 * "" if the system has no source of random numbers. */
bool store_read_key(const char *folder, char key[SECRET_TEXT_BYTES]);

/* Removes a stored game. */
void store_remove_game(const char *path);

/* Keeps the rules and seats of a setup for the next time. */
void store_write_setup(const char *folder, const Variant *variant, const Seat seats[]);

/* Reads them; false if there are none, or they are not valid any more. */
bool store_read_setup(const char *folder, const Game *game, Variant *variant,
                      Seat seats[GAME_PLAYERS_MAX]);

/* The seats as a list: "you,normal". */
void store_print_seats(const Variant *variant, const Seat seats[], Text *text);

#endif
