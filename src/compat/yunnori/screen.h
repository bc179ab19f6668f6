/* The output of the classic game, byte for byte. */
#ifndef MALPAN_COMPAT_YUNNORI_SCREEN_H
#define MALPAN_COMPAT_YUNNORI_SCREEN_H

#include "games/yut/yut.h"

typedef struct Screen {
    bool color;
    bool ascii;      /* a and b for the empty and the full square */
    bool empty_rows; /* print a row with nothing to show as an empty line */
} Screen;

/* Prints the title between two lines of stars. */
void screen_menu_head(void);

/* Prints the board, the animals (if `ids` is not NULL), and the pieces at the start and home. */
void screen_state(const Screen *screen, const YutRules *rules, const YutState *state,
                  const char *const ids[]);

/* Prints whose turn it is, its pieces and its list, and what to type; `id` may be NULL. */
void screen_turn(const Screen *screen, const YutRules *rules, const YutState *state,
                 const char *id);

#endif
