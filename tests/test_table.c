/* Solved tables on disk: written values are read back, and unfinished tables leave no trace.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/text.h"
#include "base/threads.h"
#include "table_testing.h"
#include "terminal/progress_line.h"

/* --- writing and reading --- */

static Value *const values[] = {noise, smooth, constant};

static void assert_values(TableReader *reader, const TableInfo *info, Value *value) {
    enum { PIECE = 13 };
    uint32_t code, piece[PIECE];
    uint32_t code_max = table_code_max(info->value_bytes);
    for (uint64_t i = 0; i < info->count; i++) {
        assert_ok(table_get(reader, i, &code));
        assert_int_equal(code, value(i, code_max));
    }
    for (uint64_t i = 0; i < info->count; i += PIECE) {
        size_t size = info->count - i < PIECE ? (size_t)(info->count - i) : PIECE;
        assert_ok(table_read(reader, i, size, piece));
        for (size_t j = 0; j < size; j++)
            assert_int_equal(piece[j], value(i + j, code_max));
    }
    assert_ok(table_read(reader, info->count, 0, piece));
}

static void assert_round_trip(const TableInfo *info, Value *value) {
    Table *table;
    TableReader *reader;
    uint32_t *codes = make_codes(info, value);
    uint64_t content = write_codes("round", info, codes, 1, info->count + 1);
    assert_ok(table_open("round", &table));
    const TableInfo *found = table_info(table);
    assert_string_equal(found->game, info->game);
    assert_string_equal(found->rules, info->rules);
    assert_int_equal(found->count, info->count);
    assert_int_equal(found->value_bytes, info->value_bytes);
    assert_int_equal(found->meaning, info->meaning);
    assert_true(found->error == info->error);
    assert_int_equal(found->block_values,
                     info->block_values ? info->block_values : TABLE_BLOCK_VALUES);
    assert_int_equal(found->content, content);
    assert_ok(table_verify(table, 2, NULL, NULL));
    assert_ok(table_reader_open(table, 100, &reader));
    assert_values(reader, info, value);
    table_reader_close(reader);
    table_close(table);
    free(codes);
}

static void tables_of_all_sizes_come_back(void **state) {
    (void)state;
    static const uint64_t counts[] = {0, 1, 7, 8, 9, 16, 17, 500};
    for (int value_bytes = 1; value_bytes <= TABLE_VALUE_BYTES_MAX; value_bytes++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {
                TableInfo info = describe(counts[i], value_bytes, 8);
                assert_round_trip(&info, values[j]);
            }
    static const uint32_t blocks[] = {0, 1, 3, TABLE_BLOCK_VALUES_MAX};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        TableInfo info = describe(1025, 3, blocks[i]);
        info.meaning = TABLE_CODE;
        info.rules[0] = '\0';
        info.error = 0;
        assert_round_trip(&info, noise);
    }
    /* Blocks as long as can be, of what does not pack at all. */
    TableInfo large =
        describe(TABLE_BLOCK_VALUES_MAX + 5, TABLE_VALUE_BYTES_MAX, TABLE_BLOCK_VALUES_MAX);
    assert_round_trip(&large, noise);
}

/* The bytes depend neither on the number of threads nor on the portions; there are several batches.
 */
static void bytes_do_not_depend_on_threads(void **state) {
    (void)state;
    TableInfo info = describe(2500001, 3, 1000);
    uint32_t *codes = make_codes(&info, smooth);
    size_t size, size_of_other;
    write_codes("one", &info, codes, 1, info.count);
    uint8_t *bytes = read_bytes("one", &size);
    for (int threads = 1; threads <= 3; threads++) {
        write_codes("other", &info, codes, threads, threads == 1 ? 99999 : info.count);
        uint8_t *other = read_bytes("other", &size_of_other);
        assert_int_equal(size, size_of_other);
        assert_memory_equal(bytes, other, size);
        free(other);
    }
    free(bytes);
    Table *table;
    assert_ok(table_open("one", &table));
    for (int threads = 1; threads <= 3; threads++)
        assert_ok(table_verify(table, threads, NULL, NULL));
    table_close(table);
    free(codes);
}

static void content_depends_on_values_alone(void **state) {
    (void)state;
    TableInfo info = describe(5000, 2, 0);
    uint32_t *codes = make_codes(&info, noise);
    uint64_t content = write_codes("one", &info, codes, 1, info.count);
    info.block_values = 77;
    info.value_bytes = 3;
    assert_int_equal(write_codes("one", &info, codes, 1, info.count), content);
    codes[4999] ^= 1;
    assert_int_not_equal(write_codes("one", &info, codes, 1, info.count), content);
    free(codes);
}

static void chances_are_rounded_to_the_nearest_code(void **state) {
    (void)state;
    for (int bytes = 1; bytes <= TABLE_VALUE_BYTES_MAX; bytes++) {
        uint32_t largest = table_code_max(bytes);
        assert_int_equal(table_chance_code(0, bytes), 0);
        assert_int_equal(table_chance_code(1, bytes), largest);
        assert_true(table_chance(0, bytes) == 0 && table_chance(largest, bytes) == 1);
        for (int i = 0; i <= 1000; i++) {
            double chance = i / 1000.0;
            double found = table_chance(table_chance_code(chance, bytes), bytes);
            assert_true(fabs(found - chance) <= 0.5000001 / largest);
        }
    }
    assert_int_equal(table_code_max(3), 0xFFFFFF);
}

static void any_cache_gives_the_same_values(void **state) {
    (void)state;
    static const size_t caches[] = {0, 1, 200, 1000, 5000, SIZE_MAX};
    TableInfo info = describe(10000, 3, 50);
    Table *table;
    write_table("cached", &info, smooth);
    assert_ok(table_open("cached", &table));
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        TableReader *reader;
        Random random = random_from_seed(3, i);
        assert_ok(table_reader_open(table, caches[i], &reader));
        for (int j = 0; j < 3000; j++) {
            /* Near the last one as often as anywhere. */
            uint64_t index = random_below(&random, j % 2 ? 300 : info.count);
            uint32_t code;
            assert_ok(table_get(reader, index, &code));
            assert_int_equal(code, smooth(index, 0xFFFFFF));
        }
        table_reader_close(reader);
    }
    table_close(table);
}

static void numbers_beyond_the_table_are_refused(void **state) {
    (void)state;
    Table *table;
    TableReader *reader;
    uint32_t codes[16];
    write_small("small");
    assert_ok(table_open("small", &table));
    assert_ok(table_reader_open(table, 0, &reader));
    assert_fails(table_get(reader, 10, codes), STATUS_TABLE,
                 "has 10 values, expected one with the number 10");
    assert_fails(table_get(reader, UINT64_MAX, codes), STATUS_TABLE, "has 10 values");
    assert_fails(table_read(reader, 0, 11, codes), STATUS_TABLE, "has 10 values");
    assert_fails(table_read(reader, 9, 2, codes), STATUS_TABLE, "has 10 values");
    assert_fails(table_read(reader, UINT64_MAX, 2, codes), STATUS_TABLE, "has 10 values");
    assert_ok(table_read(reader, 9, 1, codes));
    table_reader_close(reader);
    table_close(table);
}

/* Reads random values, each thread with a reader of its own. */
static Status read_noise(void *context, size_t i, int thread) {
    const Table *table = context;
    TableReader *reader;
    Random random = random_from_seed(11, i);
    (void)thread;
    Status status = table_reader_open(table, 4000, &reader);
    if (!status_is_ok(&status))
        return status;
    for (int j = 0; j < 5000 && status_is_ok(&status); j++) {
        uint64_t index = random_below(&random, table_info(table)->count);
        uint32_t code = 0;
        status = table_get(reader, index, &code);
        if (status_is_ok(&status) && code != noise(index, 0xFFFFFF))
            status = status_make(STATUS_FAILED, "a wrong value");
    }
    table_reader_close(reader);
    return status;
}

static void threads_share_a_table(void **state) {
    (void)state;
    enum { THREADS = 4 };
    TableInfo info = describe(20000, 3, 64);
    Table *table;
    write_table("shared", &info, noise);
    assert_ok(table_open("shared", &table));
    assert_ok(threads_try(THREADS,
                          &(ThreadLoop){.count = THREADS, .step = read_noise, .context = table}));
    table_close(table);
}

static void checking_tells_its_progress(void **state) {
    (void)state;
    TableInfo info = describe(5000, 1, 10);
    Table *table;
    char *bytes;
    size_t size;
    write_table("checked", &info, noise);
    assert_ok(table_open("checked", &table));
    FILE *stream = fopen("progress", "w");
    assert_non_null(stream);
    ProgressLine line = progress_line_on(stream, true);
    assert_ok(table_verify(table, 2, &line.base, NULL));
    assert_string_equal(line.base.what, "checking");
    fclose(stream);
    table_close(table);
    assert_ok(file_read("progress", 1000, &bytes, &size)); /* so short that nothing was said */
    assert_int_equal(size, 0);
    free(bytes);
}

static void checking_stops_when_asked(void **state) {
    (void)state;
    TableInfo info = describe(5000, 1, 10);
    Table *table;
    StopFlag stop = true;
    write_table("stopped", &info, noise);
    assert_ok(table_open("stopped", &table));
    assert_fails(table_verify(table, 2, NULL, &stop), STATUS_STOPPED, "stopped");
    stop = false;
    assert_ok(table_verify(table, 2, NULL, &stop));
    table_close(table);
}

/* --- probes --- */

/* A probe returns a bare code; the message of the last failure stays until the next one. */
static void probes_fail_with_a_code_and_keep_the_message(void **state) {
    (void)state;
    TableInfo info = describe(10, 2, 4);
    Table *table;
    TableReader *reader;
    uint32_t code = 42;
    write_table("probed", &info, noise);
    assert_ok(table_open("probed", &table));
    assert_ok(table_reader_open(table, 1000, &reader));
    assert_int_equal(table_probe(reader, 10, &code), STATUS_TABLE);
    assert_int_equal(code, 42);
    assert_fails(table_reader_failure(reader), STATUS_TABLE,
                 "has 10 values, expected one with the "
                 "number 10");
    assert_int_equal(table_probe(reader, 9, &code), STATUS_OK);
    assert_int_equal(code, noise(9, 0xFFFF));
    assert_fails(table_reader_failure(reader), STATUS_TABLE, "number 10");
    assert_int_equal(table_probe(reader, UINT64_MAX, &code), STATUS_TABLE);
    assert_fails(table_reader_failure(reader), STATUS_TABLE, "number 18446744073709551615");
    table_reader_close(reader);
    table_close(table);
}

/* --- writers that do not finish --- */

static void an_abandoned_writer_leaves_nothing(void **state) {
    (void)state;
    TableInfo info = describe(3000000, 3, 0);
    TableWriter *writer;
    uint32_t *codes = make_codes(&info, noise);
    assert_ok(table_writer_open("given-up", &info, 2, &writer));
    assert_false(file_exists("given-up"));
    assert_ok(table_writer_add(writer, codes, 2500000)); /* some of it is on the disk by now */
    assert_false(file_exists("given-up"));
    table_writer_abandon(writer);
    assert_false(file_exists("given-up"));
    assert_false(file_exists("given-up.tmp"));
    table_writer_abandon(NULL);
    free(codes);
}

static void an_older_table_stays_until_the_new_one_is_whole(void **state) {
    (void)state;
    TableInfo info = describe(8, 1, 4);
    TableWriter *writer;
    Table *old;
    TableReader *reader;
    uint32_t codes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, code;
    size_t size, size_after;
    write_small("kept");
    uint8_t *bytes = read_bytes("kept", &size);
    assert_ok(table_writer_open("kept", &info, 1, &writer));
    assert_ok(table_writer_add(writer, codes, 8));
    table_writer_abandon(writer);
    uint8_t *after = read_bytes("kept", &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(bytes, after, size);
    free(after);
    free(bytes);
    /* A reader of the old table can still use it. */
    assert_ok(table_open("kept", &old));
    write_codes("kept", &info, codes, 1, 8);
    assert_ok(table_reader_open(old, 0, &reader));
    assert_ok(table_get(reader, 9, &code));
    assert_int_equal(code, smooth(9, 0xFFFFFF));
    assert_ok(table_verify(old, 1, NULL, NULL));
    table_reader_close(reader);
    table_close(old);
    assert_ok(table_open("kept", &old));
    assert_int_equal(table_info(old)->value_bytes, 1);
    table_close(old);
}

/* However a writer is killed, a complete table is at the target. */
static void a_killed_writer_leaves_a_whole_table(void **state) {
    (void)state;
    enum { KILLS = 30 };
    TableInfo info = describe(20000, 3, 100);
    uint32_t *codes = make_codes(&info, noise);
    write_codes("victim", &info, codes, 1, info.count);
    Random random = random_from_seed(5, 0);
    for (int i = 0; i < KILLS; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            for (;;) {
                TableWriter *writer;
                Status status = table_writer_open("victim", &info, 1, &writer);
                if (!status_is_ok(&status))
                    _exit(1);
                table_writer_add(writer, codes, info.count);
                table_writer_finish(writer, NULL);
            }
        struct timespec pause = {.tv_nsec = (long)random_below(&random, 8000000)};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        Table *table;
        assert_ok(table_open("victim", &table));
        assert_ok(table_verify(table, 1, NULL, NULL));
        table_close(table);
    }
    free(codes);
}

static void assert_one_line(Status status, const char *words) {
    assert_int_equal(status.code, STATUS_FAILED);
    assert_null(strchr(status.message, '\n'));
    if (!strstr(status.message, words))
        fail_msg("expected '%s' in '%s'", words, status.message);
}

static void a_folder_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    TableInfo info = describe(8, 1, 4);
    TableWriter *writer;
    assert_one_line(table_writer_open("no/such/folder", &info, 1, &writer), "No such file");
    assert_one_line(table_writer_open(".", &info, 1, &writer), "not a regular file");
    /* Root may write everywhere, so it is somebody else for a moment. */
    enum { NOBODY = 65534 };
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(mkdir("locked", 0555), 0);
    bool is_root = geteuid() == 0;
    assert_true(!is_root || seteuid(NOBODY) == 0);
    Status status = table_writer_open("locked/table", &info, 1, &writer);
    assert_true(!is_root || seteuid(0) == 0);
    assert_one_line(status, "cannot write 'locked/table': Permission denied");
}

/* As on a full disk: the writing fails, and an older table stays. */
static void a_disk_without_room_is_an_error(void **state) {
    (void)state;
    TableInfo info = describe(2000000, 3, 0);
    uint32_t *codes = make_codes(&info, noise);
    TableWriter *writer;
    struct rlimit before, small;
    write_small("no-room");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_ok(table_writer_open("no-room", &info, 2, &writer));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Status status = table_writer_add(writer, codes, info.count);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_one_line(status, "cannot write 'no-room': File too large");
    table_writer_abandon(writer);
    assert_false(file_exists("no-room.tmp"));
    assert_ok(open_and_close("no-room"));
    free(codes);
}

static void writers_refuse_what_no_table_can_be(void **state) {
    (void)state;
    TableWriter *writer;
    TableInfo info = describe(10, 5, 0);
    assert_fails(table_writer_open("bad", &info, 1, &writer), STATUS_USAGE,
                 "cannot write the table 'bad': expected 1 to 4 bytes a value");
    info = describe(10, 1, TABLE_BLOCK_VALUES_MAX + 1);
    assert_fails(table_writer_open("bad", &info, 1, &writer), STATUS_USAGE, "values a block");
    info = describe(UINT64_MAX, 1, 1);
    assert_fails(table_writer_open("bad", &info, 1, &writer), STATUS_USAGE, "2^32 blocks");
    info = describe(10, 1, 0);
    info.game[0] = '\0';
    assert_fails(table_writer_open("bad", &info, 1, &writer), STATUS_USAGE, "a game's name");
    info = describe(10, 1, 0);
    memset(info.rules, 'r', sizeof info.rules);
    assert_fails(table_writer_open("bad", &info, 1, &writer), STATUS_USAGE, "at most 383");
    info = describe(10, 1, 0);
    info.error = NAN;
    assert_fails(table_writer_open("bad", &info, 1, &writer), STATUS_USAGE, "error bound");
    info = describe(10, 1, 0);
    info.meaning = TABLE_MEANING_COUNT;
    assert_fails(table_writer_open("bad", &info, 1, &writer), STATUS_USAGE, "the meaning");
    assert_false(file_exists("bad"));
    assert_false(file_exists("bad.tmp"));
}

/* --- a second implementation: tests/table_reference.py --- */

static void the_reference_reads_what_is_written(void **state) {
    (void)state;
    for (int value_bytes = 1; value_bytes <= TABLE_VALUE_BYTES_MAX; value_bytes++) {
        TableInfo info = describe(321, value_bytes, 100);
        char command[2 * PATH_MAX], line[8192], expected[8192];
        Text text = text_over(expected, sizeof expected);
        uint32_t *codes = make_codes(&info, value_bytes % 2 ? noise : smooth);
        uint64_t content = write_codes("shown", &info, codes, 1, info.count);
        text_addf(&text,
                  "game box\nrules --tiles 9 --dice 2 --players 2\nmeaning chance\n"
                  "values 321 of %d bytes in 4 blocks of 100\nerror 1.5e-07\ncontent %016llx\n",
                  value_bytes, (unsigned long long)content);
        for (uint64_t i = 0; i < info.count; i++)
            text_addf(&text, "%u%c", codes[i], i + 1 < info.count ? ' ' : '\n');
        assert_false(text.truncated);
        snprintf(command, sizeof command, "python3 '%s/tests/table_reference.py' show shown 2>&1",
                 root);
        FILE *shown = popen(command, "r");
        assert_non_null(shown);
        size_t length = fread(line, 1, sizeof line - 1, shown);
        line[length] = '\0';
        assert_int_equal(pclose(shown), 0);
        assert_string_equal(line, expected);
        free(codes);
    }
}

static void what_the_reference_makes_is_read(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *game;
        uint64_t count, last; /* the last value */
    } tables[] = {
        {"example", "race", 5, 0xFFFFFF},
        {"empty", "race", 0, 0},
        {"codes", "box", 300, 9},
        {"smooth", "yut", 500, 19960},
        {"noise", "yut", 40, (uint32_t)(40 * 2654435761u)},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char path[2 * PATH_MAX];
        Table *table;
        TableReader *reader;
        uint32_t codes[500];
        snprintf(path, sizeof path, "%s/tests/corpus/table/%s", root, tables[i].name);
        assert_ok(table_open(path, &table));
        const TableInfo *info = table_info(table);
        assert_string_equal(info->game, tables[i].game);
        assert_int_equal(info->count, tables[i].count);
        assert_ok(table_verify(table, 1, NULL, NULL));
        assert_ok(table_reader_open(table, 1000, &reader));
        assert_ok(table_read(reader, 0, (size_t)info->count, codes));
        assert_true(info->count == 0 || codes[info->count - 1] == tables[i].last);
        /* Our own writer produces the same file except for the compressed bytes. */
        assert_int_equal(write_codes("again", info, codes, 1, 500), info->content);
        table_reader_close(reader);
        table_close(table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_all_sizes_come_back),
        cmocka_unit_test(bytes_do_not_depend_on_threads),
        cmocka_unit_test(content_depends_on_values_alone),
        cmocka_unit_test(chances_are_rounded_to_the_nearest_code),
        cmocka_unit_test(any_cache_gives_the_same_values),
        cmocka_unit_test(numbers_beyond_the_table_are_refused),
        cmocka_unit_test(threads_share_a_table),
        cmocka_unit_test(checking_tells_its_progress),
        cmocka_unit_test(checking_stops_when_asked),
        cmocka_unit_test(probes_fail_with_a_code_and_keep_the_message),
        cmocka_unit_test(an_abandoned_writer_leaves_nothing),
        cmocka_unit_test(an_older_table_stays_until_the_new_one_is_whole),
        cmocka_unit_test(a_killed_writer_leaves_a_whole_table),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_an_error),
        cmocka_unit_test(a_disk_without_room_is_an_error),
        cmocka_unit_test(writers_refuse_what_no_table_can_be),
        cmocka_unit_test(the_reference_reads_what_is_written),
        cmocka_unit_test(what_the_reference_makes_is_read),
    };
    return cmocka_run_group_tests_name("table", tests, make_folder, remove_folder);
}
