/* The setup of a game: who sits where, and the house rules as switches. */
#ifndef MALPAN_UI_SCREEN_SETUP_H
#define MALPAN_UI_SCREEN_SETUP_H

#include "game/variant.h"
#include "players/player.h"
#include "ui/screen/keys.h"

typedef struct App App;

enum { SETUP_ENTRY_BYTES = 64 };

typedef struct Setup {
    Variant variant;
    Seat seats[GAME_PLAYERS_MAX];
    size_t chosen;  /* 0: start; then the seats; then the options */
    int first_row;  /* of the list on the screen, where entry 0 would be */
    bool is_typing; /* the value of the chosen option */
    char entry[SETUP_ENTRY_BYTES];
    char message[256];
} Setup;

/* Opens the setup of a game, as it was the last time. */
void setup_enter(App *app, const Game *game);
void setup_draw(App *app);
void setup_event(App *app, const Event *event);

/* The next seat among players that can play the variant: people, then levels, then the others.
 * Backwards if `step` is negative. */
void setup_change_seat(const Variant *variant, const SolveLimits *limits, Seat *seat, int step);

#endif
