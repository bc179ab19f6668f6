/* The exchange of an MPI job. Only malpan-mpi is linked with it.
 *
 * Messages are collected into batches, two for each destination: one is filled while the other
 * travels. Several receives are posted at any time. All calls of MPI are made under one lock
 * (MPI_THREAD_SERIALIZED); handlers are called without it.
 */
#ifndef MALPAN_KERNEL_EXCHANGE_MPI_H
#define MALPAN_KERNEL_EXCHANGE_MPI_H

#include "kernel/exchange.h"

/* Joins the job. Returns NULL if there is no memory, or if the MPI library does not support
 * threads. A process belongs to one job and joins it once. */
Exchange *exchange_mpi_open(int *argc, char ***argv);

/* Waits until every rank has called this, for so many seconds (0: for as long as it takes). Returns
 * whether they have. A rank that failed alone would wait forever: the others wait for it elsewhere.
 */
bool exchange_mpi_wait(Exchange *exchange, double seconds);

/* Ends the whole job with this exit code. */
_Noreturn void exchange_mpi_abort(int code);

/* Leaves the job, after exchange_mpi_wait. */
void exchange_mpi_close(Exchange *exchange);

#endif
