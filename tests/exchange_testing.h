/* An exchange between threads of one process, each of which is a rank. Messages arrive in random
 * order, and some only at the end of their phase.
 *
 *     run_ranks(3, 1, body, context)   calls body(exchange, context) on three threads
 *
 * Collectives wait at barriers. During a phase, `inbox` of a rank is under its lock. */
#ifndef MALPAN_TESTS_EXCHANGE_TESTING_H
#define MALPAN_TESTS_EXCHANGE_TESTING_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "kernel/exchange.h"
#include "testing.h"

enum { TEST_RANKS_MAX = 16 };

typedef struct TestMessage {
    size_t size;
    char *bytes;
} TestMessage;

typedef struct TestJob TestJob;

typedef struct TestRank {
    Exchange base;
    TestJob *job;
    ExchangeHandler *handler;
    void *context;
    pthread_mutex_t lock;
    TestMessage *inbox;
    size_t inbox_count, inbox_room;
    Random random;                           /* under the lock */
    pthread_barrier_t moves[TEST_RANKS_MAX]; /* [sender]: of two, for moves to this rank */
    const void *moved[TEST_RANKS_MAX];       /* [sender]: set before the first wait of the two */
    void (*body)(Exchange *, void *);        /* what the rank does */
    void *body_context;
} TestRank;

struct TestJob {
    int count;
    pthread_barrier_t barrier;
    const void *published[TEST_RANKS_MAX];
    char hosts[TEST_RANKS_MAX][EXCHANGE_HOST_BYTES];
    TestRank ranks[TEST_RANKS_MAX];
};

static inline TestRank *test_rank_of(Exchange *exchange) {
    return (TestRank *)exchange;
}

static inline void test_meet(Exchange *exchange) {
    pthread_barrier_wait(&test_rank_of(exchange)->job->barrier);
}

static inline void test_gather(Exchange *exchange, const void *mine, size_t size, void *all) {
    TestJob *job = test_rank_of(exchange)->job;
    job->published[exchange->rank] = mine;
    test_meet(exchange);
    for (int i = 0; i < job->count; i++)
        memcpy((char *)all + (size_t)i * size, job->published[i], size);
    test_meet(exchange);
}

static inline void test_sum(Exchange *exchange, uint64_t values[], size_t count) {
    size_t size = count * sizeof values[0];
    uint64_t *all = malloc((size_t)exchange->count * size + 1);
    test_gather(exchange, values, size, all);
    memset(values, 0, size);
    for (size_t i = 0; i < (size_t)exchange->count * count; i++)
        values[i % count] += all[i];
    free(all);
}

static inline void test_broadcast(Exchange *exchange, void *bytes, size_t size) {
    TestJob *job = test_rank_of(exchange)->job;
    job->published[exchange->rank] = bytes;
    test_meet(exchange);
    if (exchange->rank != 0)
        memcpy(bytes, job->published[0], size);
    test_meet(exchange);
}

static inline void test_move(Exchange *exchange, int from, int to, void *bytes, size_t size) {
    TestRank *receiver = &test_rank_of(exchange)->job->ranks[to];
    if (exchange->rank == from)
        receiver->moved[from] = bytes;
    pthread_barrier_wait(&receiver->moves[from]);
    if (exchange->rank == to)
        memcpy(bytes, receiver->moved[from], size);
    pthread_barrier_wait(&receiver->moves[from]);
}

static inline void test_begin(Exchange *exchange, ExchangeHandler *handler, void *context) {
    TestRank *rank = test_rank_of(exchange);
    rank->handler = handler;
    rank->context = context;
    test_meet(exchange);
}

static inline void test_send(Exchange *exchange, int to, const void *message, size_t size) {
    TestRank *rank = &test_rank_of(exchange)->job->ranks[to];
    TestMessage sent = {.size = size, .bytes = malloc(size + 1)};
    memcpy(sent.bytes, message, size);
    pthread_mutex_lock(&rank->lock);
    if (rank->inbox_count == rank->inbox_room) {
        rank->inbox_room = 2 * rank->inbox_room + 8;
        rank->inbox = realloc(rank->inbox, rank->inbox_room * sizeof *rank->inbox);
    }
    rank->inbox[rank->inbox_count++] = sent;
    pthread_mutex_unlock(&rank->lock);
}

/* Handles one of the messages. Returns false if there is none. */
static inline bool test_take(TestRank *rank) {
    TestMessage taken = {.bytes = NULL};
    pthread_mutex_lock(&rank->lock);
    if (rank->inbox_count > 0) {
        size_t i = random_below(&rank->random, rank->inbox_count);
        taken = rank->inbox[i];
        rank->inbox[i] = rank->inbox[--rank->inbox_count];
    }
    pthread_mutex_unlock(&rank->lock);
    if (taken.bytes)
        rank->handler(rank->context, taken.bytes, taken.size);
    free(taken.bytes);
    return taken.bytes != NULL;
}

static inline void test_poll(Exchange *exchange) {
    TestRank *rank = test_rank_of(exchange);
    pthread_mutex_lock(&rank->lock);
    uint64_t takes = random_below(&rank->random, 3);
    pthread_mutex_unlock(&rank->lock);
    while (takes-- > 0)
        (void)test_take(rank);
}

static inline void test_finish(Exchange *exchange) {
    test_meet(exchange);
    while (test_take(test_rank_of(exchange)))
        ;
    test_meet(exchange);
}

static inline void *test_run_rank(void *argument) {
    TestRank *rank = argument;
    rank->body(&rank->base, rank->body_context);
    return NULL;
}

static inline void test_open_rank(TestJob *job, int number, uint64_t seed) {
    TestRank *rank = &job->ranks[number];
    snprintf(job->hosts[number], EXCHANGE_HOST_BYTES, "host-%d", number / 2);
    *rank = (TestRank){.base = {.rank = number,
                                .count = job->count,
                                .hosts = job->hosts,
                                .votes = calloc((size_t)job->count, sizeof(uint64_t)),
                                .gather = test_gather,
                                .sum = test_sum,
                                .broadcast = test_broadcast,
                                .move = test_move,
                                .begin = test_begin,
                                .send = test_send,
                                .poll = test_poll,
                                .finish = test_finish},
                       .job = job,
                       .random = random_from_seed(seed, (uint64_t)number)};
    pthread_mutex_init(&rank->lock, NULL);
    for (int i = 0; i < job->count; i++)
        pthread_barrier_init(&rank->moves[i], NULL, 2);
}

/* Runs `body` on so many ranks, and returns when all are done. Its assertions must not fail, as
 * they leave the thread: it reports what it found in its context. */
static inline void run_ranks(int count, uint64_t seed, void (*body)(Exchange *, void *),
                             void *context) {
    pthread_t threads[TEST_RANKS_MAX];
    TestJob *job = calloc(1, sizeof *job);
    job->count = count;
    pthread_barrier_init(&job->barrier, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        test_open_rank(job, i, seed);
        job->ranks[i].body = body;
        job->ranks[i].body_context = context;
    }
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, test_run_rank, &job->ranks[i]);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < count; i++) {
        free(job->ranks[i].base.votes);
        free(job->ranks[i].inbox);
        pthread_mutex_destroy(&job->ranks[i].lock);
        for (int j = 0; j < count; j++)
            pthread_barrier_destroy(&job->ranks[i].moves[j]);
    }
    pthread_barrier_destroy(&job->barrier);
    free(job);
}

#endif
