/* The decoder of the full screen's input: known sequences, cut anywhere, and any bytes. */
#include <string.h>

#include "base/random.h"
#include "testing.h"
#include "ui/screen/keys.h"

static Event decode(const char *bytes, size_t count) {
    KeyDecoder decoder = {.count = 0};
    Event event = {.kind = EVENT_NONE};
    keys_add(&decoder, bytes, count);
    assert_true(keys_take(&decoder, true, &event));
    assert_int_equal(decoder.count, 0);
    return event;
}

static void assert_key(const char *bytes, uint32_t key) {
    Event event = decode(bytes, strlen(bytes));
    assert_int_equal(event.kind, EVENT_KEY);
    assert_int_equal(event.key, key);
}

static void keys_are_known(void **state) {
    (void)state;
    assert_key("a", 'a');
    assert_key("\r", KEY_RETURN);
    assert_key("\n", KEY_RETURN);
    assert_key("\x7f", KEY_ERASE);
    assert_key("\b", KEY_ERASE);
    assert_key("\x1b", KEY_ESCAPE);
    assert_key("\x1b[A", KEY_CURSOR_UP);
    assert_key("\x1bOB", KEY_CURSOR_DOWN);
    assert_key("\x1b[1;5C", KEY_CURSOR_RIGHT);
    assert_key("\x1b[6~", KEY_PAGE_DOWN);
    assert_key("\x1b[Z", KEY_BACK_TAB);
    assert_key("가", 0xAC00);
}

static void clicks_are_known(void **state) {
    (void)state;
    static const char *const clicks[] = {"\x1b[<0;12;5M", "\x1b[M ,%"};
    for (int i = 0; i < 2; i++) {
        Event event = decode(clicks[i], strlen(clicks[i]));
        assert_int_equal(event.kind, EVENT_CLICK);
        assert_int_equal(event.row, 4);
        assert_int_equal(event.column, 11);
    }
    Event wheel = decode("\x1b[<65;1;1M", 10);
    assert_int_equal(wheel.kind, EVENT_WHEEL);
    assert_int_equal(wheel.turns, 1);
}

/* Wherever the bytes are cut, the events are the same. */
static void sequences_may_be_cut(void **state) {
    (void)state;
    static const char bytes[] = "x\x1b[A가\x1b[<0;12;5M\x1b[5~";
    static const uint32_t keys[] = {'x', KEY_CURSOR_UP, 0xAC00, KEY_NOTHING, KEY_PAGE_UP};
    for (size_t cut = 0; cut < sizeof bytes; cut++) {
        KeyDecoder decoder = {.count = 0};
        size_t found = 0;
        for (size_t i = 0; i < 2; i++) {
            Event event;
            keys_add(&decoder, bytes + (i ? cut : 0), i ? sizeof bytes - 1 - cut : cut);
            while (keys_take(&decoder, false, &event)) {
                assert_true(found < 5);
                assert_int_equal(event.kind == EVENT_CLICK ? KEY_NOTHING : event.key, keys[found]);
                found++;
            }
            if (cut == sizeof bytes - 1)
                break;
        }
        assert_int_equal(found, 5);
    }
}

/* Any bytes come to an end, and never fill the decoder for good. */
static void any_bytes_are_decoded(void **state) {
    (void)state;
    static const char alphabet[] = "\x1b[<;0123Mm~AO\xea\xb0\x80\xff\x00 a";
    Random random = random_from_seed(7, 0);
    KeyDecoder decoder = {.count = 0};
    for (int i = 0; i < 100000; i++) {
        Event event;
        char byte = alphabet[random_below(&random, sizeof alphabet)];
        keys_add(&decoder, &byte, 1);
        bool is_late = random_below(&random, 50) == 0;
        while (keys_take(&decoder, is_late, &event))
            assert_true(event.kind != EVENT_NONE);
        assert_true(!is_late || decoder.count == 0);
        assert_true(decoder.count < KEY_BYTES_MAX);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_known), cmocka_unit_test(clicks_are_known),
        cmocka_unit_test(sequences_may_be_cut), cmocka_unit_test(any_bytes_are_decoded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
