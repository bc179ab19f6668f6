#include "kernel/rounds.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/threads.h"

/* A round of jobs on this rank, shared by the threads that run it. */
typedef struct Round {
    const Rounds *rounds;
    uint64_t share; /* how many jobs each rank has in all, at most */
    uint64_t row;   /* how many of them in this round, at most */
    uint64_t first; /* the number of this rank's first job */
    char *results;  /* [job][result_bytes]; each is written by the thread that has the job */
    atomic_uint_fast64_t done; /* jobs of all rounds, on this rank */
} Round;

static Status run_job(void *context, size_t i, int thread) {
    Round *round = context;
    const Rounds *rounds = round->rounds;
    Status status = rounds->run(rounds->context, round->first + i, thread,
                                round->results + i * rounds->result_bytes);
    uint64_t done = ++round->done;
    if (thread == 0)
        progress_report(rounds->progress, rounds->units * done, rounds->units * round->share);
    return status;
}

/* How many jobs there are from `first` on, but at most `most`. */
static uint64_t jobs_from(const Rounds *rounds, uint64_t first, uint64_t most) {
    uint64_t left = first < rounds->count ? rounds->count - first : 0;
    return left < most ? left : most;
}

/* How many jobs each rank has in the next round, at most, if so many jobs are left. */
static uint64_t row_of(const Rounds *rounds, uint64_t left, uint64_t ranks) {
    uint64_t share = (left + ranks - 1) / ranks;
    return share < rounds->round_jobs ? share : rounds->round_jobs;
}

/* `all` has room for the results of a round of all ranks. */
static Status run_rounds(Round *round, ThreadPool *pool, Exchange *exchange, char *all) {
    const Rounds *rounds = round->rounds;
    const uint64_t ranks = (uint64_t)exchange_count(exchange);
    ThreadLoop loop = {.step = run_job, .context = round, .stop = rounds->stop};
    Status status = status_ok();
    for (uint64_t first = 0; first < rounds->count; first += ranks * round->row) {
        round->row = row_of(rounds, rounds->count - first, ranks);
        round->first = first + (uint64_t)exchange_rank(exchange) * round->row;
        loop.count = jobs_from(rounds, round->first, round->row);
        status = exchange_agree(exchange, thread_pool_try(pool, &loop));
        if (!status_is_ok(&status))
            break;
        exchange_gather(exchange, round->results, round->row * rounds->result_bytes, all);
        for (uint64_t i = 0; i < jobs_from(rounds, first, ranks * round->row); i++)
            rounds->add(rounds->sum, all + i * rounds->result_bytes);
    }
    return status;
}

Status rounds_run(const Rounds *rounds, int threads, Exchange *exchange) {
    const size_t ranks = (size_t)exchange_count(exchange);
    const uint64_t row = row_of(rounds, rounds->count, ranks);
    Round round = {.rounds = rounds, .share = (rounds->count + ranks - 1) / ranks};
    round.results = calloc(row, rounds->result_bytes);
    char *all = calloc(ranks * row, rounds->result_bytes);
    ThreadPool *pool = thread_pool_open(threads);
    Status status =
        round.results && all ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    status = exchange_agree(exchange, status);
    if (status_is_ok(&status))
        status = run_rounds(&round, pool, exchange, all);
    thread_pool_close(pool);
    free(round.results);
    free(all);
    return status;
}
