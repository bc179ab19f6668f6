/* Whether to print in color. Looks at the environment and at standard output. */
#ifndef MALPAN_TERMINAL_COLOR_H
#define MALPAN_TERMINAL_COLOR_H

#include "base/status.h"

/* Parses the value of --color: always, never, or auto, which means color on a terminal unless
 * NO_COLOR is set and not empty, or TERM is dumb. */
Status color_parse(const char *when, bool *color);

#endif
