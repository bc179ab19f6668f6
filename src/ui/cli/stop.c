#include "ui/cli/stop.h"

#include <signal.h>
#include <stddef.h>

static StopFlag stopped;

static void note_signal(int number) {
    (void)number;
    stopped = true;
}

const StopFlag *stop_on_signals(void) {
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        struct sigaction old;
        /* A signal that the parent ignores, as under nohup, stays ignored. */
        if (sigaction(stops[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(stops[i], &action, NULL);
    }
    return &stopped;
}

Status stop_without_resuming(Status status) {
    return status.code == STATUS_STOPPED ? status_make(STATUS_FAILED, "stopped before the end")
                                         : status;
}
