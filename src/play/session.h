/* A game in progress: a record and the computer players at its seats. The user interface asks the
 * people and shows what happens.
 *
 * Thread safety: a session belongs to one thread at a time.
 */
#ifndef MALPAN_PLAY_SESSION_H
#define MALPAN_PLAY_SESSION_H

#include "play/record.h"

typedef struct Session {
    Record record;
    Player *players[GAME_PLAYERS_MAX]; /* NULL for a person */
    Solver *solver;                    /* shared by the players; NULL until one needs it */
} Session;

/* Takes ownership of `record`, also when it fails, and opens its computer players. */
Status session_open(Session *session, Record *record, const SolveLimits *limits);
void session_close(Session *session);

/* As record_waits_for. */
int session_waits_for(const Session *session);

/* The computer player that moves next, or NULL. */
const Player *session_computer(const Session *session);

/* As record_is_endless. */
bool session_is_endless(const Session *session);

/* Takes the step of chance or of a computer player; not while session_waits_for a person. */
Status session_step(Session *session);

/* As record_undo. */
bool session_undo(Session *session);

#endif
