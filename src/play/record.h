/* A game as it was played, step by step: moves and chance events, with every state on the way.
 *
 * As text, so that it can be kept, sent and taken up again:
 *
 *     malpan-record 1
 *     game box
 *     rules --tiles 9 --dice 2 --sides 6 --one-die sum<=6 --players 2 --aim shut
 *     seats you perfect
 *     seed 42
 *     start 123456789 0 - -
 *     * 7
 *     0 3+4
 *
 * A step is the player (or `*` for chance) and the text of what it did. Throws and the choices of
 * computer players come from the seed and the number of the step, so a game taken back and played
 * again meets the same throws.
 */
#ifndef MALPAN_PLAY_RECORD_H
#define MALPAN_PLAY_RECORD_H

#include "base/random.h"
#include "players/player.h"

typedef struct Record {
    Variant variant;
    Seat seats[GAME_PLAYERS_MAX];
    uint64_t seed;
    size_t step_count;
    size_t capacity;
    Move *moves;   /* moves[i] leads from states[i] to states[i + 1] */
    State *states; /* step_count + 1 of them */
} Record;

/* A game that begins at `start`, with `seats` for as many players as the variant has. */
Status record_open(const Variant *variant, const Seat seats[], uint64_t seed, const State *start,
                   Record *record);
void record_close(Record *record);

/* Where the game stands. */
const State *record_state(const Record *record);

/* The random numbers of the step that comes next. */
Random record_random(const Record *record);

/* Adds a step; refuses what is not possible. */
Status record_add(Record *record, Move move);

/* Takes back all steps after the first `step_count`. */
void record_cut(Record *record, size_t step_count);

/* The record as text, in memory that the caller frees; NULL when there is not enough. */
char *record_print(const Record *record);

/* Reads a record, every step checked. The message of a failure names the line. */
Status record_parse(const char *text, Record *record);

#endif
