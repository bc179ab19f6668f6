/* The Yut race: one piece each, no catching, no choices. The first piece home wins.
 *
 *     10  9  8  7  6  5      a piece that stops on 5, 10 or 26 turns off:
 *     11 24      20  4       from  5: 20 21 26 22 23 15 ...
 *     12   25  21    3       from 10: 24 25 26 27 28 home
 *            26              from 26: 27 28 home
 *     13   22  27    2
 *     14 23      28  1       0 is both start and finish
 *     15 16 17 18 19  0
 *
 * (This numbering differs from that of games/yut.) A state holds the two pieces and the player
 * about to throw. After yut or mo the same player throws again. There are no moves, only throws.
 */
#ifndef MALPAN_GAMES_RACE_RACE_H
#define MALPAN_GAMES_RACE_RACE_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "game/cells.h"
#include "game/variant.h"

enum { RACE_SQUARES = 29, RACE_HOME = 29, RACE_HOME_TEXT = 50, RACE_STEPS_MAX = 5 };

/* The chance that a stick lands round side up: 0.DIGITS as a whole number over 10^digits. */
typedef struct RaceRules {
    uint64_t round;
    uint64_t digits;
} RaceRules;

typedef struct RaceState {
    uint8_t pieces[2]; /* 0 to 28, or RACE_HOME */
    uint8_t turn;
} RaceState;

static_assert(sizeof(RaceRules) <= sizeof(Rules) && sizeof(RaceState) <= sizeof(State),
              "rules and states fit their containers");

extern const Game race_game;

static inline RaceState race_state(const State *state) {
    RaceState race;
    memcpy(&race, state->bytes, sizeof race);
    return race;
}

static inline State race_state_pack(const RaceState *race) {
    State state = {{0}};
    memcpy(state.bytes, race, sizeof *race);
    return state;
}

/* The square where a piece on `square` ends after 1 to 5 steps. */
int race_destination(int square, int steps);

/* Parses a square from 0 to 28; `what` names it in the message. */
Status race_parse_square(const char *what, const char *text, uint8_t *square);

/* --- cells.c --- */

extern const GameCells race_cells;

#endif
