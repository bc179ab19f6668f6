/* The review of a game as an SVG chart: the value over the game. */
#ifndef MALPAN_UI_CLI_REVIEW_PLOT_H
#define MALPAN_UI_CLI_REVIEW_PLOT_H

#include "play/review.h"

/* Writes the chart to `path`: a line for each player, or for the first one of two, whose values are
 * each other's mirror image, with a triangle at every mistake. Replaces the file atomically. */
Status review_plot(const Record *record, const Review *review, Lang lang, const char *path);

#endif
