/* malpan: exact values of board-game positions, as a library.
 *
 * Positions, moves and rules go in and out as text, in the form the program `malpan` uses. A handle
 * is one game under one set of rules:
 *
 *     char error[MALPAN_ERROR_BYTES];
 *     MalpanGame *game = malpan_open("box", "--tiles 9 --players 2", error);
 *     double value;
 *     if (game && malpan_value(game, "13456789 1 17 12", &value) == MALPAN_OK)
 *         printf("%f\n", value);
 *     malpan_close(game);
 *
 * Link with -lmalpan -lzstd -lxxhash -lm -fopenmp.
 *
 * Errors: functions that return int return MALPAN_OK or one of the codes below; malpan_error then
 * gives the reason in one line.
 *
 * Thread safety: a handle may be used by one thread at a time; different handles may be used by
 * different threads at once. No function prints, exits, or keeps state outside a handle, except for
 * solved tables in the folder set by malpan_set_tables.
 *
 * Values are exact up to a proven error bound: the library never returns an estimate. What a value
 * means depends on the game:
 *
 *     Yut, the race, Shut the Box   the player's probability of winning, 0 to 1 (Shut the Box for
 *                                   one player: what --aim says)
 *     Dice Yut                      the expected score
 *     King's Valley                 a win in n plies is 1 - n/10000, a loss in n plies is
 *                                   n/10000, and play that never ends is 0.5. So a sooner win is
 *                                   worth more, a later loss is worth more, and n can be read back:
 *                                   the start, a win in 9 plies, is 0.9991. The value of a move
 *                                   counts the ply of that move.
 */
#ifndef MALPAN_H
#define MALPAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MALPAN_OK = 0,
    MALPAN_FAILED = 1,      /* tried without success: out of memory, for example */
    MALPAN_USAGE = 2,       /* malformed text, or an illegal move */
    MALPAN_UNSUPPORTED = 3, /* well formed, but not supported or beyond the memory limit */
    MALPAN_TABLE = 4        /* a solved table is missing or damaged */
};

enum {
    MALPAN_ERROR_BYTES = 256, /* buffer for any error message */
    MALPAN_TEXT_BYTES = 256,  /* buffer for the text of any position, move or rule set */
    MALPAN_MOVES_MAX = 4096   /* moves of any position */
};

typedef struct MalpanGame MalpanGame;

typedef struct MalpanMove {
    char text[MALPAN_TEXT_BYTES];
    double value; /* to the player who moves */
} MalpanMove;

/* "1.2.3" */
const char *malpan_version(void);

/* The names of the games, from index 0 up; NULL past the last. */
const char *malpan_game_name(size_t index);

/* Opens a game under rule options as typed for the program; NULL or "" for the default rules. The
 * caller closes it. Returns NULL on failure, and `error` (if not NULL) receives the reason. */
MalpanGame *malpan_open(const char *name, const char *options, char error[MALPAN_ERROR_BYTES]);

/* The same for the rules of a position: what its text implies, such as the number of pieces, counts
 * unless an option says otherwise. A preset is the weakest: preset < position < other options. */
MalpanGame *malpan_open_at(const char *name, const char *options, const char *position,
                           char error[MALPAN_ERROR_BYTES]);

/* Closes the game; NULL is allowed. */
void malpan_close(MalpanGame *game);

/* Why the last call on this handle failed. Valid until the next call on it. */
const char *malpan_error(const MalpanGame *game);

/* Limits the memory used for values; 1 GiB unless set. Drops what was computed before. */
void malpan_set_memory(MalpanGame *game, size_t bytes);

/* Sets the folder of solved tables. Tables made by `malpan solve` are used, and what is solved on
 * the way is stored there for next time. With NULL, or unless set, there are no tables; positions
 * of a game too large to solve on the spot then fail with MALPAN_TABLE, as they do when the table
 * is damaged. The folder need not exist; its name is copied. Drops what was computed before. */
int malpan_set_tables(MalpanGame *game, const char *folder);

/* All rule options with their values, in the form malpan_open reads. */
int malpan_rules(MalpanGame *game, char options[MALPAN_TEXT_BYTES]);

/* The number of players. */
int malpan_player_count(const MalpanGame *game);

/* The position the game starts from. */
int malpan_start(MalpanGame *game, char position[MALPAN_TEXT_BYTES]);

/* Whose turn it is (from 0 up), or -1 if the game is over. `is_chance`, if not NULL, becomes 1 if a
 * chance event comes next rather than a choice by that player. */
int malpan_turn(MalpanGame *game, const char *position, int *player, int *is_chance);

/* The position's value to the player whose turn it is. */
int malpan_value(MalpanGame *game, const char *position, double *value);

/* The position's value to every player: malpan_player_count values. */
int malpan_values(MalpanGame *game, const char *position, double values[]);

/* The legal moves with their values, best first, up to `capacity` of them. `count` becomes the
 * total number of moves: 0 at a chance event, at the end of the game and on failure. */
int malpan_moves(MalpanGame *game, const char *position, MalpanMove moves[], size_t capacity,
                 size_t *count);

/* The position after a move, or after a chance event such as a roll. */
int malpan_play(MalpanGame *game, const char *position, const char *move,
                char next[MALPAN_TEXT_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
