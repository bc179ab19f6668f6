/* Processes that share one piece of work, such as the ranks of an MPI job.
 *
 * A process has a rank from 0 to count - 1; rank 0 talks to the user. A NULL exchange is a process
 * alone: rank 0 of 1, for which everything here is trivial. Other exchanges are MPI's
 * (kernel/exchange_mpi.h) and, in the tests, threads of one process.
 *
 * Collectives are called by one thread of every rank, in the same order on all of them, and never
 * during a phase of messages.
 *
 * A phase of messages:
 *
 *     exchange_begin(exchange, handler, context)    every rank, one thread
 *     exchange_send(exchange, to, message, size)    any thread, any number of times
 *     exchange_poll(exchange)                       any thread, between pieces of work
 *     exchange_finish(exchange)                     every rank, one thread, after its last send
 *
 * exchange_finish returns when all messages of all ranks have been handled everywhere. Messages are
 * collected into large batches by destination, and travel while the threads compute. They arrive in
 * any order. The handler is called by whichever thread is in send, poll or finish, on several
 * threads at once; it must not use the exchange, and the sender must hold no lock that the handler
 * takes.
 *
 * Nothing here fails: if a rank is lost, so is the job (MPI ends it).
 */
#ifndef MALPAN_KERNEL_EXCHANGE_H
#define MALPAN_KERNEL_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { EXCHANGE_HOST_BYTES = 64, EXCHANGE_MESSAGE_BYTES_MAX = 1 << 14 };

typedef struct Exchange Exchange;

typedef void ExchangeHandler(void *context, const void *message, size_t size);

/* An implementation. It is called through the functions below. */
struct Exchange {
    int rank, count;
    char (*hosts)[EXCHANGE_HOST_BYTES]; /* [rank]: where it runs */
    uint64_t *votes;                    /* [rank]: scratch of exchange_agree */
    void (*gather)(Exchange *exchange, const void *mine, size_t size, void *all);
    void (*sum)(Exchange *exchange, uint64_t values[], size_t count);
    void (*broadcast)(Exchange *exchange, void *bytes, size_t size);
    void (*move)(Exchange *exchange, int from, int to, void *bytes, size_t size);
    void (*begin)(Exchange *exchange, ExchangeHandler *handler, void *context);
    void (*send)(Exchange *exchange, int to, const void *message, size_t size);
    void (*poll)(Exchange *exchange);
    void (*finish)(Exchange *exchange);
};

static inline int exchange_rank(const Exchange *exchange) {
    return exchange ? exchange->rank : 0;
}

static inline int exchange_count(const Exchange *exchange) {
    return exchange ? exchange->count : 1;
}

/* Whether this process talks to the user. */
static inline bool exchange_is_root(const Exchange *exchange) {
    return exchange_rank(exchange) == 0;
}

/* How many ranks run on this one's machine, itself included. */
int exchange_neighbors(const Exchange *exchange);

/* --- collectives --- */

/* Copies `size` bytes of every rank to all[rank * size] on every rank. */
void exchange_gather(Exchange *exchange, const void *mine, size_t size, void *all);

/* Replaces each value by its sum over all ranks. */
void exchange_sum(Exchange *exchange, uint64_t values[], size_t count);

/* Copies bytes of rank 0 to all ranks. */
void exchange_broadcast(Exchange *exchange, void *bytes, size_t size);

/* Copies bytes from one rank to another. Every rank may call this; the others return at once. */
void exchange_move(Exchange *exchange, int from, int to, void *bytes, size_t size);

/* Returns the same on every rank: success if all succeeded, otherwise the failure of the lowest
 * rank that failed. Its message names the rank and its machine unless rank 0 failed too. */
Status exchange_agree(Exchange *exchange, Status status);

/* --- messages --- */

void exchange_begin(Exchange *exchange, ExchangeHandler *handler, void *context);

/* Sends a message of at most EXCHANGE_MESSAGE_BYTES_MAX bytes to another rank. The bytes are
 * copied. Waits, handling messages meanwhile, while too many are on their way. */
void exchange_send(Exchange *exchange, int to, const void *message, size_t size);

/* Handles a batch of messages if one has arrived. */
void exchange_poll(Exchange *exchange);

void exchange_finish(Exchange *exchange);

#endif
