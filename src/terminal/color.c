#include "terminal/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Status color_parse(const char *when, bool *color) {
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if (strcmp(when, "always") == 0)
        *color = true;
    else if (strcmp(when, "never") == 0)
        *color = false;
    else if (strcmp(when, "auto") == 0)
        *color = isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
                 !(terminal && strcmp(terminal, "dumb") == 0);
    else
        return status_make(STATUS_USAGE, "--color: expected always, never or auto, not %s",
                           quote(when).text);
    return status_ok();
}
