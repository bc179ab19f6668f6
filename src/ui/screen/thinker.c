#include "ui/screen/thinker.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "values/evaluate.h"
#include "values/policy.h"

enum { JOBS_MAX = 8 };

/* A job or a result with the ticket that was current when the job was posted. */
typedef struct Ticketed {
    unsigned ticket;
    ThinkJob job;
} Ticketed;

struct Thinker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t posted;
    int pipe[2];
    bool closing;
    unsigned ticket;
    size_t job_count, result_count;
    Ticketed jobs[JOBS_MAX];
    ThinkResult results[JOBS_MAX];
    StopFlag stop;

    /* Only the thread uses what follows while it runs. */
    Variant variant;
    Seat seats[GAME_PLAYERS_MAX];
    SolveLimits limits;
    Player *players[GAME_PLAYERS_MAX];
    Solver *shared; /* of the players */
    Solver *hints;  /* for values, where the players have no solver */
    Status missing;
};

void think_result_free(ThinkResult *result) {
    free(result->evaluation);
    free(result->line);
    if (result->review)
        review_close(result->review);
    free(result->review);
    *result = (ThinkResult){.evaluation = NULL};
}

/* --- the jobs --- */

static Status open_players(Thinker *thinker) {
    Status status = status_ok();
    const Variant *variant = &thinker->variant;
    int count = variant->game->rules.player_count(&variant->rules);
    for (int i = 0; i < count && status_is_ok(&status); i++)
        if (thinker->seats[i].kind->open && !thinker->players[i])
            status = seat_open(&thinker->seats[i], variant, &thinker->limits, &thinker->shared,
                               &thinker->players[i]);
    return status;
}

static Status choose(Thinker *thinker, ThinkJob *job, ThinkResult *result) {
    Status status = open_players(thinker); /* unless they are open */
    Player *player = thinker->players[job->seat];
    if (status_is_ok(&status))
        status = player->choose(player, &job->state, &job->random, &result->move);
    if (status_is_ok(&status) && player->describe) {
        Text text = text_over(result->thought, sizeof result->thought);
        player->describe(player, &text);
    }
    return status;
}

/* The solver of the players, else one for hints. */
static Status find_solver(Thinker *thinker, Solver **solver) {
    Status status = status_ok();
    if (!thinker->shared && !thinker->hints)
        status = values_open(&thinker->variant, VALUES_ANY, &thinker->limits, &thinker->hints,
                             &thinker->missing);
    *solver = thinker->shared ? thinker->shared : thinker->hints;
    return status;
}

static Status evaluate(Thinker *thinker, const State *state, ThinkResult *result) {
    const Variant *variant = &thinker->variant;
    Solver *solver = NULL;
    result->evaluation = malloc(sizeof *result->evaluation);
    if (!result->evaluation)
        return status_make(STATUS_FAILED, "out of memory");
    if (variant->game->tree.actor(&variant->rules, state) == GAME_END) {
        evaluate_end(variant, state, result->evaluation);
        return status_ok();
    }
    Status status = find_solver(thinker, &solver);
    if (status_is_ok(&status))
        status = evaluate_state(variant, solver, state, result->evaluation);
    result->missing = thinker->missing;
    return status;
}

/* Follows the best moves, each by an evaluation of its own. */
static Status follow(Thinker *thinker, State state, ThinkResult *result) {
    enum { PLIES_MAX = 8 };
    const Variant *variant = &thinker->variant;
    Solver *solver = NULL;
    Status status = find_solver(thinker, &solver);
    Evaluation *evaluation = malloc(sizeof *evaluation);
    result->line = calloc(1, sizeof *result->line);
    if (!evaluation || !result->line)
        status = status_make(STATUS_FAILED, "out of memory");
    while (status_is_ok(&status) && result->line->length < PLIES_MAX &&
           variant->game->tree.actor(&variant->rules, &state) >= 0 && !thinker->stop) {
        status = evaluate_state(variant, solver, &state, evaluation);
        if (!status_is_ok(&status))
            break;
        result->line->moves[result->line->length++] = evaluation->moves[0].move;
        variant->game->tree.apply(&variant->rules, &state, evaluation->moves[0].move);
    }
    free(evaluation);
    return status;
}

static Status review(Thinker *thinker, const char *text, ThinkResult *result) {
    Solver *solver = NULL;
    Record record;
    Status status = record_parse(text, &record);
    if (!status_is_ok(&status))
        return status;
    status = find_solver(thinker, &solver);
    result->review = calloc(1, sizeof *result->review);
    if (!result->review)
        status = status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status))
        status = review_make(&record, solver, &thinker->stop, result->review);
    record_close(&record);
    return status;
}

static void do_job(Thinker *thinker, ThinkJob *job, ThinkResult *result) {
    *result = (ThinkResult){.kind = job->kind, .state = job->state};
    switch (job->kind) {
    case THINK_OPEN:
        result->status = open_players(thinker);
        break;
    case THINK_CHOOSE:
        result->status = choose(thinker, job, result);
        break;
    case THINK_VALUES:
        result->status = evaluate(thinker, &job->state, result);
        break;
    case THINK_LINE:
        result->status = follow(thinker, job->state, result);
        break;
    case THINK_REVIEW:
        result->status = review(thinker, job->record, result);
        break;
    }
    free(job->record);
}

/* --- the thread --- */

/* Hands a result over, unless its question was withdrawn. The lock is held. */
static void hand_over(Thinker *thinker, unsigned ticket, ThinkResult *result) {
    if (ticket != thinker->ticket || thinker->result_count == JOBS_MAX) {
        think_result_free(result);
        return;
    }
    thinker->results[thinker->result_count++] = *result;
    ssize_t written = write(thinker->pipe[1], "r", 1);
    (void)written; /* a full pipe wakes the main thread as well */
}

static void *run(void *context) {
    Thinker *thinker = context;
    pthread_mutex_lock(&thinker->lock);
    for (;;) {
        while (thinker->job_count == 0 && !thinker->closing)
            pthread_cond_wait(&thinker->posted, &thinker->lock);
        if (thinker->closing)
            break;
        Ticketed work = thinker->jobs[0];
        thinker->job_count--;
        memmove(thinker->jobs, thinker->jobs + 1, thinker->job_count * sizeof work);
        thinker->stop = false;
        pthread_mutex_unlock(&thinker->lock);
        ThinkResult result;
        do_job(thinker, &work.job, &result);
        pthread_mutex_lock(&thinker->lock);
        hand_over(thinker, work.ticket, &result);
    }
    pthread_mutex_unlock(&thinker->lock);
    return NULL;
}

/* Starts the thread with all signals blocked: they are for the main thread. */
static bool start_thread(Thinker *thinker) {
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGABRT);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thinker->thread, NULL, run, thinker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

Thinker *thinker_open(const Variant *variant, const Seat seats[], const SolveLimits *limits) {
    Thinker *thinker = calloc(1, sizeof *thinker);
    if (!thinker)
        return NULL;
    thinker->variant = *variant;
    memcpy(thinker->seats, seats, sizeof thinker->seats);
    thinker->limits = *limits;
    thinker->limits.progress = NULL;
    thinker->limits.stop = &thinker->stop;
    pthread_mutex_init(&thinker->lock, NULL);
    pthread_cond_init(&thinker->posted, NULL);
    if (pipe2(thinker->pipe, O_NONBLOCK | O_CLOEXEC) == 0) {
        if (start_thread(thinker))
            return thinker;
        close(thinker->pipe[0]);
        close(thinker->pipe[1]);
    }
    pthread_cond_destroy(&thinker->posted);
    pthread_mutex_destroy(&thinker->lock);
    free(thinker);
    return NULL;
}

void thinker_cancel(Thinker *thinker) {
    pthread_mutex_lock(&thinker->lock);
    thinker->ticket++;
    thinker->stop = true;
    for (size_t i = 0; i < thinker->job_count; i++)
        free(thinker->jobs[i].job.record);
    for (size_t i = 0; i < thinker->result_count; i++)
        think_result_free(&thinker->results[i]);
    thinker->job_count = thinker->result_count = 0;
    pthread_mutex_unlock(&thinker->lock);
}

void thinker_close(Thinker *thinker) {
    thinker_cancel(thinker);
    pthread_mutex_lock(&thinker->lock);
    thinker->closing = true;
    pthread_cond_signal(&thinker->posted);
    pthread_mutex_unlock(&thinker->lock);
    pthread_join(thinker->thread, NULL);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (thinker->players[i])
            thinker->players[i]->free(thinker->players[i]);
    if (thinker->shared)
        thinker->shared->free(thinker->shared);
    if (thinker->hints)
        thinker->hints->free(thinker->hints);
    close(thinker->pipe[0]);
    close(thinker->pipe[1]);
    pthread_cond_destroy(&thinker->posted);
    pthread_mutex_destroy(&thinker->lock);
    free(thinker);
}

int thinker_file(const Thinker *thinker) {
    return thinker->pipe[0];
}

bool thinker_post(Thinker *thinker, const ThinkJob *job) {
    pthread_mutex_lock(&thinker->lock);
    bool has_room = thinker->job_count < JOBS_MAX;
    if (has_room)
        thinker->jobs[thinker->job_count++] = (Ticketed){thinker->ticket, *job};
    else
        free(job->record);
    pthread_cond_signal(&thinker->posted);
    pthread_mutex_unlock(&thinker->lock);
    return has_room;
}

bool thinker_take(Thinker *thinker, ThinkResult *result) {
    char byte;
    pthread_mutex_lock(&thinker->lock);
    bool found = thinker->result_count > 0;
    if (found) {
        *result = thinker->results[0];
        thinker->result_count--;
        memmove(thinker->results, thinker->results + 1,
                thinker->result_count * sizeof *thinker->results);
    }
    ssize_t count = read(thinker->pipe[0], &byte, 1);
    (void)count; /* one byte for each result; withdrawn ones leave theirs to be read later */
    pthread_mutex_unlock(&thinker->lock);
    return found;
}
