/* The library resolves rules and positions as the other front ends do: tests/data/resolver.txt,
 * which tests/resolver.py reads too. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "malpan.h"
#include "testing.h"

enum { LINE_BYTES = 512, FIELDS = 4 };

/* Cuts white space off both ends. */
static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Whether `options` sets `name` to `value`, or is a switch where the value is "true". */
static bool has_option(const char *options, const char *name, const char *value) {
    char given[MALPAN_TEXT_BYTES + 4], wanted[MALPAN_TEXT_BYTES + 4];
    snprintf(given, sizeof given, " %s ", options);
    if (strcmp(value, "true") == 0)
        snprintf(wanted, sizeof wanted, " --%s ", name);
    else
        snprintf(wanted, sizeof wanted, " --%s %s ", name, value);
    return strstr(given, wanted) != NULL;
}

static void check_case(const char *line, char *fields[FIELDS]) {
    MalpanError error;
    char options[MALPAN_TEXT_BYTES];
    MalpanGame *game = malpan_open(fields[0], fields[1], fields[2][0] ? fields[2] : NULL, &error);
    if (strncmp(fields[3], "error:", 6) == 0) {
        if (game || !strstr(error.message, trim(fields[3] + 6)))
            fail_msg("%s: found '%s'", line, error.message);
        return;
    }
    if (!game)
        fail_msg("%s: refused: %s", line, error.message);
    assert_true(malpan_rules(game, options, sizeof options) < sizeof options);
    for (char *pair = strtok(fields[3], " "); pair; pair = strtok(NULL, " ")) {
        char *equals = strchr(pair, '=');
        assert_non_null(equals);
        *equals = '\0';
        if (!has_option(options, pair, equals + 1))
            fail_msg("%s: --%s is not %s in %s", line, pair, equals + 1, options);
    }
    malpan_close(&game);
}

static void the_library_resolves_like_the_program(void **state) {
    (void)state;
    FILE *file = fopen("tests/data/resolver.txt", "r");
    char line[LINE_BYTES], copy[LINE_BYTES];
    int cases = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *fields[FIELDS], *at = copy;
        memcpy(copy, line, sizeof copy);
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || !*trim(copy))
            continue;
        for (int i = 0; i < FIELDS; i++) {
            char *field = strsep(&at, "|");
            assert_non_null(field);
            fields[i] = trim(field);
        }
        check_case(line, fields);
        cases++;
    }
    assert_int_equal(fclose(file), 0);
    assert_true(cases >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_resolves_like_the_program),
    };
    return cmocka_run_group_tests_name("resolver", tests, NULL, NULL);
}
