/* The seats of a hosted game as the text that the archive keeps: one word for each seat.
 *
 *     KIND:HASH               a seat that nobody has taken or named
 *     KIND:HASH:TAKER:NAME    TAKER is the hash of a browser's key, or `-`; NAME is in hex
 *
 * KIND is the number of a SeatKind, HASH that of the seat's token. Which seats have asked for an
 * undo changes with steps, and is kept elsewhere (ArchiveState). Pure functions; the caller holds
 * what guards the game.
 */
#ifndef MALPAN_UI_WEB_SEAT_TEXT_H
#define MALPAN_UI_WEB_SEAT_TEXT_H

#include "ui/web/hosted_game.h"

void seat_text_print(const HostedGame *game, char text[ARCHIVE_SEATS_BYTES]);

/* Reads the seats of a game that has its record; `undo_asked` are those that asked for an undo, one
 * bit each. False if the text is damaged. */
bool seat_text_parse(const char *text, unsigned undo_asked, HostedGame *game);

#endif
