/* Independent jobs, such as games, on several threads of several processes; their results are
 * summed in the order of the jobs. So the sum, rounding included, depends neither on the number of
 * threads nor on that of ranks, and every rank gets it.
 *
 * Jobs are done in rounds. In a round each rank has a row of consecutive jobs; then the ranks
 * exchange the results, and each sums them all.
 */
#ifndef MALPAN_KERNEL_ROUNDS_H
#define MALPAN_KERNEL_ROUNDS_H

#include "base/progress.h"
#include "base/stop_flag.h"
#include "kernel/exchange.h"

typedef struct Rounds {
    uint64_t count;      /* of jobs */
    uint64_t round_jobs; /* how many each rank does in a round, at most; their results are kept */
    size_t result_bytes;
    void *sum;
    void *context; /* for the functions below */
    /* Does job number `index` on a thread (base/threads.h), and sets its result. */
    Status (*run)(void *context, uint64_t index, int thread, void *result);
    /* Adds a result to the sum. Called in the order of the jobs, by the calling thread. */
    void (*add)(void *sum, const void *result);
    const StopFlag *stop; /* when set on any rank, jobs fail with STATUS_STOPPED; NULL: never */
    Progress *progress;   /* reports the jobs that are done; NULL: silent */
    uint64_t units;       /* per job, on the progress line */
} Rounds;

/* Runs all jobs on so many threads of every rank. Returns the failure of a job with the lowest
 * index on the lowest rank that failed; the sum is then without meaning. */
Status rounds_run(const Rounds *rounds, int threads, Exchange *exchange);

#endif
