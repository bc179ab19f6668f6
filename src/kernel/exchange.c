#include "kernel/exchange.h"

#include <string.h>

int exchange_neighbors(const Exchange *exchange) {
    int neighbors = 0;
    for (int i = 0; i < exchange_count(exchange); i++)
        neighbors += !exchange || strcmp(exchange->hosts[i], exchange->hosts[exchange->rank]) == 0;
    return neighbors;
}

void exchange_gather(Exchange *exchange, const void *mine, size_t size, void *all) {
    if (exchange)
        exchange->gather(exchange, mine, size, all);
    else
        memcpy(all, mine, size);
}

void exchange_sum(Exchange *exchange, uint64_t values[], size_t count) {
    if (exchange)
        exchange->sum(exchange, values, count);
}

void exchange_broadcast(Exchange *exchange, void *bytes, size_t size) {
    if (exchange)
        exchange->broadcast(exchange, bytes, size);
}

void exchange_move(Exchange *exchange, int from, int to, void *bytes, size_t size) {
    if (from != to && (exchange_rank(exchange) == from || exchange_rank(exchange) == to))
        exchange->move(exchange, from, to, bytes, size);
}

/* The lowest rank that failed; `count` if none did. */
static int find_failed(Exchange *exchange, const Status *mine) {
    const size_t count = (size_t)exchange->count;
    int first = 0;
    memset(exchange->votes, 0, count * sizeof exchange->votes[0]);
    exchange->votes[exchange->rank] = !status_is_ok(mine);
    exchange->sum(exchange, exchange->votes, count);
    while (first < exchange->count && !exchange->votes[first])
        first++;
    return first;
}

Status exchange_agree(Exchange *exchange, Status status) {
    int first = exchange ? find_failed(exchange, &status) : 0;
    if (!exchange || first == exchange->count)
        return status;
    exchange_move(exchange, first, 0, &status, sizeof status);
    exchange->broadcast(exchange, &status, sizeof status);
    return first == 0 ? status
                      : status_make(status.code, "rank %d on %s: %s", first, exchange->hosts[first],
                                    status.message);
}

void exchange_begin(Exchange *exchange, ExchangeHandler *handler, void *context) {
    if (exchange)
        exchange->begin(exchange, handler, context);
}

void exchange_send(Exchange *exchange, int to, const void *message, size_t size) {
    assert(exchange && to != exchange->rank && size <= EXCHANGE_MESSAGE_BYTES_MAX);
    exchange->send(exchange, to, message, size);
}

void exchange_poll(Exchange *exchange) {
    if (exchange)
        exchange->poll(exchange);
}

void exchange_finish(Exchange *exchange) {
    if (exchange)
        exchange->finish(exchange);
}
