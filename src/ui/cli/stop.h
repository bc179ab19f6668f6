/* Ctrl-C and its like, for work that can be stopped and gone on with. */
#ifndef MALPAN_UI_CLI_STOP_H
#define MALPAN_UI_CLI_STOP_H

#include "base/stop_flag.h"

/* From now on, the first signal to stop sets what this points to; a second one ends the program as
 * usual. */
const StopFlag *stop_on_signals(void);

#endif
