/* A request to stop. A signal handler or another thread sets it; long-running work polls it and
 * returns STATUS_STOPPED. It is atomic, so no lock is needed. */
#ifndef MALPAN_BASE_STOP_FLAG_H
#define MALPAN_BASE_STOP_FLAG_H

#include <stdatomic.h>
#include <stdbool.h>

typedef atomic_bool StopFlag;

#endif
