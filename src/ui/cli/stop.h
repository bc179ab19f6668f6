/* Signals that ask long work to stop, such as Ctrl-C. */
#ifndef MALPAN_UI_CLI_STOP_H
#define MALPAN_UI_CLI_STOP_H

#include "base/status.h"
#include "base/stop_flag.h"

/* Installs handlers for SIGINT, SIGTERM and SIGHUP. The first such signal sets the flag this
 * returns; a second one ends the program as usual. */
const StopFlag *stop_on_signals(void);

/* From now on SIGHUP does not stop anything, even if the parent ignores it, but asks to open files
 * again that were moved away: it changes the number this returns. Call after stop_on_signals. */
const atomic_uint *stop_reopen_on_hangup(void);

/* The status of stopped work that cannot be resumed: STATUS_FAILED, since STATUS_STOPPED promises
 * that it can. Any other status is returned unchanged. */
Status stop_without_resuming(Status status);

#endif
