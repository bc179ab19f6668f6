/* The files of the page: found by their paths, with their types. */
#include <string.h>

#include "testing.h"
#include "ui/web/assets.h"

static void types_go_by_the_ending(void **state) {
    (void)state;
    static const char *const types[][2] = {
        {"a.html", "text/html; charset=utf-8"},         {"a.css", "text/css; charset=utf-8"},
        {"a.b.js", "text/javascript; charset=utf-8"},   {"a.svg", "image/svg+xml"},
        {"a.webmanifest", "application/manifest+json"}, {"a.js.map", "application/octet-stream"},
        {"html", "application/octet-stream"},           {"", "application/octet-stream"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const Asset asset = {.name = types[i][0]};
        assert_string_equal(assets_type(&asset), types[i][1]);
    }
}

static void files_are_found_by_their_paths(void **state) {
    (void)state;
    const Asset *page = assets_find("/index.html");
    assert_non_null(page);
    assert_ptr_equal(assets_find("/"), page);
    assert_string_equal(assets_type(page), "text/html; charset=utf-8");
    const Asset *embedded = assets_find("/embed");
    assert_non_null(embedded);
    assert_ptr_equal(assets_find("/embed.html"), embedded);
    assert_ptr_not_equal(embedded, page);
    /* Compressed: the magic number of gzip, and the length of the whole at the end. */
    assert_true(page->packed[0] == 0x1f && page->packed[1] == 0x8b);
    assert_int_equal(page->packed_end[-4] | page->packed_end[-3] << 8, page->end - page->bytes);
    static const char *const none[] = {"", "index.html", "//index.html", "/index", "/index.html/"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_null(assets_find(none[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_go_by_the_ending),
        cmocka_unit_test(files_are_found_by_their_paths),
    };
    return cmocka_run_group_tests_name("assets", tests, NULL, NULL);
}
