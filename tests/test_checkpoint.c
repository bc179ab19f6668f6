/* Checkpoints: what is saved comes back, and nothing else does. */
#include "kernel/checkpoint.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/progress.h"
#include "folder_testing.h"
#include "testing.h"

/* Work of three areas, the second of which may be left out. */
typedef struct Work {
    uint8_t first[5];
    uint32_t second[4];
    double third[3];
} Work;

enum { AREAS = 3 };

static const Work done = {{1, 2, 3, 4, 5}, {10, 20, 30, 40}, {0.5, -1, 1e300}};

static void list_areas(Work *work, bool with_second, CheckpointArea areas[AREAS]) {
    areas[0] = checkpoint_area(work->first, sizeof work->first, sizeof work->first);
    areas[1] =
        checkpoint_area(work->second, with_second ? sizeof work->second : 0, sizeof work->second);
    areas[2] = checkpoint_area(work->third, sizeof work->third, sizeof work->third);
}

static Status save(const char *path, const char *name, bool with_second) {
    Work work = done;
    CheckpointArea areas[AREAS];
    list_areas(&work, with_second, areas);
    return checkpoint_save(path, name, areas, AREAS);
}

/* Loads into work that is all zeros before. */
static Status load(const char *path, const char *name, Work *work, CheckpointArea areas[AREAS],
                   bool *found) {
    memset(work, 0, sizeof *work);
    list_areas(work, true, areas);
    return checkpoint_load(path, name, areas, AREAS, found);
}

static void expect_work(const Work *work, bool with_second) {
    static const uint32_t nothing[4] = {0};
    assert_memory_equal(work->first, done.first, sizeof done.first);
    assert_memory_equal(work->second, with_second ? done.second : nothing, sizeof done.second);
    assert_memory_equal(work->third, done.third, sizeof done.third);
}

static uint8_t *read_bytes(const char *path, size_t *size) {
    char *bytes;
    assert_ok(file_read(path, 1 << 20, &bytes, size));
    return (uint8_t *)bytes;
}

/* What a load says about a file of these bytes. */
static Status judge(const uint8_t *bytes, size_t size) {
    (void)unlink("judged"); /* a new file is faster than one that is overwritten */
    FILE *file = fopen("judged", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    Work work;
    CheckpointArea areas[AREAS];
    bool found;
    Status status = load("judged", "digging", &work, areas, &found);
    assert_true(found);
    if (status_is_ok(&status))
        expect_work(&work, true);
    return status;
}

static void what_is_saved_comes_back(void **state) {
    (void)state;
    Work work;
    CheckpointArea areas[AREAS];
    for (int with_second = 0; with_second < 2; with_second++) {
        bool found = false;
        assert_ok(save("saved", "digging", with_second));
        assert_ok(load("saved", "digging", &work, areas, &found));
        assert_true(found);
        expect_work(&work, with_second);
        assert_int_equal(areas[1].size, with_second ? sizeof work.second : 0);
        assert_int_equal(areas[2].size, sizeof work.third);
    }
    /* Nothing but the checkpoint is left. */
    assert_false(file_exists("saved.tmp"));
    checkpoint_remove("saved");
    assert_false(file_exists("saved"));
    checkpoint_remove("saved"); /* once more does no harm */
}

static void the_last_one_counts(void **state) {
    (void)state;
    Work work = {{9}, {9}, {9}}, loaded;
    CheckpointArea areas[AREAS];
    bool found;
    list_areas(&work, true, areas);
    assert_ok(checkpoint_save("last", "digging", areas, AREAS));
    assert_ok(save("last", "digging", true));
    assert_ok(load("last", "digging", &loaded, areas, &found));
    expect_work(&loaded, true);
}

/* Areas may all be empty, and the name as long as there is room. */
static void nothing_can_be_saved_too(void **state) {
    (void)state;
    char name[CHECKPOINT_NAME_BYTES];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    char byte = 7;
    CheckpointArea area = checkpoint_area(&byte, 0, 1);
    bool found;
    assert_ok(checkpoint_save("empty", name, &area, 1));
    area.size = 1;
    assert_ok(checkpoint_load("empty", name, &area, 1, &found));
    assert_true(found);
    assert_int_equal(area.size, 0);
    assert_int_equal(byte, 7);
    assert_ok(checkpoint_save("empty", name, NULL, 0));
    assert_ok(checkpoint_load("empty", name, NULL, 0, &found));
}

static void a_missing_one_is_not_found(void **state) {
    (void)state;
    Work work;
    CheckpointArea areas[AREAS];
    bool found = true;
    assert_ok(load("missing", "digging", &work, areas, &found));
    assert_false(found);
    found = true;
    assert_ok(load("no-folder/missing", "digging", &work, areas, &found));
    assert_false(found);
}

static void other_work_is_refused(void **state) {
    (void)state;
    static const char *const others[] = {"diggin", "digging ", "Digging", ""};
    Work work;
    CheckpointArea areas[AREAS];
    bool found;
    assert_ok(save("other", "digging", true));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_fails(load("other", others[i], &work, areas, &found), STATUS_TABLE, "other work");
    /* Of that name, but with other areas: more, fewer, or of another size. */
    list_areas(&work, true, areas);
    assert_fails(checkpoint_load("other", "digging", areas, AREAS - 1, &found), STATUS_TABLE,
                 "damaged");
    areas[0].room--;
    assert_fails(checkpoint_load("other", "digging", areas, AREAS, &found), STATUS_TABLE,
                 "damaged");
    assert_ok(load("other", "digging", &work, areas, &found));
    expect_work(&work, true);
}

static void every_truncation_is_refused(void **state) {
    (void)state;
    size_t size;
    assert_ok(save("whole", "digging", true));
    uint8_t *bytes = read_bytes("whole", &size);
    for (size_t length = 0; length < size; length++)
        assert_fails(judge(bytes, length), STATUS_TABLE,
                     "the checkpoint 'judged' is damaged; remove it to start over");
    assert_ok(judge(bytes, size));
    /* Nor is a signal that came long before a reason to wait for more. */
    errno = EINTR;
    assert_fails(judge(bytes, size - 1), STATUS_TABLE, "damaged");
    free(bytes);
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    size_t size;
    assert_ok(save("whole", "digging", true));
    uint8_t *bytes = read_bytes("whole", &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_fails(judge(bytes, size), STATUS_TABLE, "the checkpoint 'judged' is ");
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_ok(judge(bytes, size));
    free(bytes);
}

static void longer_files_are_refused(void **state) {
    (void)state;
    size_t size;
    assert_ok(save("whole", "digging", true));
    uint8_t *bytes = read_bytes("whole", &size); /* a zero byte follows */
    assert_fails(judge(bytes, size + 1), STATUS_TABLE, "damaged");
    free(bytes);
}

static void what_is_no_file_is_an_error(void **state) {
    (void)state;
    Work work;
    CheckpointArea areas[AREAS];
    bool found;
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const char *const places[] = {"folder", "pipe", "/dev/zero"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        assert_fails(load(places[i], "digging", &work, areas, &found), STATUS_TABLE,
                     "not a regular file; remove it");
        assert_fails(save(places[i], "digging", true), STATUS_FAILED, "not a regular file");
    }
}

/* A save that fails says so in one line, and the old checkpoint is as it was. */
static void a_failed_save_leaves_the_old_one(void **state) {
    (void)state;
    Work work;
    CheckpointArea areas[AREAS];
    bool found;
    assert_ok(save("kept", "digging", true));
    assert_fails(save("no-folder/kept", "filling", true), STATUS_FAILED, "No such file");
    assert_fails(save("kept/kept", "filling", true), STATUS_FAILED, "Not a directory");
    /* No room for all of it. */
    struct rlimit usual, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t size = 0; size < 600; size += 100) {
        little = (struct rlimit){.rlim_cur = size, .rlim_max = usual.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
        Status status = save("kept", "filling", true);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
        assert_int_equal(status.code, STATUS_FAILED);
        assert_non_null(strstr(status.message, "cannot write 'kept'"));
        assert_null(strchr(status.message, '\n'));
        assert_false(file_exists("kept.tmp"));
    }
    assert_ok(load("kept", "digging", &work, areas, &found));
    assert_true(found);
    expect_work(&work, true);
}

/* What a writer that was killed left half done is used again. */
static void a_half_written_one_does_not_count(void **state) {
    (void)state;
    Work work;
    CheckpointArea areas[AREAS];
    bool found = true;
    assert_ok(file_replace("killed.tmp", "malpanC1 and no more", 20));
    assert_ok(load("killed", "digging", &work, areas, &found));
    assert_false(found);
    checkpoint_remove("killed");
    assert_false(file_exists("killed.tmp"));
    assert_ok(file_replace("killed.tmp", "malpanC1 and no more", 20));
    assert_ok(save("killed", "digging", true));
    assert_false(file_exists("killed.tmp"));
    assert_ok(load("killed", "digging", &work, areas, &found));
    expect_work(&work, true);
}

static void they_take_a_twentieth_of_the_time(void **state) {
    (void)state;
    double now = progress_clock_s();
    assert_true(checkpoint_is_due(20, now - 30, 1));
    assert_false(checkpoint_is_due(20, now - 10, 0.1)); /* nobody asked for one yet */
    assert_false(checkpoint_is_due(20, now - 30, 5));   /* it would take too long */
    assert_true(checkpoint_is_due(20, now - 110, 5));
    assert_true(checkpoint_is_due(0, now, 5)); /* asked for at every chance */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back),
        cmocka_unit_test(the_last_one_counts),
        cmocka_unit_test(nothing_can_be_saved_too),
        cmocka_unit_test(a_missing_one_is_not_found),
        cmocka_unit_test(other_work_is_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(longer_files_are_refused),
        cmocka_unit_test(what_is_no_file_is_an_error),
        cmocka_unit_test(a_failed_save_leaves_the_old_one),
        cmocka_unit_test(a_half_written_one_does_not_count),
        cmocka_unit_test(they_take_a_twentieth_of_the_time),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, make_folder, remove_folder);
}
