/* A wish to stop: set by a signal or by another thread, looked at by whoever works long. */
#ifndef MALPAN_BASE_STOP_FLAG_H
#define MALPAN_BASE_STOP_FLAG_H

#include <stdatomic.h>
#include <stdbool.h>

typedef atomic_bool StopFlag;

#endif
