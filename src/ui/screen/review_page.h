/* The review of a game: what each move lost, what chance brought, and a chart. */
#ifndef MALPAN_UI_SCREEN_REVIEW_PAGE_H
#define MALPAN_UI_SCREEN_REVIEW_PAGE_H

#include <stddef.h>

#include "ui/screen/keys.h"

typedef struct App App;

typedef struct ReviewPage {
    size_t step;    /* the position shown is the one before it */
    int first_row;  /* of the list of steps on the screen, where step 0 would be */
    double *values; /* of player 0, for the chart */
    size_t count;
} ReviewPage;

/* Asks for the review of the game on the screen, and shows it. */
void review_page_enter(App *app);
void review_page_close(ReviewPage *page);
void review_page_draw(App *app);
void review_page_event(App *app, const Event *event);

#endif
