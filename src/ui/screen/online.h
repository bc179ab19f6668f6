/* A game on a server, on the screen. The server is the one that knows: what is played is sent
 * there, and shown when it comes back. Everything belongs to the main thread; the connection has a
 * thread of its own. */
#ifndef MALPAN_UI_SCREEN_ONLINE_H
#define MALPAN_UI_SCREEN_ONLINE_H

#include "ui/screen/play.h"

/* Shows the game of a connection, which it takes over. */
Status online_open(Play *play, Connection *connection, const SolveLimits *limits);

/* Takes what the connection has learned: steps that were taken back, whose turn it is, complaints.
 */
void online_sync(Play *play, double now_s);

/* Shows the next step that has arrived. */
void online_show_step(Play *play, double now_s);

/* What is to be done at the position on the board. */
PlayPhase online_phase(const Play *play);

/* Sends an action; `move` is that of CONNECTION_MOVE, else NULL. False if the last one is still on
 * its way. */
bool online_send(Play *play, ConnectionAction action, const Move *move);

/* Writes who sits at a seat: the name, if there is one, and whether it is this person. */
void online_add_name(const Play *play, int seat, Lang lang, Text *text);

/* Writes what the game waits for, or what is wrong with the connection; "" if it is this person's
 * turn. */
void online_describe(const Play *play, Lang lang, Text *text);

#endif
