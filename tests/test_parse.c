/* Parsing JSON while memory runs out: every allocation fails once, or that and the rest. No byte is
 * written beyond an allocation, everything is freed, and a result is complete or not there.
 */
#include <stdio.h>
#include <string.h>

#include "testing.h"
#include "ui/json/parse.h"

enum { GUARD_BYTES = 64, GUARD = 0xa5 };

static struct {
    size_t asked;   /* allocations since it was set to 0 */
    size_t failing; /* the number of the one that fails */
    bool for_good;  /* all after it fail, too */
    size_t held;    /* allocations that are not freed yet */
} memory = {.failing = SIZE_MAX};

/* The linker's names, by its option --wrap: the ordinary function, and what is called instead. */
void *allocate(size_t bytes) __asm__("__wrap_malloc");
void *allocate_really(size_t bytes) __asm__("__real_malloc");
void release(void *bytes) __asm__("__wrap_free");
void release_really(void *bytes) __asm__("__real_free");

/* An allocation begins with its size and ends with a guard. */
void *allocate(size_t bytes) {
    size_t number = memory.asked++;
    if (number == memory.failing || (memory.for_good && number > memory.failing))
        return NULL;
    unsigned char *made = allocate_really(GUARD_BYTES + bytes + GUARD_BYTES);
    assert_non_null(made);
    memcpy(made, &bytes, sizeof bytes);
    memset(made + GUARD_BYTES, 0, bytes);
    memset(made + GUARD_BYTES + bytes, GUARD, GUARD_BYTES);
    memory.held++;
    return made + GUARD_BYTES;
}

void release(void *bytes) {
    unsigned char *at = bytes;
    size_t size;
    if (!bytes)
        return;
    memcpy(&size, at - GUARD_BYTES, sizeof size);
    for (size_t i = 0; i < GUARD_BYTES; i++)
        assert_int_equal(at[size + i], GUARD);
    memory.held--;
    release_really(at - GUARD_BYTES);
}

/* Parses the text with this allocation failing. Returns whether memory ran out. */
static bool parse_failing(const char *text, size_t failing, bool for_good, const json_t *whole) {
    size_t held = memory.held;
    json_t *json;
    json_error_t error;
    memory.asked = 0;
    memory.failing = failing;
    memory.for_good = for_good;
    bool is_parsed = json_parse(text, strlen(text), &json, &error);
    memory.failing = SIZE_MAX;
    memory.for_good = false;
    assert_true(is_parsed || !json);
    if (is_parsed)
        assert_true(json_equal(json, whole));
    json_decref(json);
    assert_int_equal(memory.held, held);
    return !is_parsed;
}

static void check_text(const char *text) {
    json_error_t error;
    json_t *whole;
    assert_true(json_parse(text, strlen(text), &whole, &error));
    assert_non_null(whole);
    for (int for_good = 0; for_good < 2; for_good++) {
        size_t failing = 0;
        while (parse_failing(text, failing, for_good, whole))
            failing++;
        assert_true(failing > 3); /* all allocations of the text */
    }
    json_decref(whole);
}

/* The buffer has to grow at every place of a string: within it, at an escape, at its end. */
static void strings_of_all_lengths(void **state) {
    (void)state;
    static const char *const forms[] = {"{\"key\": \"%s\"}", "{\"%s\": 1}", "[\"%s\\n\", 2.5]",
                                        "[\"%s\\ud55c\\uae00\", true]", "[[\"%s한글\"], {}, null]"};
    char letters[300], text[400];
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        for (size_t length = 0; length < sizeof letters; length += length < 70 ? 1 : 29) {
            memset(letters, 'a', length);
            letters[length] = '\0';
            snprintf(text, sizeof text, forms[form], letters);
            check_text(text);
        }
    }
}

/* Malformed text is reported as such, and not as a lack of memory. */
static void malformed_texts(void **state) {
    (void)state;
    static const char *const texts[] = {"",        "{",           "[1,]",     "{\"a\":1,\"a\":2}",
                                        "\"\\q\"", "[1] 2",       "\"\xff\"", "{\"a\" 1}",
                                        "nul",     "{\"a\": 1}}", "[\"abc"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_error_t error;
        json_t *json;
        assert_true(json_parse(texts[i], strlen(texts[i]), &json, &error));
        assert_null(json);
        assert_true(error.text[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(strings_of_all_lengths),
                                       cmocka_unit_test(malformed_texts)};
    json_parse_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
