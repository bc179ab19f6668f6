/* The lobby: the games with a picture of each, and the unfinished games. */
#ifndef MALPAN_UI_SCREEN_LOBBY_H
#define MALPAN_UI_SCREEN_LOBBY_H

#include "ui/screen/keys.h"
#include "ui/screen/store.h"

typedef struct App App;

typedef struct Lobby {
    size_t chosen; /* first the games, then the unfinished ones */
    size_t stored_count;
    StoredGame *stored; /* STORE_GAMES_MAX of them */
    int first_row;      /* of the list on the screen */
    size_t first;       /* the entry in that row */
    char message[256];
    bool is_removing; /* d was pressed once */
} Lobby;

/* Reads the list of unfinished games. */
void lobby_enter(App *app);
void lobby_close(App *app);
void lobby_draw(App *app);
void lobby_event(App *app, const Event *event);

#endif
