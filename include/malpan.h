/* malpan: exact values of board-game positions, as a library.
 *
 * Everything goes in and out as text, in the form that the program `malpan` uses, so that no type
 * of the games shows. A handle is one game under one set of rules:
 *
 *     char error[MALPAN_ERROR_BYTES];
 *     MalpanGame *game = malpan_open("box", "--tiles 9 --players 2", error);
 *     double value;
 *     if (game && malpan_value(game, "13456789 1 17 12", &value) == 0)
 *         printf("%f\n", value);
 *     malpan_close(game);
 *
 * Link with -lmalpan -lzstd -lxxhash -lm -fopenmp. Functions that return an int return 0, or one of
 * the codes below; then malpan_error tells why in one line. A handle is for one thread at a time;
 * different handles may be used by different threads at once. No function prints, exits, or keeps
 * state outside a handle, but for solved tables where a folder for them is set. Values are exact:
 * the library never gives an estimate.
 */
#ifndef MALPAN_H
#define MALPAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MALPAN_OK = 0,
    MALPAN_FAILED = 1,      /* tried, and did not succeed: out of memory, for one */
    MALPAN_USAGE = 2,       /* a text is malformed, or a move not possible */
    MALPAN_UNSUPPORTED = 3, /* well formed, but beyond what is supported or the memory allowed */
    MALPAN_TABLE = 4        /* a solved table is missing or damaged */
};

enum {
    MALPAN_ERROR_BYTES = 256, /* room for any error message */
    MALPAN_TEXT_BYTES = 256,  /* room for the text of any position or move */
    MALPAN_MOVES_MAX = 4096   /* moves of any position */
};

typedef struct MalpanGame MalpanGame;

typedef struct MalpanMove {
    char text[MALPAN_TEXT_BYTES];
    double value; /* to the player who moves */
} MalpanMove;

/* "1.2.3" */
const char *malpan_version(void);

/* The names of the games, from 0 up; NULL past the last. */
const char *malpan_game_name(size_t index);

/* Opens a game under rule options as typed for the program (NULL or "" for the usual rules). The
 * caller closes it. NULL on failure, and `error` (if not NULL) says why. */
MalpanGame *malpan_open(const char *name, const char *options, char error[MALPAN_ERROR_BYTES]);

/* Closes the game; NULL is fine. */
void malpan_close(MalpanGame *game);

/* Why the last call on this handle failed. Good until the next call on it. */
const char *malpan_error(const MalpanGame *game);

/* How much memory values may take; 1 GiB unless set. What was computed before is dropped. */
void malpan_set_memory(MalpanGame *game, size_t bytes);

/* Where solved tables are: those of `malpan solve` are used, and what is solved now is left there
 * for the next time. Unless set, or with NULL, there are none; then the positions of a game that is
 * too large to be solved now fail with MALPAN_TABLE, as they do when the table is damaged. The
 * folder need not exist, and its name is copied. What was computed before is dropped. */
int malpan_set_tables(MalpanGame *game, const char *folder);

/* How many players there are. */
int malpan_player_count(const MalpanGame *game);

/* The position the game starts at. */
int malpan_start(MalpanGame *game, char position[MALPAN_TEXT_BYTES]);

/* Whose turn it is at the position (0 up), or -1 where the game is over. `is_chance`, if not NULL,
 * becomes 1 where chance acts next and not that player. */
int malpan_turn(MalpanGame *game, const char *position, int *player, int *is_chance);

/* What the position is worth to the player whose turn it is. */
int malpan_value(MalpanGame *game, const char *position, double *value);

/* What it is worth to every player: malpan_player_count values. */
int malpan_values(MalpanGame *game, const char *position, double values[]);

/* The legal moves, best first, up to `capacity` of them; `count` becomes how many there are in all
 * (0 where nobody is to choose). */
int malpan_moves(MalpanGame *game, const char *position, MalpanMove moves[], size_t capacity,
                 size_t *count);

/* The position after a move, or after a chance event such as a roll. */
int malpan_play(MalpanGame *game, const char *position, const char *move,
                char next[MALPAN_TEXT_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
