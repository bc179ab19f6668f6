/* The cache of replies: what was stored is found until it expires or there is too much. */
#include <stdio.h>
#include <string.h>

#include "testing.h"
#include "ui/web/reply_cache.h"

static double now_s;

/* The linker's name, by its option --wrap, for what is called instead. */
double read_fake_clock(void) __asm__("__wrap_progress_clock_s");
double read_fake_clock(void) {
    return now_s;
}

static ReplyCache cache;

static int open_cache(void **state) {
    (void)state;
    now_s = 1000;
    reply_cache_init(&cache);
    return 0;
}

static int close_cache(void **state) {
    (void)state;
    reply_cache_free(&cache);
    return 0;
}

static void assert_found(const char *key, const char *reply) {
    char *found = reply_cache_find(&cache, key);
    if (reply)
        assert_string_equal(found, reply);
    else
        assert_null(found);
    free(found);
}

static const char *name_key(unsigned number, char key[16]) {
    snprintf(key, 16, "%u %u", number % 29, number / 29);
    return key;
}

static void a_reply_is_found_until_it_expires(void **state) {
    (void)state;
    assert_found("key", NULL);
    reply_cache_store(&cache, "key", "reply", 60);
    reply_cache_store(&cache, "other", "another", 120);
    now_s += 59;
    assert_found("key", "reply");
    now_s += 2;
    assert_found("key", NULL);
    assert_found("other", "another");
    reply_cache_store(&cache, "key", "news", 60);
    assert_found("key", "news");
    reply_cache_store(&cache, "key", "", 0);
    assert_found("key", NULL);
}

/* As many as somebody may look at while exploring a game; keys of the same place do not matter. */
static void many_replies_are_found(void **state) {
    (void)state;
    enum { COUNT = 1682, ROUNDS = 3 };
    unsigned missing = 0;
    char key[16];
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            char *found = reply_cache_find(&cache, name_key(i, key));
            missing += !found;
            if (found)
                assert_string_equal(found, key);
            else
                reply_cache_store(&cache, key, key, 60);
            free(found);
        }
    }
    assert_in_range(missing, COUNT, COUNT + COUNT / 100);
}

/* However many are stored, the newest is there, and the bytes are counted. */
static void the_newest_is_always_there(void **state) {
    (void)state;
    enum { COUNT = 3 * REPLY_CACHE_ENTRIES };
    char key[16];
    for (unsigned i = 0; i < COUNT; i++) {
        reply_cache_store(&cache, name_key(i, key), "reply", 60);
        assert_found(key, "reply");
    }
    size_t bytes = 0, found = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        char *reply = reply_cache_find(&cache, name_key(i, key));
        found += reply != NULL;
        bytes += reply ? strlen(key) + strlen(reply) + 2 : 0;
        free(reply);
    }
    assert_int_equal(cache.bytes, bytes);
    assert_in_range(found, REPLY_CACHE_ENTRIES / 10 * 9, REPLY_CACHE_ENTRIES);
}

static void there_are_limits(void **state) {
    (void)state;
    static char long_reply[REPLY_CACHE_ENTRY_BYTES_MAX + 1];
    char key[16];
    memset(long_reply, 'x', sizeof long_reply - 1);
    reply_cache_store(&cache, "k", long_reply, 60); /* with its key, one byte too long */
    assert_found("k", NULL);
    long_reply[REPLY_CACHE_ENTRY_BYTES_MAX - 8] = '\0';
    for (unsigned i = 0; i < REPLY_CACHE_ENTRIES; i++) {
        reply_cache_store(&cache, name_key(i, key), long_reply, 60);
        assert_found(key, long_reply);
        assert_true(cache.bytes <= REPLY_CACHE_BYTES_MAX);
    }
}

#define CACHE_TEST(test) cmocka_unit_test_setup_teardown(test, open_cache, close_cache)

int main(void) {
    const struct CMUnitTest tests[] = {
        CACHE_TEST(a_reply_is_found_until_it_expires),
        CACHE_TEST(many_replies_are_found),
        CACHE_TEST(the_newest_is_always_there),
        CACHE_TEST(there_are_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
