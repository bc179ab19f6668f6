/* The lengths of random games as a picture. */
#ifndef MALPAN_UI_CLI_STATS_PLOT_H
#define MALPAN_UI_CLI_STATS_PLOT_H

#include "solve/playout.h"

/* Writes a histogram to `path`, as SVG. */
Status stats_plot(const Variant *variant, const PlayoutStats *stats, const char *path);

#endif
