#include "kernel/exchange_mpi.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"

enum {
    BATCH_BYTES = 1 << 16,
    BATCH_DATA_BYTES = BATCH_BYTES - (int)sizeof(uint64_t),
    RECEIVES = 8 /* posted at a time */
};

/* Messages on their way to one rank: each is its size and its bytes, padded to 8 bytes. */
typedef struct Batch {
    uint64_t used;
    char data[BATCH_DATA_BYTES];
} Batch;

static_assert(sizeof(Batch) == BATCH_BYTES, "a batch is as large as its receives");

/* What goes to one rank. */
typedef struct Lane {
    Batch *filling, *flying; /* NULL until the first message */
    MPI_Request request;     /* of `flying`; MPI_REQUEST_NULL if it has arrived */
} Lane;

/* Everything is accessed under `lock`, except: base and the communicators are constant; handler and
 * context are constant during a phase; a batch that was received belongs to the thread that handles
 * it, until it posts the receive again. Handlers run without the lock. */
typedef struct ExchangeMpi {
    Exchange base;
    MPI_Comm control;  /* collectives and moves */
    MPI_Comm messages; /* batches */
    MPI_Comm leaving;  /* the end */
    pthread_mutex_t lock;
    ExchangeHandler *handler;
    void *context;
    Lane *lanes;        /* [rank] */
    uint64_t *sent;     /* [rank]: batches in this phase */
    uint64_t *expected; /* [rank]: batches that each rank is sent in this phase, by all */
    uint64_t received;  /* batches that were handled in this phase */
    Batch *arrivals;    /* [RECEIVES] */
    MPI_Request receives[RECEIVES];
} ExchangeMpi;

static ExchangeMpi *mpi_of(Exchange *exchange) {
    return (ExchangeMpi *)exchange;
}

/* --- collectives --- */

static void gather(Exchange *exchange, const void *mine, size_t size, void *all) {
    MPI_Allgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, mpi_of(exchange)->control);
}

static void sum(Exchange *exchange, uint64_t values[], size_t count) {
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM,
                  mpi_of(exchange)->control);
}

static void broadcast(Exchange *exchange, void *bytes, size_t size) {
    MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, mpi_of(exchange)->control);
}

static void move(Exchange *exchange, int from, int to, void *bytes, size_t size) {
    MPI_Comm control = mpi_of(exchange)->control;
    if (exchange->rank == from)
        MPI_Send(bytes, (int)size, MPI_BYTE, to, 0, control);
    else
        MPI_Recv(bytes, (int)size, MPI_BYTE, from, 0, control, MPI_STATUS_IGNORE);
}

/* --- messages --- */

static void post_receive(ExchangeMpi *mpi, int slot) {
    MPI_Irecv(&mpi->arrivals[slot], BATCH_BYTES, MPI_BYTE, MPI_ANY_SOURCE, 0, mpi->messages,
              &mpi->receives[slot]);
}

static size_t padded(size_t size) {
    return (size + 7) / 8 * 8;
}

static void handle_batch(const ExchangeMpi *mpi, const Batch *batch) {
    uint64_t size;
    for (size_t at = 0; at < batch->used; at += sizeof size + padded(size)) {
        memcpy(&size, batch->data + at, sizeof size);
        mpi->handler(mpi->context, batch->data + at + sizeof size, size);
    }
}

/* Handles a batch, if one has arrived. The lock is held before and after, but not meanwhile. */
static bool receive_batch(ExchangeMpi *mpi) {
    int slot, arrived;
    MPI_Testany(RECEIVES, mpi->receives, &slot, &arrived, MPI_STATUS_IGNORE);
    if (!arrived || slot == MPI_UNDEFINED)
        return false;
    pthread_mutex_unlock(&mpi->lock);
    handle_batch(mpi, &mpi->arrivals[slot]);
    pthread_mutex_lock(&mpi->lock);
    post_receive(mpi, slot);
    mpi->received++;
    return true;
}

/* Lets others run, and other threads of this process take the lock. */
static void wait_a_moment(ExchangeMpi *mpi) {
    pthread_mutex_unlock(&mpi->lock);
    sched_yield();
    pthread_mutex_lock(&mpi->lock);
}

/* Whether the batch before has left, so that its memory is free. */
static bool has_left(Lane *lane) {
    int left;
    MPI_Test(&lane->request, &left, MPI_STATUS_IGNORE);
    return left;
}

/* Sends what was collected for a rank. Another thread may do so while this one waits. */
static void send_batch(ExchangeMpi *mpi, int to) {
    Lane *lane = &mpi->lanes[to];
    while (lane->filling->used > 0 && !has_left(lane))
        if (!receive_batch(mpi))
            wait_a_moment(mpi);
    if (lane->filling->used == 0)
        return;
    Batch *full = lane->filling;
    lane->filling = lane->flying;
    lane->flying = full;
    lane->filling->used = 0;
    MPI_Isend(full, (int)(sizeof full->used + full->used), MPI_BYTE, to, 0, mpi->messages,
              &lane->request);
    mpi->sent[to]++;
}

static void begin(Exchange *exchange, ExchangeHandler *handler, void *context) {
    ExchangeMpi *mpi = mpi_of(exchange);
    mpi->handler = handler;
    mpi->context = context;
    mpi->received = 0;
    memset(mpi->sent, 0, (size_t)exchange->count * sizeof mpi->sent[0]);
    /* Nobody sends before all are ready to handle. */
    MPI_Barrier(mpi->control);
}

static void send(Exchange *exchange, int to, const void *message, size_t size) {
    ExchangeMpi *mpi = mpi_of(exchange);
    Lane *lane = &mpi->lanes[to];
    const uint64_t length = size;
    pthread_mutex_lock(&mpi->lock);
    while (lane->filling->used + sizeof length + padded(size) > BATCH_DATA_BYTES)
        send_batch(mpi, to);
    char *end = lane->filling->data + lane->filling->used;
    memcpy(end, &length, sizeof length);
    memcpy(end + sizeof length, message, size);
    lane->filling->used += sizeof length + padded(size);
    pthread_mutex_unlock(&mpi->lock);
}

static void poll_once(Exchange *exchange) {
    ExchangeMpi *mpi = mpi_of(exchange);
    if (pthread_mutex_trylock(&mpi->lock) != 0)
        return; /* another thread is receiving */
    (void)receive_batch(mpi);
    pthread_mutex_unlock(&mpi->lock);
}

/* Waits for a request of a collective while handling messages. */
static void wait_and_handle(ExchangeMpi *mpi, MPI_Request *request) {
    for (;;) {
        int done;
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        if (!receive_batch(mpi))
            wait_a_moment(mpi);
    }
}

static void finish(Exchange *exchange) {
    ExchangeMpi *mpi = mpi_of(exchange);
    MPI_Request request;
    pthread_mutex_lock(&mpi->lock);
    for (int to = 0; to < exchange->count; to++)
        send_batch(mpi, to);
    MPI_Iallreduce(mpi->sent, mpi->expected, exchange->count, MPI_UINT64_T, MPI_SUM, mpi->control,
                   &request);
    wait_and_handle(mpi, &request);
    while (mpi->received < mpi->expected[exchange->rank])
        if (!receive_batch(mpi))
            wait_a_moment(mpi);
    /* A message of the next phase must not reach a rank that still is in this one. */
    MPI_Ibarrier(mpi->control, &request);
    wait_and_handle(mpi, &request);
    pthread_mutex_unlock(&mpi->lock);
}

/* --- joining and leaving --- */

static void free_exchange(ExchangeMpi *mpi) {
    for (int i = 0; mpi->lanes && i < mpi->base.count; i++) {
        free(mpi->lanes[i].filling);
        free(mpi->lanes[i].flying);
    }
    pthread_mutex_destroy(&mpi->lock);
    free(mpi->base.hosts);
    free(mpi->base.votes);
    free(mpi->lanes);
    free(mpi->sent);
    free(mpi->expected);
    free(mpi->arrivals);
    free(mpi);
}

static bool open_lanes(ExchangeMpi *mpi) {
    for (int i = 0; i < mpi->base.count; i++) {
        Lane *lane = &mpi->lanes[i];
        *lane = (Lane){.filling = malloc(sizeof *lane->filling),
                       .flying = malloc(sizeof *lane->flying),
                       .request = MPI_REQUEST_NULL};
        if (!lane->filling || !lane->flying)
            return false;
        lane->filling->used = lane->flying->used = 0;
    }
    return true;
}

static bool open_buffers(ExchangeMpi *mpi) {
    const size_t count = (size_t)mpi->base.count;
    mpi->base.hosts = calloc(count, sizeof *mpi->base.hosts);
    mpi->base.votes = calloc(count, sizeof *mpi->base.votes);
    mpi->lanes = calloc(count, sizeof *mpi->lanes);
    mpi->sent = calloc(count, sizeof *mpi->sent);
    mpi->expected = calloc(count, sizeof *mpi->expected);
    mpi->arrivals = malloc(RECEIVES * sizeof *mpi->arrivals);
    return mpi->base.hosts && mpi->base.votes && mpi->lanes && mpi->sent && mpi->expected &&
           mpi->arrivals && open_lanes(mpi);
}

static void gather_hosts(ExchangeMpi *mpi) {
    char host[EXCHANGE_HOST_BYTES] = "";
    (void)gethostname(host, sizeof host - 1);
    gather(&mpi->base, host, sizeof host, mpi->base.hosts);
}

Exchange *exchange_mpi_open(int *argc, char ***argv) {
    int threads;
    ExchangeMpi *mpi = calloc(1, sizeof *mpi);
    if (!mpi)
        return NULL;
    pthread_mutex_init(&mpi->lock, NULL);
    mpi->base = (Exchange){.gather = gather,
                           .sum = sum,
                           .broadcast = broadcast,
                           .move = move,
                           .begin = begin,
                           .send = send,
                           .poll = poll_once,
                           .finish = finish};
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi->base.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mpi->base.count);
    if (threads < MPI_THREAD_SERIALIZED || !open_buffers(mpi)) {
        free_exchange(mpi);
        return NULL;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->control);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->messages);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->leaving);
    for (int slot = 0; slot < RECEIVES; slot++)
        post_receive(mpi, slot);
    gather_hosts(mpi);
    return &mpi->base;
}

bool exchange_mpi_wait(Exchange *exchange, double seconds) {
    enum { PAUSE_US = 1000 };
    MPI_Request request;
    int done = 0;
    double start_s = progress_clock_s();
    MPI_Ibarrier(mpi_of(exchange)->leaving, &request);
    while (!done) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && seconds > 0 && progress_clock_s() > start_s + seconds)
            return false;
        if (!done)
            (void)usleep(PAUSE_US);
    }
    return true;
}

void exchange_mpi_abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    abort(); /* not reached */
}

void exchange_mpi_close(Exchange *exchange) {
    ExchangeMpi *mpi = mpi_of(exchange);
    for (int to = 0; to < exchange->count; to++)
        MPI_Wait(&mpi->lanes[to].request, MPI_STATUS_IGNORE);
    for (int slot = 0; slot < RECEIVES; slot++) {
        MPI_Cancel(&mpi->receives[slot]);
        MPI_Wait(&mpi->receives[slot], MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&mpi->control);
    MPI_Comm_free(&mpi->messages);
    MPI_Comm_free(&mpi->leaving);
    MPI_Finalize();
    free_exchange(mpi);
}
