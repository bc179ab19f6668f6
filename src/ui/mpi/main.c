/* malpan-mpi: `mpirun -n N malpan-mpi VERB ...`. Every rank runs the same command line and shares
 * its work with the others; rank 0 talks to the user. */
#include <stdio.h>

#include "kernel/exchange_mpi.h"
#include "ui/cli/cli.h"
#include "ui/mpi/supervisor.h"

enum { LEAVE_WAIT_S = 10 };

/* Reports a failure that the other ranks do not know of: they are waiting for this one. */
static void report_alone(const Exchange *exchange, const Status *status) {
    fprintf(stderr, "malpan-mpi: rank %d on %s: %s\n", exchange->rank,
            exchange->hosts[exchange->rank], status->message);
}

int main(int argc, char **argv) {
    supervisor_start();
    Exchange *exchange = exchange_mpi_open(&argc, &argv);
    if (!exchange) {
        fprintf(stderr, "malpan-mpi: cannot join the job: out of memory, or MPI without threads\n");
        return STATUS_FAILED;
    }
    /* Whatever a verb prints comes from rank 0. */
    if (!exchange_is_root(exchange) && !freopen("/dev/null", "w", stdout))
        return STATUS_FAILED;
    Status status = cli_run(argc, argv, exchange);
    if (!exchange_mpi_wait(exchange, status_is_ok(&status) ? 0 : LEAVE_WAIT_S)) {
        report_alone(exchange, &status);
        exchange_mpi_abort((int)status.code);
    }
    exchange_mpi_close(exchange);
    return (int)status.code;
}
