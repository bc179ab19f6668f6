/* The work queue with requests whose work the test decides on: who comes first, who is refused, and
 * what happens at the end. Connections are suspended and resumed by the test.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "testing.h"
#include "ui/web/server.h"

enum { REQUESTS_MAX = 300 };

static struct {
    Server *server;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    bool is_open; /* work may end */
    size_t suspended, resumed, begun;
    const Request *done[REQUESTS_MAX]; /* in the order in which their work began */
} fixture;

/* The linker's names, by its option --wrap: what is called instead of libmicrohttpd. */
void note_suspended(struct MHD_Connection *connection) __asm__("__wrap_MHD_suspend_connection");
void note_resumed(struct MHD_Connection *connection) __asm__("__wrap_MHD_resume_connection");

/* Adds 1 to one of the counts. */
static void count(size_t *what) {
    pthread_mutex_lock(&fixture.lock);
    ++*what;
    pthread_cond_broadcast(&fixture.changed);
    pthread_mutex_unlock(&fixture.lock);
}

static void wait_for(const size_t *what, size_t value) {
    pthread_mutex_lock(&fixture.lock);
    while (*what < value)
        pthread_cond_wait(&fixture.changed, &fixture.lock);
    assert_int_equal(*what, value);
    pthread_mutex_unlock(&fixture.lock);
}

void note_suspended(struct MHD_Connection *connection) {
    (void)connection;
    count(&fixture.suspended);
}

void note_resumed(struct MHD_Connection *connection) {
    (void)connection;
    count(&fixture.resumed);
}

static void set_open(bool is_open) {
    pthread_mutex_lock(&fixture.lock);
    fixture.is_open = is_open;
    pthread_cond_broadcast(&fixture.changed);
    pthread_mutex_unlock(&fixture.lock);
}

/* The work of a request: waits until it may end. */
static bool work(Request *request) {
    pthread_mutex_lock(&fixture.lock);
    fixture.done[fixture.begun++] = request;
    pthread_cond_broadcast(&fixture.changed);
    while (!fixture.is_open)
        pthread_cond_wait(&fixture.changed, &fixture.lock);
    pthread_mutex_unlock(&fixture.lock);
    reply_json(request, MHD_HTTP_OK, json_object());
    return true;
}

/* One worker, and the one for short work. */
static int open_fixture(void **state) {
    (void)state;
    memset(&fixture, 0, sizeof fixture);
    pthread_mutex_init(&fixture.lock, NULL);
    pthread_cond_init(&fixture.changed, NULL);
    fixture.server = calloc(1, sizeof *fixture.server);
    assert_non_null(fixture.server);
    pthread_mutex_init(&fixture.server->registry.lock, NULL);
    work_queue_init(fixture.server);
    assert_ok(work_queue_start(fixture.server, 1));
    return 0;
}

static int close_fixture(void **state) {
    (void)state;
    set_open(true);
    if (fixture.server->queue.phase == WORK_QUEUE_RUNNING)
        assert_true(work_queue_finish(fixture.server, 60));
    work_queue_free(fixture.server);
    pthread_mutex_destroy(&fixture.server->registry.lock);
    free(fixture.server);
    return 0;
}

static Request make_request(const char *client) {
    Request request = {.server = fixture.server, .phase = REQUEST_RUNNING};
    snprintf(request.client, sizeof request.client, "%s", client);
    return request;
}

static void add(Request *request, JobLane lane) {
    assert_true(work_queue_add(request, lane, work));
}

/* The answer is this; it is freed. */
static void assert_answered(Request *request, unsigned status, bool retry) {
    assert_true(request->is_answered);
    assert_int_equal(request->reply.status, status);
    assert_int_equal(request->reply.retry, retry);
    free(request->reply.text);
    request->reply.text = NULL;
}

static void assert_refused(Request *request, unsigned status, bool retry) {
    size_t suspended = fixture.suspended;
    assert_false(work_queue_add(request, JOB_LONG, work));
    assert_answered(request, status, retry);
    assert_int_equal(fixture.suspended, suspended);
    assert_int_equal(request->phase, REQUEST_RUNNING);
}

static void a_request_is_done_and_resumed(void **state) {
    (void)state;
    Request request = make_request("a");
    add(&request, JOB_LONG);
    wait_for(&fixture.begun, 1);
    assert_int_equal(request.phase, REQUEST_SUSPENDED);
    assert_int_equal(work_queue_counts(fixture.server).running, 1);
    set_open(true);
    wait_for(&fixture.resumed, 1);
    assert_int_equal(request.phase, REQUEST_RESUMED);
    assert_answered(&request, MHD_HTTP_OK, false);
}

/* While one has a hundred jobs waiting, another waits for one of them. */
static void clients_take_turns(void **state) {
    (void)state;
    Request first = make_request("a"), many[WORK_QUEUE_REQUESTS_MAX - 1], other[2];
    add(&first, JOB_LONG);
    wait_for(&fixture.begun, 1);
    for (size_t i = 0; i < WORK_QUEUE_REQUESTS_MAX - 1; i++) {
        many[i] = make_request("a");
        add(&many[i], JOB_LONG);
    }
    for (size_t i = 0; i < 2; i++) {
        other[i] = make_request("b");
        add(&other[i], JOB_LONG);
    }
    set_open(true);
    wait_for(&fixture.resumed, 2 + WORK_QUEUE_REQUESTS_MAX);
    const Request *expected[] = {&first,   &many[0], &other[0], &many[1], &other[1],
                                 &many[2], &many[3], &many[4],  &many[5], &many[6]};
    static_assert(WORK_QUEUE_REQUESTS_MAX == 8, "all are expected");
    assert_memory_equal(fixture.done, expected, sizeof expected);
    for (size_t i = 0; i < WORK_QUEUE_REQUESTS_MAX - 1; i++)
        assert_answered(&many[i], MHD_HTTP_OK, false);
    for (size_t i = 0; i < 2; i++)
        assert_answered(&other[i], MHD_HTTP_OK, false);
    assert_answered(&first, MHD_HTTP_OK, false);
}

/* All other workers have long work. */
static void short_work_does_not_wait(void **state) {
    (void)state;
    Request slow[2] = {make_request("a"), make_request("b")}, quick = make_request("a");
    for (size_t i = 0; i < 2; i++)
        add(&slow[i], JOB_LONG);
    wait_for(&fixture.begun, 1);
    add(&quick, JOB_SHORT);
    wait_for(&fixture.begun, 2);
    assert_ptr_equal(fixture.done[1], &quick);
    set_open(true);
    wait_for(&fixture.resumed, 3);
    for (size_t i = 0; i < 2; i++)
        assert_answered(&slow[i], MHD_HTTP_OK, false);
    assert_answered(&quick, MHD_HTTP_OK, false);
}

/* What one may have pending does not depend on others, and what is done no longer counts. */
static void clients_are_limited_separately(void **state) {
    (void)state;
    Request requests[2][WORK_QUEUE_REQUESTS_MAX];
    const char *const names[] = {"a", "b"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < WORK_QUEUE_REQUESTS_MAX; j++) {
            requests[i][j] = make_request(names[i]);
            add(&requests[i][j], JOB_LONG);
        }
        Request refused = make_request(names[i]);
        assert_refused(&refused, MHD_HTTP_TOO_MANY_REQUESTS, false);
    }
    set_open(true);
    wait_for(&fixture.resumed, 2 * WORK_QUEUE_REQUESTS_MAX);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < WORK_QUEUE_REQUESTS_MAX; j++)
            assert_answered(&requests[i][j], MHD_HTTP_OK, false);
    Request again = make_request("a");
    while (work_queue_counts(fixture.server).running > 0) {
    }
    add(&again, JOB_LONG);
    wait_for(&fixture.resumed, 2 * WORK_QUEUE_REQUESTS_MAX + 1);
    assert_answered(&again, MHD_HTTP_OK, false);
}

/* One request each, so that no client has too many. */
static void only_so_many_wait(void **state) {
    (void)state;
    Request *requests = calloc(WORK_QUEUE_WAITING_MAX + 1, sizeof *requests);
    char name[16];
    assert_non_null(requests);
    for (size_t i = 0; i <= WORK_QUEUE_WAITING_MAX; i++) {
        snprintf(name, sizeof name, "%zu", i);
        requests[i] = make_request(name);
        add(&requests[i], JOB_LONG);
        if (i == 0)
            wait_for(&fixture.begun, 1); /* it does not wait any more */
    }
    Request refused = make_request("other");
    assert_refused(&refused, MHD_HTTP_TOO_MANY_REQUESTS, false);
    set_open(true);
    wait_for(&fixture.resumed, WORK_QUEUE_WAITING_MAX + 1);
    for (size_t i = 0; i <= WORK_QUEUE_WAITING_MAX; i++)
        assert_answered(&requests[i], MHD_HTTP_OK, false);
    free(requests);
}

/* Those that wait are answered at once; work under way may end, and is waited for. */
static void finishing_answers_all(void **state) {
    (void)state;
    Request running = make_request("a"), waiting = make_request("a"), late = make_request("a");
    add(&running, JOB_LONG);
    wait_for(&fixture.begun, 1);
    add(&waiting, JOB_LONG);
    assert_false(work_queue_finish(fixture.server, 0.01));
    assert_int_equal(fixture.resumed, 1);
    assert_answered(&waiting, MHD_HTTP_SERVICE_UNAVAILABLE, true);
    assert_refused(&late, MHD_HTTP_SERVICE_UNAVAILABLE, true);
    set_open(true);
    wait_for(&fixture.resumed, 2);
    assert_answered(&running, MHD_HTTP_OK, false);
    assert_int_equal(fixture.begun, 1);
    WorkQueue *queue = &fixture.server->queue;
    pthread_mutex_lock(&queue->lock);
    while (queue->alive > 0) /* workers that were not waited for */
        pthread_cond_wait(&queue->finished, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_request_is_done_and_resumed, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(clients_take_turns, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(short_work_does_not_wait, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(clients_are_limited_separately, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(only_so_many_wait, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(finishing_answers_all, open_fixture, close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
