#include "play/workers.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "kernel/rounds.h"
#include "values/policy.h"

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

/* Whether a player would use an exact solver, and this rank has one. */
static bool wants_solver(const WorkerJobs *jobs, const SolveLimits *limits) {
    bool wanted = false;
    for (int i = 0; i < jobs->seat_count; i++)
        wanted = wanted || jobs->seats[i].kind->may_use_solver;
    if (!wanted)
        return false;
    Status status = values_check(jobs->variant, VALUES_EXACT, limits);
    return status_is_ok(&status);
}

/* Whether every worker has a solver. A player that uses one if there is one must find the same on
 * all ranks. */
static bool have_solvers(const WorkerJobs *jobs, const SolveLimits *limits) {
    uint64_t wanting = wants_solver(jobs, limits);
    exchange_sum(jobs->exchange, &wanting, 1);
    return needs_solver(jobs) || wanting == (uint64_t)exchange_count(jobs->exchange);
}

/* The solver may be solving now, on all threads; what runs in a worker later has one. `first` is
 * the solver of an earlier worker, or NULL. */
static Status open_worker(const WorkerJobs *jobs, const SolveLimits *limits, bool with_solver,
                          const Solver *first, Worker *worker) {
    SolveLimits one_thread = *limits;
    one_thread.threads = 1;
    one_thread.progress = NULL;
    Status status = status_ok();
    if (with_solver)
        status = values_open_another(jobs->variant, first, limits, &worker->solver);
    for (int i = 0; i < jobs->seat_count && status_is_ok(&status); i++)
        status = seat_open(&jobs->seats[i], jobs->variant, &one_thread, &worker->solver,
                           &worker->players[i]);
    if (status_is_ok(&status) && jobs->open_room)
        status = jobs->open_room(jobs->context, &one_thread, &worker->room);
    return status;
}

/* --- jobs --- */

/* Jobs and who does them. */
typedef struct Staff {
    const WorkerJobs *jobs;
    Worker *workers; /* [thread] */
} Staff;

static Status run_job(void *context, uint64_t index, int thread, void *result) {
    const Staff *staff = context;
    return staff->jobs->run(staff->jobs->context, &staff->workers[thread], index, result);
}

static Status run_rounds(Staff *staff, const SolveLimits *limits, int threads) {
    const WorkerJobs *jobs = staff->jobs;
    const Rounds rounds = {.count = jobs->count,
                           .round_jobs = ROUND_JOBS,
                           .result_bytes = jobs->result_bytes,
                           .sum = jobs->sum,
                           .context = staff,
                           .run = run_job,
                           .add = jobs->add,
                           .stop = limits->stop,
                           .progress = limits->progress,
                           .units = jobs->units};
    progress_start(limits->progress, jobs->what);
    Status status = rounds_run(&rounds, threads, jobs->exchange);
    progress_finish(limits->progress);
    return status;
}

/* Runs all jobs with `threads` workers, each within these limits. */
static Status run_jobs(const WorkerJobs *jobs, const SolveLimits *limits, int threads) {
    Staff staff = {.jobs = jobs, .workers = calloc((size_t)threads, sizeof(Worker))};
    Status status = staff.workers ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    bool with_solver = have_solvers(jobs, limits);
    memset(jobs->sum, 0, jobs->sum_bytes);
    for (int i = 0; i < threads && status_is_ok(&status); i++)
        status = open_worker(jobs, limits, with_solver, staff.workers[0].solver, &staff.workers[i]);
    status = exchange_agree(jobs->exchange, status);
    if (status_is_ok(&status))
        status = run_rounds(&staff, limits, threads);
    for (int i = 0; staff.workers && i < threads; i++)
        close_worker(jobs, &staff.workers[i]);
    free(staff.workers);
    return status;
}

Status workers_run(const WorkerJobs *jobs, const SolveLimits *limits) {
    SolveLimits share;
    int threads = threads_useful(values_share(limits, &share), jobs->count);
    Status status = run_jobs(jobs, &share, threads);
    /* A variant that needs more than a share gets all memory, and one worker. */
    bool again = status.code == STATUS_UNSUPPORTED && share.memory_bytes < limits->memory_bytes;
    exchange_broadcast(jobs->exchange, &again, sizeof again);
    if (again)
        status = run_jobs(jobs, limits, 1);
    return status;
}
