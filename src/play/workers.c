#include "play/workers.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "values/policy.h"

/* Jobs are run in rounds of this many; their results are kept until they are summed. */
enum { ROUND_JOBS = 1024 };

/* --- workers --- */

static void close_worker(const WorkerJobs *jobs, Worker *worker) {
    for (int i = 0; i < jobs->seat_count; i++)
        if (worker->players[i])
            worker->players[i]->free(worker->players[i]);
    if (worker->solver)
        worker->solver->free(worker->solver);
    if (worker->room)
        jobs->close_room(worker->room);
    *worker = (Worker){.solver = NULL};
}

static bool needs_solver(const WorkerJobs *jobs) {
    bool needed = jobs->needs_solver;
    for (int i = 0; i < jobs->seat_count; i++)
        needed = needed || jobs->seats[i].kind->uses_solver;
    return needed;
}

/* The solver may be solving now, on all threads; what runs in a worker later has one. */
static Status open_worker(const WorkerJobs *jobs, const SolveLimits *limits, Worker *worker) {
    SolveLimits one_thread = *limits;
    one_thread.threads = 1;
    one_thread.progress = NULL;
    Status status = status_ok();
    if (needs_solver(jobs))
        status = values_open_exact(jobs->variant, limits, &worker->solver);
    for (int i = 0; i < jobs->seat_count && status_is_ok(&status); i++)
        status = seat_open(&jobs->seats[i], jobs->variant, &one_thread, &worker->solver,
                           &worker->players[i]);
    if (status_is_ok(&status) && jobs->open_room)
        status = jobs->open_room(jobs->context, &one_thread, &worker->room);
    return status;
}

/* --- jobs --- */

/* Shared by the threads of a round. */
typedef struct Round {
    const WorkerJobs *jobs;
    const SolveLimits *limits;
    Worker *workers; /* [thread] */
    char *results;   /* [job of the round][result_bytes]; each is written by the thread that has
                        the job */
    atomic_uint_fast64_t done;
    atomic_uint_fast64_t failed; /* the first job that failed; UINT64_MAX: none */
    Status failure;              /* of that job; written in the critical section alone */
} Round;

static void note_failure(Round *round, uint64_t index, const Status *status) {
#pragma omp critical(workers_failure)
    if (index < round->failed) {
        round->failed = index;
        round->failure = *status;
    }
}

static void run_job(Round *round, uint64_t index, char *result) {
    const WorkerJobs *jobs = round->jobs;
    const StopFlag *stop = round->limits->stop;
    if (index > round->failed)
        return;
    Status status = stop && *stop ? status_make(STATUS_STOPPED, "stopped")
                                  : jobs->run(jobs->context, &round->workers[omp_get_thread_num()],
                                              index, result);
    if (!status_is_ok(&status))
        note_failure(round, index, &status);
    uint64_t done = ++round->done;
    if (omp_get_thread_num() == 0)
        progress_report(round->limits->progress, jobs->units * done, jobs->units * jobs->count);
}

static Status run_rounds(Round *round, int threads) {
    const WorkerJobs *jobs = round->jobs;
    for (uint64_t first = 0; first < jobs->count && round->failed == UINT64_MAX;
         first += ROUND_JOBS) {
        uint64_t count = jobs->count - first < ROUND_JOBS ? jobs->count - first : ROUND_JOBS;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (uint64_t i = 0; i < count; i++)
            run_job(round, first + i, round->results + i * jobs->result_bytes);
        for (uint64_t i = 0; i < count && round->failed == UINT64_MAX; i++)
            jobs->add(jobs->sum, round->results + i * jobs->result_bytes);
    }
    return round->failed == UINT64_MAX ? status_ok() : round->failure;
}

/* Runs all jobs with `threads` workers, each within these limits. */
static Status run_jobs(const WorkerJobs *jobs, const SolveLimits *limits, int threads) {
    Round round = {.jobs = jobs, .limits = limits, .failed = UINT64_MAX};
    Status status = status_make(STATUS_FAILED, "out of memory");
    round.workers = calloc((size_t)threads, sizeof *round.workers);
    round.results = calloc(ROUND_JOBS, jobs->result_bytes);
    if (round.workers && round.results) {
        memset(jobs->sum, 0, jobs->sum_bytes);
        status = status_ok();
        for (int i = 0; i < threads && status_is_ok(&status); i++)
            status = open_worker(jobs, limits, &round.workers[i]);
    }
    if (status_is_ok(&status)) {
        progress_start(limits->progress, jobs->what);
        status = run_rounds(&round, threads);
        progress_finish(limits->progress);
    }
    for (int i = 0; round.workers && i < threads; i++)
        close_worker(jobs, &round.workers[i]);
    free(round.workers);
    free(round.results);
    return status;
}

Status workers_run(const WorkerJobs *jobs, const SolveLimits *limits) {
    SolveLimits share;
    int threads = values_share(limits, &share);
    if ((uint64_t)threads > jobs->count)
        threads = (int)jobs->count;
    Status status = run_jobs(jobs, &share, threads);
    /* A variant that needs more than a share gets all memory, and one worker. */
    if (status.code == STATUS_UNSUPPORTED && share.memory_bytes < limits->memory_bytes)
        status = run_jobs(jobs, limits, 1);
    return status;
}
