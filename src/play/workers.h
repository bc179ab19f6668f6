/* Independent jobs, such as games, on several threads: each worker has its own computer players and
 * solver, because a solver belongs to one thread at a time.
 *
 * Results do not depend on the number of threads, nor on that of ranks (kernel/rounds.h). Job i
 * gets the number i, from which it derives its random numbers; results are summed in the order of
 * the jobs; and the memory of a worker does not depend on how many there are.
 *
 * A search in a worker uses one thread. If its budget is a time, what it finds depends on timing.
 */
#ifndef MALPAN_PLAY_WORKERS_H
#define MALPAN_PLAY_WORKERS_H

#include "kernel/exchange.h"
#include "players/player.h"

/* What one thread works with. Only that thread touches it while jobs run. */
typedef struct Worker {
    Player *players[GAME_PLAYERS_MAX];
    Solver *solver; /* exact values; NULL unless the work or a player needs it */
    void *room;     /* of the work's own; NULL without open_room */
} Worker;

typedef struct WorkerJobs {
    const Variant *variant;
    const Seat *seats; /* of the players every worker has; none is a person */
    int seat_count;
    bool needs_solver; /* the work itself needs exact values */
    uint64_t count;    /* of jobs */
    const char *what;  /* for the progress line */
    uint64_t units;    /* per job, on the progress line */
    size_t result_bytes, sum_bytes;
    void *sum;           /* cleared at the beginning */
    Exchange *exchange;  /* the ranks that share the jobs; each gets the sum; NULL: none */
    const void *context; /* for the functions below */
    Status (*open_room)(const void *context, const SolveLimits *limits, void **room); /* or NULL */
    void (*close_room)(void *room);
    /* Does job number `index`. Called on several threads at once, each with its own worker. */
    Status (*run)(const void *context, Worker *worker, uint64_t index, void *result);
    /* Adds a result to the sum. Called in the order of the jobs, by the calling thread. */
    void (*add)(void *sum, const void *result);
} WorkerJobs;

/* Runs all jobs on up to limits->threads threads of each rank. Returns the error of the first job
 * that failed; STATUS_STOPPED when limits->stop was set. */
Status workers_run(const WorkerJobs *jobs, const SolveLimits *limits);

#endif
