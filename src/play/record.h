/* The record of a game: its moves and chance events, with every state on the way.
 *
 * Its text form, which can be saved, sent and resumed:
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
 * A step is the player (or `*` for chance) and the text of the move or event. Chance events and the
 * choices of computer players are determined by the seed and the number of the step, so undoing and
 * replaying a step gives the same throw.
 *
 * A Record belongs to one thread at a time.
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

/* Starts a record at `start`, with a seat for each player of the variant. The caller closes it,
 * unless this fails. */
Status record_open(const Variant *variant, const Seat seats[], uint64_t seed, const State *start,
                   Record *record);
void record_close(Record *record);

/* The current state; valid until the record is changed. */
const State *record_state(const Record *record);

/* Whose turn it is: the seat of the person to ask for the next move; GAME_CHANCE if chance or a
 * computer is next; GAME_END if the game is over. */
int record_waits_for(const Record *record);

/* Whether only computers play, without chance, and the position has occurred for the fifth time:
 * the game would go on for ever. */
bool record_is_endless(const Record *record);

/* Goes back to where a person made the last choice. False if there is none. */
bool record_undo(Record *record);

/* The random generator for the next step. */
Random record_random(const Record *record);

/* Appends a step. STATUS_USAGE if it is not legal, STATUS_FAILED if out of memory; the record is
 * unchanged then. */
Status record_add(Record *record, Move move);

/* Removes all steps after the first `step_count`. */
void record_cut(Record *record, size_t step_count);

/* The record as text, in memory that the caller frees; NULL if there is none. */
char *record_print(const Record *record);

/* Parses a record and checks every step. On success the caller closes it. STATUS_USAGE if the text
 * is not a valid record, with a message that names the line; STATUS_FAILED if out of memory. */
Status record_parse(const char *text, Record *record);

#endif
