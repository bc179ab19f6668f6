/* Files: replaced whole or not at all. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "folder_testing.h"
#include "testing.h"

static void assert_holds(const char *path, const char *expected) {
    char *bytes;
    size_t size;
    assert_ok(file_read(path, 1 << 20, &bytes, &size));
    assert_int_equal(size, strlen(expected));
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void file_is_replaced_whole(void **state) {
    (void)state;
    assert_false(file_exists("a"));
    assert_ok(file_replace("a", "one", 3));
    assert_holds("a", "one");
    assert_ok(file_replace("a", "1", 1));
    assert_holds("a", "1");
    assert_ok(file_replace("a", "", 0));
    assert_holds("a", "");
    assert_int_equal(chmod("a", 0640), 0);
    assert_ok(file_replace("a", "second", 6));
    assert_holds("a", "second");
    struct stat status;
    assert_int_equal(stat("a", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(symlink("a", "link"), 0);
    assert_ok(file_replace("link", "third", 5));
    assert_holds("a", "third");
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_ok(file_replace("dangling", "fourth", 6));
    assert_holds("nowhere", "fourth");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_fails(file_replace("loop", "x", 1), STATUS_FAILED, "loop");
    assert_ok(file_replace("empty", "", 0));
    assert_holds("empty", "");
}

static void file_draft_takes_its_place_at_the_end(void **state) {
    (void)state;
    FileDraft draft;
    assert_ok(file_replace("drafted", "old", 3));
    assert_ok(file_draft_open("drafted", &draft));
    assert_ok(file_draft_write(&draft, 5, "world", 5));
    assert_ok(file_draft_write(&draft, 0, "hello", 5));
    assert_holds("drafted", "old");
    assert_ok(file_draft_finish(&draft));
    assert_holds("drafted", "helloworld");
    assert_ok(file_draft_open("drafted", &draft));
    assert_ok(file_draft_write(&draft, 0, "new", 3));
    file_draft_abandon(&draft);
    assert_holds("drafted", "helloworld");
    assert_false(file_exists("drafted.tmp"));
    /* What a killed writer left is not part of the next draft. */
    FILE *left = fopen("drafted.tmp", "w");
    assert_true(left && fputs("left from before", left) >= 0 && fclose(left) == 0);
    assert_ok(file_draft_open("drafted", &draft));
    assert_ok(file_draft_write(&draft, 0, "new", 3));
    assert_ok(file_draft_finish(&draft));
    assert_holds("drafted", "new");
    assert_fails(file_draft_open("no/such/folder", &draft), STATUS_FAILED, "No such file");
}

/* Neither the open nor a write waits for somebody at the other end. */
static void pipes_are_refused(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(mkfifo("piped.tmp", 0600), 0);
    assert_fails(file_replace("pipe", "x", 1), STATUS_FAILED, "not a regular file");
    assert_fails(file_replace("piped", "x", 1), STATUS_FAILED, "'piped'");
    int reader = open("piped.tmp", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_fails(file_replace("piped", "x", 1), STATUS_FAILED, "not a regular file");
    char byte;
    assert_int_equal(read(reader, &byte, 1), 0);
    close(reader);
    assert_false(file_exists("piped"));
    assert_true(file_exists("piped.tmp"));
}

static void file_errors_name_the_file(void **state) {
    (void)state;
    char *bytes;
    size_t size;
    assert_fails(file_read("none", 10, &bytes, &size), STATUS_FAILED, "'none'");
    assert_ok(file_replace("big", "0123456789a", 11));
    assert_fails(file_read("big", 10, &bytes, &size), STATUS_FAILED, "more than 10 bytes");
    assert_fails(file_replace("no/such/folder", "x", 1), STATUS_FAILED, "No such file");
    assert_fails(file_replace(".", "x", 1), STATUS_FAILED, "not a regular file");
    assert_fails(file_replace("/dev/full", "x", 1), STATUS_FAILED, "not a regular file");
    assert_int_equal(symlink("big", "linked.tmp"), 0);
    assert_fails(file_replace("linked", "x", 1), STATUS_FAILED, "not a regular file");
    char long_name[5000];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_fails(file_replace(long_name, "x", 1), STATUS_FAILED, "too long");
}

/* A writer is killed at any moment: the file is always one whole version. */
static void file_survives_a_kill(void **state) {
    (void)state;
    enum { KILLS = 60, BYTES = 1 << 16 };
    static char version[BYTES];
    memset(version, 'A', sizeof version);
    assert_ok(file_replace("victim", version, sizeof version));
    Random random = random_from_seed(5, 0);
    for (int i = 0; i < KILLS; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            for (char letter = 'B';; letter = letter == 'Z' ? 'A' : (char)(letter + 1)) {
                memset(version, letter, sizeof version);
                file_replace("victim", version, sizeof version);
            }
        }
        struct timespec pause = {.tv_nsec = (long)random_below(&random, 8000000)};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        char *bytes;
        size_t size;
        assert_ok(file_read("victim", 1 << 20, &bytes, &size));
        assert_int_equal(size, BYTES);
        for (size_t j = 1; j < size; j++)
            assert_true(bytes[j] == bytes[0]);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_is_replaced_whole),
        cmocka_unit_test(file_draft_takes_its_place_at_the_end),
        cmocka_unit_test(pipes_are_refused),
        cmocka_unit_test(file_errors_name_the_file),
        cmocka_unit_test(file_survives_a_kill),
    };
    return cmocka_run_group_tests_name("file", tests, make_folder, remove_folder);
}
