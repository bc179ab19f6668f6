#include "ui/mpi/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

static const int stops[] = {SIGINT, SIGTERM, SIGHUP};

enum { STOPS = sizeof stops / sizeof stops[0] };

/* The rank as mpirun's environment has it. */
static const char *rank_name(void) {
    const char *name = getenv("OMPI_COMM_WORLD_RANK");
    return name ? name : "?";
}

/* Whether the signal asks to stop: from a user, or from mpirun after another rank has ended. */
static bool is_stop(int signal) {
    for (int i = 0; i < STOPS; i++)
        if (stops[i] == signal)
            return true;
    return false;
}

/* Waits for the worker and exits as it did. Reports a signal that the worker did not expect. */
static _Noreturn void supervise(pid_t worker) {
    int how;
    char host[64] = "";
    (void)prctl(PR_SET_NAME, "mpi-supervisor");
    while (waitpid(worker, &how, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(how))
        _exit(WEXITSTATUS(how));
    if (is_stop(WTERMSIG(how)))
        _exit(STATUS_STOPPED);
    (void)gethostname(host, sizeof host - 1);
    fprintf(stderr,
            "malpan-mpi: rank %s on %s was ended by signal %d; the same command resumes a solve\n",
            rank_name(), host, WTERMSIG(how));
    _exit(STATUS_STOPPED);
}

void supervisor_start(void) {
    struct sigaction old[STOPS];
    pid_t parent = getpid();
    for (int i = 0; i < STOPS; i++)
        (void)sigaction(stops[i], &(struct sigaction){.sa_handler = SIG_IGN}, &old[i]);
    pid_t worker = fork();
    if (worker > 0)
        supervise(worker);
    for (int i = 0; i < STOPS; i++)
        (void)sigaction(stops[i], &old[i], NULL);
    if (worker < 0)
        return;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before that */
        _exit(STATUS_STOPPED);
}
