/* A game being played: a record, and the computer players at its seats. The user interface asks the
 * people and shows what happens; everything else is here. */
#ifndef MALPAN_PLAY_SESSION_H
#define MALPAN_PLAY_SESSION_H

#include "play/record.h"

typedef struct Session {
    Record record;
    Player *players[GAME_PLAYERS_MAX]; /* NULL where a person sits */
    Solver *solver; /* the one all players share; NULL while nobody has needed it */
} Session;

/* Takes over `record` (also when it fails) and seats its computer players. */
Status session_open(Session *session, Record *record, const SolveLimits *limits);
void session_close(Session *session);

/* The person to be asked for the next move, as its seat; GAME_CHANCE when chance or a computer is
 * next; GAME_END when the game is over. */
int session_waits_for(const Session *session);

/* The computer player that is next; NULL when it is anyone else. */
const Player *session_computer(const Session *session);

/* Whether computers alone play a game without chance, and have come to this position for the fifth
 * time: they would go on for ever. */
bool session_goes_round(const Session *session);

/* Lets chance or the computer take its step. Not while a person is waited for. */
Status session_step(Session *session);

/* Goes back to where a person chose last, before the present choice. False: nothing to take back.
 */
bool session_undo(Session *session);

#endif
