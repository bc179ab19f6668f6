/* The connection to a game on a server: a thread that follows its events and sends what is played,
 * while the main thread draws and reads keys.
 *
 *     main thread   connection_send ----> wanted ----> POST
 *                   connection_lock <---- game   <---- its answer, and the event stream
 *
 * Concurrency:
 *
 *     field                          written by     read by        under
 *     game, phase, message, changes  the thread     both           lock
 *     wanted                         both           both           lock
 *     closing                        main thread    the thread     lock
 *     multi, transfers, events       the thread     the thread     -
 *
 * The lock is held only to copy and to apply changes, never while waiting for the network. Each
 * change puts a byte into a pipe, which the main thread watches. A connection that is lost is
 * opened again, and what was to be sent is sent again: the server ignores a step that it has
 * already. Closing: set `closing`, wake, join, then free everything on the main thread.
 */
#ifndef MALPAN_UI_CLIENT_CONNECTION_H
#define MALPAN_UI_CLIENT_CONNECTION_H

#include "ui/client/remote_game.h"
#include "ui/client/server_link.h"

typedef enum ConnectionPhase {
    CONNECTION_ONLINE,
    CONNECTION_LOST, /* being opened again */
    CONNECTION_GONE  /* the server does not have the game any more */
} ConnectionPhase;

typedef enum ConnectionAction {
    CONNECTION_NOTHING,
    CONNECTION_MOVE,
    CONNECTION_THROW,
    CONNECTION_UNDO,   /* ask to take back a move, or agree to that */
    CONNECTION_DECLINE /* decline, or withdraw the request */
} ConnectionAction;

typedef struct Connection Connection;

/* Takes the seat of the link, or only looks, and starts the thread. Waits for the server, at most
 * for half a minute. `key` is the same whenever this person connects, so that the seat is theirs
 * again; see "POST /api/games/ID/join". The caller closes the connection. */
Status connection_open(const ServerLink *link, const char *key, Lang lang, Connection **opened);
void connection_close(Connection *connection);

/* The file to watch for changes; and reads what it announced. */
int connection_file(const Connection *connection);
void connection_drain(Connection *connection);

/* What the main thread sees between connection_lock and connection_unlock. */
typedef struct ConnectionView {
    const RemoteGame *game;
    ConnectionPhase phase;
    bool is_sending;     /* something sent has not been answered */
    const char *message; /* the last complaint, or "" */
    unsigned changes;    /* how many there have been */
} ConnectionView;

ConnectionView connection_lock(Connection *connection);
void connection_unlock(Connection *connection);

/* Sends an action at step `number`. `move` is its text for CONNECTION_MOVE, else NULL. False if the
 * last one has not been answered yet. */
bool connection_send(Connection *connection, ConnectionAction action, size_t number,
                     const char *move);

#endif
