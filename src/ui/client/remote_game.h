/* A game on a server as the server last told it (docs/http-api.md, "A game").
 *
 * What arrives is checked: every step has to be legal, so whatever a server sends, the record is
 * one of a game that can be played. A game belongs to one thread at a time.
 */
#ifndef MALPAN_UI_CLIENT_REMOTE_GAME_H
#define MALPAN_UI_CLIENT_REMOTE_GAME_H

#include <jansson.h>

#include "play/record.h"

enum { REMOTE_NAME_BYTES = 128 };

/* Everything but the steps. */
typedef struct RemoteState {
    uint64_t version;
    size_t number;  /* how many steps there are */
    unsigned mine;  /* the seats that this client may play, one bit each */
    int waits_for;  /* the seat that has to act; -1: none, or a computer */
    bool is_throw;  /* it has to throw */
    bool is_over;   /* nobody acts any more */
    bool can_undo;  /* there is a move to take back */
    unsigned asked; /* the seats that ask to take back a move */
    char names[GAME_PLAYERS_MAX][REMOTE_NAME_BYTES]; /* of people that gave one, and of computers */
    char trouble[STATUS_MESSAGE_BYTES];              /* why a computer cannot move; "": it can */
} RemoteState;

typedef struct RemoteGame {
    Record record;
    RemoteState state;
} RemoteGame;

/* Makes a game from the server's description of it. STATUS_FAILED if it makes no sense. The caller
 * closes the game, unless this fails. */
Status remote_game_open(const json_t *json, RemoteGame *game);

/* Applies a description of the same game or a change of it. One that is older than what is known is
 * ignored. Afterwards steps are missing if the record is shorter than state.number; the server has
 * them from step record.step_count on. STATUS_FAILED if it makes no sense; then the game is as the
 * sensible part left it. */
Status remote_game_update(RemoteGame *game, const json_t *json);

void remote_game_close(RemoteGame *game);

#endif
