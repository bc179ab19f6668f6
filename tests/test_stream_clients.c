/* Which event stream has to end when there are too many, beside a slow search through all of them.
 */
#include "base/random.h"
#include "testing.h"
#include "ui/web/stream_clients.h"

enum { STREAMS = 60, CLIENTS = 5, CHANGES = 20000 };

/* "Aa" and "BB" have the same hash. */
static const char *const names[CLIENTS] = {"Aa", "127.0.0.1", "127.0.0.2", "2001:db8::", "BB"};
static const size_t same_as[CLIENTS] = {0, 1, 2, 3, 0};

typedef struct Model {
    StreamClients clients;
    Stream streams[STREAMS];
    bool is_open[STREAMS];
    size_t client[STREAMS];   /* index of its name, the first of those with its hash */
    uint64_t opened[STREAMS]; /* when */
} Model;

static size_t count_of(const Model *model, size_t client) {
    size_t count = 0;
    for (size_t i = 0; i < STREAMS; i++)
        count += model->is_open[i] && model->client[i] == client;
    return count;
}

static const Stream *find_slowly(const Model *model) {
    size_t found = STREAMS, most = 0;
    for (size_t i = 0; i < STREAMS; i++) {
        size_t count = model->is_open[i] ? count_of(model, model->client[i]) : 0;
        if (count > most || (count > 0 && count == most && model->opened[i] < model->opened[found]))
            found = i, most = count;
    }
    return found < STREAMS ? &model->streams[found] : NULL;
}

static void the_right_one_ends_whatever_came_and_went(void **state) {
    (void)state;
    static Model model;
    Random random = random_from_seed(1, 0);
    size_t open = 0, most = 0;
    for (uint64_t change = 1; change <= CHANGES; change++) {
        size_t i = (size_t)random_below(&random, STREAMS);
        if (model.is_open[i]) {
            stream_clients_remove(&model.clients, &model.streams[i]);
            open--;
        } else {
            size_t client = (size_t)random_below(&random, CLIENTS);
            stream_clients_add(&model.clients, &model.streams[i], names[client]);
            model.client[i] = same_as[client];
            model.opened[i] = change;
            open++;
        }
        model.is_open[i] = !model.is_open[i];
        most = open > most ? open : most;
        assert_int_equal(model.clients.count, open);
        assert_true(stream_clients_find_excess(&model.clients) == find_slowly(&model));
    }
    assert_true(most > STREAMS / 2);
}

static void one_after_another_ends(void **state) {
    (void)state;
    static Model model;
    assert_true(!stream_clients_find_excess(&model.clients));
    for (size_t i = 0; i < STREAMS; i++) {
        model.client[i] = same_as[i % CLIENTS];
        model.opened[i] = i;
        model.is_open[i] = true;
        stream_clients_add(&model.clients, &model.streams[i], names[i % CLIENTS]);
    }
    for (size_t i = 0; i < STREAMS; i++) {
        Stream *excess = stream_clients_find_excess(&model.clients);
        assert_true(excess && excess == find_slowly(&model));
        stream_clients_remove(&model.clients, excess);
        model.is_open[excess - model.streams] = false;
    }
    assert_true(!stream_clients_find_excess(&model.clients) && model.clients.count == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_one_ends_whatever_came_and_went),
        cmocka_unit_test(one_after_another_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
