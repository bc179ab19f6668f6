/* What the classic game prints, byte for byte. */
#ifndef MALPAN_COMPAT_YUNNORI_SCREEN_H
#define MALPAN_COMPAT_YUNNORI_SCREEN_H

#include "games/yut/yut.h"

typedef struct Screen {
    bool color;
    bool ascii;      /* a and b for the empty and the full square */
    bool empty_rows; /* print a row with nothing to show as an empty line */
} Screen;

/* The three lines of stars with the title. */
void screen_menu_head(void);

/* The board, the animals (where `ids` is not NULL), and the pieces not started and arrived. */
void screen_state(const Screen *screen, const YutRules *rules, const YutState *state,
                  const char *const ids[]);

/* Whose turn it is, its pieces and its list, and what to write; `id` may be NULL. */
void screen_turn(const Screen *screen, const YutRules *rules, const YutState *state,
                 const char *id);

#endif
