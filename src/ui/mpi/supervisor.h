/* Tells a rank that was killed from one that failed.
 *
 * mpirun ends a job when a rank is killed, with an exit code that depends on the signal. So each
 * rank has two processes: one that works, and its parent, which mpirun watches. If the worker is
 * killed, the parent says so and exits with STATUS_STOPPED, which becomes the exit code of mpirun:
 * the work can be resumed. Otherwise it passes the worker's exit code on. Signals that ask for a
 * stop are left to the worker. If the parent is killed, so is the worker.
 */
#ifndef MALPAN_UI_MPI_SUPERVISOR_H
#define MALPAN_UI_MPI_SUPERVISOR_H

/* Splits the process in two and returns in the worker only; the parent exits after it. Call it
 * before anything else, in particular before MPI starts. Without a second process, which the system
 * may refuse, it returns too. */
void supervisor_start(void);

#endif
