#include "play/workers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
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

/* Whether a player would use an exact solver and there is one. */
static bool wants_solver(const WorkerJobs *jobs, const SolveLimits *limits) {
    bool wanted = false;
    for (int i = 0; i < jobs->seat_count; i++)
        wanted = wanted || jobs->seats[i].kind->may_use_solver;
    if (!wanted)
        return false;
    Status status = values_check(jobs->variant, VALUES_EXACT, limits);
    return status_is_ok(&status);
}

/* The solver may be solving now, on all threads; what runs in a worker later has one. `first` is
 * the solver of an earlier worker, or NULL. */
static Status open_worker(const WorkerJobs *jobs, const SolveLimits *limits, const Solver *first,
                          Worker *worker) {
    SolveLimits one_thread = *limits;
    one_thread.threads = 1;
    one_thread.progress = NULL;
    Status status = status_ok();
    if (needs_solver(jobs) || wants_solver(jobs, limits))
        status = values_open_another(jobs->variant, first, limits, &worker->solver);
    for (int i = 0; i < jobs->seat_count && status_is_ok(&status); i++)
        status = seat_open(&jobs->seats[i], jobs->variant, &one_thread, &worker->solver,
                           &worker->players[i]);
    if (status_is_ok(&status) && jobs->open_room)
        status = jobs->open_room(jobs->context, &one_thread, &worker->room);
    return status;
}

/* --- jobs --- */

/* A round of jobs, shared by the threads that run it. */
typedef struct Round {
    const WorkerJobs *jobs;
    Progress *progress;
    Worker *workers; /* [thread] */
    uint64_t first;  /* the number of the round's first job */
    char *results;   /* [job of the round][result_bytes]; each is written by the thread that has
                        the job */
    atomic_uint_fast64_t done; /* jobs of all rounds */
} Round;

static Status run_job(void *context, size_t i, int thread) {
    Round *round = context;
    const WorkerJobs *jobs = round->jobs;
    Status status = jobs->run(jobs->context, &round->workers[thread], round->first + i,
                              round->results + i * jobs->result_bytes);
    uint64_t done = ++round->done;
    if (thread == 0)
        progress_report(round->progress, jobs->units * done, jobs->units * jobs->count);
    return status;
}

static Status run_rounds(Round *round, int threads, const StopFlag *stop) {
    const WorkerJobs *jobs = round->jobs;
    ThreadLoop loop = {.step = run_job, .context = round, .stop = stop};
    ThreadPool *pool = thread_pool_open(threads);
    Status status = status_ok();
    for (; round->first < jobs->count && status_is_ok(&status); round->first += ROUND_JOBS) {
        uint64_t left = jobs->count - round->first;
        loop.count = left < ROUND_JOBS ? left : ROUND_JOBS;
        status = thread_pool_try(pool, &loop);
        for (size_t i = 0; i < loop.count && status_is_ok(&status); i++)
            jobs->add(jobs->sum, round->results + i * jobs->result_bytes);
    }
    thread_pool_close(pool);
    return status;
}

/* Runs all jobs with `threads` workers, each within these limits. */
static Status run_jobs(const WorkerJobs *jobs, const SolveLimits *limits, int threads) {
    Round round = {.jobs = jobs, .progress = limits->progress};
    Status status = status_make(STATUS_FAILED, "out of memory");
    round.workers = calloc((size_t)threads, sizeof *round.workers);
    round.results = calloc(ROUND_JOBS, jobs->result_bytes);
    if (round.workers && round.results) {
        memset(jobs->sum, 0, jobs->sum_bytes);
        status = status_ok();
        for (int i = 0; i < threads && status_is_ok(&status); i++)
            status = open_worker(jobs, limits, round.workers[0].solver, &round.workers[i]);
    }
    if (status_is_ok(&status)) {
        progress_start(limits->progress, jobs->what);
        status = run_rounds(&round, threads, limits->stop);
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
    int threads = threads_useful(values_share(limits, &share), jobs->count);
    Status status = run_jobs(jobs, &share, threads);
    /* A variant that needs more than a share gets all memory, and one worker. */
    if (status.code == STATUS_UNSUPPORTED && share.memory_bytes < limits->memory_bytes)
        status = run_jobs(jobs, limits, 1);
    return status;
}
