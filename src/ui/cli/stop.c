#include "ui/cli/stop.h"

#include <signal.h>
#include <stddef.h>

static StopFlag stopped;
static atomic_uint hangups;

static void note_signal(int number) {
    (void)number;
    stopped = true;
}

static void note_hangup(int number) {
    (void)number;
    atomic_fetch_add(&hangups, 1);
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

const atomic_uint *stop_reopen_on_hangup(void) {
    struct sigaction action = {.sa_handler = note_hangup, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGHUP, &action, NULL);
    return &hangups;
}

Status stop_without_resuming(Status status) {
    return status.code == STATUS_STOPPED ? status_make(STATUS_FAILED, "stopped before the end")
                                         : status;
}
