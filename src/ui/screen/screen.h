/* The full-screen terminal interface: a lobby, games, reviews and analysis. It needs a terminal
 * with a movable cursor (screen_is_possible) and runs on the main thread.
 *
 * Games are saved after every step, so nothing is lost however the program ends.
 */
#ifndef MALPAN_UI_SCREEN_SCREEN_H
#define MALPAN_UI_SCREEN_SCREEN_H

#include "play/record.h"
#include "ui/client/connection.h"

typedef struct ScreenOptions {
    Lang lang;
    bool ascii, color, animation;
    bool can_korean; /* the terminal shows UTF-8 */
    bool numbers;    /* label the squares of the board */
    bool hints;      /* begin with the best move shown */
    int pace_ms;     /* between the moves of computers; negative: as usual */
    SolveLimits limits;
    uint64_t seed;          /* of new games */
    const char *state;      /* the folder for unfinished games and the last setup; NULL: none */
    Record *record;         /* the game to play; NULL: begin in the lobby. Taken over. */
    const char *file;       /* where that game is saved; NULL: in the folder of unfinished games */
    Connection *connection; /* the game to play, on a server; NULL: none. Taken over. */
} ScreenOptions;

/* Whether standard input and output are a terminal that can show it. */
bool screen_is_possible(void);

/* Runs until the person leaves. `saved` (PATH_MAX bytes) receives the file of a game that was left
 * unfinished, or "". `ending` receives the signal that ended it, or 0; the terminal is restored
 * then, and the caller should end by the same signal. */
Status screen_run(const ScreenOptions *options, char *saved, int *ending);

#endif
