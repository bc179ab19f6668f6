/* The progress line: its words, and its width on a terminal. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/text.h"
#include "folder_testing.h"
#include "terminal/progress_line.h"
#include "testing.h"

static void progress_tells_rate_and_time_left(void **state) {
    (void)state;
    FILE *stream = fopen("progress", "w+");
    assert_non_null(stream);
    ProgressLine silent = progress_line_on(stream, false);
    assert_null(silent.base.show); /* not a terminal, not asked for */
    ProgressLine shown = progress_line_on(stream, true);
    Progress *progress = &shown.base;
    progress_start(progress, "playing");
    progress_report(progress, 1, 100); /* too early to say anything */
    progress->started_s -= 10;
    progress_report(progress, 250000, 1000000);
    progress_report(progress, 250001, 1000000); /* too soon after the last */
    progress_finish(progress);
    progress_start(NULL, "nothing");
    progress_report(NULL, 1, 2);
    progress_finish(NULL);
    fclose(stream);
    char *bytes;
    size_t size;
    assert_ok(file_read("progress", 1000, &bytes, &size));
    assert_non_null(strstr(bytes, "playing  25 %  250,000 of 1,000,000  "));
    assert_non_null(strstr(bytes, "/s  3")); /* 30 s, or a little more on a slow machine */
    assert_non_null(strstr(bytes, " s left\n"));
    assert_ptr_equal(strchr(bytes, '\n'), strrchr(bytes, '\n'));
    free(bytes);
}

/* Everything that was written to the terminal so far. */
static void read_terminal(int master, char bytes[], size_t room) {
    ssize_t length = read(master, bytes, room - 1);
    assert_true(length >= 0);
    bytes[length] = '\0';
}

/* A line never reaches the right edge, where a terminal wraps; not even after the window shrank. */
static void progress_fits_the_terminal(void **state) {
    (void)state;
    static const unsigned short widths[] = {200, 60, 41, 40, 20, 7, 2, 1};
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *stream = fopen(ptsname(master), "w");
    assert_non_null(stream);
    ProgressLine shown = progress_line_on(stream, false);
    Progress *progress = &shown.base;
    assert_true(shown.rewrite);
    progress_start(progress, "말판의 값을 구하는 중");
    progress->started_s -= 10;
    char bytes[1000], *line;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        struct winsize size = {.ws_row = 24, .ws_col = widths[i]};
        assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
        progress->shown_s = 0; /* due again */
        progress_report(progress, 250000, 1000000);
        read_terminal(master, bytes, sizeof bytes);
        assert_int_equal(bytes[0], '\r');
        assert_null(strpbrk(bytes + 1, "\r\n"));
        line = bytes + 1;
        assert_true(text_columns(line) < widths[i]);
        if (widths[i] == 200)
            assert_non_null(strstr(line, "말판의 값을 구하는 중  25 %  250,000 of 1,000,000  "));
        if (widths[i] == 41)
            assert_memory_equal(line, "말판의 값을 구하는 중  25 %  250,000 of ",
                                strlen("말판의 값을 구하는 중  25 %  250,000 of "));
        char printable[sizeof bytes];
        snprintf(printable, sizeof printable, "%s", line);
        text_make_printable(printable);
        assert_string_equal(printable, line); /* no half character */
    }
    struct winsize wide = {.ws_row = 24, .ws_col = 30};
    assert_int_equal(ioctl(master, TIOCSWINSZ, &wide), 0);
    progress->shown_s = 0;
    progress_report(progress, 250000, 1000000);
    read_terminal(master, bytes, sizeof bytes);
    wide.ws_col = 10;
    assert_int_equal(ioctl(master, TIOCSWINSZ, &wide), 0);
    progress_finish(progress);
    read_terminal(master, bytes, sizeof bytes);
    assert_string_equal(bytes, "\r         \r");
    fclose(stream);
    close(master);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_tells_rate_and_time_left),
        cmocka_unit_test(progress_fits_the_terminal),
    };
    return cmocka_run_group_tests_name("progress", tests, make_folder, remove_folder);
}
