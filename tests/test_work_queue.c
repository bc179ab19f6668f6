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
    Request *requests; /* room for REQUESTS_MAX */
    size_t made;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    bool is_open;        /* work may end, */
    const Request *held; /* but not that of this request */
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

/* Work may end or not; with `held`, that of one request may not. */
static void set_open(bool is_open, const Request *held) {
    pthread_mutex_lock(&fixture.lock);
    fixture.is_open = is_open;
    fixture.held = held;
    pthread_cond_broadcast(&fixture.changed);
    pthread_mutex_unlock(&fixture.lock);
}

/* The work of a request: waits until it may end. */
static bool work(Request *request) {
    pthread_mutex_lock(&fixture.lock);
    fixture.done[fixture.begun++] = request;
    pthread_cond_broadcast(&fixture.changed);
    while (!fixture.is_open || fixture.held == request)
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
    fixture.requests = calloc(REQUESTS_MAX, sizeof *fixture.requests);
    assert_true(fixture.server && fixture.requests);
    pthread_mutex_init(&fixture.server->registry.lock, NULL);
    work_queue_init(fixture.server);
    assert_ok(work_queue_start(fixture.server, 1));
    return 0;
}

static int close_fixture(void **state) {
    (void)state;
    set_open(true, NULL);
    if (fixture.server->queue.phase == WORK_QUEUE_RUNNING)
        assert_true(work_queue_finish(fixture.server, 60));
    work_queue_free(fixture.server);
    pthread_mutex_destroy(&fixture.server->registry.lock);
    free(fixture.server);
    for (size_t i = 0; i < fixture.made; i++)
        free(fixture.requests[i].reply.text);
    free(fixture.requests);
    return 0;
}

static Request *make_request(const char *client) {
    assert_true(fixture.made < REQUESTS_MAX);
    Request *request = &fixture.requests[fixture.made++];
    *request = (Request){.server = fixture.server, .phase = REQUEST_RUNNING};
    snprintf(request->client, sizeof request->client, "%s", client);
    return request;
}

/* A request for long work that is in the queue. */
static Request *add(const char *client) {
    Request *request = make_request(client);
    assert_true(work_queue_add(request, JOB_LONG, work));
    return request;
}

static void assert_answered(const Request *request, unsigned status, bool retry) {
    assert_true(request->is_answered);
    assert_int_equal(request->reply.status, status);
    assert_int_equal(request->reply.retry, retry);
}

/* Lets all work end; then `count` requests were resumed and have their answer. */
static void finish_all(size_t count) {
    set_open(true, NULL);
    wait_for(&fixture.resumed, count);
}

static void assert_refused(const char *client, unsigned status, bool retry) {
    Request *request = make_request(client);
    size_t suspended = fixture.suspended;
    assert_false(work_queue_add(request, JOB_LONG, work));
    assert_answered(request, status, retry);
    assert_int_equal(fixture.suspended, suspended);
    assert_int_equal(request->phase, REQUEST_RUNNING);
}

static void a_request_is_done_and_resumed(void **state) {
    (void)state;
    const Request *request = add("a");
    wait_for(&fixture.begun, 1);
    assert_int_equal(request->phase, REQUEST_SUSPENDED);
    assert_int_equal(work_queue_counts(fixture.server).running, 1);
    finish_all(1);
    assert_int_equal(request->phase, REQUEST_RESUMED);
    assert_answered(request, MHD_HTTP_OK, false);
}

/* While one has many jobs waiting, another waits for one of them. */
static void clients_take_turns(void **state) {
    (void)state;
    const Request *a[WORK_QUEUE_REQUESTS_MAX], *b[2];
    static_assert(WORK_QUEUE_REQUESTS_MAX == 8, "all are expected");
    for (size_t i = 0; i < WORK_QUEUE_REQUESTS_MAX; i++) {
        a[i] = add("a");
        if (i == 0)
            wait_for(&fixture.begun, 1);
    }
    for (size_t i = 0; i < 2; i++)
        b[i] = add("b");
    finish_all(WORK_QUEUE_REQUESTS_MAX + 2);
    const Request *expected[] = {a[0], a[1], b[0], a[2], b[1], a[3], a[4], a[5], a[6], a[7]};
    assert_memory_equal(fixture.done, expected, sizeof expected);
}

/* The only other worker has long work, and more of that waits. */
static void short_work_does_not_wait(void **state) {
    (void)state;
    add("a");
    add("b");
    wait_for(&fixture.begun, 1);
    Request *quick = make_request("a");
    assert_true(work_queue_add(quick, JOB_SHORT, work));
    wait_for(&fixture.begun, 2);
    assert_ptr_equal(fixture.done[1], quick);
    finish_all(3);
}

/* With its colleague busy, the worker for all work neglects neither kind. */
static void lanes_take_turns(void **state) {
    (void)state;
    Request *quick[3];
    const Request *slow[3];
    slow[0] = add("a");
    wait_for(&fixture.begun, 1);
    for (size_t i = 0; i < 3; i++) {
        quick[i] = make_request("a");
        assert_true(work_queue_add(quick[i], JOB_SHORT, work));
        wait_for(&fixture.begun, 2); /* the first keeps the worker for short work */
        if (i > 0)
            slow[i] = add("b");
    }
    set_open(true, quick[0]);
    wait_for(&fixture.resumed, 5);
    const Request *expected[] = {slow[0], quick[0], quick[1], slow[1], quick[2], slow[2]};
    assert_memory_equal(fixture.done, expected, sizeof expected);
    finish_all(6);
}

/* What one may have pending does not depend on others, and what is done no longer counts. */
static void clients_are_limited_separately(void **state) {
    (void)state;
    const size_t all = (size_t)2 * WORK_QUEUE_REQUESTS_MAX;
    const char *const names[] = {"a", "b"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < WORK_QUEUE_REQUESTS_MAX; j++)
            add(names[i]);
        assert_refused(names[i], MHD_HTTP_TOO_MANY_REQUESTS, false);
    }
    finish_all(all);
    while (work_queue_counts(fixture.server).running > 0) { /* it counts until then */
    }
    add("a");
    finish_all(all + 1);
}

/* One request each, so that no client has too many. */
static void only_so_many_wait(void **state) {
    (void)state;
    char name[16];
    for (size_t i = 0; i <= WORK_QUEUE_WAITING_MAX; i++) {
        snprintf(name, sizeof name, "%zu", i);
        add(name);
        if (i == 0)
            wait_for(&fixture.begun, 1); /* this one does not wait */
    }
    assert_refused("other", MHD_HTTP_TOO_MANY_REQUESTS, false);
    finish_all(WORK_QUEUE_WAITING_MAX + 1);
}

/* Those that wait are answered at once; work under way may end, and is waited for. */
static void finishing_answers_all(void **state) {
    (void)state;
    WorkQueue *queue = &fixture.server->queue;
    const Request *running = add("a");
    wait_for(&fixture.begun, 1);
    const Request *waiting = add("a");
    assert_false(work_queue_finish(fixture.server, 0.01));
    assert_int_equal(fixture.resumed, 1);
    assert_answered(waiting, MHD_HTTP_SERVICE_UNAVAILABLE, true);
    assert_refused("a", MHD_HTTP_SERVICE_UNAVAILABLE, true);
    finish_all(2);
    assert_answered(running, MHD_HTTP_OK, false);
    assert_int_equal(fixture.begun, 1);
    pthread_mutex_lock(&queue->lock);
    while (queue->alive > 0) /* workers that were not waited for */
        pthread_cond_wait(&queue->finished, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_request_is_done_and_resumed, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(clients_take_turns, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(lanes_take_turns, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(short_work_does_not_wait, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(clients_are_limited_separately, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(only_so_many_wait, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(finishing_answers_all, open_fixture, close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
